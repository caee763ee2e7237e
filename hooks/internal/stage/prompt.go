package stage

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// preparePrompt checks prompt_inject. The default key depends on the turn and is chosen when the
// action runs.
func preparePrompt(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	text := effect.InjectPrompt{
		Content:  p.required("content"),
		Key:      p.text("key", ""),
		Priority: p.integer("priority", act.DefaultInjectPriority),
	}
	scope, fail := lifetime(effect.PromptScope(p.text("scope", "")))
	if text.Scope = scope; fail != nil {
		p.refuse(fail)
	}
	stage := func(o *Overlay, means *Means, e *act.Event) (Success, *act.Failure) {
		if means.Lacks(act.Prompts) {
			return Success{}, unavailable("a prompt to inject into")
		}
		key := o.inject(text, e)
		output := tree.Object(tree.Member{Key: "key", Value: tree.Text(key)})
		return Success{Detail: "injected as " + key, Output: output}, nil
	}
	return Prepared{Stage: stage}, p.fail
}

// lifetime reads the scope of an injection. The default is the turn; "conversation" is a synonym
// for the session.
func lifetime(scope effect.PromptScope) (effect.PromptScope, *act.Failure) {
	switch scope {
	case "", effect.ForTurn:
		return effect.ForTurn, nil
	case effect.ForSession, "conversation":
		return effect.ForSession, nil
	}
	return scope, act.Invalid("scope", "must be turn or session, not %q", scope)
}

// inject stages the text and returns its key. A text without a key gets a default key.
func (o *Overlay) inject(effect effect.InjectPrompt, e *act.Event) string {
	if effect.Key == "" {
		effect.Key = o.Keys.unusedKey("hook_" + firstCharacters(e.ID, 8))
	}
	o.Add(effect)
	return effect.Key
}
