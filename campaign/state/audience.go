package state

import (
	"slices"
	"strconv"
	"strings"
)

// This file and the other audience files decide which characters know what. All functions are pure.
//
// # Who knows
//
// A text may have a list of the characters who know it: its audience, or its witnesses. Such texts
// are turns, rules of the world, entries of lore, memories, and parts of a summary. An empty list
// means everybody. [Knows] reads such a list. Hosts use it to show a player only what the character
// knows:
//
//	if state.Knows(outcome.Audience, "mara") {
//		show(outcome.Turn.Text)
//	}
//
// # For whom a prompt is written
//
// A prompt is written for a [Viewer]. The setting visibility.mode ([AudienceMode]) and the dialog
// type decide who that is:
//
//	mode     dialog type    viewer               what only others know     what is private
//	off      any            everybody            shown                     not marked
//	marked   omniscient     the game master      shown                     marked
//	marked   other          acting character     left out                  marked
//	strict   any            acting character     left out                  marked
//	common   any            all who hear it      left out                  marked
//
// Marked is the default. The first turn with an audience sets strict, unless the campaign or the
// installation has a value for the setting. A marked text begins with the names of the characters
// who know it. The prompt tells the model to hide it from others. A text that is left out is in no
// part of the prompt. It is not used for look-ups either: the scan for lore skips lines that the
// viewer did not hear.
//
// In the mode strict a prompt contains the secrets of the acting character, and the prompt asks the
// model to hide them. So the reply of a public turn may give them away. In the mode common a prompt
// contains only what everybody who hears the turn knows: a public turn contains no secrets, and a
// whisper contains what its listeners have heard together. Only suggestions, which are for the actor
// alone, contain all that the actor knows.
//
// # What a private turn leaves in the state
//
// A text that a private turn writes into the state is as private as the turn. This applies to new
// variables and variables with texts, directives, texts of hooks, waiting context, added lore,
// added areas, and feedback about commands. [AudienceNotes] record who knows each text, until
// something that everybody hears overwrites it. If a prompt has private lines, only the actor knows
// what its macros write.
//
// A text of 12 bytes or more that repeats a hidden text is hidden too, so rules may copy and
// append. Copies of a hidden variable by a rule, a reaction or a formula are hidden at any length,
// and so are variables that a command moves or renames. If a command clears a branch, the entry with
// its backup has the parts that the hearers know; each hidden part is an entry for its witnesses.
// A new entry of the long memory clears the entries of the short memory that the acting character
// knows, and keeps the hidden ones.
// Numbers, switches, hit points and life states are the state of the game. Everybody sees them.
//
// Conditions of lore read the variables as the viewer may know them, because the presence of an
// entry would reveal a private text. Rules belong to the world and read everything. Their copies of
// a private text are as private as that text. Their decisions are the state of the game. To make a
// rule's own words private, an author puts them into an entry of lore with "visible_to".
//
// # What a private line activates
//
// An entry of lore that a private line activates is active for the characters who heard the line.
// The same applies to its timed effects (sticky and cooldown) and to the modules that the line
// opens or closes. The lore, the rules and the variables of such a module take part in the turns of
// these characters. A public line with the same word activates the entry for everybody. Filtered
// variables are shown to the characters who heard the reply that mentions them.
//
// The state stores a [Group] for each list of witnesses that knows more than the others. A module
// that a rule switches is switched for everybody. The variables that the viewer may know decide
// which modules and variables are active.
//
// A prompt shows as many of the newest turns as the viewer heard. Turns between them that only
// others heard do not count.
//
// Memories are recalled for the acting character in every mode except off. In the mode common a
// prompt shows a memory only if everybody who hears the turn knows it.
//
// Everything here is safe for concurrent use. No function modifies its arguments.

// UnknownCharacter is the code (a RefusalCode) of the refusal of a submission whose audience names
// an ID that is not in the campaign.
const UnknownCharacter = "unknown_audience"

// Knows reports whether a character is in a list of witnesses. An empty list means everybody.
func Knows(witnesses []string, character string) bool {
	return len(witnesses) == 0 || slices.Contains(witnesses, character)
}

// AudienceOf returns the audience of a line that a character says to some others: the character and
// the others, each once. It returns nil, which means everybody, if others is empty.
func AudienceOf(character string, others []string) []string {
	if len(others) == 0 {
		return nil
	}
	list := make([]string, 0, len(others)+1)
	for _, id := range others {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	if character != "" && !slices.Contains(list, character) {
		list = append(list, character)
	}
	return list
}

// SameAudience reports whether two lists name the same characters, in any order.
func SameAudience(a, b []string) bool { return key(a) == key(b) }

// CommonAudience returns the characters who are in both audiences. If the lists have no character
// in common, the second result is false.
func CommonAudience(a, b []string) ([]string, bool) {
	switch {
	case len(a) == 0:
		return b, true
	case len(b) == 0:
		return a, true
	}
	var both []string
	for _, id := range a {
		if slices.Contains(b, id) && !slices.Contains(both, id) {
			both = append(both, id)
		}
	}
	return both, len(both) > 0
}

// key returns a key for a list that does not depend on its order.
func key(witnesses []string) string {
	list := slices.Compact(slices.Sorted(slices.Values(witnesses)))
	return strconv.Itoa(len(list)) + "\x00" + strings.Join(list, "\x00")
}
