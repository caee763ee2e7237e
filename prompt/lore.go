package prompt

import (
	"strconv"

	"github.com/talewright/talewright/llm"
)

// LorePosition says where activated lore stands.
type LorePosition string

// The positions.
const (
	LoreBefore         LorePosition = "before"    // before the character
	LoreAfter          LorePosition = "after"     // behind it
	LoreNoteTop        LorePosition = "an_top"    // before the author's note
	LoreNoteBottom     LorePosition = "an_bottom" // behind it
	LoreAtDepth        LorePosition = "at_depth"
	LoreExamplesTop    LorePosition = "em_top"    // before the card's examples
	LoreExamplesBottom LorePosition = "em_bottom" // behind them
	LoreOutlet         LorePosition = "outlet"
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

// piece is the block without a place.
func (l Lore) piece(index int) Block {
	b := Block{
		Key: l.Key, Source: Source{KindWorld, l.ID}, Text: l.Text, Literal: l.Literal,
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

// loreBlocks places the lore, except what stands at the author's note.
func (s Scene) loreBlocks() []Block {
	var list []Block
	for i, l := range s.Lore {
		b := l.piece(i)
		switch l.Position {
		case LoreNoteTop, LoreNoteBottom:
			continue
		case LoreBefore, LoreAfter:
			b.Slot = "world_" + string(l.Position)
			if s.Cache && !l.Constant {
				b.Slot = "world_triggered"
			}
		case LoreAtDepth:
			b.Depth, b.Role, b.Stability = valueOr(l.Depth, defaultDepth), l.Role, ""
		case LoreExamplesTop, LoreExamplesBottom:
			b.Slot, b.Order = "examples", new(beforeOthers)
			if l.Position == LoreExamplesBottom {
				b.Order = new(behindOthers)
			}
			if s.PinExamples {
				b.Keep = new(pinnedKeep)
			}
		case LoreOutlet:
			b.Outlet = l.Outlet
			if b.Outlet == "" { // no text can name it
				b.Withheld = Unused
			}
		default:
			b.Slot = string(l.Position)
		}
		list = append(list, b)
	}
	return list
}
