package hooks

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The built-in action types.
const (
	PromptInject      = "prompt_inject"
	StateDelta        = "state_delta"
	RelationshipDelta = "relationship_delta"
	MemoryWrite       = "memory_write"
	LogLine           = "log"
	Message           = "message"
	Workflow          = "workflow"
	WorldBookAdd      = "world_book_add"
)

// prepared is a built-in action whose parameters have been checked: exactly one
// of the two functions is set. Neither blocks.
type prepared struct {
	// stage does an internal action on the overlay, wholly or not at all.
	stage func(*overlay, *Env, *Event) (done, *Failure)
	// effect makes the effect of an external action, for a sink or for the host.
	effect func(*Env, *Event) (rules.Effect, done, *Failure)
	// doubt is what will fail when the action is run, if it gets as far as that.
	doubt *Failure
}

// done is what a successful action says about itself.
type done struct {
	detail string
	output tree.Value
}

// builtin returns the function that checks the parameters of a built-in type, those of
// package rules among them; nil for any other type.
func builtin(typ string) func(Action) (prepared, *Failure) {
	switch typ {
	case PromptInject:
		return preparePrompt
	case StateDelta:
		return prepareStateDelta
	case RelationshipDelta:
		return prepareRelationshipDelta
	case MemoryWrite:
		return prepareMemory
	case LogLine:
		return prepareLog
	case Message:
		return prepareMessage
	case Workflow:
		return prepareWorkflow
	case WorldBookAdd:
		return prepareWorldBook
	}
	if isEffect(typ) {
		return prepareEffect
	}
	return nil
}

// unavailable is the failure of an action whose means the host lacks.
func unavailable(what string) *Failure {
	return &Failure{Code: trace.CodeUnavailable, Detail: what + " is not available"}
}

// prepareMessage checks message. The effect has no id: what is said belongs to the
// turn, in the order in which it was said.
func prepareMessage(a Action) (prepared, *Failure) {
	p := params{action: a}
	effect := rules.AddMessage{Content: p.required("content")}
	stage := func(o *overlay, _ *Env, _ *Event) (done, *Failure) {
		o.add(effect)
		return done{detail: "message added"}, nil
	}
	return prepared{stage: stage}, p.fail
}

// prepareLog checks log. A level that is none of the four is no reason to lose the
// line.
func prepareLog(a Action) (prepared, *Failure) {
	p := params{action: a}
	effect := rules.WriteLog{Message: p.required("message"), Level: "info"}
	switch level, _ := a.Get("level").AsText(); level {
	case "debug", "warning", "error":
		effect.Level = level
	case "warn":
		effect.Level = "warning"
	}
	build := func(*Env, *Event) (rules.Effect, done, *Failure) {
		return effect, done{detail: "logged"}, nil
	}
	return prepared{effect: build}, p.fail
}

// prepareWorkflow checks workflow. Success means that the host accepted the start;
// how the workflow ends arrives later, as an event of the host's.
func prepareWorkflow(a Action) (prepared, *Failure) {
	p := params{action: a}
	effect := rules.StartWorkflow{Workflow: p.text("workflow", ""), Params: p.get("params")}
	if effect.Workflow == "" {
		effect.Workflow = p.text("workflow_id", "")
	}
	if effect.Workflow == "" {
		p.refuse(missing("workflow"))
	}
	switch {
	case !effect.Params.Exists():
		effect.Params = tree.Object()
	case !effect.Params.IsObject():
		p.refuse(invalid("params", "must be an object, not %s", named(effect.Params.Kind())))
	}
	build := func(env *Env, _ *Event) (rules.Effect, done, *Failure) {
		if env.lacks(Workflows) {
			return nil, done{}, unavailable("a workflow trigger")
		}
		return effect, done{detail: "workflow " + effect.Workflow + " accepted"}, nil
	}
	return prepared{effect: build}, p.fail
}

// prepareWorldBook checks world_book_add. Whether the book exists is for the sink to
// say. An entry that can never fire is odd but no failure, since a person may give it
// keywords later; so it is added, with a warning.
func prepareWorldBook(a Action) (prepared, *Failure) {
	p := params{action: a}
	effect := rules.AddEntry{
		BookID:    p.required("book_id"),
		Content:   p.required("content"),
		Name:      p.text("name", ""),
		Keywords:  p.keywords("keywords"),
		EntryType: p.text("entry_type", "event"),
		Priority:  p.integer("priority", 50),
		AlwaysOn:  p.boolean("always_on"),
		Tags:      p.texts("tags"),
	}
	said := done{detail: "entry added to " + effect.BookID}
	blank := func(k string) bool { return strings.TrimSpace(k) != "" }
	if !effect.AlwaysOn && !slices.ContainsFunc(effect.Keywords, blank) {
		said.output = tree.Object(tree.Member{Key: "warning", Value: tree.Text(
			"the entry has no keywords and always_on is false: it can never fire")})
	}
	build := func(env *Env, _ *Event) (rules.Effect, done, *Failure) {
		if env.lacks(WorldBooks) {
			return nil, done{}, unavailable("a world book")
		}
		return effect, said, nil
	}
	return prepared{effect: build}, p.fail
}
