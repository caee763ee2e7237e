package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/worldbook"
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
	} else if head.Text == "" && len(t.Game.Cast()) > 0 {
		if choice := chooseContinuing(t); len(choice.Speakers) > 0 {
			t.Casting.Speakers, s.Trace.Cast = choice.Speakers, &choice
		}
	}
	t.Stage.Undo()
	if t.Casting.Speaking() != "" {
		BeginReply(t)
	}
}

// chooseContinuing chooses the member of the cast who answers the line of a turn in which nobody
// spoke: the member who spoke last, else any member who hears the turn, muted or not.
func chooseContinuing(t *Turn) cast.Choice {
	r := castRound(t.Window())
	hears := func(m cast.Member) bool { return slices.Contains(t.Order.In.Audience, m.ID) }
	isHeard := slices.ContainsFunc(r.Members, hears) // otherwise all members hear the turn
	r.Members = slices.DeleteFunc(slices.Clone(r.Members), func(m cast.Member) bool { return m.Gone || isHeard && !hears(m) })
	canSpeak := func(id string) bool {
		return slices.ContainsFunc(r.Members, func(m cast.Member) bool { return m.ID == id })
	}
	r.Kind, r.Chat = worldbook.Continue, []cast.Line{{By: cast.ByPlayer}}
	for before := range t.Next.Back(t.Next.State.HeadTurnID) {
		if n := len(before.Replies); n > 0 && canSpeak(before.Replies[n-1].Speaker) {
			r.Chat = []cast.Line{{By: cast.ByMember, ID: before.Replies[n-1].Speaker}, {By: cast.ByPlayer}}
			break
		}
	}
	choice, err := cast.Choose(r)
	if err != nil { // no member has a card: the narrator continues
		t.Stage.Base.Warn("cast: %v", err)
	}
	return choice
}

// countsOf returns counts that mark all rolls as used, so the next ones are new.
func countsOf(rolls map[string][]int) map[string]int {
	counts := make(map[string]int, len(rolls))
	for call, list := range rolls {
		counts[call] = len(list)
	}
	return counts
}
