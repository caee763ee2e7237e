package worldbook

// The loops of a scan, for tests.
const (
	LoopStop           = stateStop
	LoopInitial        = stateInitial
	LoopRecursion      = stateRecursion
	LoopMinActivations = stateMinActivations
)

// LoopKind is the kind of a loop.
type LoopKind = scanState

// Loop is one loop of a scan, and the candidates that were left after the inclusion groups.
type Loop struct {
	State, Next LoopKind
	Added       []ID
}

// ScanLoops is [Compiled.Scan]. It also returns the loops.
func ScanLoops(c *Compiled, in Input, st State) (r Result, next State, list []Loop) {
	state := stateInitial
	next = c.scan(&r, in, st, func(s *scan) {
		loop := Loop{State: state, Next: s.loop.state}
		for i := range s.candidates.list {
			loop.Added = append(loop.Added, s.candidates.list[i].id)
		}
		list, state = append(list, loop), loop.Next
	})
	return r, next, list
}
