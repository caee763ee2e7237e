package play

import (
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// ContinueTurn prepares the stage for a turn that is already committed and is continued. Nothing
// that happens at the beginning of a turn happens again.
func ContinueTurn(t *Turn, head state.Turn, values setting.Values) {
	t.Order.Continues, t.Stage.Number = &head, draft.NumberOf(&t.Next, &head)
	t.Order.In.Text = head.UserInput
	t.Dialog.Source = head.DialogTypeSource
	var known bool
	if t.Dialog.Kind, known = t.Game.Dialog(head.DialogType); !known {
		t.Dialog.Kind, _ = t.Game.Dialog(values.Text(settingkey.ManualType))
	}
	OpenDialog(t)
	s := &t.Stage.Base
	s.State.Hooks, s.State.Injections = t.Next.State.Hooks, t.Next.State.Injections
	if a, ok := t.Next.HeadAlternatives(); ok {
		s.Evidence, s.Counts = draft.EvidenceOf(a.Evidence, head.Applied), countsOf(a.Rolls)
		t.Stage.Dice.Keep(a.Rolls)
	}
	if n := len(head.Replies); n > 0 {
		t.Casting.Speakers = []string{head.Replies[n-1].Speaker}
	} else if nobodySpoke(head) && len(t.Game.Cast()) > 0 {
		choice, err := chooseAfterSilence(t)
		if err != nil { // no member has a card: the narrator continues
			s.Warn("cast: %v", err)
		}
		if len(choice.Speakers) > 0 {
			t.Casting.Speakers, s.Trace.Cast = choice.Speakers, &choice
		}
	}
	t.Stage.Undo()
	if t.Casting.Speaking() != "" {
		BeginReply(t)
	}
}

// countsOf returns counts that mark all rolls as used, so the next ones are new.
func countsOf(rolls map[string][]int) map[string]int {
	counts := make(map[string]int, len(rolls))
	for call, list := range rolls {
		counts[call] = len(list)
	}
	return counts
}
