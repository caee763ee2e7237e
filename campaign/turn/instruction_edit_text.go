package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/prompt/script"
)

// EditText replaces the text of a turn, as it is shown and prompted. The text of the model stays in
// [state.Turn.Original]. The state does not change: commands and directives in the new text are not
// applied. The detectors compare the edit with the present state. Their findings are recorded in
// [state.Turn.EditFindings]; nothing is blocked.
type EditText struct {
	TurnID string `json:"turn_id"`
	// Reply is the index of the edited reply, from 0, if several members of a cast have spoken.
	Reply int       `json:"reply,omitempty"`
	Text  string    `json:"text"` // at most [MaxReplyBytes]
	At    time.Time `json:"at,omitzero"`
}

func (EditText) inputType() string { return "edit_text" }

func (in EditText) apply(m *Machine) (Stop, error) {
	n, ok := state.TurnNumber(in.TurnID)
	if ok = ok && n > 0 && n <= m.base.TurnCounter; ok && m.past.Lacks([]string{in.TurnID}, &m.base) != nil {
		m.needs = question.Past{Turns: []string{in.TurnID}}
		return atPast, nil
	}
	one, _ := turnAt(m, in.TurnID)
	switch {
	case !ok:
		return idle, &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("no turn %q", in.TurnID)}
	case in.Reply < 0 || in.Reply > 0 && in.Reply >= len(one.Replies):
		return idle, &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("%s has no reply %d", in.TurnID, in.Reply)}
	case strings.TrimSpace(in.Text) == "":
		return idle, refusal(state.EmptyInput)
	case len(in.Text) > MaxReplyBytes:
		return idle, refusal(state.TextTooLong)
	}
	next := m.base.Clone()
	t := play.New(m.game, next, state.Submission{ActorID: one.ActorID, At: in.At}, m.values())
	t.Knows(&m.past, nil)
	text := t.Scripted(in.Text, script.Where{Placement: script.AIOutput, Edit: true})
	whole, replies := text, slices.Clone(one.Replies)
	if len(replies) > 0 {
		replies[in.Reply].Text = text
		whole = joinReplies(replies)
	}
	if whole == one.Text {
		return m.endWith(replayed(one)), nil // the text does not change
	}
	if a, ok := next.HeadAlternatives(); ok && one.ID == next.State.HeadTurnID {
		t.Stage.Pending.Evidence = draft.EvidenceOf(a.Evidence, one.Applied)
	}
	x := t.Examiner()
	found := x.Detect(x.Read(whole, nil), one.Text)
	edited := one
	edited.EditFindings = found[:min(len(found), judge.MaxConflicts)]
	edited.Replies = replies
	if edited.Text = whole; one.Original == "" {
		edited.Original = one.Text
	}
	if whole == edited.Original { // this is the text of the model
		edited.Original, edited.EditFindings = "", nil
	}
	edited, err := edited.AsStored()
	if err != nil {
		return unstorable(m, err), nil
	}
	next.Turns = m.log.Put(next.Turns, edited)
	next.Rewrite(edited.ID)
	outcome := completed(edited)
	return m.commit(RecordKind(in.inputType()), in.At, next, &edited, Todo{
		Show: shownTurn(t.View(), edited), Outcome: &outcome}), nil
}

// joinReplies joins the texts of replies to one text.
func joinReplies(list []state.Reply) string {
	texts := make([]string, len(list))
	for i, r := range list {
		texts[i] = r.Text
	}
	return strings.Join(texts, play.BetweenReplies)
}
