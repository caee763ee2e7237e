package vet

import (
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/formula"
	"github.com/talewright/talewright/rules/internal/param"
	"github.com/talewright/talewright/rules/internal/report"
)

// Names are where content breaks when it is edited: a variable is renamed and one of its
// thirty uses is not. What is declared here is known, so that every name that is not is a
// mistake; entries of world books and the host's own actions are declared elsewhere, and
// nothing is said about them.

// shadows finds display names that an id or a later name hides, and ids that hide a path
// into another variable.
func (v *vetting) shadows() {
	for i, d := range v.content.Variables {
		path := "variables[" + strconv.Itoa(i) + "]"
		if root, ok := v.vars[rootOf(d.ID)]; ok && root.ID != d.ID && root.Type == declare.JSON {
			v.add(path+".id", d.ID, rules.DuplicateID,
				"is also a path into "+root.ID+", and the id wins; rename one")
		}
		if d.Name == "" || d.Name == d.ID {
			continue
		}
		if _, isID := v.vars[d.Name]; isID {
			v.add(path+".name", d.ID, rules.DuplicateID,
				"the name is the id of another variable, which wins; rename one")
		}
		if first, twice := v.named[d.Name]; twice {
			v.add(path+".name", d.ID, rules.DuplicateID,
				"the name of "+first+" too; the last one wins; rename one")
		}
		v.named[d.Name] = d.ID
	}
}

// declared reports whether a name is that of a variable. Display names do where values are
// written and operands are read, but not in conditions and triggers.
func (v *vetting) declared(name string, names bool) bool {
	_, isID := v.vars[name]
	_, isName := v.named[name]
	_, isPath := v.vars[rootOf(name)]
	return isID || isPath || isName && names
}

// unknown says what to write instead of a name that is none.
func (v *vetting) unknown(name string) string {
	if id, isName := v.named[name]; isName {
		return "which is the display name of " + id + " and not its id; write " + strconv.Quote(id)
	}
	return "which is not declared; " + v.meantOr(name, v.variableNames(), "declare it")
}

// names finds what rules and reactions name and nobody has declared.
func (v *vetting) names() {
	for i, h := range v.list {
		path := v.paths[i]
		v.member(path+".worldbookId", h.ID, h.BookID)
		v.tested(path+".conditions", h.ID, h.Conditions)
		v.tested(path+".stopConditions", h.ID, h.StopConditions)
		r := relating{from: h.ID, path: path + ".trigger"}
		if h.Trigger == nil {
			r.path = path + ".when"
		}
		r.trigger(h)
		for k, e := range h.Then {
			r.path = path + report.ActionPath(path, k)
			r.effect(e)
		}
		v.related(r.list)
	}
}

// related looks at what a trigger and effects have to do with.
func (v *vetting) related(list []Relation) {
	for _, r := range list {
		switch r.Verb {
		case Reads, Writes, Watches:
			if v.vars != nil && r.Object != "" && !v.declared(r.Object, r.Verb != Watches) {
				v.add(r.Path, r.From, rules.UnknownID, string(r.Verb)+" the variable "+
					strconv.Quote(r.Object)+", "+v.unknown(r.Object))
			}
		case Toggles, Triggers:
			if !v.ids[r.Object] {
				v.add(r.Path, r.From, rules.UnknownID, string(r.Verb)+" "+strconv.Quote(r.Object)+
					", and there is no rule or reaction of that id; "+
					v.meantOr(r.Object, v.handlerIDs(), "write the id of one"))
			}
		}
	}
}

// declarations looks at the names in the declarations themselves.
func (v *vetting) declarations() {
	for i, d := range v.content.Variables {
		path := "variables[" + strconv.Itoa(i) + "]"
		v.member(path+".worldbookId", d.ID, d.BookID)
		v.tested(path+".activation.conditions", d.ID, d.Activation.Conditions)
		f, err := formula.Parse(d.Formula)
		if err != nil { // or empty; the compiler has said so
			continue
		}
		for _, name := range f.Names() {
			if !v.declared(name, true) {
				v.add(path+".formula", d.ID, rules.UnknownID, "reads "+strconv.Quote(name)+", "+
					v.unknown(name)+"; until then the variable keeps its value")
			}
		}
	}
	for i, m := range v.content.Modules {
		v.tested("modules["+strconv.Itoa(i)+"].activation.conditions", m.ID, m.Activation.Conditions)
	}
}

// member finds modules that are none. Content without modules is not asked: its members
// may belong to lore that is kept elsewhere.
func (v *vetting) member(path, id, module string) {
	if module == "" || module == declare.Unplaced || v.content.Modules == nil || v.modules[module] {
		return
	}
	v.add(path, id, rules.UnknownID, "no module "+strconv.Quote(module)+
		"; members of it are always active; "+
		v.meantOr(module, v.moduleIDs, "declare it, or leave the id out"))
}

// tested finds conditions on variables that there are none of. Conditions understand ids
// alone, on both sides.
func (v *vetting) tested(path, id string, list []rules.Condition) {
	if v.vars == nil {
		return
	}
	for i, c := range list {
		at := path + "[" + strconv.Itoa(i) + "]"
		if !v.declared(c.VariableID, false) {
			v.add(at+".variableId", id, rules.UnknownID, "tests the variable "+
				strconv.Quote(c.VariableID)+", "+v.unknown(c.VariableID))
		}
		_, param := param.Key(c.ValueRef)
		if c.ValueRef != "" && !param && !v.declared(c.ValueRef, false) {
			v.add(at+".valueRef", id, rules.UnknownID, "compares with the variable "+
				strconv.Quote(c.ValueRef)+", "+v.unknown(c.ValueRef))
		}
	}
}

// exposed finds switches of variables that there are none of. They go by id alone.
func (v *vetting) exposed(path, id, variable string) {
	if _, ok := v.vars[variable]; v.vars != nil && !ok {
		v.add(path, id, rules.UnknownID, "switches the variable "+strconv.Quote(variable)+", "+
			v.unknown(variable))
	}
}

// variableNames are the ids and display names that a rule can use.
func (v *vetting) variableNames() []string {
	if v.varNames != nil {
		return v.varNames
	}
	for _, d := range v.content.Variables {
		v.varNames = append(v.varNames, d.ID)
		if d.Name != "" {
			v.varNames = append(v.varNames, d.Name)
		}
	}
	return v.varNames
}

// handlerIDs are the ids of rules and reactions, sorted.
func (v *vetting) handlerIDs() []string {
	if v.ruleIDs == nil {
		v.ruleIDs = slices.Sorted(maps.Keys(v.ids))
	}
	return v.ruleIDs
}

// maxGuesses bounds the work of guessing: where thousands of names are wrong, the first ones
// tell what is.
const maxGuesses = 30

// meantOr is the function of that name, within the bound.
func (v *vetting) meantOr(word string, ids []string, otherwise string) string {
	if v.guesses++; v.guesses > maxGuesses {
		return otherwise
	}
	return report.MeantOr(word, ids, otherwise)
}
