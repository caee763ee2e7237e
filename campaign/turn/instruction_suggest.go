package turn

import (
	"cmp"
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/worldbook"
)

// Suggest asks for possible next actions or lines of the player. The answers are in
// [Outcome.Suggestions]. They are not a turn, change nothing and leave no record. Hooks and rules
// do not run.
type Suggest struct {
	// N is the number of suggestions; 0 means 3, and [state.MostSuggestions] is the maximum. If the
	// model writes fewer, or unreadable text, there are fewer.
	N    int                  `json:"n,omitempty"`
	Kind state.SuggestionKind `json:"kind,omitempty"`
	// ActorID is the character who gets the suggestions, empty: the active one.
	ActorID string `json:"actor_id,omitempty"`
	// Instructions describe the wanted suggestions. They are data: no macro in them is expanded.
	Instructions string    `json:"instructions,omitempty"`
	ClientTurnID string    `json:"client_turn_id,omitempty"`
	At           time.Time `json:"at,omitzero"`
	// Recall reports whether there is a memory to ask. The engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Suggest) inputType() string { return "suggest" }

// Remembering returns the instruction as a [ModelInstruction] with Recall set.
func (in Suggest) Remembering(memory bool) ModelInstruction { in.Recall = memory; return in }

// Ticket returns a ticket with the kind and the number of suggestions, and the instructions.
func (in Suggest) Ticket() Ticket {
	return Ticket{ActorID: in.ActorID, ClientTurnID: in.ClientTurnID,
		What: requestText("suggest", string(in.Kind), strconv.Itoa(in.N), in.Instructions)}
}

func (in Suggest) refuses(m *Machine, _ setting.Values) state.RefusalCode {
	s := m.base.State
	actor := cmp.Or(in.ActorID, s.Selected.ActorID)
	switch {
	case s.Lifecycle.Ended:
		return state.CampaignEnded
	case !s.InParty(actor):
		return state.ActorNotInParty
	case in.Kind != "" && in.Kind != state.SuggestActions && in.Kind != state.SuggestLines:
		return state.UnknownSuggestion
	}
	return ""
}

func (in Suggest) apply(m *Machine) (Stop, error) { return accept(m, in) }

func (in Suggest) open(m *Machine, values setting.Values) Stop {
	kind := worldbook.Quiet
	if in.Kind == state.SuggestLines {
		kind = worldbook.Impersonate
	}
	t := beginTurn(m, in, state.Submission{ActorID: cmp.Or(in.ActorID, m.base.State.Selected.ActorID), Generation: kind, At: in.At,
		Recall: in.Recall}, m.base.Clone(), values)
	t.HeadChanged = false // nothing is committed
	t.Order.Suggestions = min(max(cmp.Or(in.N, 3), 1), state.MostSuggestions)
	t.Order.Ask = &state.Ask{Instruction: in.inputType(), Instructions: in.Instructions}
	t.Dialog.Source = state.DialogByHand
	t.Dialog.Kind, _ = m.game.Dialog(values.Text(settingkey.ManualType))
	play.OpenDialog(t)
	play.ChooseSuggester(t)
	m.turn = t
	return atSuggest
}

// suggestRequest builds the prompt. It is the prompt of a turn with a different end.
func suggestRequest(t *play.Turn) play.Next {
	play.ScanBook(t)
	return play.FirstRequest(t)
}

// suggested reads the suggestions from the answer.
func suggested(m *Machine, in Replied) Stop {
	t := m.turn
	t.Out.Reply = play.Reply(in)
	n := t.Order.Suggestions
	attempt := state.Attempt{Output: in.Text, Usage: in.Usage, Reasoning: in.Reasoning, ModelWarnings: in.Warnings}
	var audience []string // a suggestion may contain what only the actor knows
	if w := t.Window(); w.Mode() != state.AudienceOff && prepare.Private(w, t.Found.Memories) {
		audience = []string{t.Order.In.ActorID}
	}
	isOneLine := n == 1 && t.Order.In.Generation == worldbook.Impersonate
	return m.endWith(Outcome{
		Status: Completed, Suggestions: t.Examiner().Suggestions(in.Text, n, isOneLine, t.CleanNarration),
		Attempts:   []state.Attempt{judge.ForPeople(t.Next.Goal, t.Out.Last, attempt)},
		DialogType: t.Dialog.Kind.ID, DialogTypeSource: t.Dialog.Source, Audience: audience,
	})
}
