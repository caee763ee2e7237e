package play

import (
	"cmp"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/worldbook"
)

// ScanBook activates the lore for the prompt.
func ScanBook(t *Turn) {
	p := &t.Stage.Pending
	beforeSecond(t)
	changed, hidden := beforeScan(t)
	w := t.Window()
	in := scanInput(w, changed, hidden)
	in.Forced = t.Found.Forced
	in.Forced = append(slices.Clip(in.Forced), p.State.LoreEdits.ForcedIDs()...)
	in.Random, in.Explain = t.Stage.Draw, t.Explained != nil
	render(&in, w, t.Found.Templates, t.Stage.Peek())
	sight := w.Sight()
	scanSecond(t, in, hidden)
	var next worldbook.State
	t.Found.Scan, next = t.Game.Book().Scan(in, sight.State.Lore)
	sight.KeepLore(&p.State, next, func() func(string) []string { return ownersOf(t.Window()) })
	for _, a := range t.Found.Scan.Activated {
		if t.Casting.Index > 0 && slices.ContainsFunc(p.Trace.Lore, func(l state.TraceLore) bool { return l.ID == a.ID.String() }) {
			continue // it was activated for a different speaker already
		}
		p.Trace.Lore = append(p.Trace.Lore,
			state.TraceLore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.Automate(a)
	}
	if t.Explained != nil {
		t.Explained.Lore = t.Found.Scan.Trace
		t.Explained.Talk = in.Messages
	}
	p.Trace.Fuses = append(p.Trace.Fuses, t.Found.Scan.Fuses...)
}

// scanSecond activates the lore for the second request of the turn, from the same state and with the
// same random numbers. It changes neither.
func scanSecond(t *Turn, in worldbook.Input, hidden []string) {
	w := t.Window()
	if !w.HasSecond() || w.Suggestions > 0 {
		return
	}
	w.Updating = true
	in.Overlay.Hidden = append(hiddenLore(w.Turn), hidden...)
	in.Random, in.Explain = t.Stage.Peek(), false
	render(&in, w, t.Found.SecondTemplates, t.Stage.Peek())
	found, _ := t.Game.Book().Scan(in, w.Sight().State.Lore)
	t.Found.Second = &found
}

// render makes the scan count the texts of lore after their templates.
func render(in *worldbook.Input, w past.Window, templates *prepare.Templates, draw func() float64) {
	if in.Rendered = nil; templates == nil {
		return
	}
	texts := prepare.New(w, state.TurnTrace{})
	texts.Resume(templates)
	in.Rendered, in.SearchRendered = texts.Rendered(draw), w.Game.Content().Lore.ScanTemplates != ""
}

// beforeSecond runs the templates that come before the scan for the second request of the turn, from
// the same state and with the same random numbers. It changes neither.
func beforeSecond(t *Turn) {
	t.Found.SecondTemplates = nil
	if !t.Game.HasTemplates() {
		return
	}
	w := t.Window()
	if !w.HasSecond() || w.Suggestions > 0 {
		return
	}
	w.Draw, w.Updating = t.Stage.Peek(), true
	texts := prepare.New(w, state.TurnTrace{})
	texts.BeforeScan()
	t.Found.SecondTemplates = texts.Templates()
}

// beforeScan runs the templates that come before the scan.
func beforeScan(t *Turn) (changed []worldbook.Book, hidden []string) {
	if !t.Game.HasTemplates() {
		return nil, nil
	}
	texts := t.Texts()
	changed, hidden = texts.BeforeScan()
	t.Took(texts)
	t.Stage.WriteTemplates(texts.Written)
	t.Found.Templates = texts.Templates()
	return changed, hidden
}

// readsPrivate reports whether a scan reads anything that not everybody knows.
func readsPrivate(w past.Window) bool {
	return w.Mode() != state.AudienceOff && (len(w.In.Audience) > 0 || prepare.Private(w, nil))
}

// ownersOf returns a function that returns who knows the activation of an entry. These are the
// characters who hear the turn, if their common knowledge activates it too, else only the viewer.
// An empty list means everybody. ownersOf returns nil if everybody knows all texts of the scan.
func ownersOf(w past.Window) func(entry string) []string {
	if !readsPrivate(w) {
		return nil
	}
	before := *w.State
	known := sync.OnceValue(func() map[string]bool {
		all, shared := w, state.SharedViewer(w.In.Audience)
		all.As, all.State = &shared, &before
		all.Draw = func() float64 { return 0 } // a roll does not reveal what activates an entry
		var changed []worldbook.Book
		var hidden []string
		var templates *prepare.Templates
		if w.Game.HasTemplates() {
			texts := prepare.New(all, state.TurnTrace{})
			changed, hidden = texts.BeforeScan()
			templates = texts.Templates()
		}
		in := scanInput(all, changed, hidden)
		render(&in, all, templates, all.Draw)
		in.Forced = before.LoreEdits.ForcedIDs()
		in.Random = all.Draw
		found, _ := w.Game.Book().Scan(in, all.Sight().State.Lore)
		known := map[string]bool{}
		for _, a := range found.Activated {
			known[a.ID.String()] = true
		}
		return known
	})
	return func(entry string) []string {
		if known()[entry] {
			return w.In.Audience
		}
		return []string{w.Viewer().Character} // "": a game master, who is not a character
	}
}

// WhichLore returns the question for entries by meaning, if the content enables it.
func WhichLore(t *Turn) *question.Retrieve {
	want := t.Game.Content().Lore.Retrieval
	if want.Limit <= 0 {
		return nil
	}
	chat := t.Window().Chat()
	newest := chat[max(0, len(chat)-max(cmp.Or(want.Depth, 4), 0)):]
	return &question.Retrieve{Messages: newest, Limit: want.Limit}
}

// Retrieved activates the entries that were found.
func Retrieved(t *Turn, ids []worldbook.ID, failed string) {
	if failed != "" {
		t.Stage.Pending.Warn("retriever: %s", failed)
	}
	for _, id := range ids[:min(len(ids), t.Game.Content().Lore.Retrieval.Limit)] {
		t.Found.Forced = append(t.Found.Forced, worldbook.Forced{ID: id})
	}
}
