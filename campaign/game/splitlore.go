package game

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// A turn may have two requests: one for the narration, and one for changes of variables. These marks in
// the title of an entry say which request the entry belongs to. An entry with both marks, or with
// neither, is in both requests.
const (
	markUpdate = "[mvu_update]"
	markPlot   = "[mvu_plot]"
)

// onlyRequest reports whether an entry with this title belongs to only one of the two requests.
func onlyRequest(title string) (plot, update bool) {
	title = strings.ToLower(title)
	plot, update = strings.Contains(title, markPlot), strings.Contains(title, markUpdate)
	return plot && !update, update && !plot
}

// hasRequestMark reports whether the title of an entry has one of the marks.
func hasRequestMark(e worldbook.Entry) bool {
	title := strings.ToLower(e.Comment)
	return strings.Contains(title, markPlot) || strings.Contains(title, markUpdate)
}

// compileSplit reads the marks in the titles of entries.
func (g *compiler) compileSplit(attached []worldbook.Attachment) {
	split := &g.lore.split
	for _, a := range attached {
		if slices.Contains(a.Sources, worldbook.SourceCharacter) && slices.ContainsFunc(a.Book.Entries, hasRequestMark) {
			split.marked = true
		}
	}
	for id, e := range g.lore.book.Entries() {
		switch plot, update := onlyRequest(e.Comment); {
		case plot:
			split.plot = append(split.plot, id.String())
		case update:
			split.update = append(split.update, id.String())
		}
	}
}

// LoreLeftOut returns the IDs of the entries that a request leaves out, if a turn has a second
// request for changes of variables (see the setting variables.second_model). If updating is true, it is the
// second request. The entries in added belong to the campaign and not to a book. If split is false,
// no lore is marked for a second request, and turns have no second request.
func (g *Game) LoreLeftOut(updating bool, added []effect.AddEntry) (names []string, split bool) {
	names = g.lore.split.update
	if updating {
		names = g.lore.split.plot
	}
	names = slices.Clip(names)
	for i, e := range added {
		if plot, update := onlyRequest(e.Name); updating && plot || !updating && update {
			names = append(names, state.AddedEntryID(i, e).String())
		}
	}
	return names, g.lore.split.marked
}
