package state

import (
	"slices"
	"strconv"
	"strings"
)

// The audience part decides who of a campaign knows what, as pure functions.
//
// # Who knows
//
// A turn, a rule of the world, an entry of lore, a memory and a part of a summary may carry a
// list of the characters who know of it: its audience, or its witnesses. An empty list means
// everybody. [Knows] reads such a list; hosts show a player what fits:
//
//	if state.Knows(outcome.Audience, "mara") {
//		show(outcome.Turn.Text)
//	}
//
// # For whom a prompt is written
//
// A prompt is written for a [Viewer]. The setting visibility.mode ([AudienceMode]) and the dialog type say for
// whom:
//
//	mode     dialog type    viewer               what only others know     what is private
//	off      any            everybody            shown                     not marked
//	marked   omniscient     the game master      shown                     marked
//	marked   other          acting character     left out                  marked
//	strict   any            acting character     left out                  marked
//
// Marked is the default. The first turn that only some hear sets strict, unless the campaign or the
// installation has a value for the setting. What is marked begins with the names of those who know it, and the prompt
// tells the model to keep it from others. What is left out stands in no part of the prompt, nor
// in what is looked up for it: lore is not searched for in lines that the viewer did not hear.
//
// # What a private turn leaves behind
//
// Texts that a private turn has written into the state are as private as the turn: variables with
// texts and new ones, directives, texts of hooks, waiting context, added lore, added areas, what
// was wrong with commands. [AudienceNotes] keep who knows them, until something that everybody hears writes
// them anew. What macros write while a prompt holds private lines only the actor knows. A text of twelve
// bytes and more that repeats a hidden one is hidden as well, so that rules may copy and
// append; what a rule, a reaction or a formula takes from a hidden variable is so however short.
// Numbers, switches, hit points and life states are the state of the game, which everybody
// sees.
//
// Conditions of lore read the variables as the viewer may know them: whether an entry is there would
// tell what a private text says. Rules are the world's own, and read everything: what they write of a
// private text is as private as that, and what they decide by it is the state of the game. An author
// who wants a rule's own words to be private gives them to an entry of lore with "visible_to".
//
// # What a private line activates
//
// An entry of lore that a private line activates is active for those who heard the line. So are its
// timed effects, sticky and cooldown, and the modules that the line opens or closes: the lore, the rules
// and the variables of such a module take part in the turns of these characters. A public line that has
// the same word acts for everybody. Filtered variables are shown to those who heard the reply that mentions
// them. The state keeps a group for each list of witnesses that knows more
// than the others, see Group. A module that a rule switches is switched for everybody. Which
// modules and variables are active is decided by the variables that the viewer may know.
//
// Of the newest turns a prompt shows as many as the viewer has heard; those between, which others alone
// have heard, do not count.
//
// Memories are recalled for the acting character in every mode but off.
//
// Everything here is safe for concurrent use, and modifies no argument.

// UnknownCharacter is the code of the refusal (a RefusalCode) of a submission whose
// audience names somebody who is not in the campaign.
const UnknownCharacter = "unknown_audience"

// Knows reports whether a character knows of what has the given list of witnesses. An empty list
// means everybody.
func Knows(witnesses []string, character string) bool {
	return len(witnesses) == 0 || slices.Contains(witnesses, character)
}

// AudienceOf is the audience of what a character says to some others, each once and the character among
// them; nil, everybody, if nobody is named.
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

// SameAudience reports whether two lists name the same characters, in whatever order.
func SameAudience(a, b []string) bool { return key(a) == key(b) }

// CommonAudience are those who know of two things. Nobody is left where the lists have nobody in common:
// then the second result is false.
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

// key is a list without its order.
func key(witnesses []string) string {
	list := slices.Compact(slices.Sorted(slices.Values(witnesses)))
	return strconv.Itoa(len(list)) + "\x00" + strings.Join(list, "\x00")
}
