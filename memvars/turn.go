package memvars

import (
	"fmt"
	"slices"
	"strings"

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

// Pass is one of the automatic rules that run after a command, a message or a turn.
type Pass struct {
	Name  string `json:"name"`
	Stage Stage  `json:"stage"`
	Cause string `json:"cause"` // Change.By of its changes
	About string `json:"about"`

	message func(*run)
	turn    func(*turnPasses)
}

// Passes lists the automatic rules in the order in which they run. It is built on each call, so that
// nobody can change the table of Apply and EndTurn.
func Passes() []Pass {
	return []Pass{
		{Name: "inventory", Stage: StageCall, Cause: "inventory", message: (*run).sweepInventory,
			About: "removes items whose num is zero"},
		{Name: "derived", Stage: StageMessage, Cause: "derived", message: (*run).derive,
			About: "recomputes the derived fields by their formulas"},
		{Name: "clamp", Stage: StageMessage, Cause: "clamp", message: (*run).limitDifficulty,
			About: "limits the difficulty by the level of the world"},
		{Name: "clock", Stage: StageTurn, Cause: "time", turn: (*turnPasses).clock,
			About: "moves the date on when the clock passed midnight"},
		{Name: "timer", Stage: StageTurn, Cause: "time", turn: (*turnPasses).timer,
			About: "counts the days left for the task"},
		{Name: "resources", Stage: StageTurn, Cause: "resource", turn: (*turnPasses).resources,
			About: "lets stocks grow and shrink with the days"},
		{Name: "summaries", Stage: StageTurn, Cause: "summary", turn: (*turnPasses).summaries,
			About: "moves the summary flags and clears what was summed up"},
		{Name: "green", Stage: StageTurn, Cause: "green", turn: (*turnPasses).greenLights,
			About: "shows filtered nodes that the latest replies mention"},
	}
}

// EndTurn runs the work that is due once per round, after the model's message was applied. It
// compares the document with the document at the end of the last turn. Then it runs the passes of
// the stage "turn" in the order of [Passes]: the clock, the task's days, the resources, the
// summaries, the green lights. With the zero State nothing counts as changed during the turn.
//
// The readable dates are [year]月日 in digits of any width or Chinese numerals (including 初 廿 卅
// and 正 冬 腊), Y-M-D, Y/M/D and Y.M.D. English dates such as March 15th, 1203 or 15 Mar, and day
// counts such as Day 3 or 第三天 are readable too. Times are hh:mm[:ss], 8点半, 晚上8时20分 and
// similar. With any other date no time passes, and Result.Notes reports it.
func (s *System) EndTurn(d tree.Document, st State, t Turn) (tree.Document, State, Result) {
	r := newRun(s, d, Host)
	turn := r.newTurn(d, st, t)
	for _, p := range Passes() {
		if p.Stage == StageTurn {
			p.turn(turn)
		}
	}
	out, result := r.finish(d)
	window := turn.window[len(turn.window)-turn.kept():]
	next := State{Turn: s.baseline(out), Window: slices.Clone(window), Extra: st.Extra}
	return out, next, result
}

// withRound adds a round to a window. A round without a reply is joined with the round after it,
// because the window counts replies. Of its lines the newest are kept.
func withRound(window []Turn, t Turn) []Turn {
	t.Player, t.Witnesses = slices.Clone(t.Player), slices.Clone(t.Witnesses)
	if n := len(window) - 1; n >= 0 && window[n].Reply == "" && slices.Equal(window[n].Witnesses, t.Witnesses) {
		lines := slices.Concat(window[n].Player, t.Player)
		t.Player, window = lines[max(len(lines)-minWindow, 0):], window[:n]
	}
	return append(slices.Clip(window), t)
}

// LightsFor returns the document with the green lights for a viewer. A round that only some
// characters heard counts if sees returns true for its witnesses. st is the state that the last
// EndTurn returned. If it has no such round, the given document is returned.
func (s *System) LightsFor(d tree.Document, st State, sees func(witnesses []string) bool) tree.Document {
	if !slices.ContainsFunc(st.Window, func(t Turn) bool { return len(t.Witnesses) > 0 && sees(t.Witnesses) }) {
		return d
	}
	r := newRun(s, d, Host)
	turn := &turnPasses{run: r, window: st.Window, sees: sees}
	turn.greenLights()
	out, _ := r.finish(d)
	return out
}

// newTurn prepares the work at the end of a turn. It acts as the host, because its fields are locked
// for all other actors.
func (r *run) newTurn(d tree.Document, st State, t Turn) *turnPasses {
	base := st.Turn
	if base == nil {
		base = r.sys.baseline(d)
	}
	return &turnPasses{run: r, base: *base, window: withRound(st.Window, t)}
}

// Derive only recomputes the derived fields of a document.
func (s *System) Derive(d tree.Document) (tree.Document, Result) {
	r := newRun(s, d, Host)
	r.derive()
	return r.finish(d)
}

// RunPass runs a single pass by its name, for tests and for hosts with their own schedule. An
// unknown name is reported in Result.Problems.
func (s *System) RunPass(name string, d tree.Document, st State, t Turn) (tree.Document, Result) {
	for _, p := range Passes() {
		if p.Name != name {
			continue
		}
		r := newRun(s, d, Host)
		if p.turn != nil {
			p.turn(r.newTurn(d, st, t))
		} else {
			p.message(r)
		}
		return r.finish(d)
	}
	return d, Result{Problems: talewright.Problems{{
		Code: codeUnknownPass, Text: fmt.Sprintf("there is no pass %q; see Passes", name),
	}}}
}

// Checks reads the proposed check and the enemy's attack from the status and compares them with the
// character. Names without a number get the value of the attribute or skill.
func (s *System) Checks(d tree.Document) CheckProposal {
	p := &s.profile
	r := newRun(s, d, Host)
	var out CheckProposal
	out.Difficulty, _ = r.number(withinModule(p.Status, p.Difficulty))
	level := strings.TrimSpace(r.text(withinModule(p.Status, p.WorldLevel)))
	for _, l := range p.Levels {
		if l.Name == level {
			out.Max = l.Max
		}
	}
	sum := func(path tree.Path) ([]CheckTerm, tree.Number) {
		place := withinModule(p.Status, path)
		terms, pool, problems := SumCheck(r.text(place), place.String(), r.score)
		out.Problems = append(out.Problems, problems...)
		return terms, pool
	}
	out.Terms, out.Pool = sum(p.Check)
	out.Enemy, out.EnemyPool = sum(p.EnemyPool)
	return out
}

// Message is one message of a history, with its author. A change that a host made outside of
// messages belongs in the history as a message of the [Host].
type Message struct {
	Actor Actor  `json:"actor"`
	Text  string `json:"text"`
}

// Rebuild replays a whole history on the initial document. Every message is applied as its actor,
// and each message of the model ends a turn. The result equals the result of live play with the
// same options, byte for byte.
//
// The messages of the player since the last reply belong to the turn, as in live play. Every
// message is applied separately: joined into one, the days and the flags between them would be
// lost.
func (s *System) Rebuild(initial tree.Document, history []Message) (tree.Document, State) {
	d, st := initial, s.Begin(initial)
	var player []string
	for _, m := range history {
		d, _ = s.Apply(d, m.Text, m.Actor)
		switch m.Actor {
		case User:
			player = append(player, m.Text)
		case AI:
			d, st, _ = s.EndTurn(d, st, Turn{Reply: m.Text, Player: player})
			player = nil
		}
	}
	return d, st
}

// Verify rebuilds the history and compares. It returns the changes that would correct d, or nothing
// if d is correct. intact is true if the spelling and the order of keys agree too.
func (s *System) Verify(
	d, initial tree.Document, history []Message,
) (repair []tree.Change, intact bool) {
	want, _ := s.Rebuild(initial, history)
	repair = tree.Diff(d, want)
	return repair, len(repair) == 0 && d.String() == want.String()
}
