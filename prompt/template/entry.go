package template

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// origin is the entry whose content a text is. Both are nil for any other text.
type origin struct {
	book  *worldbook.Book
	entry *worldbook.Entry
}

// authored is an entry of a book as its author wrote it.
type authored struct {
	origin
	purpose    purpose
	decorators []decorator
	content    string // without the decorators
	path       string // of the content, in problems
}

// decorator returns the rest of the line of a decorator, and whether the entry has it.
func (a *authored) decorator(name string) (rest string, ok bool) {
	i := slices.IndexFunc(a.decorators, func(d decorator) bool { return d.name == name })
	if i < 0 {
		return "", false
	}
	return a.decorators[i].rest, true
}

// has reports whether an entry has a decorator.
func (a *authored) has(name string) bool {
	_, ok := a.decorator(name)
	return ok
}

// isOn reports whether a special entry acts: it is disabled, so that no scan finds it, or always enabled.
func (a *authored) isOn() bool { return a.entry.Disable || a.has("always_enabled") }

// isPreprocessed reports whether an entry is evaluated before the scan.
func (a *authored) isPreprocessed() bool {
	return a.has("preprocessing") || strings.Contains(a.entry.Comment, "[Preprocessing]")
}

// activatesEarly reports whether the option EarlyActivation may run an entry before the scan.
func (a *authored) activatesEarly() bool {
	return a.entry.Constant && !a.entry.Disable && !a.entry.Literal
}

// purpose is what an entry is for. The zero value is ordinary lore.
type purpose struct {
	kind    purposeKind
	after   bool // of generate: after the place
	message int  // of generate: the index of a message, -1 for the whole prompt
}

type purposeKind uint8

const (
	lore     purposeKind = iota
	generate             // for a place in the prompt
	initial              // values of variables
	display              // for the screen of SillyTavern, or not played there by default
)

// decorator is a line @@name rest at the top of a content.
type decorator struct{ name, rest string }

// cutDecorators divides a content into its decorators and the rest. A line @@@name is text.
func cutDecorators(content string) (list []decorator, rest string) {
	for strings.HasPrefix(content, "@@") && !strings.HasPrefix(content, "@@@") {
		line, after, _ := strings.Cut(content, "\n")
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\r"), "@@"), " ")
		list = append(list, decorator{name, strings.TrimSpace(value)})
		content = after
	}
	return list, content
}

// purposeOf returns the purpose of an entry by its title or else its decorators.
func purposeOf(title string, decorators []decorator) purpose {
	switch {
	case strings.HasPrefix(title, "[GENERATE:"):
		return titlePlace(title)
	case strings.HasPrefix(title, "[InitialVariables]"):
		return purpose{kind: initial}
	case strings.HasPrefix(title, "[RENDER:"), strings.HasPrefix(title, injectTitle):
		return purpose{kind: display}
	}
	for _, d := range decorators {
		switch d.name {
		case "generate_before", "generate_after":
			message, ok := tree.Index(d.rest)
			if !ok {
				message = -1
			}
			return purpose{kind: generate, after: d.name == "generate_after", message: message}
		case "initial_variables":
			return purpose{kind: initial}
		case "render_before", "render_after", "message_formatting", "iframe":
			return purpose{kind: display}
		}
	}
	return purpose{}
}

// injectTitle begins the titles of entries that SillyTavern can place by a rule. It does not do so by
// default, and no campaign does.
const injectTitle = "@INJECT"

// titlePlace reads a title such as [GENERATE:BEFORE] or [GENERATE:3:AFTER].
func titlePlace(title string) purpose {
	place, _, _ := strings.Cut(strings.TrimPrefix(title, "[GENERATE:"), "]")
	message := -1
	if number, side, ok := strings.Cut(place, ":"); ok {
		if message, ok = tree.Index(number); !ok {
			return purpose{kind: display}
		}
		place = side
	}
	if place != "BEFORE" && place != "AFTER" {
		return purpose{kind: display}
	}
	return purpose{kind: generate, after: place == "AFTER", message: message}
}

// idOf returns the ID of an entry of a book.
func idOf(book *worldbook.Book, e *worldbook.Entry) worldbook.ID {
	if e.World != nil {
		return worldbook.ID{Book: *e.World, UID: e.UID}
	}
	return worldbook.ID{Book: book.Name, UID: e.UID}
}
