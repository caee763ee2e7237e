package memvars

import (
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// Stage says when a pass runs.
type Stage string

// The stages.
const (
	StageCall    Stage = "call"    // after every command that changed something
	StageMessage Stage = "message" // once after the commands of a message
	StageTurn    Stage = "turn"    // at the end of a turn
)

// Pass is one of the automatic rules that follow a command, a message or a turn.
type Pass struct {
	Name  string `json:"name"`
	Stage Stage  `json:"stage"`
	Cause string `json:"cause"` // Change.By of what it does
	About string `json:"about"`

	message func(*run)
	turn    func(*turnRun)
}

// Passes lists the automatic rules in the order in which they run.
func Passes() []Pass { return passes() }

// passes is the table that Apply and EndTurn work by. It is made anew on each
// call, so that nobody can change it.
func passes() []Pass {
	return []Pass{
		{Name: "inventory", Stage: StageCall, Cause: "inventory", message: runInventory,
			About: "removes items whose num is zero"},
		{Name: "derived", Stage: StageMessage, Cause: "derived", message: runDerived,
			About: "recomputes the derived fields by their formulas"},
		{Name: "clamp", Stage: StageMessage, Cause: "clamp", message: runClamp,
			About: "limits the difficulty by the level of the world"},
		{Name: "clock", Stage: StageTurn, Cause: "time", turn: runClock,
			About: "moves the date on when the clock passed midnight"},
		{Name: "timer", Stage: StageTurn, Cause: "time", turn: runTimer,
			About: "counts the days left for the task"},
		{Name: "resources", Stage: StageTurn, Cause: "resource", turn: runResources,
			About: "lets stocks grow and shrink with the days"},
		{Name: "summaries", Stage: StageTurn, Cause: "summary", turn: runSummaries,
			About: "moves the summary flags and clears what was summed up"},
		{Name: "green", Stage: StageTurn, Cause: "green", turn: runGreenLights,
			About: "shows filtered nodes that the latest replies mention"},
	}
}

// Derive recomputes the derived fields of a document and nothing else.
func (s *System) Derive(d tree.Document) (tree.Document, Result) {
	r := newRun(s, d, Host)
	runDerived(r)
	return r.finish(d)
}

// RunPass runs a single pass by its name, for tests and for hosts that keep
// their own schedule. An unknown name is reported in Result.Problems.
func (s *System) RunPass(name string, d tree.Document, st State, t Turn) (tree.Document, Result) {
	for _, p := range passes() {
		if p.Name != name {
			continue
		}
		r := s.turnRun(d, st, t)
		if p.turn != nil {
			p.turn(r)
		} else {
			p.message(r.run)
		}
		return r.finish(d)
	}
	return d, Result{Problems: talewright.Problems{{
		Code: UnknownPass, Text: fmt.Sprintf("there is no pass %q; see Passes", name),
	}}}
}
