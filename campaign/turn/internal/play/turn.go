package play

import (
	"runtime/debug"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// Turn is a running turn. Nothing of it is visible outside before the commit.
type Turn struct {
	Game   *game.Game
	Values setting.Values // frozen when the turn was accepted
	Next   state.Campaign // the next head; its State is replaced at the end
	Order  Order
	Dialog Dialog

	Stage  draft.Stage      // where all changes happen
	Past   *past.WindowPast // the known earlier turns
	Found  Found
	Calls  judge.Adjudicator
	Talk   Exchange
	Second *Second // nil: the turn has no second request
	Out    Output

	Attempts []state.Attempt // the outputs of the model so far
	Retries  int             // how often the model was asked again because of faults
	People   People
	Casting  Casting

	Recorded    []tree.Value // in a replay: the recorded programs of templates
	Explained   *Explanation // nil: no explanation is recorded
	HeadChanged bool         // the acceptance changed the campaign; this stays even if the turn has no result
	eventSeq    int          // number of events raised for hooks; part of their IDs
	Panics      []tool.Panic // of tools and approval functions
}

// Explanation says why lore, rules and reactions took part in the turn, or did not.
type Explanation struct {
	Lore   worldbook.Trace
	Rules  []rules.Trace
	Talk   []worldbook.Message
	Prompt prompt.Result
}

// Dialog is the dialog type of a turn.
type Dialog struct {
	Kind   game.DialogType
	Source state.DialogSource // manual, router or fallback
	Kept   state.Dialog       // the part that the campaign keeps, once the turn is recorded
}

// Found has the findings for the prompt of a turn.
type Found struct {
	Scan     worldbook.Result
	Second   *worldbook.Result  // the scan for the second request, nil without one
	Forced   []worldbook.Forced // entries found by meaning
	Recalled []memory.Item      // items of the memory, best first
	Memories []string           // lines of the prompt
	// The templates of the prompt and of the second request, which begin before the scan.
	Templates, SecondTemplates *prepare.Templates
}

// People has the questions to people about the calls of a turn, and their decisions.
type People struct {
	Consent   Consent               // for the calls of the last output
	Decisions []state.ApprovalGiven // the decisions
	Denials   int                   // how often the model was asked again because of a denial
}

// New returns a turn of a campaign for a submission.
func New(g *game.Game, next state.Campaign, in state.Submission, values setting.Values) *Turn {
	t := &Turn{Game: g, Order: Order{In: in, Submitted: in}, Values: values, Next: next, Dialog: Dialog{Kept: next.Dialog}}
	t.Stage = draft.Stage{Game: g, Number: draft.NumberOf(&next, nil), At: in.At,
		Dice: draft.Dice{Seed: next.Seed, Cursor: next.State.Random, Rolls: map[string][]int{}}}
	t.Stage.Rewrites.Line, t.Stage.Rewrites.Reply = &t.Order.In.Text, func() *string { return newestReply(t) }
	t.Stage.Begin(next.State, state.TurnID(next.TurnCounter+1))
	t.SetPast(new(past.WindowPast), nil)
	t.Calls = judge.Adjudicator{
		Tools: g.Tools(), ReasonText: g.ReasonText, Life: g.Life(), Allowlist: next.Allowlist, Disabled: next.DisabledTools,
		ActorID: in.ActorID, MaxCalls: values.Int(settingkey.MaxToolCalls),
		MaxDelta: values.Int(settingkey.MaxHPDelta), Roll: t.Stage.Roll, Refused: map[string]state.CallCode{},
		Panicked: func(name string, what any) {
			t.Panics = append(t.Panics, tool.Panic{Tool: name, Value: what, Stack: debug.Stack()})
		},
	}
	t.Calls.Known = func(s *state.State) (*state.State, bool) {
		sight := secret.Of(s, t.View().Viewer())
		return sight.State, sight.Limited()
	}
	t.Calls.Withhold = func(s *state.State, v tree.Value) tree.Value {
		if t.View().Mode() == state.AudienceOff {
			return v
		}
		return secret.Of(s, state.Viewer{Shared: true, Group: t.Order.In.Audience}).Withhold(v)
	}
	t.Order.HasLine = strings.TrimSpace(in.Text) != ""
	t.Order.In.Text = t.Scripted(in.Text, script.Where{Placement: script.UserInput})
	return t
}

// SetPast sets the known earlier turns. It also sets the explanation to record; nil: none is
// recorded.
func (t *Turn) SetPast(past *past.WindowPast, explained *Explanation) {
	t.Past, t.Explained = past, explained
	if explained != nil {
		t.Stage.Explained = &explained.Rules
	}
}

// newestReply returns the narration that is being judged, or the last accepted one.
func newestReply(t *Turn) *string {
	if n := len(t.Casting.Spoken); n > 0 && (t.Casting.kept || t.Casting.Speaking() == "") {
		return &t.Casting.Spoken[n-1].Text
	}
	return &t.Out.Last.Text
}
