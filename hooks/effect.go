package hooks

import (
	"strings"

	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Hooks can do what rules can: an action whose type is one of package rules is written as
// rules write it, and is that effect. Nothing of it is said here again, so that what is added
// there can be done here.

// isEffect reports whether hooks have an action of that name from package rules.
func isEffect(typ string) bool {
	effect := rules.ReadEffect(tree.Object(tree.Member{Key: "type", Value: tree.Text(typ)}))
	if rules.ReadMistake(effect) != "" {
		return true // known, and in need of more than a type
	}
	switch effect.(type) {
	case rules.Custom:
		return false
	case rules.InjectPrompt, rules.ChangeState, rules.ChangeRelationship, rules.AddMessage,
		rules.WriteMemory, rules.WriteLog, rules.StartWorkflow, rules.AddEntry:
		return false // what built-in actions make, with checks and sinks of their own
	}
	return true
}

// prepareEffect checks an effect of package rules. It is the engine's, and so internal:
// whether there is such a variable, rule or entry is known where it is applied, and what
// cannot be done is refused there.
func prepareEffect(a Action) (prepared, *Failure) {
	effect := rules.ReadEffect(a.JSON)
	if mistake := rules.ReadMistake(effect); mistake != "" {
		return prepared{}, &Failure{Code: trace.CodeMissingParams, Detail: mistake}
	}
	if e, ok := effect.(rules.Emit); ok && e.Event.Type == "" {
		return prepared{}, missing("event")
	}
	stage := func(o *overlay, _ *Env, _ *Event) (done, *Failure) {
		o.add(effect)
		return done{detail: effect.EffectType() + " asked for"}, nil
	}
	return prepared{stage: stage}, nil
}

// spelledAsEffect finds the effect that an author of hooks, whose words are joined by
// underscores, may have meant.
func spelledAsEffect(typ string) []string {
	if dashed := strings.ReplaceAll(typ, "_", "-"); dashed != typ && isEffect(dashed) {
		return []string{dashed}
	}
	return nil
}
