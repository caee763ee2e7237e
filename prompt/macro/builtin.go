package macro

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// builtins returns the table of all built-in macros, by lower-case name.
func builtins() map[string]*spec {
	t := table{}
	t.names()
	t.card()
	t.texts()
	t.chat()
	t.variables()
	t.stores()
	t.facts()
	t.templates()
	t.chance()
	t.times()
	t.control()
	return t
}

// names adds the names of the speakers. They are the only macros that are expanded in text of
// players and models, see [Names].
func (t table) names() {
	t.add("user", 0, 0, func(c *Call) string { return c.Env().User }).names = true
	t.add("char", 0, 0, func(c *Call) string {
		return cmp.Or(c.eval.locals.Char, c.Env().Char)
	}).names = true
	t.once("group|charifnotgroup", func(env *Env) string {
		return orChar(env, env.Group)
	}).names = true
	t.once("groupnotmuted", func(env *Env) string {
		return orChar(env, except(env.Group, env.Muted...))
	})
	t.once("notchar", func(env *Env) string {
		if len(env.Group) == 0 {
			return env.User
		}
		return strings.Join(except(env.Group, append(slices.Clone(env.Muted), env.Char)...), ", ")
	})
}

// orChar joins the members of a group. Without a group it returns the character, so that cards
// written for groups work alone.
func orChar(env *Env, members []string) string {
	if len(env.Group) == 0 {
		return env.Char
	}
	return strings.Join(members, ", ")
}

// except returns the names that are not in some, in order.
func except(names []string, some ...string) []string {
	gone := make(map[string]bool, len(some))
	for _, name := range some {
		gone[name] = true
	}
	var out []string
	for _, name := range names {
		if !gone[name] {
			out = append(out, name)
		}
	}
	return out
}

// texts adds macros that depend only on their arguments, and outlets.
func (t table) texts() {
	t.add("newline", 0, 1, func(c *Call) string { return repeat(c, "\n") })
	t.add("space", 0, 1, func(c *Call) string { return repeat(c, " ") })
	nothing := func(*Call) string { return "" }
	t.add("noop", 0, 0, nothing)
	t.add("banned", 1, 1, nothing)
	// The memory and the notes of a campaign have places of their own in a prompt.
	t.add("summary|authorsnote|charauthorsnote|defaultauthorsnote", 0, 0, nothing)
	t.add(commentName+"|comment", 0, -1, nothing)
	t.add("hidden_key", 1, 1, func(c *Call) string {
		if c.Env().Scanning {
			return c.Args[0]
		}
		return ""
	})
	t.add("reverse", 1, 1, func(c *Call) string {
		runes := []rune(c.Args[0])
		slices.Reverse(runes)
		return string(runes)
	})
	t.add("outlet", 1, 1, func(c *Call) string {
		text, _ := c.eval.run.Outlet(c.Args[0])
		return text
	})
	t.add("original", 0, 0, func(c *Call) string {
		e := c.eval
		if e.locals.Original == nil {
			return c.Stay(codeRefused, "there is no original here")
		}
		if e.usedOriginal {
			return ""
		}
		e.usedOriginal = true
		return e.locals.Original()
	})
}

// facts adds values that the host provides about the build, and its document.
func (t table) facts() {
	number := func(names string, get func(*Env) int) {
		t.add(names, 0, 0, func(c *Call) string { return strconv.Itoa(get(c.Env())) })
	}
	number("turncount", func(e *Env) int { return e.Turn })
	number("maxcontext|maxcontexttokens", func(e *Env) int { return e.MaxContext })
	number("maxresponse|maxresponsetokens", func(e *Env) int { return e.MaxResponse })
	number("maxprompt|maxprompttokens", func(e *Env) int { return e.MaxContext - e.MaxResponse })
	t.add("model", 0, 0, func(c *Call) string { return c.Env().Model })
	t.add("input", 0, 0, func(c *Call) string { return c.Env().Input })
	t.add("lastgenerationtype", 0, 0, func(c *Call) string { return c.Env().GenerationType })
	t.add("ismobile", 0, 0, func(c *Call) string { return strconv.FormatBool(c.Env().Mobile) })
	t.add("hasextension", 1, 1, func(c *Call) string {
		return strconv.FormatBool(slices.ContainsFunc(c.Env().Extensions, func(name string) bool {
			return strings.EqualFold(name, c.Args[0])
		}))
	})
	t.add("var", 1, 2, func(c *Call) string {
		if doc := c.Env().Document; doc != nil {
			if v, ok := doc.Get(c.Args[0]); ok {
				return c.eval.run.shown("var "+c.Args[0], v)
			}
		}
		if len(c.Args) > 1 {
			return c.Args[1]
		}
		c.unset(c.Args[0], "the document has no such path", c.eval.run.vars.Has(c.Args[0]), "getvar")
		return ""
	})
}

// unset reports a name that does not exist. If the other of the two stores has the name, the author
// probably meant that store, which a different macro reads.
func (c *Call) unset(name, why string, other bool, macro string) {
	text := quoteName(name) + ": " + why
	if other {
		text += ", but {{" + macro + "::" + name + "}} does"
	}
	c.eval.report(c.node, codeUnset, text)
}

// noName is why a macro that writes a variable stays as written.
const noName = "the name of the variable is empty"

// variables adds the macros of both stores.
func (t table) variables() {
	for _, scope := range [...]struct {
		infix  string
		global bool
	}{{"", false}, {"global", true}} {
		t.variable(scope.infix, scope.global)
	}
}

// variable adds the macros of one store: setvar, setglobalvar and so on.
func (t table) variable(infix string, global bool) {
	name := func(verb, noun string) string { return verb + infix + noun }
	add := func(names string, args int, f func(s *store, a []string) string) {
		t.add(names, args, args, func(c *Call) string {
			return f(c.eval.run.store(global), c.Args)
		})
	}
	// carry adds a macro that keeps marks in the value, but not in the name.
	carry := func(names string, f func(s *store, name, value string)) {
		t.add(names, 2, 2, func(c *Call) string {
			name := unmark(c.Args[0])
			if name == "" {
				return c.Stay(codeBadValue, noName)
			}
			f(c.eval.run.store(global), name, c.Args[1])
			return ""
		}).keepsMarks = true
	}
	count := func(names string, by float64) {
		t.add(names, 1, 1, func(c *Call) string {
			if c.Args[0] == "" {
				return c.Stay(codeBadValue, noName)
			}
			return c.eval.run.store(global).Count(c.Args[0], by)
		})
	}
	carry(name("set", "var"), func(s *store, name, value string) { s.Set(name, value) })
	t.add(name("get", "var"), 1, 1, func(c *Call) string {
		s := c.eval.run.store(global)
		if !s.Has(c.Args[0]) {
			inDocument := false
			if doc := c.Env().Document; doc != nil && !global {
				_, inDocument = doc.Get(c.Args[0])
			}
			c.unset(c.Args[0], "no variable has this name", inDocument, "var")
		}
		return s.Show(c.Args[0])
	})
	carry(name("add", "var"), func(s *store, name, value string) { s.Add(name, value) })
	count(name("inc", "var"), 1)
	count(name("dec", "var"), -1)
	add(name("has", "var")+"|"+infix+"varexists", 1,
		func(s *store, a []string) string { return strconv.FormatBool(s.Has(a[0])) })
	add(name("delete", "var")+"|"+name("flush", "var"), 1,
		func(s *store, a []string) string { s.Remove(a[0]); return "" })
	t.add(name("set", "varkey")+"|"+name("set", "varindex"), 3, 3, func(c *Call) string {
		if c.Args[0] == "" {
			return c.Stay(codeBadValue, noName)
		}
		if why := c.eval.run.store(global).SetKey(c.Args[0], c.Args[1], c.Args[2]); why != "" {
			c.eval.report(c.node, codeBadValue, why)
		}
		return ""
	})
	add(name("get", "varkey")+"|"+name("get", "varindex"), 2,
		func(s *store, a []string) string { return s.Key(a[0], a[1]) })
}

// builtinSet is the table without macros of a host. It is never changed.
var builtinSet = &Set{specs: builtins()}
