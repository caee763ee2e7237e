package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/view"
)

// goOnWith makes the stage one on which a turn goes on that is committed already: nothing that
// happens at the begin of a turn happens again.
func goOnWith(t *run, head state.Turn, values setting.Values) {
	t.order.head, t.stage.Number = &head, view.NumberOf(&t.next, &head)
	t.order.in.Text = head.UserInput
	t.dialog.source = head.DialogTypeSource
	var known bool
	if t.dialog.kind, known = t.game.Dialog(head.DialogType); !known {
		t.dialog.kind, _ = t.game.Dialog(values.Text(setting.ManualType))
	}
	openDialog(t)
	s := &t.stage.Settled
	s.State.Hooks, s.State.Injections = t.next.State.Hooks, t.next.State.Injections
	if a, ok := t.next.HeadAlternatives(); ok {
		s.Evidence, s.Counts = stage.EvidenceOf(a.Evidence, head.Applied), countsOf(a.Rolls)
		t.stage.Dice.Keep(a.Rolls)
	}
	t.stage.Undo()
	if n := len(head.Replies); n > 0 {
		t.casting.speakers = []string{head.Replies[n-1].Speaker}
		beginReply(t)
	}
}

// countsOf says that all dice that were thrown have been seen: the next ones are new.
func countsOf(rolls map[string][]int) map[string]int {
	counts := make(map[string]int, len(rolls))
	for call, list := range rolls {
		counts[call] = len(list)
	}
	return counts
}

// longerText is the text of the turn with what goes on with it.
func longerText(t *run) string {
	var before []string
	for _, r := range t.order.head.Replies[:max(len(t.order.head.Replies)-1, 0)] {
		before = append(before, r.Text)
	}
	return strings.Join(append(before, t.order.whole(strings.Join(t.casting.texts(t.narration), betweenReplies), t.out.reply.Text)), betweenReplies)
}

// longer is the head turn with what goes on with it.
func longer(t *run, next state.Campaign) state.Turn {
	out, more := *t.order.head, recordOf(t, next)
	out.Continued = append(slices.Clip(out.Continued), state.Continuation{At: len(out.Text), Instructions: t.order.ask.Instructions,
		ClientTurnID: more.ClientTurnID, Fingerprint: more.Fingerprint})
	out.Text = more.Text
	if n := len(out.Replies); n > 0 {
		out.Replies = slices.Clone(out.Replies)
		out.Replies[n-1].Text = t.order.whole(strings.Join(t.casting.texts(t.narration), betweenReplies), t.out.reply.Text)
	}
	if out.Original != "" { // an edited text goes on
		out.Original = ""
	}
	if more.Structured.Exists() {
		out.Structured = more.Structured
	}
	out.Applied = slices.Concat(out.Applied, more.Applied)
	out.Approvals = slices.Concat(out.Approvals, more.Approvals)
	out.Attempts = slices.Concat(out.Attempts, more.Attempts)
	out.Changes = slices.Concat(out.Changes, more.Changes)
	out.Commands = slices.Concat(out.Commands, more.Commands)
	out.Unresolved = slices.Concat(out.Unresolved, more.Unresolved)
	out.Overridden = slices.Concat(out.Overridden, more.Overridden)
	out.RetriesUsed += more.RetriesUsed
	out.SettingsRevision, out.StateSummary, out.Trace = more.SettingsRevision, more.StateSummary, more.Trace
	return out
}
