package turn

import (
	"cmp"
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/suggestion"
	"github.com/talewright/talewright/campaign/turn/internal/blocks"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/worldbook"
)

// Suggest asks what the player could do or say next. The answers are in
// [Outcome.Suggestions]; they are no turn, change nothing and leave no record. Hooks and
// rules do not hear of it.
type Suggest struct {
	// N is how many are wanted, 0 means 3; of more than [suggestion.Most] none are asked for.
	// A model that writes less, or nothing that can be read, gives fewer.
	N    int             `json:"n,omitempty"`
	Kind suggestion.Kind `json:"kind,omitempty"`
	// ActorID is the character for whom, empty: the active one.
	ActorID string `json:"actor_id,omitempty"`
	// Instructions tell the model more about what is wanted. They are data: no macro in them
	// is expanded.
	Instructions string    `json:"instructions,omitempty"`
	ClientTurnID string    `json:"client_turn_id,omitempty"`
	At           time.Time `json:"at,omitzero"`
	// Recall says that there is a memory to ask; the engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Suggest) inputType() string { return "suggest" }

func (in Suggest) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// Remembering makes it one of type [Asking].
func (in Suggest) Remembering(memory bool) Asking { in.Recall = memory; return in }

// Ticket says what is asked for: so many suggestions of a kind.
func (in Suggest) Ticket() Ticket {
	return Ticket{ActorID: in.ActorID, ClientTurnID: in.ClientTurnID,
		What: "suggest\x00" + string(in.Kind) + "\x00" + strconv.Itoa(in.N) + "\x00" + in.Instructions}
}

func (in Suggest) refuses(m *Machine, _ setting.Values) state.RefusalCode {
	s := m.base.State
	actor := cmp.Or(in.ActorID, s.Selected.ActorID)
	switch _, known := s.Character(actor); {
	case s.Lifecycle.Ended:
		return state.CampaignEnded
	case !known || !s.InParty(actor):
		return state.ActorNotInParty
	case in.Kind != "" && in.Kind != suggestion.Actions && in.Kind != suggestion.Lines:
		return state.UnknownSuggestion
	}
	return ""
}

func (in Suggest) apply(m *Machine) (Stop, error) { return accept(m, in) }

func (in Suggest) open(m *Machine, values setting.Values) Stop {
	kind := worldbook.Quiet
	if in.Kind == suggestion.Lines {
		kind = worldbook.Impersonate
	}
	t := beginTurn(m, in, state.Submission{ActorID: cmp.Or(in.ActorID, m.base.State.Selected.ActorID), Generation: kind, At: in.At,
		Recall: in.Recall}, m.base.Clone(), values)
	t.headChanged = false // whatever comes of it, nothing is committed
	t.order.suggestions = min(max(cmp.Or(in.N, 3), 1), suggestion.Most)
	t.order.ask = &state.Ask{Instruction: in.inputType(), Instructions: in.Instructions}
	t.dialog.source = state.DialogByHand
	t.dialog.kind, _ = m.game.Dialog(values.Text(setting.ManualType))
	openDialog(t)
	suggestBy(t)
	m.turn = t
	return atSuggest
}

// suggestRequest builds the prompt, which is that of a turn with another end.
func suggestRequest(t *run) next {
	t.scanBook()
	return firstRequest(t)
}

// suggested takes the suggestions out of the answer.
func suggested(m *Machine, in Replied) Stop {
	t := m.turn
	t.out.reply = reply(in)
	n := t.order.suggestions
	attempt := state.Attempt{Output: in.Text, Usage: in.Usage, Reasoning: in.Reasoning, ModelWarnings: in.Warnings}
	var forWhom []string // what is suggested may tell what the actor alone knows
	if w := windowOf(t); w.Mode() != audience.Off && blocks.Private(w, t.found.memories) {
		forWhom = []string{t.order.in.ActorID}
	}
	return m.endWith(Outcome{Status: Completed, Suggestions: t.examiner().Suggestions(in.Text, n, n == 1 && t.order.in.Generation == worldbook.Impersonate, t.cleanNarration),
		Attempts: []state.Attempt{verdict.ForPeople(t.next.Goal, t.out.last, attempt)}, DialogType: t.dialog.kind.ID, DialogTypeSource: t.dialog.source, Audience: forWhom})
}
