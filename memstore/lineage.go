package memstore

// lineage is the history of one key while another one is joined to it.
type lineage struct {
	rows     []row // oldest first
	incoming []line
	skip     int // of incoming, how many are there already
}

// newLineage begins with the history that is there, newest first.
func newLineage(have []row) *lineage {
	k := &lineage{}
	for i := len(have) - 1; i >= 0; i-- {
		k.rows = append(k.rows, have[i])
	}
	return k
}

// fits says whether the incoming history continues the one that is there, and
// sets skip. An error comes with the line that it is about.
func (k *lineage) fits(scope Scope, key string) (int, error) {
	both := min(len(k.rows), len(k.incoming))
	for i := range both {
		if k.rows[i].Version != k.incoming[i].Version {
			return k.incoming[i].n, conflict(scope, key, k.incoming[i].Version, k.rows[len(k.rows)-1].Entry)
		}
	}
	k.skip = both
	known := map[Version]bool{}
	for _, l := range k.incoming {
		if l.Undoes != "" && !known[l.Undoes] {
			return l.n, &InvalidError{What: "undoes", Rule: "no earlier revision of the key has the version that this one undoes"}
		}
		known[l.Version] = true
	}
	return 0, nil
}

// undoOf is what undoing the next revision of this lineage restores, by the
// rule of [Versioned]: its predecessor or, for an undo, what undoing the
// restored one would restore.
func (k *lineage) undoOf(r Revision) int64 {
	if r.Purged {
		return undoNothing
	}
	if r.Op != OpUndo {
		if len(k.rows) == 0 {
			return undoToAbsence
		}
		return k.rows[len(k.rows)-1].Seq
	}
	undone := k.find(func(o row) bool { return o.Version == r.Undoes })
	if undone == nil || undone.undo <= 0 {
		return undoNothing
	}
	if restored := k.find(func(o row) bool { return o.Seq == undone.undo }); restored != nil {
		return restored.undo
	}
	return undoNothing
}

func (k *lineage) find(is func(row) bool) *row {
	for i := len(k.rows) - 1; i >= 0; i-- {
		if is(k.rows[i]) {
			return &k.rows[i]
		}
	}
	return nil
}
