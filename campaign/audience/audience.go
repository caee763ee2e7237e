package audience

import (
	"slices"
	"strconv"
	"strings"
)

// UnknownCharacter is the code of the refusal (a state.RefusalCode) of a submission whose
// audience names somebody who is not in the campaign.
const UnknownCharacter = "unknown_audience"

// Knows reports whether a character knows of what has the given list of witnesses. An empty list
// means everybody.
func Knows(witnesses []string, character string) bool {
	return len(witnesses) == 0 || slices.Contains(witnesses, character)
}

// Of is the audience of what a character says to some others, each once and the character among
// them; nil, everybody, if nobody is named.
func Of(character string, others []string) []string {
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

// Same reports whether two lists name the same characters, in whatever order.
func Same(a, b []string) bool { return key(a) == key(b) }

// Both are those who know of two things. Nobody is left where the lists have nobody in common:
// then the second result is false.
func Both(a, b []string) ([]string, bool) {
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
