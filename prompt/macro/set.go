package macro

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Macro is a macro of the host. Names are matched in any letter case.
type Macro struct {
	Name    string
	Aliases []string
	// MinArgs and MaxArgs limit the number of arguments; a negative MaxArgs means no limit. A call
	// with a different number stays as written.
	MinArgs, MaxArgs int
	// Text is the result of the macro if Func is nil.
	Text string
	// Func computes the result. It must depend only on the call, or a replay will differ.
	Func func(*Call) string
}

// structural macros are part of the syntax and cannot be replaced.
var structural = [...]string{"if", "else", "trim", commentName, "comment"}

// NewSet returns a table with the macros of the host in addition to the built-in ones. A macro with
// the name of a built-in macro replaces it, except if, else, trim and comments. The error lists
// every mistake: invalid, reserved and repeated names, and impossible numbers of arguments.
func NewSet(macros ...Macro) (*Set, error) {
	s := &Set{specs: map[string]*spec{}, base: builtinSet}
	var problems []error
	for i, m := range macros {
		sp := m.spec()
		if m.MinArgs < 0 || m.MaxArgs >= 0 && m.MaxArgs < m.MinArgs {
			problems = append(problems, fmt.Errorf(
				"macros[%d]: %q takes %d to %d arguments: make the bounds 0 ≤ min ≤ max",
				i, m.Name, m.MinArgs, m.MaxArgs))
		}
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if err := s.add(name, sp); err != nil {
				problems = append(problems, fmt.Errorf("macros[%d]: %w", i, err))
			}
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("macro: %w", errors.Join(problems...))
	}
	return s, nil
}

// add checks a name and adds a macro under it.
func (s *Set) add(name string, sp *spec) error {
	if name == "" || nameEnd(name, 0) != len(name) {
		return fmt.Errorf("%q is not a macro name: use a letter, then letters, digits, _ and -", name)
	}
	lower := strings.ToLower(name)
	for _, reserved := range structural {
		if lower == reserved {
			return fmt.Errorf("%q is part of the syntax: choose a different name", name)
		}
	}
	if s.specs[lower] != nil {
		return fmt.Errorf("%q is defined twice: remove one", name)
	}
	s.specs[lower] = sp
	return nil
}

// spec compiles a macro of the host.
func (m Macro) spec() *spec {
	eval := m.Func
	if eval == nil {
		text := m.Text
		eval = func(*Call) string { return text }
	}
	return &spec{
		name: strings.ToLower(m.Name), min: m.MinArgs, max: m.MaxArgs,
		anyNumber: m.MaxArgs < 0, eval: eval,
	}
}

// Cache compiles each text once. It keeps the templates of the latest texts. Use it from one
// goroutine.
type Cache struct {
	set              *Set
	limit            int
	previous, latest map[string]*Template
}

// NewCache returns a cache for the macros of a set; nil means the built-in macros. It keeps at most
// 2·limit templates; a limit below 1 means 4096.
func NewCache(set *Set, limit int) *Cache {
	set = cmp.Or(set, builtinSet)
	if limit < 1 {
		limit = 4096
	}
	return &Cache{set: set, limit: limit, latest: map[string]*Template{}}
}

// Compile returns the template of a text, from the cache if possible.
func (c *Cache) Compile(text string) *Template {
	if t := c.latest[text]; t != nil {
		return t
	}
	t := c.previous[text]
	if t == nil {
		t = c.set.Compile(text)
	}
	if len(c.latest) >= c.limit { // two generations: templates still in use stay
		c.previous, c.latest = c.latest, make(map[string]*Template, c.limit)
	}
	c.latest[text] = t
	return t
}

// Compile compiles a text for the built-in macros. Every text is a valid
// template: what is not a macro stays text. The cost is linear in the length,
// and a text without macros is scanned once.
func Compile(text string) *Template {
	return builtinSet.Compile(text)
}
