package worldbook

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// Position says where the text of an activated entry goes.
type Position int

// The eight positions, numbered as in SillyTavern. PositionNone is the position
// of an entry whose JSON names none: it activates and is placed nowhere.
const (
	PositionNone    Position = -1
	BeforeCharacter Position = 0
	AfterCharacter  Position = 1
	NoteTop         Position = 2
	NoteBottom      Position = 3
	AtDepth         Position = 4
	BeforeExamples  Position = 5
	AfterExamples   Position = 6
	InOutlet        Position = 7
)

// NoDepth is the depth of an entry whose JSON names none: 4, with [quirk.MissingDepth] in a
// group of its own.
const NoDepth = loose.NoDepth

const nowhere = "none" // the name of PositionNone

var positionNames = [...]string{
	"before", "after", "ANTop", "ANBottom", "atDepth", "EMTop", "EMBottom", "outlet",
}

// String returns the name that RoleplayConfig files use: before, after, ANTop,
// ANBottom, atDepth, EMTop, EMBottom, outlet; none for [PositionNone].
func (p Position) String() string {
	switch {
	case p == PositionNone:
		return nowhere
	case p < 0 || int(p) >= len(positionNames):
		return fmt.Sprintf("Position(%d)", int(p))
	}
	return positionNames[p]
}

// Logic combines the secondary keys of an entry once a primary key was found.
type Logic int

// The four rules. The numbers are SillyTavern's.
const (
	AndAny Logic = 0 // at least one secondary key is found
	NotAll Logic = 1 // at least one secondary key is missing
	NotAny Logic = 2 // no secondary key is found
	AndAll Logic = 3 // all secondary keys are found
	// LogicNone is that of an entry whose JSON names none, see [Entry.Logic].
	LogicNone Logic = -1
)

var logicNames = [...]string{"AND_ANY", "NOT_ALL", "NOT_ANY", "AND_ALL"}

// String returns AND_ANY, NOT_ALL, NOT_ANY or AND_ALL; none for [LogicNone].
func (l Logic) String() string {
	if l == LogicNone {
		return nowhere
	}
	if l < 0 || int(l) >= len(logicNames) {
		return fmt.Sprintf("Logic(%d)", int(l))
	}
	return logicNames[l]
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

// GenerationType is the kind of reply that is about to be asked for. Entries
// can be limited to some of them by [Entry.Triggers].
type GenerationType string

// The types that triggers can name. Any other text counts as [Normal].
const (
	Normal      GenerationType = "normal"
	Continue    GenerationType = "continue"
	Impersonate GenerationType = "impersonate"
	Swipe       GenerationType = "swipe"
	Regenerate  GenerationType = "regenerate"
	Quiet       GenerationType = "quiet"
)

// Source says where a book is attached. It decides the place of the book's
// entries in the entry list, see [Compile].
type Source string

// The sources. A character has one primary book and any number of extra ones.
const (
	SourceGlobal         Source = "global"
	SourceCharacter      Source = "character"
	SourceCharacterExtra Source = "character_extra"
	SourceChat           Source = "chat"
	SourcePersona        Source = "persona"
)
