package prompt

import (
	"strconv"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// LorePosition is the place of activated lore.
//
// Its values:
//
//   - before: before the character
//   - after: after it
//   - an_top: before the author's note
//   - an_bottom: after it
//   - at_depth
//   - em_top: before the card's examples
//   - em_bottom: after them
//   - outlet
type LorePosition string

// The positions.
const (
	loreBefore         LorePosition = "before"
	loreAfter          LorePosition = "after"
	loreNoteTop        LorePosition = "an_top"
	loreNoteBottom     LorePosition = "an_bottom"
	loreAtDepth        LorePosition = "at_depth"
	loreExamplesTop    LorePosition = "em_top"
	loreExamplesBottom LorePosition = "em_bottom"
	loreOutlet         LorePosition = "outlet"
)

// Lore is an activated entry of a world book. The order of a list is the order
// in the prompt.
type Lore struct {
	Key      string       `json:"key,omitempty"` // empty: world.<index>
	ID       string       `json:"id,omitempty"`  // book and entry, for the report
	Text     string       `json:"content"`
	Literal  bool         `json:"literal,omitempty"` // already expanded
	Position LorePosition `json:"position"`
	Depth    *int         `json:"depth,omitempty"` // nil: 4
	Role     llm.Role     `json:"role,omitempty"`  // at a depth; empty: system
	Outlet   string       `json:"outlet,omitempty"`
	Constant bool         `json:"constant,omitempty"` // active on every turn
}

// piece returns the block without a place.
func (l Lore) piece(index int) Block {
	b := Block{
		Key: l.Key, Source: Source{Kind: KindWorld, ID: l.ID}, Text: l.Text, Literal: l.Literal,
		Stability: Turn,
	}
	if b.Key == "" {
		b.Key = "world." + strconv.Itoa(index)
	}
	if l.Constant {
		b.Stability = Static
	}
	return b
}

// loreBlocks places the lore, except lore at the author's note.
func (s Scene) loreBlocks() []Block {
	var list []Block
	for i, l := range s.Lore {
		b := l.piece(i)
		switch l.Position {
		case loreNoteTop, loreNoteBottom:
			continue
		case loreBefore, loreAfter:
			b.Slot = "world_" + string(l.Position)
			if s.Cache && !l.Constant {
				b.Slot = "world_triggered"
			}
		case loreAtDepth:
			b.Depth, b.Role, b.Stability = valueOr(l.Depth, defaultDepth), l.Role, ""
		case loreExamplesTop, loreExamplesBottom:
			b.Slot, b.Order = "examples", new(beforeOthers)
			if l.Position == loreExamplesBottom {
				b.Order = new(afterOthers)
			}
			if s.PinExamples {
				b.Keep = new(pinnedKeep)
			}
		case loreOutlet:
			b.Outlet = l.Outlet
			if b.Outlet == "" { // no text can name it
				b.Withheld = statusUnused
			}
		default:
			b.Slot = string(l.Position)
		}
		list = append(list, b)
	}
	return list
}

// LoreOf returns the lore that a scan activated, in the order of the scan, for [Scene.Lore]. The
// keys are world.<book>.<uid>. Set expanded if the scan already expanded all macros, because its
// Input.Expand was set; the texts are then data. Otherwise they are templates in which the scan has
// already expanded the names, except the texts of literal entries.
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
	addAll(result.Before, Lore{Position: loreBefore})
	addAll(result.After, Lore{Position: loreAfter})
	addAll(result.NoteTop, Lore{Position: loreNoteTop})
	addAll(result.NoteBottom, Lore{Position: loreNoteBottom})
	for _, g := range result.Depth {
		addAll(g.Entries, Lore{
			Position: loreAtDepth, Depth: valueOr(g.Depth, defaultDepth), Role: loreRole(g.Role),
		})
	}
	for _, e := range result.Examples {
		position := loreExamplesTop
		if e.After {
			position = loreExamplesBottom
		}
		add(e.Placed, Lore{Position: position})
	}
	for _, o := range result.Outlets {
		addAll(o.Entries, Lore{Position: loreOutlet, Outlet: o.Name})
	}
	return list
}

// loreRole returns the role of a text at a depth. World books have their own role type, so that a
// scanner does not need package llm.
func loreRole(role worldbook.Role) llm.Role {
	switch role {
	case worldbook.RoleUser:
		return llm.User
	case worldbook.RoleAssistant:
		return llm.Assistant
	}
	return llm.System
}
