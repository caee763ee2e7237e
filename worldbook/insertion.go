package worldbook

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// This file defines where in a prompt the text of an entry is placed.

// Position is the place for the text of an activated entry.
type Position int

// The eight positions, numbered as in SillyTavern, and PositionNone for an entry whose JSON has no
// position: the entry is activated, but its text is placed nowhere.
const (
	PositionNone            Position = -1
	PositionBeforeCharacter Position = 0
	PositionAfterCharacter  Position = 1
	PositionNoteTop         Position = 2
	PositionNoteBottom      Position = 3
	PositionAtDepth         Position = 4
	PositionBeforeExamples  Position = 5
	PositionAfterExamples   Position = 6
	PositionInOutlet        Position = 7

	// NoDepth is the depth for [PositionAtDepth] of an entry whose JSON has no depth. It means 4.
	// With the quirk missing-depth such entries have a group of their own.
	NoDepth = loose.NoDepth
)

var positionNames = [...]string{
	"before", "after", "ANTop", "ANBottom", "atDepth", "EMTop", "EMBottom", "outlet",
}

// String returns the name that RoleplayConfig files use: before, after, ANTop, ANBottom, atDepth,
// EMTop, EMBottom, outlet; "none" for [PositionNone].
func (p Position) String() string {
	switch {
	case p == PositionNone:
		return "none"
	case p < 0 || int(p) >= len(positionNames):
		return fmt.Sprintf("Position(%d)", int(p))
	}
	return positionNames[p]
}

// Role is the speaker of a text that is placed at a depth in the chat.
type Role int

// The roles, numbered as in SillyTavern.
const (
	RoleSystem    Role = 0
	RoleUser      Role = 1
	RoleAssistant Role = 2
)

// String returns system, user or assistant.
func (r Role) String() string {
	switch r {
	case RoleSystem:
		return "system"
	case RoleUser:
		return "user"
	case RoleAssistant:
		return "assistant"
	}
	return fmt.Sprintf("Role(%d)", int(r))
}

// ContentChange is the way an injected text is combined with its target text.
type ContentChange string

// The ways. Combined texts are separated by a newline.
const (
	Append  ContentChange = "append"
	Prepend ContentChange = "prepend"
	Replace ContentChange = "replace"
)

// Injection asks the host to put a text into a part of its own prompt
// (decorator inject_at of RisuAI).
type Injection struct {
	// Into names the part, as the host calls it.
	Into string        `json:"into"`
	How  ContentChange `json:"how"`
	// Old is the text inside the part that Replace replaces.
	Old string `json:"old,omitempty"`
}

// Apply returns target with text injected. If target does not contain Old, it is unchanged.
func (in Injection) Apply(target, text string) string {
	switch in.How {
	case Replace:
		if in.Old == "" {
			return text
		}
		return strings.ReplaceAll(target, in.Old, text)
	case Prepend:
		return text + "\n" + target
	}
	return target + "\n" + text
}
