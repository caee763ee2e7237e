package state

import "slices"

// AudienceMode is the setting visibility.mode: how far prompts keep apart who knows what.
type AudienceMode string

// The modes.
const (
	AudienceOff    AudienceMode = "off"    // lists of witnesses are kept, and change no prompt
	AudienceMarked AudienceMode = "marked" // the default: a game master knows everything, with marks; others what they witnessed
	AudienceStrict AudienceMode = "strict" // no prompt has anything that the acting character does not know
)

// Viewer is for whom a prompt is written. The zero Viewer sees everything, without marks.
type Viewer struct {
	// Character is who acts; "" is somebody who sees everything.
	Character string
	// Marks says that what is private is marked with its witnesses.
	Marks bool
	// Shared makes it what all characters of Group know, instead of what Character knows. An empty
	// Group means everybody. See [SharedViewer].
	Shared bool
	Group  []string
}

// SharedViewer is a viewer that sees what all of some characters know; without characters, what everybody
// knows.
func SharedViewer(characters []string) Viewer { return Viewer{Shared: true, Group: characters} }

// SeesAll reports whether nothing is withheld from the viewer.
func (v Viewer) SeesAll() bool { return v.Character == "" && !v.Shared }

// NewViewer is the viewer of a prompt in which a character acts. omniscient is that of the dialog
// type: the prompt is the game master's own.
func NewViewer(mode AudienceMode, character string, omniscient bool) Viewer {
	switch {
	case mode == AudienceOff:
		return Viewer{}
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

// Mark returns the witnesses that the prompt has to name with something: none for what
// everybody knows, and for a viewer without marks.
func (v Viewer) Mark(witnesses []string) []string {
	if !v.Marks {
		return nil
	}
	return witnesses
}
