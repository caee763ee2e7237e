package state

import "slices"

// AudienceMode is the setting visibility.mode. It says how strictly prompts separate what different
// characters know.
type AudienceMode string

// The modes.
const (
	AudienceOff    AudienceMode = "off"    // lists of witnesses are stored but do not change prompts
	AudienceMarked AudienceMode = "marked" // the default: a game master sees everything, with marks; others see what they witnessed
	AudienceStrict AudienceMode = "strict" // a prompt has nothing that the acting character does not know
	AudienceCommon AudienceMode = "common" // a prompt has nothing that a character who hears the turn does not know
)

// Viewer says for whom a prompt is written. The zero Viewer sees everything, without marks.
type Viewer struct {
	// Character is the ID of the acting character; "" means a viewer that sees everything.
	Character string
	// Marks says that private texts are marked with their witnesses.
	Marks bool
	// Shared makes the viewer see what all characters of Group know; Character is not used then. An
	// empty Group means everybody.
	Shared bool
	Group  []string
}

// NewViewer returns the viewer of a prompt in which a character acts. audience lists the characters
// who hear the turn; an empty list means everybody. omniscient is the property of the dialog type:
// the prompt is for the game master.
func NewViewer(mode AudienceMode, character string, audience []string, omniscient bool) Viewer {
	switch {
	case mode == AudienceOff:
		return Viewer{}
	case mode == AudienceCommon:
		return Viewer{Marks: true, Shared: true, Group: audience}
	case mode != AudienceStrict && omniscient:
		return Viewer{Marks: true}
	}
	return Viewer{Character: character, Marks: true}
}

// Sees reports whether something with these witnesses may be in the prompt.
func (v Viewer) Sees(witnesses []string) bool {
	if v.Shared {
		return len(witnesses) == 0 || len(v.Group) > 0 &&
			!slices.ContainsFunc(v.Group, func(id string) bool { return !Knows(witnesses, id) })
	}
	return v.Character == "" || Knows(witnesses, v.Character)
}

// Mark returns the witnesses that the prompt must name with a text. The list is empty for a text
// that everybody knows, and for a viewer without marks.
func (v Viewer) Mark(witnesses []string) []string {
	if !v.Marks {
		return nil
	}
	return witnesses
}
