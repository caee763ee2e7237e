package turn

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// run is a turn in the making. Nothing of it is visible outside before the
// commit.
type run struct {
	game   *game.Game
	in     Submit
	values setting.Values // frozen when the turn was accepted
	next   state.Campaign // the head as it will be; its State is replaced at the end
	kind   game.DialogType
	source state.DialogSource // manual, router or fallback

	// settled is the state after everything that counts, staged adds what the
	// present output did and what a re-generation undoes.
	settled, staged progress

	court     court
	rolls     map[string][]int // dice by call; a re-generation finds them again
	past      *past            // what the machine knows of the turns before
	cursor    uint64           // random draws so far
	draws     []float64        // those of this turn, of undone attempts too
	prompted  bool             // the prompt is built: what is injected now is for the next one
	narrating bool             // second phase of plan_narrate
	rounds    int              // rounds of calls without narration

	asked     Submit      // the submission as it came; scripts may change the line in it
	suggest   *Suggest    // what is wanted beside the story, nil: a turn
	line      bool        // there is a line of the player's, whatever became of it
	ticket    Ticket      // of the instruction
	ask       *state.Ask  // what is asked for but for the answer to a new line, nil: that
	again     *renewal    // the line has an answer already; nil: it is new
	head      *state.Turn // the turn that goes on, nil for one of its own
	request   request.Request
	sent      int           // messages of the request that the model has seen
	text      *textPrompt   // the prompt as one text, nil for messages
	assembled prompt.Result // the first request, and what was appended to it
	estimated int           // tokens of the first request, its tools included
	tooLong   error         // set when an append did not fit the budget
	// resultsTold counts the applied calls whose results the model has seen.
	resultsTold int
	attempts    []state.Attempt
	retries     int
	retryWhy    string
	reply       Replied // the answer that is being judged
	calling     calling
	consent     consent          // of people, to the calls of the last output
	approvals   []approval.Given // what they have decided
	denials     int              // how often the model was asked again because of them
	last        answer.Answer
	asks        []game.Asked                 // of the last output, in the form of a dialect
	cleaned     struct{ text, shown string } // the narration that was cleaned last
	own         int                          // commands of the player's own in the line
	casting     casting
	spoken      []state.Reply       // what members of the cast have said
	dropped     []string            // those of them whose replies were left out
	unsettled   []state.FailedCall  // refused calls of the last output
	refused     []state.FailedCall  // those of earlier rounds, whose results the model has seen
	findings    []conflict.Conflict // conflicts of the last output, all severities
	blocking    []conflict.Conflict // those of them that keep it from passing
	waved       []conflict.Conflict // those of replies before
	accepted    []conflict.Conflict // conflicts that a person waved through

	scan        worldbook.Result
	forced      []worldbook.Forced // entries that were found by meaning
	recalled    []memory.Item      // what the memory gave, best first
	memories    []string           // lines of the prompt
	explained   *Explanation       // nil: nobody asks why
	interfered  interference       // of rules and hooks with the texts
	headChanged bool               // the acceptance changed the campaign, whatever comes of the turn
	hostEvents  int                // of the submission, that hooks have heard of
	eventSeq    int
	panics      []tool.Panic
}

// progress is what a part of the turn has led to.
type progress struct {
	state    state.State
	applied  []state.Applied
	evidence []conflict.Action
	messages []string // from hooks, for the player
	host     []effect.Caused
	events   []rules.Event // changes that rules have not heard of yet
	changes  []tree.Change
	commands []state.CommandResult
	counts   map[string]int // checks made, by call
	trace    turntrace.Trace
}

// clone returns a copy that may be appended to.
func (p progress) clone() progress {
	p.state = p.state.Staged()
	p.applied = slices.Clone(p.applied)
	p.evidence = slices.Clone(p.evidence)
	p.messages = slices.Clone(p.messages)
	p.host = slices.Clone(p.host)
	p.events = slices.Clone(p.events)
	p.changes = slices.Clone(p.changes)
	p.commands = slices.Clone(p.commands)
	counts := make(map[string]int, len(p.counts))
	for k, n := range p.counts {
		counts[k] = n
	}
	p.counts = counts
	p.trace = p.trace.Clone()
	return p
}

func newTurn(g *game.Game, next state.Campaign, in Submit, values setting.Values) *run {
	t := &run{
		game: g, in: in, asked: in, ticket: in.Ticket(), values: values, next: next,
		rolls: map[string][]int{}, cursor: next.State.Random, past: new(past),
	}
	t.settled = progress{state: next.State, counts: map[string]int{}}
	t.settled.state.Variables = g.Complete(next.State) // a save may be older than the content
	t.settled.state.Hooks = t.settled.state.Hooks.BeginTurn(state.TurnID(next.TurnCounter + 1))
	t.settled.state.Injections = t.settled.state.Injections.BeginTurn()
	t.staged = t.settled.clone()
	t.court = court{
		tools: g.Tools(), reasonText: g.ReasonText, life: g.Life(), allowlist: next.Allowlist, disabled: next.DisabledTools,
		actorID: in.ActorID, maxCalls: values.Int(setting.MaxToolCalls),
		maxDelta: values.Int(setting.MaxHPDelta), roll: t.roll, refused: map[string]state.CallCode{},
		panicked: func(name string, what any) {
			t.panics = append(t.panics, tool.Panic{Tool: name, Value: what, Stack: debug.Stack()})
		},
	}
	t.line = strings.TrimSpace(in.Text) != ""
	t.in.Text = t.scripted(in.Text, script.Where{Placement: script.UserInput})
	return t
}

// number is the turn's place on its branch, from 1.
func (t *run) number() int { return numberOf(&t.next, t.head) }

// hasLine reports whether somebody said something.
func (t *run) hasLine() bool { return t.line }

// numberOf is the place on its branch of the turn that is played, which is that of the head if
// that goes on.
func numberOf(c *state.Campaign, head *state.Turn) int {
	if head != nil {
		return c.State.TurnCount
	}
	return c.State.TurnCount + 1
}

// draw returns the next random number of the campaign's source and records it.
func (t *run) draw() float64 {
	x := t.game.Random(t.next.Seed, t.cursor)
	t.cursor++
	t.draws = append(t.draws, x)
	return x
}

// roll throws a die for a check. The n-th check with the same arguments shows the
// same in every re-generation.
func (t *run) roll(key string, sides int) int {
	n := t.staged.counts[key]
	t.staged.counts[key] = n + 1
	if n < len(t.rolls[key]) {
		return t.rolls[key][n]
	}
	roll := 1 + int(t.draw()*float64(sides))
	t.rolls[key] = append(t.rolls[key], roll)
	return roll
}

// settle makes what is staged final for this turn.
func (t *run) settle() { t.settled = t.staged.clone() }

// undo drops what is staged.
func (t *run) undo() { t.staged = t.settled.clone() }

func (t *run) nextEventID() string {
	t.eventSeq++
	return fmt.Sprintf("evt_%04d_%03d", t.next.Version+1, t.eventSeq) // unique in the log
}
