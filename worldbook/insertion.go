package worldbook

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// The insertion part says where in a prompt the text of an entry of a world book goes.

// Position says where the text of an activated entry goes.
type Position int

// The eight positions, numbered as in SillyTavern. None is the position
// of an entry whose JSON names none: it activates and is placed nowhere.
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

	// NoDepth is the depth for [PositionAtDepth] of an entry whose JSON names none: 4, with
	// the quirk missing-depth in a group of its own.
	NoDepth = loose.NoDepth
)

var positionNames = [...]string{
	"before", "after", "ANTop", "ANBottom", "atDepth", "EMTop", "EMBottom", "outlet",
}

// String returns the name that RoleplayConfig files use: before, after, ANTop,
// ANBottom, atDepth, EMTop, EMBottom, outlet; none for [PositionNone].
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

// ContentChange says how a text joins the text that it is injected into.
type ContentChange string

// The ways. Texts that are joined have a newline between them.
const (
	Append  ContentChange = decoratorAppend
	Prepend ContentChange = prepend
	Replace ContentChange = replace
)

// Injection asks the host to put a text into a part of its own prompt
// (decorator inject_at of RisuAI).
type Injection struct {
	// Into names the part, in the host's words.
	Into string        `json:"into"`
	How  ContentChange `json:"how"`
	// Old is the text inside the part that Replace replaces.
	Old string `json:"old,omitempty"`
}

// Apply returns target with text injected. A target without Old stays as it is.
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
