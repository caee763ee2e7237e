package memory

// Lineage knows which turns lead to which: it tells what happened from what was undone or
// happened on another branch. The zero Lineage is empty. It may be read by several goroutines
// while nobody adds to it.
type Lineage struct {
	places map[string]place
	runs   []run
}

// run is a row of turns, each the parent of the next.
type run struct {
	origin place // of the first one's parent; its run is -1 if that is unknown
	length int
}

// place is the at-th turn of a run.
type place struct{ run, at int }

// Add notes a turn and its parent. Parents are added before their children; a parent that is
// unknown makes the turn a first one. A turn that is known stays where it is.
func (l *Lineage) Add(id, parent string) {
	if _, known := l.places[id]; known {
		return
	}
	if l.places == nil {
		l.places = map[string]place{}
	}
	p, known := l.places[parent]
	if known && p.at == l.runs[p.run].length-1 {
		l.runs[p.run].length++
		l.places[id] = place{p.run, p.at + 1}
		return
	}
	if !known {
		p = place{run: -1}
	}
	l.places[id] = place{run: len(l.runs)}
	l.runs = append(l.runs, run{origin: p, length: 1})
}

// Has reports whether a turn was added.
func (l *Lineage) Has(id string) bool {
	_, known := l.places[id]
	return known
}

// Path returns the turns that lead to head, itself included; none if it is unknown.
// It costs what the number of branches is, not that of turns.
func (l *Lineage) Path(head string) Path {
	path := Path{lineage: l, lengths: make([]int, len(l.runs))}
	p, known := l.places[head]
	for known && p.run >= 0 {
		path.lengths[p.run] = p.at + 1
		p = l.runs[p.run].origin
	}
	return path
}

// Path is a set of turns, each but the first a child of the one before. It is valid until the
// next [Lineage.Add].
type Path struct {
	lineage *Lineage
	lengths []int // by run: how many of its turns, from the first on
}

// Has reports whether a turn is one of them.
func (p Path) Has(id string) bool {
	at, known := p.lineage.places[id]
	return known && p.has(at)
}

func (p Path) has(at place) bool { return at.at < p.lengths[at.run] }
