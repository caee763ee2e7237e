package condition

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// authorReport records a mistake at a place.
type authorReport func(at Place, format string, args ...any)

// Place is a JSON path under construction. Keys with a dot, bracket, quote or space are quoted.
type Place string

// At returns the place of an element of a list.
func (p Place) At(i int) Place { return p + Place("["+strconv.Itoa(i)+"]") }

// Key returns the place of a member.
func (p Place) Key(k string) Place {
	plain := k != ""
	for _, c := range k {
		if c == '.' || c == '[' || c == ']' || c == '"' || c <= ' ' {
			plain = false
		}
	}
	switch {
	case !plain:
		return p + Place("["+strconv.Quote(k)+"]")
	case p == "":
		return Place(k)
	}
	return p + "." + Place(k)
}

// kindNames are the names of the kinds of values in messages.
var kindNames = map[tree.Kind]string{
	tree.KindNull: "null", tree.KindBool: "true or false", tree.KindNumber: "a number",
	tree.KindText: "a text", tree.KindArray: "a list", tree.KindObject: "an object",
}

// Named returns the name of a JSON kind, for messages.
func Named(k tree.Kind) string { return cmp.Or(kindNames[k], "nothing") }

// Hint returns a suggestion for an unknown word if a known word is close to it.
func Hint(word string, known ...string) string {
	if word, ok := utf8text.Suggest(word, known); ok {
		return fmt.Sprintf("; did you mean %q?", word)
	}
	return ""
}

// Brief returns a short form of a value, for error texts.
func Brief(v tree.Value) string {
	if k := v.Kind(); k == tree.KindArray || k == tree.KindObject {
		return Named(k)
	}
	return Cut(v.String(), 80)
}

// Cut truncates a text for people to at most most bytes and marks the cut with "…".
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
