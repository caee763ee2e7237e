package hooks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/meant"
	"github.com/talewright/talewright/memvars/tree"
)

// The codes of what is wrong with hooks.
const (
	// Rejected: the hook is left out.
	Rejected talewright.Code = "rejected"
	// Misread: the hook is in the set, and what is wrong has its documented meaning: a
	// condition that is never true, an action that fails, a default in place of a bad value.
	Misread talewright.Code = "misread"
	// Doubtful: what [Vet] finds, which is a warning.
	Doubtful talewright.Code = "doubtful"
)

// problem says what is wrong at a place: the JSON path from the list of hooks, such as
// hooks[2].conditions["payload.hp"].gte. It does not reject the hook.
func problem(at place, format string, args ...any) talewright.Problem {
	return talewright.Problem{Path: string(at), Code: Misread, Text: fmt.Sprintf(format, args...)}
}

// rejected reports whether a problem leaves its hook out.
func rejected(p talewright.Problem) bool { return p.Code == Rejected }

// place is a JSON path under construction. Keys that a dot could cut are quoted.
type place string

func (p place) at(i int) place { return p + place("["+strconv.Itoa(i)+"]") }

func (p place) key(k string) place {
	plain := k != ""
	for _, c := range k {
		if c == '.' || c == '[' || c == ']' || c == '"' || c <= ' ' {
			plain = false
		}
	}
	switch {
	case !plain:
		return p + place("["+strconv.Quote(k)+"]")
	case p == "":
		return place(k)
	}
	return p + "." + place(k)
}

// named says in words what kind of JSON value something is.
func named(k tree.Kind) string {
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

// hint says which of the known words was meant instead of an unknown one, if it is near.
func hint(word string, known ...string) string {
	if word, ok := meant.Closest(word, known); ok {
		return fmt.Sprintf("; did you mean %q?", word)
	}
	return ""
}

// brief is a value in an error, which must not be as long as the value.
func brief(v tree.Value) string {
	if k := v.Kind(); k == tree.KindArray || k == tree.KindObject {
		return named(k)
	}
	return cut(v.String(), 80)
}

// cut bounds a text for people.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
