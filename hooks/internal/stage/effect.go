package stage

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// Hooks can do what rules can: an action whose type is one of package rules is written as
// rules write it, and is that effect. Nothing of it is said here again, so that what is added
// there can be done here.

// prepareEffect checks an effect of package rules. It is the engine's, and so internal:
// whether there is such a variable, rule or entry is known where it is applied, and what
// cannot be done is refused there.
func prepareEffect(a act.Action) (Prepared, *act.Failure) {
	asked := effect.Read(a.JSON)
	if mistake := effect.Mistake(asked); mistake != "" {
		return Prepared{}, &act.Failure{Code: act.CodeMissingParams, Detail: mistake}
	}
	if e, ok := asked.(effect.Emit); ok && e.Event.Type == "" {
		return Prepared{}, act.Missing("event")
	}
	stage := func(o *Overlay, _ *Means, _ *act.Event) (Done, *act.Failure) {
		o.Add(asked)
		return Done{Detail: asked.EffectType() + " asked for"}, nil
	}
	return Prepared{Stage: stage}, nil
}
