package hooks

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// actionParams are the parameters of the built-in actions.
var actionParams = map[string][]string{
	PromptInject:      {"content", "key", "priority", "scope"},
	StateDelta:        {"payload", "field", "delta"},
	RelationshipDelta: {"payload", "field", "delta"},
	MemoryWrite:       {"content", "title", "mem_type", "memory_type", "category", "importance", "append"},
	LogLine:           {"message", "level"},
	Message:           {"content"},
	Workflow:          {"workflow", "workflow_id", "params"},
	WorldBookAdd: {"book_id", "content", "name", "keywords", "entry_type", "priority", "always_on",
		"tags"},
}

// needs is what the built-in actions need from the host.
var needs = map[string]Capability{
	PromptInject: Prompts, MemoryWrite: Memories, Workflow: Workflows, WorldBookAdd: WorldBooks,
}

// action looks at one action; late says that it runs when the prompt is done.
func (v *vetting) action(a Action, late bool, at place) {
	typ := a.Type()
	if typ == "" {
		return // Compile has reported it
	}
	custom, isCustom := v.host.Actions.lookup(typ)
	if builtin(typ) == nil && !isCustom {
		if v.host.Actions == nil { // else Compile has reported it
			v.actionType(typ, at.key("type"))
		}
		return
	}
	v.params(a, custom, isCustom, at)
	if isCustom {
		return
	}
	if c, ok := needs[typ]; ok && slices.Contains(v.host.Missing, c) {
		v.report(at.key("type"), "the host has nothing for %s: the action always fails", typ)
	}
	switch typ {
	case StateDelta:
		p := params{action: a}
		for _, m := range p.moves() {
			if m.field != "" {
				v.stateField(m.field, at.key(m.field))
			}
		}
	case MemoryWrite:
		v.memoryType(a, at)
	case PromptInject:
		if scope, _ := a.Get("scope").AsText(); late && (scope == "" || scope == InjectTurn) {
			v.report(at.key("scope"), "the prompt of the turn is done when the hook runs, and a text "+
				"of scope turn goes with the turn: it is never seen; write the scope session")
		}
	default:
		if late && isTooLate(rules.ReadEffect(a.JSON)) {
			v.report(at.key("type"), "the model has answered when the hook runs: it is too late for that")
		}
	}
}

// isTooLate reports whether an effect means nothing when the model has answered.
func isTooLate(e rules.Effect) bool {
	if rewrite, ok := e.(rules.Rewrite); ok {
		return rewrite.Target != rules.RewriteReply
	}
	_, ok := e.(rules.Veto)
	return ok
}

// params finds parameters that nobody reads. Of those of the host's own types it knows
// only what the table says, so it asks for a slip.
func (v *vetting) params(a Action, custom ActionType, isCustom bool, at place) {
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
	v.slips(at, unread, known)
}

func (v *vetting) memoryType(a Action, at place) {
	for _, name := range [...]string{"mem_type", "memory_type"} {
		typ, ok := a.Get(name).AsText()
		if ok && typ != "" && typ != "long" && typ != "short" && !slices.Contains(v.host.MemoryTypes, typ) {
			v.report(at.key(name), "%s is not long, short or a type of the host's",
				brief(tree.Text(typ)))
		}
	}
}
