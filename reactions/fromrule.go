package reactions

import (
	"cmp"
	"encoding/json"
	"maps"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// The conversion saves rules in the form that other tools read, and shows that the two forms are
// equivalent. Play does not need it: rules compile directly.

// FromRule converts a rule to a reaction. Evaluating the reaction gives the same result as
// evaluating the rule, and its JSON holds everything that the rule's JSON held.
//
// A trigger that is a plain event pattern becomes the pattern. For other triggers the pattern has
// only the event type, and Trigger holds the rest. Actions become set and emit effects. Enabled is
// always written, because other programs treat a reaction without it as off.
func FromRule(r rules.Rule) Reaction {
	out := Reaction{
		ID:             r.ID,
		Name:           r.Name,
		Conditions:     r.Conditions,
		ConditionLogic: r.ConditionLogic,
		StopConditions: r.StopConditions,
		Priority:       r.Priority,
		Enabled:        new(r.Enabled == nil || *r.Enabled),
		CooldownTurns:  r.CooldownTurns,
		MaxFireCount:   r.MaxFireCount,
		Chance:         r.Chance,
		MaxChainDepth:  r.MaxChainDepth,
		ElseMessage:    r.ElseMessage,
		BookID:         r.BookID,
		Extra:          r.Extra,
		Then:           make(Effects, 0, len(r.Actions)),
	}
	if r.Description != "" {
		out.Extra = withText(r.Extra, "description", r.Description)
	}
	out.When, out.Trigger = fromTrigger(r.Trigger)
	for _, e := range r.Actions {
		out.Then = append(out.Then, fromAction(e))
	}
	return out
}

// withText adds a text to unknown members without touching the rule's own map.
func withText(extra map[string]json.RawMessage, key, text string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	maps.Copy(out, extra)
	out[key] = tree.Text(text).AppendJSON(nil)
	return out
}

// fromTrigger returns the pattern of a trigger. It also returns the trigger if the pattern does not
// express everything.
func fromTrigger(t *rules.Trigger) (Pattern, *rules.Trigger) {
	if t == nil {
		return Pattern{}, &rules.Trigger{}
	}
	// Members of the trigger from a later version cannot go into a pattern.
	if len(t.Extra) > 0 {
		return Pattern{EventType: t.Type.EventType()}, t
	}
	switch t.Type {
	case rules.OnSessionStart, rules.EveryTurn:
		return Pattern{EventType: t.Type.EventType()}, nil
	case rules.StateChange:
		if t.VariableID == "" {
			return Pattern{EventType: t.Type.EventType()}, nil
		}
	case rules.OnAction:
		if t.ActionID == "" {
			return Pattern{EventType: t.Type.EventType()}, nil
		}
		return equal(event.TypeActionFired, "actionId", tree.Text(t.ActionID)), nil
	case rules.TurnCount:
		if t.AtTurn != nil && t.EveryNTurns == nil {
			// The pattern is for readers. The trigger also uses the turn of the state for an event
			// without a turn count.
			return equal(event.TypeTurnComplete, "turnCount", tree.Float(*t.AtTurn)), t
		}
	}
	return Pattern{EventType: t.Type.EventType()}, t
}

// equal returns the pattern of an event whose field has a value.
func equal(eventType, field string, v tree.Value) Pattern {
	return Pattern{
		EventType: eventType,
		Match:     map[string]rules.Clause{field: {Operator: rules.Eq, Value: v}},
	}
}

// set writes an @ path and keeps unknown members of the action.
func set(path string, v tree.Value, extra map[string]json.RawMessage) effect.SetVariable {
	return effect.SetVariable{Path: path, Operation: effect.Set, Value: v, Extra: extra}
}

// fromAction converts an action to a set or an emit.
func fromAction(e effect.Effect) effect.Effect {
	switch e := e.(type) {
	case effect.InjectDirective:
		return set("@prompt.directive."+e.ID, directiveValue(e), e.Extra)
	case effect.RemoveDirective:
		return set("@prompt.directive."+e.ID, tree.Bool(false), e.Extra)
	case effect.ToggleEntry:
		return set("@prompt.entry."+e.ID, tree.Bool(e.Enabled), e.Extra)
	case effect.ToggleRule:
		return set("@rules.disabled."+e.ID, tree.Bool(!e.Enabled), e.Extra)
	case effect.Notify:
		return emit(e, e.Extra)
	case effect.PlayAudio:
		return emit(e, e.Extra)
	case effect.SendContext:
		return emit(e, e.Extra)
	}
	return e
}

// emit is for actions that are events: listeners get a rule's notice in the same way as a notice
// that a reaction emits.
func emit(e effect.Effect, extra map[string]json.RawMessage) effect.Effect {
	event, _ := effect.EventOf(e)
	return effect.Emit{Event: event, Extra: extra}
}

// directiveValue always writes persistent, because the path form has a different default.
func directiveValue(e effect.InjectDirective) tree.Value {
	position := cmp.Or(e.Position, effect.DirectiveAuto)
	members := []tree.Member{
		{Key: "content", Value: tree.Text(e.Content)},
		{Key: "position", Value: tree.Text(string(position))},
		{Key: "persistent", Value: tree.Bool(e.Persistent)},
	}
	if e.Duration != nil {
		members = append(members, tree.Member{Key: "duration", Value: tree.Int(int64(*e.Duration))})
	}
	if e.Depth != nil {
		members = append(members, tree.Member{Key: "depth", Value: tree.Int(int64(*e.Depth))})
	}
	return tree.Object(members...)
}
