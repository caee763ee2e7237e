package rules

import (
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules/internal/report"
)

// Editing content often breaks names: a variable is renamed but one of its thirty uses is not. All
// declared names are known, so every other name is a mistake. Entries of world books and the host's
// own actions are declared elsewhere and are not checked.

// names are the declared names of the content.
type names struct {
	variables map[string]Variable // nil: no schema
	display   map[string]string   // ids by display name; the last one counts
	rules     map[string]bool     // including reactions
	modules   map[string]bool     // nil: the content has no modules
	guesses   int

	// The same as lists, for suggestions.
	variableNames, ruleIDs, moduleIDs []string
}

// declaredBy returns the declared names of content.
func declaredBy(c Content, list []handler) *names {
	n := &names{rules: make(map[string]bool)}
	if c.Variables != nil {
		n.variables, n.display = make(map[string]Variable), make(map[string]string)
	}
	for _, d := range c.Variables {
		n.variables[d.ID] = d
		n.variableNames = append(n.variableNames, d.ID)
		if d.Name != "" {
			n.variableNames = append(n.variableNames, d.Name)
		}
	}
	for _, h := range list {
		n.rules[h.ID] = true
	}
	n.ruleIDs = slices.Sorted(maps.Keys(n.rules))
	if c.Modules != nil {
		n.modules = make(map[string]bool)
	}
	for _, m := range c.Modules {
		n.modules[m.ID] = true
		n.moduleIDs = append(n.moduleIDs, m.ID)
	}
	return n
}

// shadows reports display names that an id or a later name hides, and ids that hide a path into a
// different variable.
func (v *vetting) shadows() {
	for i, d := range v.content.Variables {
		p := place{v, "variables[" + strconv.Itoa(i) + "]", d.ID}
		if root, ok := v.variables[rootOf(d.ID)]; ok && root.ID != d.ID && root.Type == TypeJSON {
			p.add(".id", DuplicateID, "is also a path into %s, and the id wins; rename one", root.ID)
		}
		if d.Name == "" || d.Name == d.ID {
			continue
		}
		if _, isID := v.variables[d.Name]; isID {
			p.add(".name", DuplicateID, "the name is the id of a different variable, which is used; rename one")
		}
		if first, twice := v.display[d.Name]; twice {
			p.add(".name", DuplicateID, "the name of %s too; the last one wins; rename one", first)
		}
		v.display[d.Name] = d.ID
	}
}

// declared reports whether a name belongs to a variable. Display names are valid for written
// variables and operands, but not in conditions and triggers.
func (n *names) declared(name string, names bool) bool {
	_, isID := n.variables[name]
	_, isName := n.display[name]
	_, isPath := n.variables[rootOf(name)]
	return isID || isPath || isName && names
}

// unknown returns what to write instead of an unknown name.
func (n *names) unknown(name string) string {
	if id, isName := n.display[name]; isName {
		return "which is the display name of " + id + " and not its id; write " + strconv.Quote(id)
	}
	return "which is not declared; " + n.meantOr(name, n.variableNames, "declare it")
}

// mentions reports undeclared names in rules and reactions.
func (v *vetting) mentions() {
	for _, h := range v.list {
		p := place{v, h.path, h.ID}
		p.within(".worldbookId").member(h.BookID)
		p.within(".conditions").tested(h.Conditions)
		p.within(".stopConditions").tested(h.StopConditions)
		r := relationReader{from: h.ID, path: h.path + ".trigger"}
		if h.Trigger == nil {
			r.path = h.path + ".when"
		}
		r.trigger(h.Handler)
		for k, e := range h.Then {
			r.path = h.path + report.ActionPath(h.path, k)
			r.effect(e)
		}
		v.related(r.list)
	}
}

// related checks the names in the relations of a trigger and effects.
func (v *vetting) related(list []Relation) {
	for _, r := range list {
		switch r.Verb {
		case verbReads, verbWrites, verbWatches:
			if v.variables != nil && r.Object != "" && !v.declared(r.Object, r.Verb != verbWatches) {
				v.note(r.Path, r.From, UnknownID, "%s the variable %q, %s", r.Verb, r.Object, v.unknown(r.Object))
			}
		case verbToggles, verbTriggers:
			if !v.rules[r.Object] {
				v.note(r.Path, r.From, UnknownID,
					"%s %q, but no rule or reaction has that id; %s",
					r.Verb, r.Object, v.meantOr(r.Object, v.ruleIDs, "write the id of one"))
			}
		}
	}
}

// declarations checks the names in the declarations themselves.
func (v *vetting) declarations() {
	for i, d := range v.content.Variables {
		p := place{v, "variables[" + strconv.Itoa(i) + "]", d.ID}
		p.within(".worldbookId").member(d.BookID)
		p.within(".activation.conditions").tested(d.Activation.Conditions)
		f, err := ParseFormula(d.Formula)
		if err != nil { // or it is empty; the compiler has reported it
			continue
		}
		for _, name := range f.Names() {
			if !v.declared(name, true) {
				p.add(".formula", UnknownID,
					"reads %q, %s; until then the variable keeps its value", name, v.unknown(name))
			}
		}
	}
	for i, m := range v.content.Modules {
		place{v, "modules[" + strconv.Itoa(i) + "].activation.conditions", m.ID}.tested(m.Activation.Conditions)
	}
}

// member reports unknown modules. Content without modules is not checked: its members may belong to
// lore that is stored elsewhere.
func (p place) member(module string) {
	if module == "" || module == Unplaced || p.modules == nil || p.modules[module] {
		return
	}
	p.add("", UnknownID,
		"no module %q; members of it are always active; %s",
		module, p.meantOr(module, p.moduleIDs, "declare it, or leave the id out"))
}

// tested reports conditions on unknown variables. Conditions accept only ids, on both sides.
func (p place) tested(list []Condition) {
	if p.variables == nil {
		return
	}
	for i, c := range list {
		at := "[" + strconv.Itoa(i) + "]"
		if !p.declared(c.VariableID, false) {
			p.add(at+".variableId", UnknownID, "tests the variable %q, %s", c.VariableID, p.unknown(c.VariableID))
		}
		_, param := report.Key(c.ValueRef)
		if c.ValueRef != "" && !param && !p.declared(c.ValueRef, false) {
			p.add(at+".valueRef", UnknownID, "compares with the variable %q, %s", c.ValueRef, p.unknown(c.ValueRef))
		}
	}
}

// exposed reports switches of unknown variables. They accept only ids.
func (p place) exposed(variable string) {
	if _, ok := p.variables[variable]; p.variables != nil && !ok {
		p.add("", UnknownID, "switches the variable %q, %s", variable, p.unknown(variable))
	}
}

// maxGuesses limits the work of suggestions: if thousands of names are wrong, the first ones show
// the mistake.
const maxGuesses = 30

// meantOr calls [report.MeantOr] within the limit.
func (n *names) meantOr(word string, ids []string, otherwise string) string {
	if n.guesses++; n.guesses > maxGuesses {
		return otherwise
	}
	return report.MeantOr(word, ids, otherwise)
}
