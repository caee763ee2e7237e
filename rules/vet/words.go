package vet

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/meant"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/keyexpr"
	"github.com/talewright/talewright/rules/internal/report"
)

// Some words in content come from a fixed list, others are open: a host may know actions
// and events that this package does not. For the first kind an unknown word is a mistake,
// for the second only one that is a slip away from a known word can be called one.

// Words that only make a part do nothing are told as such; those that silence a whole rule say
// that it never fires.

// words finds operations, actions, places and event types that are none.
func (v *vetting) words(h rules.Handler, path string) {
	for k, e := range h.Then {
		v.action(h.ID, path+report.ActionPath(path, k), e)
	}
	if h.ConditionLogic != "" && h.ConditionLogic != condition.All && h.ConditionLogic != condition.Any {
		v.add(path+".conditionLogic", h.ID, rules.Ignored, "unknown logic "+
			strconv.Quote(string(h.ConditionLogic))+", taken as all; "+report.Hint(h.ConditionLogic, condition.All, condition.Any))
	}
	if h.Trigger != nil {
		v.secondary(h, path)
		v.slow(h.ID, path+".trigger.keywords", h.Trigger.Keywords)
		v.slow(h.ID, path+".trigger.secondaryKeywords", h.Trigger.SecondaryKeywords)
		return
	}
	// A clause of an unknown operator is false for every event, so that one slip silences the
	// whole reaction.
	v.eventType(h, path)
	for _, field := range slices.Sorted(maps.Keys(h.When.Match)) {
		op := h.When.Match[field].Operator
		turns := field == "turnCount" && h.When.Covers(event.TypeTurnComplete)
		if op == rules.Every && !turns {
			v.add(path+".when.match."+field, h.ID, rules.BadPattern,
				"every is for turnCount of turn:complete alone; the reaction never fires; "+
					"write another operator")
		} else if op != rules.Every && !slices.Contains(operators[:], op) {
			v.add(path+".when.match."+field, h.ID, rules.BadPattern, "unknown operator "+
				strconv.Quote(string(op))+"; the reaction never fires; "+report.Hint(op, operators[:]...))
		}
	}
}

// operators and operations are all of them, for hints.
var (
	operators  = [...]condition.Operator{condition.Eq, condition.Neq, condition.Gt, condition.Gte, condition.Lt, condition.Lte, condition.Contains}
	operations = [...]effect.Operation{
		effect.Set, effect.Add, effect.Subtract, effect.Multiply, effect.Toggle, effect.Append, effect.Merge, effect.Push, effect.Delete,
	}
)

// secondary finds a logic of secondary keywords that is none.
func (v *vetting) secondary(h rules.Handler, path string) {
	switch logic := h.Trigger.SecondaryKeywordLogic; logic {
	case "", rules.AndAny, rules.AndAll, rules.NotAny, rules.NotAll:
	default:
		v.add(path+".trigger.secondaryKeywordLogic", h.ID, rules.Ignored, "unknown logic "+
			strconv.Quote(string(logic))+", taken as AND_ANY; "+
			report.Hint(logic, rules.AndAny, rules.AndAll, rules.NotAny, rules.NotAll))
	}
}

// slow finds regular expressions whose steps only the bound of a search ends.
func (v *vetting) slow(id, path string, keys []string) {
	for i, key := range keys {
		if r := keyexpr.Parse(key); r != nil && r.RunAway() {
			v.add(path+"["+strconv.Itoa(i)+"]", id, rules.Ignored, "the regular expression may take more "+
				"steps than a long message is worth, and then finds nothing; bound its repeats, or "+
				"do without the back reference")
		}
	}
}

// eventType finds types that are a slip away from one that the engine raises, unless an
// effect emits just that type.
func (v *vetting) eventType(h rules.Handler, path string) {
	builtIn := []string{
		event.TypePlayerMessage, event.TypeModelMessage, event.TypeTurnComplete, event.TypeSessionStart, event.TypeStateChanged,
		event.TypeStateCrossed, event.TypeActionFired, event.TypeNotification, event.TypeMoment, event.TypeAudio, event.TypeContext,
	}
	typ := h.When.EventType
	// A type that the content itself emits is a word of this world, however it looks.
	if v.causers[about{Emits, typ}].set || slices.Contains(builtIn, typ) {
		return
	}
	if word, ok := meant.Closest(typ, builtIn); ok {
		v.add(path+".when.eventType", h.ID, rules.UnknownID,
			"only the host can raise "+strconv.Quote(typ)+
				"; did you mean "+strconv.Quote(word)+"?")
	}
}

// action finds words of an action that nobody knows. Actions of other types may be known
// to the host, so that they are no mistakes of their own.
func (v *vetting) action(id, path string, e effect.Effect) {
	switch e := e.(type) {
	case effect.ToggleBook:
		v.member(path+".bookId", id, e.ID)
	case effect.ToggleVariable:
		v.exposed(path+".variableId", id, e.ID)
	case effect.SetVariable:
		v.write(id, path, e)
	case effect.InjectDirective:
		if e.ID == "" {
			v.add(path+".directiveId", id, rules.BadActions, "no id; nothing is injected; add one")
		}
		v.position(id, path, string(e.Position))
	case effect.SendContext:
		if strings.TrimSpace(e.Message) == "" {
			v.add(path+".message", id, rules.BadActions, "no text; nothing is sent; write a message")
		}
		v.word(id, path+".role", "role", e.Role, roles)
	case effect.Notify:
		v.word(id, path+".style", "style", e.Style, styles)
	case effect.PlayAudio:
		v.word(id, path+".action", "action", e.Action, sounds)
	case effect.Emit:
		v.emitted(id, path, e.Event)
	case effect.Custom:
		// What could not be read has been named already; this is what could, and has a name
		// that only a host may know.
		if !e.Unreadable() {
			v.add(path, id, rules.UnknownID, "no action "+strconv.Quote(e.Type)+
				" here; only the host can know it; "+report.Hint(e.Type, effect.Types()...))
		}
	}
}
