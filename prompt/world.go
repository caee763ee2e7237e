package prompt

import (
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// LoreOf returns the lore that a scan has activated, in the order of the scan,
// for [Scene.Lore]. The keys are world.<book>.<uid>. expanded says that the scan
// has expanded all macros, since its Input.Expand was set; the texts are data
// then. Else they are templates, of which the scan has filled in the names, but for
// those of entries that are literal.
func LoreOf(result worldbook.Result, expanded bool) []Lore {
	var list []Lore
	add := func(p worldbook.Placed, l Lore) {
		l.ID = p.ID.String()
		l.Key = "world." + l.ID
		l.Text, l.Constant, l.Literal = p.Text, p.Constant, expanded || p.Literal
		list = append(list, l)
	}
	addAll := func(placed []worldbook.Placed, l Lore) {
		for _, p := range placed {
			add(p, l)
		}
	}
	addAll(result.Before, Lore{Position: LoreBefore})
	addAll(result.After, Lore{Position: LoreAfter})
	addAll(result.NoteTop, Lore{Position: LoreNoteTop})
	addAll(result.NoteBottom, Lore{Position: LoreNoteBottom})
	for _, g := range result.Depth {
		addAll(g.Entries, Lore{
			Position: LoreAtDepth, Depth: valueOr(g.Depth, defaultDepth), Role: loreRole(g.Role),
		})
	}
	for _, e := range result.Examples {
		position := LoreExamplesTop
		if e.After {
			position = LoreExamplesBottom
		}
		add(e.Placed, Lore{Position: position})
	}
	for _, o := range result.Outlets {
		addAll(o.Entries, Lore{Position: LoreOutlet, Outlet: o.Name})
	}
	return list
}

// loreRole is the role of a text at a depth. World books have roles of their own, so that
// a scanner alone needs no model.
func loreRole(role worldbook.Role) llm.Role {
	switch role {
	case worldbook.RoleUser:
		return llm.User
	case worldbook.RoleAssistant:
		return llm.Assistant
	}
	return llm.System
}
