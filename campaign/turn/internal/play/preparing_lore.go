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
	w := t.Window()
	hasSecond := w.HasSecond() && w.Suggestions == 0
	if hasSecond {
		runSecondTemplates(t)
	}
	changed, hidden := runTemplatesBeforeScan(t)
	w = t.Window()
	in := scanInput(w, changed, hidden)
	in.Forced = t.Found.Forced
	in.Forced = append(slices.Clip(in.Forced), p.State.LoreEdits.ForcedIDs()...)
	in.Random, in.Explain = t.Stage.Draw, t.Explained != nil
	setRendering(&in, w, t.Found.Templates, t.Stage.Peek())
	sight := w.Sight()
	if hasSecond {
		scanForSecondRequest(t, in, hidden)
	}
	var next worldbook.State
	t.Found.Scan, next = t.Game.Book().Scan(in, sight.State.Lore)
	sight.KeepLore(&p.State, next, func() func(string) []string { return witnessesOf(t.Window()) })
	traceLore(t)
	if t.Explained != nil {
		t.Explained.Lore = mergeLore(t.Explained.Lore, t.Found.Scan.Trace)
		t.Explained.Talk = in.Messages
	}
	p.Trace.Fuses = append(p.Trace.Fuses, t.Found.Scan.Fuses...)
}

// mergeLore returns the explanation of the scans for several speakers. An entry that is active for one of
// them is active.
func mergeLore(before, now worldbook.Trace) worldbook.Trace {
	active := map[worldbook.ID]worldbook.Explanation{}
	for _, e := range before {
		if e.Active {
			active[e.ID] = e
		}
	}
	for i, e := range now {
		if was, ok := active[e.ID]; ok && !e.Active {
			now[i] = was
		}
	}
	return now
}

// traceLore records the active entries in the trace, and asks the host to run the automation of each
// new one.
func traceLore(t *Turn) {
	p := &t.Stage.Pending
	for _, a := range t.Found.Scan.Activated {
		if t.Casting.Index > 0 && slices.ContainsFunc(p.Trace.Lore, func(l state.TraceLore) bool { return l.ID == a.ID.String() }) {
			continue // it was activated for a different speaker already
		}
		p.Trace.Lore = append(p.Trace.Lore,
			state.TraceLore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.Automate(a)
	}
}

// scanForSecondRequest activates the lore for the second request of the turn, from the same state and with the
// same random numbers. It changes neither.
func scanForSecondRequest(t *Turn, in worldbook.Input, hidden []string) {
	w := t.Window()
	w.Updating = true
	in.Overlay.Hidden = append(hiddenLore(w.Turn), hidden...)
	in.Random, in.Explain = t.Stage.Peek(), false
	setRendering(&in, w, t.Found.SecondTemplates, t.Stage.Peek())
	found, _ := t.Game.Book().Scan(in, w.Sight().State.Lore)
	t.Found.Second = &found
}

// setRendering makes the scan count the tokens of entries after their templates. Without templates it
// counts their plain texts.
func setRendering(in *worldbook.Input, w past.Window, templates *prepare.Templates, draw func() float64) {
	if in.Rendered = nil; templates == nil {
		return
	}
	texts := prepare.New(w, state.TurnTrace{})
	texts.Resume(templates)
	in.Rendered, in.SearchRendered = texts.Rendered(draw), w.Game.Content().Lore.ScanTemplates != ""
}

// runSecondTemplates runs the templates that come before the scan for the second request of the turn, from
// the same state and with the same random numbers. It changes neither.
func runSecondTemplates(t *Turn) {
	w := t.Window()
	w.Draw, w.Updating = t.Stage.Peek(), true
	texts := prepare.New(w, state.TurnTrace{})
	texts.BeforeScan()
	t.Found.SecondTemplates = texts.Templates()
}

// runTemplatesBeforeScan runs the templates that come before the scan.
func runTemplatesBeforeScan(t *Turn) (changed []worldbook.Book, hidden []string) {
	if !t.Game.HasTemplates() {
		return nil, nil // without a copy of the state
	}
	texts := t.Texts()
	changed, hidden = texts.BeforeScan()
	t.MergeTexts(texts)
	t.Stage.WriteTemplates(texts.Written)
	t.Found.Templates = texts.Templates()
	return changed, hidden
}

// readsPrivate reports whether a scan reads anything that not everybody knows.
func readsPrivate(w past.Window) bool {
	return w.Mode() != state.AudienceOff && (len(w.In.Audience) > 0 || prepare.Private(w, nil))
}

// witnessesOf returns a function that returns who knows the activation of an entry. These are the
// characters who hear the turn, if their common knowledge activates it too, else only the viewer.
// An empty list means everybody. witnessesOf returns nil if everybody knows all texts of the scan.
func witnessesOf(w past.Window) func(entry string) []string {
	if !readsPrivate(w) {
		return nil
	}
	viewer := w.Viewer()
	if viewer.Shared {
		return func(string) []string { return viewer.Group }
	}
	before := *w.State
	shared := sync.OnceValue(func() map[string]bool { return sharedActivations(w, before) })
	return func(entry string) []string {
		if shared()[entry] {
			return w.In.Audience
		}
		return []string{viewer.Character} // "": a game master, who is not a character
	}
}

// sharedActivations returns the entries that are active if the scan reads only what all characters
// who hear the turn know. before is the state before the scan.
func sharedActivations(w past.Window, before state.State) map[string]bool {
	viewer := state.Viewer{Shared: true, Group: w.In.Audience}
	w.As, w.State = &viewer, &before
	w.Draw = func() float64 { return 0 } // a roll does not reveal what activates an entry
	texts := prepare.New(w, state.TurnTrace{})
	changed, hidden := texts.BeforeScan()
	in := scanInput(w, changed, hidden)
	setRendering(&in, w, texts.Templates(), w.Draw)
	in.Forced = before.LoreEdits.ForcedIDs()
	in.Random = w.Draw
	found, _ := w.Game.Book().Scan(in, w.Sight().State.Lore)
	active := map[string]bool{}
	for _, a := range found.Activated {
		active[a.ID.String()] = true
	}
	return active
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
