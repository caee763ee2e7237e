package stage

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

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
	stage := func(o *Overlay, _ *Means, _ *act.Event) (Success, *act.Failure) {
		o.Add(asked)
		return Success{Detail: asked.EffectType() + " asked for"}, nil
	}
	return Prepared{Stage: stage}, nil
}
