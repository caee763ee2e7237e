package turn

import (
	"runtime/debug"
	"strings"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// run is a turn in the making. Nothing of it is visible outside before the
// commit.
type run struct {
	game   *game.Game
	values setting.Values // frozen when the turn was accepted
	next   state.Campaign // the head as it will be; its State is replaced at the end
	order  order
	dialog dialog

	stage stage.Stage // where everything happens
	past  *past       // what the machine knows of the turns before
	found found
	calls adjudicate.Adjudicator
	talk  exchange
	out   output

	attempts []state.Attempt
	retries  int
	people   people
	casting  casting

	explained   *explanation // nil: nobody asks why
	headChanged bool         // the acceptance changed the campaign, whatever comes of the turn
	eventSeq    int
	panics      []tool.Panic
}

// explanation is an [Explanation] in the making.
type explanation struct {
	Lore  worldbook.Trace
	Rules []rules.Trace
}

// dialog is the type of a turn's dialog.
type dialog struct {
	kind   game.DialogType
	source state.DialogSource // manual, router or fallback
}

// found is what was found for the prompt of a turn.
type found struct {
	scan     worldbook.Result
	forced   []worldbook.Forced // entries that were found by meaning
	recalled []memory.Item      // what the memory gave, best first
	memories []string           // lines of the prompt
}

// output is the last answer of the model, and what became of it.
type output struct {
	reply     reply
	last      answer.Answer
	asks      []game.Asked                 // in the form of a dialect
	cleaned   struct{ text, shown string } // the narration that was cleaned last
	calling   calling
	unsettled []state.FailedCall  // refused calls
	findings  []conflict.Conflict // of all severities
	blocking  []conflict.Conflict // those of them that keep it from passing
	accepted  []conflict.Conflict // those that a person overrode
}

// reply is an answer of the model as it came: see [Replied].
type reply struct {
	Text      string
	ToolCalls []llm.ToolCall
	Usage     *llm.Usage
	Finish    llm.FinishReason
	Reasoning string
	Thoughts  []llm.Thought
	Warnings  []llm.Warning
	First     string
	Cut       bool
}

// unfinished says in which way an answer is no whole one, "" for a whole one.
func (r reply) unfinished() string {
	switch {
	case r.Finish == llm.FinishContentFilter:
		return conflict.FilteredOutput
	case r.Cut, r.Finish == llm.FinishLength:
		return conflict.TruncatedOutput
	}
	return ""
}

// people is what people are asked of the calls of a turn, and have decided.
type people struct {
	consent consent          // to the calls of the last output
	given   []approval.Given // what they have decided
	denials int              // how often the model was asked again because of them
}

func newTurn(g *game.Game, next state.Campaign, in state.Submission, values setting.Values) *run {
	t := &run{game: g, order: order{in: in, asked: in}, values: values, next: next}
	t.stage = stage.Stage{Game: g, Number: view.NumberOf(&next, nil), At: in.At,
		Dice: stage.Dice{Seed: next.Seed, Cursor: next.State.Random, Rolls: map[string][]int{}}}
	t.stage.Texts.Line, t.stage.Texts.Reply = &t.order.in.Text, func() *string { return newestReply(t) }
	t.stage.Begin(next.State, state.TurnID(next.TurnCounter+1))
	t.knows(new(past), nil)
	t.calls = adjudicate.Adjudicator{
		Tools: g.Tools(), ReasonText: g.ReasonText, Life: g.Life(), Allowlist: next.Allowlist, Disabled: next.DisabledTools,
		ActorID: in.ActorID, MaxCalls: values.Int(setting.MaxToolCalls),
		MaxDelta: values.Int(setting.MaxHPDelta), Roll: t.stage.Roll, Refused: map[string]state.CallCode{},
		Panicked: func(name string, what any) {
			t.panics = append(t.panics, tool.Panic{Tool: name, Value: what, Stack: debug.Stack()})
		},
	}
	t.order.line = strings.TrimSpace(in.Text) != ""
	t.order.in.Text = t.scripted(in.Text, script.Where{Placement: script.UserInput})
	return t
}

// knows gives the turn what is known of those before, and somebody who asks why; nil: nobody.
func (t *run) knows(past *past, why *explanation) {
	if t.past, t.explained, t.stage.Fired = past, why, &past.fired; why != nil {
		t.stage.Why = &why.Rules
	}
}

// newestReply is the narration that is being judged, or the last one that has passed.
func newestReply(t *run) *string {
	if n := len(t.casting.spoken); n > 0 && (t.casting.kept || t.casting.speaking() == "") {
		return &t.casting.spoken[n-1].Text
	}
	return &t.out.last.Text
}

// hasLine reports whether somebody said something.
func hasLine(t *run) bool { return t.order.line }
