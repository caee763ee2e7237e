package condition

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// The author part says to authors of hooks where something is and what it is.

// authorReport notes a mistake at a place.
type authorReport func(at Place, format string, args ...any)

// Place is a JSON path under construction. Keys that a dot could cut are quoted.
type Place string

// At is the place of an element of a list.
func (p Place) At(i int) Place { return p + Place("["+strconv.Itoa(i)+"]") }

// Key is the place of a member.
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

// Named says in words what kind of JSON value something is.
func Named(k tree.Kind) string {
	switch k {
	case tree.KindBool:
		return "true or false"
	case tree.KindNumber:
		return "a number"
	case tree.KindText:
		return "a text"
	case tree.KindArray:
		return "a list"
	case tree.KindObject:
		return "an object"
	case tree.KindNull:
		return "null"
	}
	return "nothing"
}

// Hint says which of the known words was meant instead of an unknown one, if it is near.
func Hint(word string, known ...string) string {
	if word, ok := utf8text.Closest(word, known); ok {
		return fmt.Sprintf("; did you mean %q?", word)
	}
	return ""
}

// Brief is a value in an error, which must not be as long as the value.
func Brief(v tree.Value) string {
	if k := v.Kind(); k == tree.KindArray || k == tree.KindObject {
		return Named(k)
	}
	return Cut(v.String(), 80)
}

// Cut bounds a text for people.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
