package rules

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// The relations of a rule are read from its parts, not found by running it. So [Vet], cycles and
// the drawings see every rule, also rules that have never fired. Relations say what may happen.
// Whether it happens depends on conditions, which are not considered.

// Three readers use the same list, so that they always agree: Vet checks names, Cycles finds
// cycles, and the drawings show all of it.

// Verb is the way in which a rule or reaction uses something.
//
// Its values:
//
//   - reads: a variable, in a condition or operand
//   - writes: a variable
//   - watches: a variable, as its trigger; "" means any
//   - hears: an event type, perhaps with a wildcard
//   - emits: an event type
//   - toggles: a rule or reaction
//   - triggers: a rule or reaction
//   - injects: a directive
//   - removes: a directive
//   - switches: an entry of a world book
type Verb string

// The verbs.
const (
	verbReads    Verb = "reads"
	verbWrites   Verb = "writes"
	verbWatches  Verb = "watches"
	verbHears    Verb = "hears"
	verbEmits    Verb = "emits"
	verbToggles  Verb = "toggles"
	verbTriggers Verb = "triggers"
	verbInjects  Verb = "injects"
	verbRemoves  Verb = "removes"
	verbSwitches Verb = "switches"
)

// Relation is one thing that a rule or reaction uses.
type Relation struct {
	// From is the id of the rule or reaction. Path is its place in the content.
	From string
	Path string
	Verb Verb
	// Object is the object of the verb: a variable or path, an event type, an id.
	Object string
}

// about is a verb with its object.
type about struct {
	verb   Verb
	object string
}

// The beginnings of @ paths that are followed by an id.
const (
	directivePath = "@prompt.directive."
	entryPath     = "@lore.entry."
	forcePath     = "@lore.force."
)

// handler is a rule or reaction with its place.
type handler struct {
	Handler
	path string
}

// handlers returns rules and handlers in one form.
func handlers(c Content) []handler {
	list := make([]handler, 0, len(c.Rules)+len(c.Handlers))
	for i, r := range c.Rules {
		list = append(list, handler{r.Handler(), "rules[" + strconv.Itoa(i) + "]"})
	}
	for i, h := range c.Handlers {
		list = append(list, handler{h, "reactions[" + strconv.Itoa(i) + "]"})
	}
	return list
}

// Relations lists the reads, writes, matches and causes of rules and reactions. It is in the order
// of the content and, within a rule, of trigger, conditions, stop conditions and actions. Repeated
// uses are listed repeatedly. Nothing is compiled: content with mistakes also has relations, and
// these may contain unknown names.
func Relations(c Content) []Relation {
	var out []Relation
	for _, h := range handlers(c) {
		r := relationReader{from: h.ID, path: h.path}
		r.trigger(h.Handler)
		r.conditions(h.Conditions)
		r.conditions(h.StopConditions)
		for _, e := range h.Then {
			r.effect(e)
		}
		out = append(out, r.list...)
	}
	return out
}

// relationReader collects the relations of one rule or reaction.
type relationReader struct {
	from, path string
	list       []Relation
}

// add records a relation.
func (r *relationReader) add(v Verb, object string) {
	r.list = append(r.list, Relation{From: r.from, Path: r.path, Verb: v, Object: object})
}

// trigger records what the WHEN waits for.
func (r *relationReader) trigger(h Handler) {
	// Crossings and changes are drawn to the variable, which is more informative than the event
	// type.
	if h.Trigger == nil {
		switch t := h.When.EventType; {
		case t == event.TypeStateChanged || t == event.TypeStateCrossed:
			r.add(verbWatches, watched(h.When))
		case t != "":
			r.add(verbHears, t)
		}
		return
	}
	switch typ := h.Trigger.Type.EventType(); typ {
	case event.TypeTrigger: // no event
	case event.TypeStateChanged:
		r.add(verbWatches, h.Trigger.VariableID)
	default:
		r.add(verbHears, typ)
	}
}

// watched returns the variable of a pattern for changes, "" for any. A clause with an operator
// other than eq may match many variables.
func watched(p Pattern) string {
	c, ok := p.Match["variableId"]
	if ok && c.Operator != Eq && p.EventType == event.TypeStateChanged {
		return ""
	}
	id, _ := p.Wanted("variableId").AsText()
	return id
}

// conditions records the variables that are read.
func (r *relationReader) conditions(list []Condition) {
	for _, c := range list {
		r.add(verbReads, c.VariableID)
		r.reference(c.ValueRef)
	}
}

// reference records a variable that is an operand. A parameter of an event is not recorded.
func (r *relationReader) reference(ref string) {
	if _, param := report.Key(ref); ref != "" && !param {
		r.add(verbReads, ref)
	}
}

// effect records what an effect causes, and its event.
func (r *relationReader) effect(e effect.Effect) {
	// An effect that is also an event, such as a notice, is listed as that event.
	switch e := e.(type) {
	case effect.SetVariable:
		r.write(e)
	case effect.InjectDirective:
		r.add(verbInjects, e.ID)
	case effect.RemoveDirective:
		r.add(verbRemoves, e.ID)
	case effect.ToggleRule:
		r.add(verbToggles, e.ID)
	case effect.TriggerRule:
		r.add(verbTriggers, e.ID)
	case effect.UpdateEntry:
		r.add(verbSwitches, e.ID)
	case effect.RemoveEntry:
		r.add(verbSwitches, e.ID)
	case effect.ForceEntry:
		r.add(verbSwitches, e.ID)
	case effect.ToggleEntry:
		r.add(verbSwitches, e.ID)
	default:
		if event, ok := effect.EventOf(e); ok {
			r.add(verbEmits, event.Type)
		}
	}
	if m, ok := e.(effect.ShowMoment); ok && m.Collect != "" {
		r.add(verbWrites, m.Collect)
	}
}

// pathVerbs are the verbs of the @ paths that name a rule or an entry.
var pathVerbs = map[string]Verb{
	"@rules.disabled.": verbToggles, "@prompt.entry.": verbSwitches, entryPath: verbSwitches, forcePath: verbSwitches,
}

// write records a write. The names of @ paths show their meaning.
func (r *relationReader) write(e effect.SetVariable) {
	// The list of a random operand is read; its history is read and written.
	if e.Random != nil {
		for _, ref := range []string{e.Random.CandidatesVar, e.Random.HistoryVar} {
			r.reference(ref)
		}
		if e.Random.HistoryVar != "" {
			r.add(verbWrites, e.Random.HistoryVar)
		}
	}
	// These paths have the same meaning as actions of package rules and are listed in the same way.
	// The drawing should not depend on the author's choice of form.
	for head, verb := range pathVerbs {
		if id, ok := strings.CutPrefix(e.Path, head); ok {
			r.add(verb, id)
			return
		}
	}
	if id, ok := strings.CutPrefix(e.Path, "@prompt.directive."); ok {
		if on, isFlag := e.Value.AsBool(); isFlag && !on {
			r.add(verbRemoves, id)
			return
		}
		r.add(verbInjects, id)
		return
	}
	if e.Path != "" && e.Path[0] == '@' {
		return // for the host, or without a lasting effect
	}
	r.reference(e.ValueRef)
	r.add(verbWrites, e.Path)
}

// rootOf returns the variable that a path leads into.
func rootOf(path string) string {
	if p, err := tree.ParsePath(path); err == nil {
		return p[0]
	}
	return path
}
