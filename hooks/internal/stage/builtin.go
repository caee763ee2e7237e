package stage

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Prepared is a built-in action whose parameters have been checked. Exactly one of Stage and Effect
// is set. Neither blocks.
type Prepared struct {
	// Stage runs an internal action on the overlay, completely or not at all.
	Stage func(*Overlay, *Means, *act.Event) (Success, *act.Failure)
	// Effect makes the effect of an external action, for a sink or for the host.
	Effect func(*Means, *act.Event) (effect.Effect, Success, *act.Failure)
	// LikelyFailure is a failure that the action will have when it runs, unless a different failure
	// comes first.
	LikelyFailure *act.Failure
}

// Success is the detail and output of a successful action.
type Success struct {
	Detail string
	Output tree.Value
}

// prepares are the functions that check the parameters of the built-in types.
var prepares = map[string]func(act.Action) (Prepared, *act.Failure){
	act.PromptInject:      preparePrompt,
	act.StateDelta:        prepareStateDelta,
	act.RelationshipDelta: prepareRelationshipDelta,
	act.MemoryWrite:       prepareMemory,
	act.LogLine:           prepareLog,
	act.Message:           prepareMessage,
	act.Workflow:          prepareWorkflow,
	act.WorldBookAdd:      prepareWorldBook,
}

// Builtin returns the function that checks the parameters of a built-in type or of an effect of
// package rules; nil for any other type.
func Builtin(typ string) func(act.Action) (Prepared, *act.Failure) {
	if prepare := prepares[typ]; prepare != nil || !act.IsEffect(typ) {
		return prepare
	}
	return prepareEffect
}

// internal returns an action that stages one effect.
func internal(asked effect.Effect, detail string) Prepared {
	return Prepared{Stage: func(o *Overlay, _ *Means, _ *act.Event) (Success, *act.Failure) {
		o.Add(asked)
		return Success{Detail: detail}, nil
	}}
}

// external returns an action with one effect for a sink or the host. It needs a capability, if one is
// given; service is its name for people.
func external(asked effect.Effect, said Success, need act.Capability, service string) Prepared {
	return Prepared{Effect: func(means *Means, _ *act.Event) (effect.Effect, Success, *act.Failure) {
		if need != "" && means.Lacks(need) {
			return nil, Success{}, unavailable(service)
		}
		return asked, said, nil
	}}
}

// unavailable returns the failure of an action when the host does not have what it needs.
func unavailable(what string) *act.Failure {
	return &act.Failure{Code: act.CodeUnavailable, Detail: what + " is not available"}
}

// prepareMessage checks message. The effect has no id: the messages belong to the turn, in the
// order in which they were added.
func prepareMessage(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.AddMessage{Content: p.required("content")}
	return internal(asked, "message added"), p.fail
}

// prepareLog checks log. An unknown level becomes info, so that the line is not lost.
func prepareLog(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.WriteLog{Message: p.required("message"), Level: "info"}
	switch level, _ := a.Get("level").AsText(); level {
	case "debug", "warning", "error":
		asked.Level = level
	case "warn":
		asked.Level = "warning"
	}
	return external(asked, Success{Detail: "logged"}, "", ""), p.fail
}

// prepareWorkflow checks workflow. Success means that the host accepted the start. The result of
// the workflow arrives later, as an event of the host.
func prepareWorkflow(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.StartWorkflow{Workflow: p.text("workflow", ""), Params: p.get("params")}
	if asked.Workflow == "" {
		asked.Workflow = p.text("workflow_id", "")
	}
	if asked.Workflow == "" {
		p.refuse(act.Missing("workflow"))
	}
	switch {
	case !asked.Params.Exists():
		asked.Params = tree.Object()
	case !asked.Params.IsObject():
		p.refuse(act.Invalid("params", "must be an object, not %s", condition.Named(asked.Params.Kind())))
	}
	said := Success{Detail: "workflow " + asked.Workflow + " accepted"}
	return external(asked, said, act.Workflows, "a workflow trigger"), p.fail
}

// prepareWorldBook checks world_book_add. The sink decides whether the book exists. An entry that
// can never activate is not a failure, because a person may add keywords later. It is added with a
// warning.
func prepareWorldBook(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.AddEntry{
		BookID:    p.required("book_id"),
		Content:   p.required("content"),
		Name:      p.text("name", ""),
		Keywords:  p.keywords("keywords"),
		EntryType: p.text("entry_type", "event"),
		Priority:  p.integer("priority", 50),
		AlwaysOn:  p.boolean("always_on"),
		Tags:      p.texts("tags"),
	}
	said := Success{Detail: "entry added to " + asked.BookID}
	blank := func(k string) bool { return strings.TrimSpace(k) != "" }
	if !asked.AlwaysOn && !slices.ContainsFunc(asked.Keywords, blank) {
		said.Output = tree.Object(tree.Member{Key: "warning", Value: tree.Text(
			"the entry has no keywords and always_on is false: it can never fire")})
	}
	return external(asked, said, act.WorldBooks, "a world book"), p.fail
}

// prepareEffect checks an effect of package rules, written in the notation of rules. Package effect
// reads it, so effects that are added there work here too. It is internal. The engine that applies
// the effect checks whether the variable, rule or entry exists, and refuses the effect if it cannot
// be applied.
func prepareEffect(a act.Action) (Prepared, *act.Failure) {
	asked := effect.Parse(a.JSON)
	if mistake := effect.Mistake(asked); mistake != "" {
		return Prepared{}, &act.Failure{Code: act.CodeMissingParams, Detail: mistake}
	}
	if e, ok := asked.(effect.Emit); ok && e.Event.Type == "" {
		return Prepared{}, act.Missing("event")
	}
	return internal(asked, asked.EffectType()+" asked for"), nil
}
