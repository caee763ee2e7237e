package stage

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Prepared is a built-in action whose parameters have been checked: exactly one
// of the two functions is set. Neither blocks.
type Prepared struct {
	// Stage does an internal action on the overlay, wholly or not at all.
	Stage func(*Overlay, *Means, *act.Event) (Done, *act.Failure)
	// Effect makes the effect of an external action, for a sink or for the host.
	Effect func(*Means, *act.Event) (effect.Effect, Done, *act.Failure)
	// Doubt is what will fail when the action is run, if it gets as far as that.
	Doubt *act.Failure
}

// Done is what a successful action says about itself.
type Done struct {
	Detail string
	Output tree.Value
}

// Builtin returns the function that checks the parameters of a built-in type, those of
// package rules among them; nil for any other type.
func Builtin(typ string) func(act.Action) (Prepared, *act.Failure) {
	switch typ {
	case act.PromptInject:
		return preparePrompt
	case act.StateDelta:
		return prepareStateDelta
	case act.RelationshipDelta:
		return prepareRelationshipDelta
	case act.MemoryWrite:
		return prepareMemory
	case act.LogLine:
		return prepareLog
	case act.Message:
		return prepareMessage
	case act.Workflow:
		return prepareWorkflow
	case act.WorldBookAdd:
		return prepareWorldBook
	}
	if act.IsEffect(typ) {
		return prepareEffect
	}
	return nil
}

// unavailable is the failure of an action whose means the host lacks.
func unavailable(what string) *act.Failure {
	return &act.Failure{Code: act.CodeUnavailable, Detail: what + " is not available"}
}

// prepareMessage checks message. The effect has no id: what is said belongs to the
// turn, in the order in which it was said.
func prepareMessage(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	effect := effect.AddMessage{Content: p.required("content")}
	stage := func(o *Overlay, _ *Means, _ *act.Event) (Done, *act.Failure) {
		o.Add(effect)
		return Done{Detail: "message added"}, nil
	}
	return Prepared{Stage: stage}, p.fail
}

// prepareLog checks log. A level that is none of the four is no reason to lose the
// line.
func prepareLog(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.WriteLog{Message: p.required("message"), Level: "info"}
	switch level, _ := a.Get("level").AsText(); level {
	case "debug", "warning", "error":
		asked.Level = level
	case "warn":
		asked.Level = "warning"
	}
	build := func(*Means, *act.Event) (effect.Effect, Done, *act.Failure) {
		return asked, Done{Detail: "logged"}, nil
	}
	return Prepared{Effect: build}, p.fail
}

// prepareWorkflow checks workflow. Success means that the host accepted the start;
// how the workflow ends arrives later, as an event of the host.
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
	build := func(means *Means, _ *act.Event) (effect.Effect, Done, *act.Failure) {
		if means.Lacks(act.Workflows) {
			return nil, Done{}, unavailable("a workflow trigger")
		}
		return asked, Done{Detail: "workflow " + asked.Workflow + " accepted"}, nil
	}
	return Prepared{Effect: build}, p.fail
}

// prepareWorldBook checks world_book_add. Whether the book exists is for the sink to
// say. An entry that can never fire is odd but no failure, since a person may give it
// keywords later; so it is added, with a warning.
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
	said := Done{Detail: "entry added to " + asked.BookID}
	blank := func(k string) bool { return strings.TrimSpace(k) != "" }
	if !asked.AlwaysOn && !slices.ContainsFunc(asked.Keywords, blank) {
		said.Output = tree.Object(tree.Member{Key: "warning", Value: tree.Text(
			"the entry has no keywords and always_on is false: it can never fire")})
	}
	build := func(means *Means, _ *act.Event) (effect.Effect, Done, *act.Failure) {
		if means.Lacks(act.WorldBooks) {
			return nil, Done{}, unavailable("a world book")
		}
		return asked, said, nil
	}
	return Prepared{Effect: build}, p.fail
}
