package rules

import (
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// Some words in content come from a fixed list. Others are open: a host may know actions and events
// that this package does not. For a fixed list every unknown word is a mistake. For an open list
// only a word that is similar to a known one is reported.

// A word that only disables a part is reported as an unknown word. A word that disables a whole
// rule is reported as never-fires.

// words reports unknown operations, actions, positions and event types.
func (r rule) words() {
	for k, e := range r.Then {
		action{r.within(report.ActionPath(r.path, k))}.check(e)
	}
	if r.ConditionLogic != "" && r.ConditionLogic != All && r.ConditionLogic != Any {
		r.add(".conditionLogic", Ignored, "unknown logic "+
			strconv.Quote(string(r.ConditionLogic))+", taken as all; "+report.Hint(r.ConditionLogic, All, Any))
	}
	if r.Trigger != nil {
		r.secondary()
		r.within(".trigger.keywords").slow(r.Trigger.Keywords)
		r.within(".trigger.secondaryKeywords").slow(r.Trigger.SecondaryKeywords)
		return
	}
	// A clause with an unknown operator is false for every event, so one mistake disables the whole
	// reaction.
	r.eventType()
	for _, field := range slices.Sorted(maps.Keys(r.When.Match)) {
		op := r.When.Match[field].Operator
		turns := field == "turnCount" && r.When.Covers(event.TypeTurnComplete)
		if op == Every && !turns {
			r.add(".when.match."+field, BadPattern,
				"every works only with turnCount of turn:complete; the reaction never fires; "+
					"write a different operator")
		} else if op != Every && !slices.Contains(operators[:], op) {
			r.add(".when.match."+field, BadPattern, "unknown operator "+
				strconv.Quote(string(op))+"; the reaction never fires; "+report.Hint(op, operators[:]...))
		}
	}
}

// operators and operations list all words, for hints.
var (
	operators  = [...]Operator{Eq, Neq, Gt, Gte, Lt, Lte, Contains}
	operations = [...]effect.Operation{
		effect.Set, effect.Add, effect.Subtract, effect.Multiply, effect.Toggle, effect.Append, effect.Merge, effect.Push, effect.Delete,
	}
)

// secondary reports an unknown logic of secondary keywords.
func (r rule) secondary() {
	switch logic := r.Trigger.SecondaryKeywordLogic; logic {
	case "", AndAny, AndAll, NotAny, NotAll:
	default:
		r.add(".trigger.secondaryKeywordLogic", Ignored, "unknown logic "+
			strconv.Quote(string(logic))+", taken as AND_ANY; "+
			report.Hint(logic, AndAny, AndAll, NotAny, NotAll))
	}
}

// slow reports regular expressions that only the step limit stops.
func (p place) slow(keys []string) {
	for i, key := range keys {
		if r := report.Parse(key); r != nil && r.RunAway() {
			p.add("["+strconv.Itoa(i)+"]", Ignored, "the regular expression may take more "+
				"steps than a long message is worth, and then finds nothing; bound its repeats, or "+
				"do without the back reference")
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
	if r.causers[about{verbEmits, typ}].set || slices.Contains(builtIn, typ) {
		return
	}
	if word, ok := utf8text.Suggest(typ, builtIn); ok {
		r.add(".when.eventType", UnknownID,
			"only the host can raise "+strconv.Quote(typ)+
				"; did you mean "+strconv.Quote(word)+"?")
	}
}
