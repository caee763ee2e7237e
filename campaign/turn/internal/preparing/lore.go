package preparing

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/worldbook"
)

// ScanBook activates the lore for the prompt.
func ScanBook(t *play.Turn) {
	p := &t.Stage.Staged
	if t.Game.Book() == nil && len(p.State.Entries) == 0 {
		return
	}
	in := scanInput(t.Window())
	in.Forced = t.Found.Forced
	in.Forced = append(slices.Clip(in.Forced), p.State.LoreEdits.ForcedIDs()...)
	in.Random, in.Explain = t.Stage.Draw, t.Explained != nil
	t.Found.Scan, p.State.Lore = t.Game.Book().Scan(in, p.State.Lore)
	for _, a := range t.Found.Scan.Activated {
		if t.Casting.Index > 0 && slices.ContainsFunc(p.Trace.Lore, func(l turntrace.Lore) bool { return l.ID == a.ID.String() }) {
			continue // another one of the cast has found it
		}
		p.Trace.Lore = append(p.Trace.Lore,
			turntrace.Lore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.Automate(a)
	}
	if t.Explained != nil {
		t.Explained.Lore = t.Found.Scan.Trace
	}
	p.Trace.Fuses = append(p.Trace.Fuses, t.Found.Scan.Fuses...)
}

// WhichLore asks for entries by meaning, if the content wants that.
func WhichLore(t *play.Turn) *question.Retrieve {
	want := t.Game.Content().Retrieval
	if want.Limit <= 0 {
		return nil
	}
	chat := t.Window().Chat()
	newest := chat[max(0, len(chat)-max(cmp.Or(want.Depth, 4), 0)):]
	return &question.Retrieve{Messages: newest, Limit: want.Limit}
}

// Retrieved activates what was found.
func Retrieved(t *play.Turn, ids []worldbook.ID, failed string) {
	if failed != "" {
		t.Stage.Staged.Warn("retriever: %s", failed)
	}
	for _, id := range ids[:min(len(ids), t.Game.Content().Retrieval.Limit)] {
		t.Found.Forced = append(t.Found.Forced, worldbook.Forced{ID: id})
	}
}
