package planner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"reverie/memstore"
)

// store makes n entries like those of a long project: statements of several
// shapes, with every twentieth a duplicate, replacement or restatement.
func manyEntries(n int) []memstore.Entry {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	es := make([]memstore.Entry, 0, n)
	for i := range n {
		name := fmt.Sprintf("%s-%d", pick("billing", "search", "orders", "users", "media", "ledger", "mail", "quota"), r.IntN(n/8+1))
		var v string
		switch r.IntN(8) {
		case 0:
			v = fmt.Sprintf("The %s service listens on port %d.", name, 1024+r.IntN(60000))
		case 1:
			v = fmt.Sprintf("The %s service now listens on port %d.", name, 1024+r.IntN(60000))
		case 2:
			v = fmt.Sprintf("%s was migrated from %s to %s; the old cluster was removed.", name, pick("MySQL 8", "Redis", "Kafka"), pick("PostgreSQL 16", "NATS"))
		case 3:
			v = fmt.Sprintf("We deploy %s on %ss, because the %s team is around then. Roll back with `make rollback-%s`.", name, pick("Monday", "Tuesday", "Thursday"), pick("core", "web", "data"), name)
		case 4:
			v = fmt.Sprintf("Tests of %s need %d MB and run for %d minutes; retry once before investigating.", name, r.IntN(4096), r.IntN(90))
		case 5:
			v = fmt.Sprintf("%s stores its state in /var/lib/%s and must never be restarted during the nightly backup.", name, name)
		case 6:
			v = fmt.Sprintf("The user asked to keep pull requests of %s under %d lines of changes.", name, 100+r.IntN(400))
		case 7:
			v = fmt.Sprintf("%s is owned by the %s team.", name, pick("core", "web", "data", "mobile"))
		}
		if i > 20 && r.IntN(20) == 0 {
			v = es[r.IntN(i)].Value
		}
		es = append(es, memstore.Entry{
			Scope: memstore.Project, Key: fmt.Sprintf("notes/%s/%d", name, i), Value: v, Kind: memstore.Note,
			Version: memstore.Version(fmt.Sprint("r_", i)), Updated: start.Add(time.Duration(i) * time.Minute),
			Provenance: memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned},
		})
	}
	return es
}

// BenchmarkPropose prints how planning grows with the store: time, time for an
// entry, and the largest heap seen at a report of progress, the entries
// themselves included.
func BenchmarkPropose(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			es := manyEntries(n)
			var peak uint64
			operations, reports := 0, 0
			watch := func(int, int) {
				if reports++; reports%64 == 0 {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapAlloc)
				}
			}
			for b.Loop() {
				p, err := (&Planner{}).Propose(context.Background(), es, Options{Progress: watch})
				if err != nil {
					b.Fatal(err)
				}
				operations = len(p.Operations)
			}
			b.ReportMetric(float64(operations), "operations")
			b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(n)*1e6, "µs/entry")
		})
	}
}
