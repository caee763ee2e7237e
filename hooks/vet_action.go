package hooks

import (
	"slices"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// actionParams are the parameters of the built-in actions.
var actionParams = map[string][]string{
	act.PromptInject:      {"content", "key", "priority", "scope"},
	act.StateDelta:        {"payload", "field", "delta", "character"},
	act.RelationshipDelta: {"payload", "field", "delta", "character"},
	act.MemoryWrite:       {"content", "title", "mem_type", "memory_type", "category", "importance", "append"},
	act.LogLine:           {"message", "level"},
	act.Message:           {"content"},
	act.Workflow:          {"workflow", "workflow_id", "params"},
	act.WorldBookAdd: {"book_id", "content", "name", "keywords", "entry_type", "priority", "always_on",
		"tags"},
}

// neededCapability maps built-in actions to the capability that they need from the host.
var neededCapability = map[string]act.Capability{
	act.PromptInject: act.Prompts, act.MemoryWrite: act.Memories, act.Workflow: act.Workflows, act.WorldBookAdd: act.WorldBooks,
}

// action checks one action; late says that it runs after the prompt is built.
func (v *vetter) action(a act.Action, late bool, at condition.Place) {
	typ := a.Type()
	if typ == "" {
		return // Compile has reported it
	}
	custom, isCustom := v.host.Actions.Lookup(typ)
	if stage.Builtin(typ) == nil && !isCustom {
		if v.host.Actions == nil { // else Compile has reported it
			v.actionType(typ, at.Key("type"))
		}
		return
	}
	v.params(a, custom, isCustom, at)
	if isCustom {
		return
	}
	if c, ok := neededCapability[typ]; ok && slices.Contains(v.host.Missing, c) {
		v.report(at.Key("type"), "the host has nothing for %s: the action always fails", typ)
	}
	switch typ {
	case act.StateDelta:
		for _, name := range stage.FieldsOf(a) {
			v.stateField(name, at.Key(name))
		}
	case act.MemoryWrite:
		v.memoryType(a, at)
	case act.PromptInject:
		if scope, _ := a.Get("scope").AsText(); late && (scope == "" || scope == string(effect.ForTurn)) {
			v.report(at.Key("scope"), "the hook runs after the prompt of the turn is complete, and a text "+
				"of scope turn is removed with the turn: no prompt contains it; write the scope session")
		}
	default:
		if late && isTooLate(effect.Parse(a.JSON)) {
			v.report(at.Key("type"), "the hook runs after the model has answered: the action has no effect; use an earlier event")
		}
	}
}

// isTooLate reports whether an effect has no meaning after the model has answered.
func isTooLate(e effect.Effect) bool {
	if rewrite, ok := e.(effect.Rewrite); ok {
		return rewrite.Target != effect.RewriteReply
	}
	_, ok := e.(effect.Veto)
	return ok
}

// params reports parameters that are not read. For a host type, only the table's parameters are
// known, so params reports only typos.
func (v *vetter) params(a act.Action, custom act.Type, isCustom bool, at condition.Place) {
	known := []string{"type"}
	if isCustom {
		for _, p := range custom.Params {
			known = append(known, p.Name)
		}
	} else {
		known = append(known, actionParams[a.Type()]...)
	}
	var unread []string
	for name := range a.JSON.Members() {
		if !slices.Contains(known, name) {
			unread = append(unread, name)
		}
	}
	v.reportTypos(at, unread, known)
}

// memoryType reports a memory type that the host does not have.
func (v *vetter) memoryType(a act.Action, at condition.Place) {
	for _, name := range [...]string{"mem_type", "memory_type"} {
		typ, ok := a.Get(name).AsText()
		if ok && typ != "" && typ != "long" && typ != "short" && !slices.Contains(v.host.MemoryTypes, typ) {
			v.report(at.Key(name), "%s is not long, short or a type of the host's",
				condition.Brief(tree.Text(typ)))
		}
	}
}
