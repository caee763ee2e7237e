package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Hooks have the actions of rules, and name the same variables, rules, directives and entries. So
// package rules checks both together: the name that a hook misspells is reported, and a rule that only
// a hook switches on is not reported as dead.

// vetRules returns what rules.Vet finds in rules and reactions, and in the actions of hooks.
func (g *compiler) vetRules(c rules.Content) (ofRules, ofHooks talewright.Problems) {
	own := len(c.Handlers)
	list := g.content.Rules.Hooks
	c.Handlers = slices.Concat(c.Handlers, hookHandlers(list))
	found := rules.Vet(c)
	for i, p := range slices.Concat(found, g.vetEntryNames(c)) {
		n, rest, isHandler := cutHandler(p.Path)
		if !isHandler || n < own {
			ofRules = append(ofRules, p)
			continue
		}
		at, ok := ".actions", true
		if i < len(found) {
			at, ok = hookAction(list[n-own], rest)
		}
		if ok { // not of a part that only the handler has
			p.Path, p.ID = fmt.Sprintf("hooks[%d]%s", n-own, at), list[n-own].ID
			ofHooks = append(ofHooks, p)
		}
	}
	return ofRules, ofHooks
}

// vetEntryNames reports the names of entries that no book has and no action adds.
func (g *compiler) vetEntryNames(c rules.Content) (list talewright.Problems) {
	added := g.addedEntries()
	for _, r := range rules.Relations(c) {
		if r.Verb != "switches" || len(g.lore.index().Find(r.Object)) > 0 || len(state.FindAddedLore(added, r.Object)) > 0 {
			continue
		}
		if uid := r.Object[strings.LastIndexByte(r.Object, '.')+1:]; r.Object == "" || strings.HasPrefix(uid, "added-") {
			continue // the name of an entry that was added without an ID
		}
		list = append(list, talewright.Problem{Path: r.Path, ID: r.From, Severity: talewright.Warning, Code: rules.UnknownID,
			Text: fmt.Sprintf("switches the entry %q, but no book has it; %s", r.Object, g.entryAdvice(r.Object))})
	}
	return list
}

// addedEntries returns the entries that rules, reactions and hooks add.
func (g *compiler) addedEntries() (list []effect.AddEntry) {
	collect := func(_, _ string, e effect.Effect) {
		if add, ok := e.(effect.AddEntry); ok {
			list = append(list, add)
		}
	}
	g.content.Rules.eachEffect(collect)
	for _, h := range hookHandlers(g.content.Rules.Hooks) {
		for _, e := range h.Then {
			collect("", h.ID, e)
		}
	}
	return list
}

// entryAdvice says which name to write for an entry that was not found by its name.
func (g *compiler) entryAdvice(name string) string {
	for id, e := range g.lore.book.Entries() {
		if e.Comment == name {
			return fmt.Sprintf("%q is the title of %q: write that", name, id)
		}
	}
	return "write a uid, or book.uid, unless the host or a tool adds the entry"
}

// hookHandlers returns the actions of hooks that rules have too, with one handler for each hook. No
// event has the type for which a handler waits.
func hookHandlers(list []hooks.Hook) []rules.Handler {
	out := make([]rules.Handler, len(list))
	for i, h := range list {
		name := "hooks[" + strconv.Itoa(i) + "]"
		out[i] = rules.Handler{ID: name, When: rules.Pattern{EventType: name}}
		for _, n := range ruleActions(h) {
			out[i].Then = append(out[i].Then, effect.Parse(h.Actions[n].JSON))
		}
	}
	return out
}

// ruleActions returns the indexes of the actions of a hook that are actions of rules.
func ruleActions(h hooks.Hook) (list []int) {
	for i, a := range h.Actions {
		if slices.Contains(effect.Types(), a.Type()) {
			list = append(list, i)
		}
	}
	return list
}

// cutHandler splits the path of a problem, reactions[3].then[0], into the number and the rest.
func cutHandler(path string) (n int, rest string, ok bool) {
	number, isHandler := strings.CutPrefix(path, "reactions[")
	number, rest, _ = strings.Cut(number, "]")
	n, _ = strconv.Atoi(number)
	return n, rest, isHandler
}

// hookAction returns the path of an action of a hook for the path in its handler.
func hookAction(h hooks.Hook, rest string) (path string, ok bool) {
	number, isAction := strings.CutPrefix(rest, ".then[")
	if !isAction {
		return "", false
	}
	number, rest, _ = strings.Cut(number, "]")
	n, _ := strconv.Atoi(number)
	return fmt.Sprintf(".actions[%d]%s", ruleActions(h)[n], rest), true
}
