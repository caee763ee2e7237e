package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Vet finds what an author wants to know before anyone plays: everything that [Compile]
// reports, and
//
//   - variables, rules and modules that are named and not declared (variables only where
//     there is a schema);
//   - triggers that can never fire: thresholds that the bounds of the variable exclude, a
//     chance or maximum of 0, rules that are off and that nothing switches on;
//   - conditions that exclude each other or the declared type;
//   - rules that cause each other in a circle, with the circle. A chain ends there, for
//     each fires once, but few authors mean it;
//   - directives that are removed and never injected, or empty;
//   - words that are none: operators, operations, positions, and actions and events that
//     only the host can know, with the word that was probably meant;
//   - two rules that set one variable to different values for the same trigger.
//
// Nothing of this stops the content from running.
func Vet(c Content) Problems {
	_, problems := Compile(c)
	v := &vetting{content: c, problems: problems, ids: make(map[string]bool)}
	v.list, v.paths = c.handlers()
	for _, h := range v.list {
		v.ids[h.ID] = true
	}
	v.relations = Relations(c)
	if c.Variables != nil {
		v.vars = make(map[string]Variable)
		for _, d := range c.Variables {
			v.vars[d.ID] = d
		}
		v.shadows()
	}
	v.names()
	for i, h := range v.list {
		v.fires(h, v.paths[i])
		v.conditions(h, v.paths[i])
		v.words(h, v.paths[i])
	}
	v.directives()
	v.cycles()
	v.conflicts()
	v.problems.sortByPlace()
	return v.problems
}

type vetting struct {
	content   Content
	problems  Problems
	list      []Handler
	paths     []string
	ids       map[string]bool
	vars      map[string]Variable // nil: no schema
	relations []Relation
}

// add notes a problem, unless it is known: one condition can be wrong for two reasons with
// one text.
func (v *vetting) add(path, id string, code Code, text string) {
	p := Problem{Path: path, ID: id, Code: code, Text: text}
	if !slices.Contains(v.problems, p) {
		v.problems = append(v.problems, p)
	}
}

// shadows finds display names that are hidden by an id or a later name.
func (v *vetting) shadows() {
	last := make(map[string]string)
	for i, d := range v.content.Variables {
		if d.Name == "" || d.Name == d.ID {
			continue
		}
		path := "variables[" + strconv.Itoa(i) + "].name"
		if _, isID := v.vars[d.Name]; isID {
			v.add(path, d.ID, DuplicateID,
				"the name is the id of another variable, which wins; rename one")
		}
		if first, twice := last[d.Name]; twice {
			v.add(path, d.ID, DuplicateID,
				"the name of "+first+" too; the last one wins; rename one")
		}
		last[d.Name] = d.ID
	}
}

// variable finds a declared variable by id, display name or root of a path.
func (v *vetting) variable(name string) (Variable, bool) {
	if d, ok := v.vars[name]; ok {
		return d, true
	}
	for _, d := range v.content.Variables {
		if d.Name == name {
			return d, true
		}
	}
	d, ok := v.vars[rootOf(name)]
	return d, ok
}

// names finds what is named and does not exist.
func (v *vetting) names() {
	for _, r := range v.relations {
		switch r.Verb {
		case Reads, Writes, Watches:
			if _, ok := v.variable(r.Object); v.vars != nil && r.Object != "" && !ok {
				v.add(r.Path, r.From, UnknownID, string(r.Verb)+" the variable "+
					strconv.Quote(r.Object)+", which is not declared; "+
					meantOr(r.Object, v.variableNames(), "declare it"))
			}
		case Toggles, Triggers:
			if !v.ids[r.Object] {
				v.add(r.Path, r.From, UnknownID, string(r.Verb)+" "+strconv.Quote(r.Object)+
					", and there is no rule or reaction of that id; "+
					meantOr(r.Object, slices.Sorted(maps.Keys(v.ids)), "write the id of one"))
			}
		}
	}
	for i, h := range v.list {
		known := slices.ContainsFunc(v.content.Modules, func(m Module) bool { return m.ID == h.BookID })
		if h.BookID != "" && h.BookID != unplaced && !known && v.content.Modules != nil {
			v.add(v.paths[i]+".worldbookId", h.ID, UnknownID, "no module "+strconv.Quote(h.BookID)+
				"; it counts as always active; "+
				meantOr(h.BookID, v.moduleIDs(), "declare it, or leave the id out"))
		}
	}
}

// fires finds what keeps a rule from ever firing.
func (v *vetting) fires(h Handler, path string) {
	if h.Chance != nil && *h.Chance <= 0 {
		v.add(path+".chance", h.ID, NeverFires,
			"a chance of 0 never fires; write a percentage, or leave it out")
	}
	if h.MaxFireCount != nil && *h.MaxFireCount <= 0 {
		v.add(path+".maxFireCount", h.ID, NeverFires,
			"a maximum of 0 never fires; write 1 or more, or leave it out")
	}
	if h.BookID == unplaced {
		v.add(path+".worldbookId", h.ID, NeverFires,
			"it belongs to no module yet; name one, or leave the id out")
	}
	caused := func(verb Verb) bool {
		return slices.ContainsFunc(v.relations, func(r Relation) bool {
			return r.Verb == verb && r.Object == h.ID && r.From != h.ID
		})
	}
	if h.Enabled != nil && !*h.Enabled && !caused(Toggles) {
		v.add(path+".enabled", h.ID, NeverFires,
			"off, and nothing switches it on; add a toggle-rule for it, or enable it")
	}
	if h.Trigger == nil {
		return
	}
	switch t := h.Trigger; t.Type {
	case Manual:
		if !caused(Triggers) {
			v.add(path+".trigger", h.ID, NeverFires,
				"manual, and no rule triggers it; only the host can; add a trigger-rule for it")
		}
	case VariableCrossed:
		v.bounds(h, path)
	case TurnCount:
		if t.AtTurn != nil && *t.AtTurn < 1 && t.EveryNTurns == nil {
			v.add(path+".trigger.atTurn", h.ID, NeverFires,
				"the first turn is number 1; write 1 or more")
		}
	}
}

// bounds finds thresholds that a variable cannot get beyond.
func (v *vetting) bounds(h Handler, path string) {
	t := h.Trigger
	d, ok := v.vars[t.VariableID]
	if !ok || t.Threshold == nil {
		return
	}
	if d.Type != NumberType {
		v.add(path+".trigger.variableId", h.ID, NeverFires,
			"only numbers cross a threshold, and this is "+string(d.Type)+"; use state-change")
		return
	}
	// Landing on the threshold is not crossing it, so a bound that equals it is as
	// good as one beyond: the usual slip is "drops below 0" with a minimum of 0.
	noDrop := d.Min != nil && *t.Threshold <= *d.Min
	noRise := d.Max != nil && *t.Threshold >= *d.Max
	never := noDrop && noRise ||
		t.Direction == DropsBelow && noDrop || t.Direction == RisesAbove && noRise
	if never {
		v.add(path+".trigger.threshold", h.ID, NeverFires, "the bounds of "+d.ID+
			" keep it on one side of "+number(*t.Threshold)+
			"; landing on a threshold is not crossing it; move the threshold inside")
	}
}

// directives finds those that are removed and never injected, and empty ones.
func (v *vetting) directives() {
	injected := make(map[string]bool)
	for _, r := range v.relations {
		if r.Verb == Injects {
			injected[r.Object] = true
		}
	}
	for _, r := range v.relations {
		if r.Verb == Removes && !injected[r.Object] {
			v.add(r.Path, r.From, UnusedDirective, "removes the directive "+strconv.Quote(r.Object)+
				", which nothing injects; "+
				meantOr(r.Object, slices.Sorted(maps.Keys(injected)), "remove the action"))
		}
	}
	for i, h := range v.list {
		for _, e := range h.Then {
			if d, ok := e.(InjectDirective); ok && strings.TrimSpace(d.Content) == "" {
				v.add(v.paths[i], h.ID, UnusedDirective,
					"the directive "+strconv.Quote(d.ID)+" is empty; give it a content")
			}
		}
	}
}

// variableNames are the ids and display names that a rule can use.
func (v *vetting) variableNames() []string {
	var names []string
	for _, d := range v.content.Variables {
		names = append(names, d.ID)
		if d.Name != "" {
			names = append(names, d.Name)
		}
	}
	return names
}

// moduleIDs are the ids that a rule can belong to.
func (v *vetting) moduleIDs() []string {
	var ids []string
	for _, m := range v.content.Modules {
		ids = append(ids, m.ID)
	}
	return ids
}
