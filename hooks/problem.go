package hooks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/meant"
	"github.com/talewright/talewright/memvars/tree"
)

// Problem is an author's mistake: where it is and what to do.
type Problem struct {
	// Path is the JSON path from the list of hooks, such as
	// hooks[2].conditions["payload.hp"].gte.
	Path   string `json:"path"`
	HookID string `json:"hook_id,omitempty"`
	// Message says what is wrong and what would be right.
	Message string `json:"message"`
	// Rejected says that the hook was left out. Otherwise it is in the set, and
	// what is wrong has its documented meaning: a condition that is never true,
	// an action that fails, a default in place of a bad value.
	Rejected bool `json:"rejected,omitempty"`
}

// Error returns the path and the message.
func (p Problem) Error() string { return p.Path + ": " + p.Message }

// problem says what is wrong at a place. It does not reject the hook.
func problem(at place, format string, args ...any) Problem {
	return Problem{Path: string(at), Message: fmt.Sprintf(format, args...)}
}

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
