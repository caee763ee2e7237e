package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/meant"
)

// Some words in content come from a fixed list, others are open: a host may know actions
// and events that this package does not. For the first kind an unknown word is a mistake,
// for the second only one that is a slip away from a known word can be called one.

// Words that only make a part do nothing are told as such; those that silence a whole rule say
// that it never fires.

// words finds operations, actions, places and event types that are none.
func (v *vetting) words(h Handler, path string) {
	for k, e := range h.Then {
		v.action(h.ID, path+actionPath(path, k), e)
	}
	if h.ConditionLogic != "" && h.ConditionLogic != All && h.ConditionLogic != Any {
		v.add(path+".conditionLogic", h.ID, Ignored, "unknown logic "+
			strconv.Quote(string(h.ConditionLogic))+", taken as all; "+hint(h.ConditionLogic, All, Any))
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
		turns := field == "turnCount" && matchesType(h.When.EventType, TypeTurnComplete)
		if op == Every && !turns {
			v.add(path+".when.match."+field, h.ID, BadPattern,
				"every is for turnCount of turn:complete alone; the reaction never fires; "+
					"write another operator")
		} else if op != Every && !slices.Contains(operators[:], op) {
			v.add(path+".when.match."+field, h.ID, BadPattern, "unknown operator "+
				strconv.Quote(string(op))+"; the reaction never fires; "+hint(op, operators[:]...))
		}
	}
}

// operators and operations are all of them, for hints.
var (
	operators  = [...]Operator{Eq, Neq, Gt, Gte, Lt, Lte, Contains}
	operations = [...]Operation{
		Set, Add, Subtract, Multiply, Toggle, Append, Merge, Push, Delete,
	}
)

// secondary finds a logic of secondary keywords that is none.
func (v *vetting) secondary(h Handler, path string) {
	switch logic := h.Trigger.SecondaryKeywordLogic; logic {
	case "", AndAny, AndAll, NotAny, NotAll:
	default:
		v.add(path+".trigger.secondaryKeywordLogic", h.ID, Ignored, "unknown logic "+
			strconv.Quote(string(logic))+", taken as AND_ANY; "+
			hint(logic, AndAny, AndAll, NotAny, NotAll))
	}
}

// slow finds regular expressions whose steps only the bound of a search ends.
func (v *vetting) slow(id, path string, keys []string) {
	for i, key := range keys {
		if r := parseRegex(key); r != nil && r.re.RunAway() {
			v.add(path+"["+strconv.Itoa(i)+"]", id, Ignored, "the regular expression may take more "+
				"steps than a long message is worth, and then finds nothing; bound its repeats, or "+
				"do without the back reference")
		}
	}
}

// eventType finds types that are a slip away from one that the engine raises, unless an
// effect emits just that type.
func (v *vetting) eventType(h Handler, path string) {
	builtIn := []string{
		TypePlayerMessage, TypeModelMessage, TypeTurnComplete, TypeSessionStart, TypeStateChanged,
		TypeStateCrossed, TypeActionFired, TypeNotification, TypeMoment, TypeAudio, TypeContext,
	}
	typ := h.When.EventType
	// A type that the content itself emits is a word of this world, however it looks.
	if v.causers[about{Emits, typ}].set || slices.Contains(builtIn, typ) {
		return
	}
	if word, ok := meant.Closest(typ, builtIn); ok {
		v.add(path+".when.eventType", h.ID, UnknownID,
			"only the host can raise "+strconv.Quote(typ)+
				"; did you mean "+strconv.Quote(word)+"?")
	}
}

// action finds words of an action that nobody knows. Actions of other types may be known
// to the host, so that they are no mistakes of their own.
func (v *vetting) action(id, path string, e Effect) {
	switch e := e.(type) {
	case ToggleBook:
		v.member(path+".bookId", id, e.ID)
	case ToggleVariable:
		v.exposed(path+".variableId", id, e.ID)
	case SetVariable:
		v.write(id, path, e)
	case InjectDirective:
		if e.ID == "" {
			v.add(path+".directiveId", id, BadActions, "no id; nothing is injected; add one")
		}
		v.position(id, path, e.Position)
	case SendContext:
		if strings.TrimSpace(e.Message) == "" {
			v.add(path+".message", id, BadActions, "no text; nothing is sent; write a message")
		}
		v.word(id, path+".role", "role", e.Role, roles)
	case Notify:
		v.word(id, path+".style", "style", e.Style, styles)
	case PlayAudio:
		v.word(id, path+".action", "action", e.Action, sounds)
	case Emit:
		v.emitted(id, path, e.Event)
	case Custom:
		// What could not be read has been named already; this is what could, and has a name
		// that only a host may know.
		if !inert(e) {
			var known []string
			for _, a := range authorActions {
				known = append(known, a.typ)
			}
			v.add(path, id, UnknownID, "no action "+strconv.Quote(e.Type)+
				" here; only the host can know it; "+hint(e.Type, known...))
		}
	}
}
