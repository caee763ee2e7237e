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
	n, known := state.TurnNumber(in.TurnID)
	if known = known && n > 0 && n <= m.base.TurnCounter; !known {
		return idle, &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("no turn %q", in.TurnID)}
	}
	if m.past.Lacks([]string{in.TurnID}, &m.base) != nil { // the log has the turn
		m.neededPast = question.Past{Turns: []string{in.TurnID}}
		return atPast, nil
	}
	old, _ := turnAt(m, in.TurnID)
	if err := in.refused(old); err != nil {
		return idle, err
	}
	next := m.base.Clone()
	t := play.New(m.game, next, state.Submission{ActorID: old.ActorID, Audience: old.Audience, At: in.At}, m.values())
	t.SetPast(&m.past, nil)
	edited := in.edited(t, old)
	if edited.Text == old.Text {
		return m.endWith(replayed(old)), nil
	}
	if a, ok := next.HeadAlternatives(); ok && old.ID == next.State.HeadTurnID {
		t.Stage.Pending.Evidence = draft.EvidenceOf(a.Evidence, old.Applied)
	}
	addFindings(t, &edited, old.Text)
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

// refused returns why the turn cannot get the text, nil if it can.
func (in EditText) refused(old state.Turn) error {
	switch {
	case in.Reply < 0 || in.Reply >= len(old.Replies) && (in.Reply > 0 || old.Trace.Cast != nil): // nobody spoke: prompts have no reply of the turn
		return &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("%s has no reply %d", in.TurnID, in.Reply)}
	case strings.TrimSpace(in.Text) == "":
		return &state.Refusal{Code: state.EmptyInput, Detail: "the text is blank: write the new text of the reply"}
	case len(in.Text) > MaxReplyBytes:
		return refusal(state.TextTooLong)
	}
	return nil
}

// edited returns the turn with the new text, after the regex scripts for edits.
func (in EditText) edited(t *play.Turn, old state.Turn) state.Turn {
	text := t.Scripted(in.Text, script.Where{Placement: script.AIOutput, Edit: true})
	edited := old
	edited.Text, edited.Replies = text, slices.Clone(old.Replies)
	if len(edited.Replies) > 0 {
		edited.Replies[in.Reply].Text = text
		edited.Text = joinReplies(edited.Replies)
	}
	if old.Original == "" {
		edited.Original = old.Text
	}
	return edited
}

// addFindings compares an edited text with the present state. The model's own text has no findings
// of an edit.
func addFindings(t *play.Turn, edited *state.Turn, before string) {
	if edited.Text == edited.Original {
		edited.Original, edited.EditFindings = "", nil
		return
	}
	x := t.Examiner()
	found := x.Detect(x.Read(edited.Text, nil), before)
	edited.EditFindings = found[:min(len(found), judge.MaxConflicts)]
}

// joinReplies joins the texts of replies to one text.
func joinReplies(list []state.Reply) string {
	texts := make([]string, len(list))
	for i, r := range list {
		texts[i] = r.Text
	}
	return strings.Join(texts, play.BetweenReplies)
}
