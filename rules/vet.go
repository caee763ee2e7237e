package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// Vet reports mistakes before play: everything that [Compile] reports, and
//
//   - variables, rules and modules that are named but not declared (variables only if there is a
//     schema), also in formulas and in activations of variables and modules;
//   - ids and display names that hide each other, or a path;
//   - triggers that can never fire: thresholds outside the bounds of the variable, a chance or
//     maximum of 0, turns that do not exist, rules that are off and never switched on;
//   - conditions that exclude each other or the declared type;
//   - rules that cause each other in a cycle, with the cycle. A chain ends there, because each rule
//     fires once, but few authors intend it;
//   - directives that are removed but never injected, empty, or injected only by rules that can
//     never fire;
//   - writes that are always refused: an operation that does not fit the type of its variable, an
//     operand that does not fit the operation;
//   - vetoes and rewrites of the line or the prompt in rules that fire after the model has answered;
//   - unknown words: operators, operations, positions, and actions, events, @ paths, roles, styles
//     and sounds that only the host can know, with the probably intended word;
//   - two rules that set one variable to different values for the same trigger.
//
// Problems that Compile does not report are warnings: they do not stop the content from running. Vet
// runs no rule.
func Vet(c Content) talewright.Problems {
	_, problems := Compile(c)
	v := &vetting{findings: newFindings(problems), content: c, list: handlers(c), relations: Relations(c)}
	v.names = declaredBy(c, v.list)
	v.relate()
	v.shadows()
	v.mentions()
	v.declarations()
	for _, h := range v.list {
		r := rule{place{v, h.path, h.ID}, h.Handler}
		r.fires()
		r.conditions()
		r.actions()
		r.words()
	}
	v.directives()
	v.cycles()
	v.conflicts()
	v.problems.SortByPlace()
	return talewright.Problems(v.problems)
}

// The codes that [Vet] reports in addition to the codes of [Compile].
const (
	codeCycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	codeContradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	codeUnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	codeConflict        talewright.Code = "conflict"         // two rules write one variable for one event
)

// vetting is the content under check, with its findings.
type vetting struct {
	findings
	*names
	content   Content
	list      []handler
	relations []Relation
	causers   map[about]map[string]bool // the ids of the rules that do something to an object
}

// findings are the problems so far, without duplicates: one condition can be wrong for two reasons
// with one text.
type findings struct {
	problems report.Findings
	known    map[talewright.Problem]bool
}

// newFindings returns findings that begin with some problems.
func newFindings(problems talewright.Problems) findings {
	f := findings{problems: report.Findings(problems), known: make(map[talewright.Problem]bool, len(problems))}
	for _, p := range problems {
		f.known[p] = true
	}
	return f
}

// note adds a problem unless it is already in the list.
func (f *findings) note(path, id string, code talewright.Code, format string, args ...any) {
	p := talewright.Problem{Path: path, ID: id, Code: code, Text: fmt.Sprintf(format, args...)}
	if !f.known[p] {
		f.known[p] = true
		p.Severity = talewright.Warning
		f.problems = append(f.problems, p)
	}
}

// place is a place in the content, with the id of the rule or declaration that contains it.
type place struct {
	*vetting
	path, id string
}

// within returns the place of a member.
func (p place) within(member string) place {
	p.path += member
	return p
}

// add reports a problem of a member, or with "" of the place itself.
func (p place) add(member string, code talewright.Code, format string, args ...any) {
	p.note(p.path+member, p.id, code, format, args...)
}

// rule is a rule or reaction with its place.
type rule struct {
	place
	Handler
}

// relate collects which rules do what, for checks of each rule.
func (v *vetting) relate() {
	v.causers = make(map[about]map[string]bool)
	for _, r := range v.relations {
		key := about{r.Verb, r.Object}
		if v.causers[key] == nil {
			v.causers[key] = make(map[string]bool)
		}
		v.causers[key][r.From] = true
	}
}

// fires reports conditions that keep a rule from ever firing.
func (r rule) fires() {
	r.limits()
	if r.BookID == Unplaced {
		r.add(".worldbookId", NeverFires, "it belongs to no module yet; name one, or leave the id out")
	}
	hasCauser := func(verb Verb) bool { // a different rule does this to the rule
		by := r.causers[about{verb, r.ID}]
		return len(by) > 1 || len(by) == 1 && !by[r.ID]
	}
	if r.Enabled != nil && !*r.Enabled && !hasCauser(verbToggles) {
		r.add(".enabled", NeverFires, "off, and nothing switches it on; add a toggle-rule for it, or enable it")
	}
	if r.Trigger == nil {
		r.patternBounds()
		return
	}
	switch t := r.Trigger; t.Type {
	case Manual:
		if !hasCauser(verbTriggers) {
			r.add(".trigger", NeverFires,
				"manual, and no rule triggers it; only the host can; add a trigger-rule for it")
		}
	case VariableCrossed:
		if t.Threshold != nil {
			r.bounds(".trigger", t.VariableID, t.Direction, *t.Threshold)
		}
	case TurnCount:
		r.turn()
	}
}

// limits reports limits that no firing passes, and numbers that count as the nearest valid number.
func (r rule) limits() {
	chance, most, cooldown, depth := r.Chance, r.MaxFireCount, r.CooldownTurns, r.MaxChainDepth
	for _, limit := range [...]struct {
		isWrong bool
		member  string
		code    talewright.Code
		text    string
	}{
		{chance != nil && *chance <= 0, ".chance", NeverFires, "a chance of 0 never fires; write a percentage, or leave it out"},
		{most != nil && *most <= 0, ".maxFireCount", NeverFires, "a maximum of 0 never fires; write 1 or more, or leave it out"},
		{chance != nil && *chance > 100, ".chance", Ignored, "a chance above 100 always fires, as 100 does; write a percentage, or leave it out"},
		{cooldown != nil && *cooldown < 0, ".cooldownTurns", Ignored, "below 0 is no cooldown, as 0 is; write a number of turns, or leave it out"},
		{depth != nil && *depth < 0, ".maxChainDepth", Ignored, "below 0 counts as 0; write a number of hops, or leave it out"},
	} {
		if limit.isWrong {
			r.add(limit.member, limit.code, "%s", limit.text)
		}
	}
}

// turn reports turns that do not exist.
func (r rule) turn() {
	t := r.Trigger
	switch {
	case t.AtTurn == nil || t.EveryNTurns != nil:
	case *t.AtTurn < 1:
		r.add(".trigger.atTurn", NeverFires, "the first turn is number 1; write 1 or more")
	case *t.AtTurn != math.Trunc(*t.AtTurn):
		r.add(".trigger.atTurn", NeverFires,
			"turns are whole numbers, and this is %s; write one", numberText(*t.AtTurn))
	}
}

// patternBounds is [rule.bounds] for a pattern that derives crossings from changes.
func (r rule) patternBounds() {
	p := r.When
	limit, ok := p.Wanted("threshold").AsFloat()
	if p.EventType != event.TypeStateCrossed || !ok {
		return
	}
	id, _ := p.Wanted("variableId").AsText()
	dir, _ := p.Wanted("direction").AsText()
	r.bounds(".when", id, Direction(dir), limit)
}

// bounds reports thresholds that a variable cannot cross.
func (r rule) bounds(member, variable string, dir Direction, limit float64) {
	d, ok := r.variables[variable]
	if !ok {
		return
	}
	if d.Type != TypeNumber {
		r.add(member+".variableId", NeverFires,
			"only numbers cross a threshold, and this is %s; use state-change", d.Type)
		return
	}
	// Landing on the threshold is not crossing it, so a bound that equals it also prevents a
	// crossing. The usual mistake is "drops below 0" with a minimum of 0.
	all := newInterval(d)
	noDrop := limit <= all.low || limit > all.high
	noRise := limit >= all.high || limit < all.low
	never := noDrop && noRise || dir == DropsBelow && noDrop || dir == RisesAbove && noRise
	if never {
		r.add(member+".threshold", NeverFires,
			"the bounds of %s keep it on one side of %s; reaching a threshold is not crossing it; move the threshold inside",
			d.ID, numberText(limit))
	}
}

// directives reports directives that are removed but never injected, empty, or injected only by
// rules that can never fire. It must run after all checks that find such rules.
func (v *vetting) directives() {
	neverFires := v.neverFiring()
	canInject := make(map[string]bool) // by directive: a rule that can fire injects it
	for _, r := range v.relations {
		if r.Verb == verbInjects {
			canInject[r.Object] = canInject[r.Object] || !neverFires[r.Path]
		}
	}
	directives := slices.Sorted(maps.Keys(canInject))
	for _, r := range v.relations {
		can, isInjected := canInject[r.Object]
		switch {
		case r.Verb == verbRemoves && !isInjected:
			v.note(r.Path, r.From, codeUnusedDirective,
				"removes the directive %q, which nothing injects; %s",
				r.Object, v.meantOr(r.Object, directives, "remove the action"))
		case r.Verb == verbInjects && !can:
			v.note(r.Path, r.From, codeUnusedDirective,
				"injects the directive %q, and can never fire; repair what keeps it from firing, or remove the action",
				r.Object)
		}
	}
	for _, h := range v.list {
		for _, e := range h.Then {
			if d, ok := e.(effect.InjectDirective); ok && strings.TrimSpace(d.Content) == "" {
				v.note(h.path, h.ID, codeUnusedDirective, "the directive %q is empty; give it a content", d.ID)
			}
		}
	}
}

// neverFiring returns the paths of the rules that can never fire, by the problems so far. Stop conditions
// that never hold do not keep a rule from firing.
func (v *vetting) neverFiring() map[string]bool {
	paths := make(map[string]bool)
	for _, p := range v.problems {
		switch p.Code {
		case NeverFires, codeContradiction, BadTrigger, BadPattern:
			if rule, _, ok := strings.Cut(p.Path, "]"); ok && !strings.Contains(p.Path, ".stop") {
				paths[rule+"]"] = true
			}
		}
	}
	return paths
}

// numberText prints a number as authors write it.
func numberText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// followsAnswer reports whether a rule fires only by the events of a finished turn, see
// [event.OfTurn].
func (r rule) followsAnswer() bool {
	if len(r.causers[about{verbTriggers, r.ID}]) > 0 {
		return false
	}
	typ := r.When.EventType
	if r.Trigger != nil {
		typ = r.Trigger.Type.EventType()
	}
	return slices.Contains([]string{event.TypePlayerMessage, event.TypeModelMessage, event.TypeTurnComplete, event.TypeSessionStart}, typ)
}

// actions reports unknown words in the actions of a rule, a rule without actions, and actions that come
// too late.
func (r rule) actions() {
	if len(r.Then) == 0 && strings.TrimSpace(r.ElseMessage) == "" {
		list := report.ActionList(r.path)
		reported := slices.ContainsFunc(r.Problems, func(p talewright.Problem) bool {
			return p.Path == "" || p.Path == list || p.Path == ".code"
		})
		if !reported {
			r.add(list, BadActions, "there is no action, so firing changes nothing; add one")
		}
	}
	for k, e := range r.Then {
		a := r.within(report.ActionPath(r.path, k))
		a.check(e)
		if !r.followsAnswer() {
			continue
		}
		switch e := e.(type) {
		case effect.Veto:
			a.add("", BadActions,
				`a veto is too late here: the model has answered; use a reaction to "turn:accepted", or a hook`)
		case effect.Rewrite:
			if e.Target != effect.RewriteReply {
				a.add("", BadActions,
					"a rewrite of the %s is too late here: the model has answered; use a reaction to \"turn:accepted\", or a hook",
					e.Target)
			}
		}
	}
}

// words reports unknown words outside of the actions. Some words come from a fixed list: every unknown
// word is a mistake. Other lists are open, because a host may know more events than this package: only a
// word that is similar to a known one is reported.
func (r rule) words() {
	if r.ConditionLogic != "" && r.ConditionLogic != All && r.ConditionLogic != Any {
		r.add(".conditionLogic", Ignored,
			"unknown logic %q, taken as all; %s", r.ConditionLogic, report.Hint(r.ConditionLogic, All, Any))
	}
	if r.Trigger != nil {
		r.secondaryLogic()
		r.within(".trigger.keywords").slow(r.Trigger.Keywords)
		r.within(".trigger.secondaryKeywords").slow(r.Trigger.SecondaryKeywords)
		return
	}
	r.eventType()
	r.eventFields()
	for _, field := range slices.Sorted(maps.Keys(r.When.Match)) {
		r.matchOperator(field)
	}
}

// matchOperator reports an operator that makes the clause for a field false for every event. One such
// clause disables the whole reaction.
func (r rule) matchOperator(field string) {
	clause, at := r.When.Match[field], ".when.match."+field
	countsTurns := field == "turnCount" && r.When.Covers(event.TypeTurnComplete)
	switch op := clause.Operator; {
	case op == Every && !countsTurns:
		r.add(at, BadPattern,
			"every works only with turnCount of turn:complete; the reaction never fires; write a different operator")
	case op == Every && periodOf(clause.Value) == 0:
		r.add(at, BadPattern, "every needs a number above 0; the reaction never fires; write how many turns")
	case op != Every && !slices.Contains(operators[:], op):
		r.add(at, BadPattern,
			"unknown operator %q; the reaction never fires; %s", op, report.Hint(op, operators[:]...))
	}
}

// eventFields are the fields of the engine's events.
var eventFields = map[string][]string{
	event.TypePlayerMessage: {"content"},
	event.TypeModelMessage:  {"content"},
	event.TypeTurnComplete:  {"turnCount"},
	event.TypeStateChanged:  {"variableId", "oldValue", "newValue"},
	event.TypeStateCrossed:  {"variableId", "direction", "threshold", "currentValue", "previousValue"},
	event.TypeActionFired:   {"actionId", "params"},
}

// eventFields reports fields that are similar to a field of the event.
func (r rule) eventFields() {
	known := eventFields[r.When.EventType]
	if known == nil {
		return
	}
	check := func(place, field string) {
		if word, ok := utf8text.Suggest(field, known); ok && !slices.Contains(known, field) {
			r.add(place+field, BadPattern, "the event has no field %q; did you mean %q?", field, word)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(r.When.Match)) {
		check(".when.match.", field)
	}
	for _, field := range slices.Sorted(maps.Keys(r.When.Equal)) {
		check(".when.", field)
	}
}

// operators and operations list all words, for hints.
var (
	operators  = [...]Operator{Eq, Neq, Gt, Gte, Lt, Lte, Contains}
	operations = [...]effect.Operation{
		effect.Set, effect.Add, effect.Subtract, effect.Multiply, effect.Toggle, effect.Append, effect.Merge, effect.Push, effect.Delete,
	}
)

// secondaryLogic reports an unknown logic of secondary keywords.
func (r rule) secondaryLogic() {
	switch logic := r.Trigger.SecondaryKeywordLogic; logic {
	case "", AndAny, AndAll, NotAny, NotAll:
	default:
		r.add(".trigger.secondaryKeywordLogic", Ignored,
			"unknown logic %q, taken as AND_ANY; %s", logic, report.Hint(logic, AndAny, AndAll, NotAny, NotAll))
	}
}

// slow reports regular expressions that only the step limit stops.
func (p place) slow(keys []string) {
	for i, key := range keys {
		if r := report.Parse(key); r != nil && r.RunAway() {
			p.add("["+strconv.Itoa(i)+"]", Ignored,
				"the regular expression may take more steps than a long message is worth, and then finds nothing; bound its repeats, or do without the back reference")
		}
	}
}

// eventType reports types that are similar to a type of the engine, unless an effect emits exactly
// that type.
func (r rule) eventType() {
	builtIn := []string{
		event.TypePlayerMessage, event.TypeModelMessage, event.TypeTurnComplete, event.TypeSessionStart, event.TypeStateChanged,
		event.TypeStateCrossed, event.TypeActionFired, event.TypeNotification, event.TypeMoment, event.TypeAudio, event.TypeContext,
	}
	typ := r.When.EventType
	// A type that the content itself emits belongs to this world, even if it is similar to a
	// built-in one.
	if len(r.causers[about{verbEmits, typ}]) > 0 || slices.Contains(builtIn, typ) {
		return
	}
	if word, ok := utf8text.Suggest(typ, builtIn); ok {
		r.add(".when.eventType", UnknownID, "only the host can raise %q; did you mean %q?", typ, word)
	}
}
