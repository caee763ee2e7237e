package turn

import (
	"fmt"
	"runtime/debug"
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
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
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

	stage stage.Stage // where everything happens

	court     court
	past      *past // what the machine knows of the turns before
	narrating bool  // second phase of plan_narrate
	rounds    int   // rounds of calls without narration

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
	headChanged bool               // the acceptance changed the campaign, whatever comes of the turn
	hostEvents  int                // of the submission, that hooks have heard of
	eventSeq    int
	panics      []tool.Panic
}

func newTurn(g *game.Game, next state.Campaign, in Submit, values setting.Values) *run {
	t := &run{game: g, in: in, asked: in, ticket: in.Ticket(), values: values, next: next}
	t.stage = stage.Stage{Game: g, Number: numberOf(&next, nil), At: in.At,
		Dice: stage.Dice{Seed: next.Seed, Cursor: next.State.Random, Rolls: map[string][]int{}}}
	t.stage.Texts.Line, t.stage.Texts.Reply = &t.in.Text, t.newestReply
	t.stage.Begin(next.State, state.TurnID(next.TurnCounter+1))
	t.knows(new(past), nil)
	t.court = court{
		tools: g.Tools(), reasonText: g.ReasonText, life: g.Life(), allowlist: next.Allowlist, disabled: next.DisabledTools,
		actorID: in.ActorID, maxCalls: values.Int(setting.MaxToolCalls),
		maxDelta: values.Int(setting.MaxHPDelta), roll: t.stage.Roll, refused: map[string]state.CallCode{},
		panicked: func(name string, what any) {
			t.panics = append(t.panics, tool.Panic{Tool: name, Value: what, Stack: debug.Stack()})
		},
	}
	t.line = strings.TrimSpace(in.Text) != ""
	t.in.Text = t.scripted(in.Text, script.Where{Placement: script.UserInput})
	return t
}

// knows gives the turn what is known of those before, and somebody who asks why; nil: nobody.
func (t *run) knows(past *past, why *Explanation) {
	if t.past, t.explained, t.stage.Fired = past, why, &past.fired; why != nil {
		t.stage.Why = &why.Rules
	}
}

// newestReply is the narration that is being judged, or the last one that has passed.
func (t *run) newestReply() *string {
	if n := len(t.spoken); n > 0 && (t.casting.kept || !t.hasSpeaker()) {
		return &t.spoken[n-1].Text
	}
	return &t.last.Text
}

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

func (t *run) nextEventID() string {
	t.eventSeq++
	return fmt.Sprintf("evt_%04d_%03d", t.next.Version+1, t.eventSeq) // unique in the log
}
