package memory

// Lineage records the parent of each turn. It separates turns that happened from turns that were
// undone or belong to a different branch. The zero Lineage is empty. Concurrent reads are safe
// while no turn is added.
type Lineage struct {
	places map[string]place
	runs   []run
}

// run is a sequence of turns, each the parent of the next.
type run struct {
	origin place // the place of the parent of the first turn; its run is -1 if that is unknown
	length int
}

// place is a position in a run: its number at counts from 0.
type place struct{ run, at int }

// Add records a turn and its parent. Add parents before their children. With an unknown parent the
// turn is a first one. A known turn does not change.
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

// Path returns the turns that lead to head, including head; none if it is unknown. Its cost depends
// on the number of branches, not on the number of turns.
func (l *Lineage) Path(head string) Path {
	path := Path{lineage: l, lengths: make([]int, len(l.runs))}
	p, known := l.places[head]
	for known && p.run >= 0 {
		path.lengths[p.run] = p.at + 1
		p = l.runs[p.run].origin
	}
	return path
}

// Path is a set of turns, each but the first a child of the one before. It is valid until the next
// [Lineage.Add].
type Path struct {
	lineage *Lineage
	lengths []int // by run: the number of its turns, from the first on
}

// Has reports whether a turn is in the set.
func (p Path) Has(id string) bool {
	at, known := p.lineage.places[id]
	return known && p.has(at)
}

func (p Path) has(at place) bool { return at.at < p.lengths[at.run] }
