package vector

import (
	"sync"
	"time"
)

// restTime is how long searches leave a failing server alone.
const restTime = 10 * time.Second

// An outage is the time in which a server fails. Its beginning is said once.
type outage struct {
	now  func() time.Time
	warn func(string)

	mu    sync.Mutex
	cause error // nil: all is well
	again time.Time
}

// begin notes a failure.
func (o *outage) begin(err error) {
	o.mu.Lock()
	first := o.cause == nil
	o.cause, o.again = err, o.now().Add(restTime)
	o.mu.Unlock()
	if first {
		o.warn("Search by meaning is off for now; saving and the search by words go on, and the rest is caught up later: " + err.Error())
	}
}

// end notes that the servers work.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cause = nil
}

// resting is why a search should not even try, or nil.
func (o *outage) resting() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cause != nil && o.now().Before(o.again) {
		return o.cause
	}
	return nil
}
