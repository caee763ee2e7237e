package worldbook

// What tests see of the loops of a scan.
const (
	LoopStop           = stateStop
	LoopInitial        = stateInitial
	LoopRecursion      = stateRecursion
	LoopMinActivations = stateMinActivations
)

// LoopKind is the kind of a loop.
type LoopKind = scanState

// Loop is one loop of a scan.
type Loop struct {
	State, Next LoopKind
	Added       []ID
}

// Loops returns the loops of the scan that made a result.
func Loops(r Result) []Loop {
	var list []Loop
	for _, p := range r.loops {
		list = append(list, Loop{p.state, p.next, p.added})
	}
	return list
}
