package game

import (
	"fmt"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Rules is the logic of the game: variables, rules and hooks that change them without a model, and
// the changes that a reply may request.
type Rules struct {
	// Variables, Modules and Rules are the authors' rules; see package rules. A campaign applies
	// the actions of package rules. It also applies the other effects of package effect, such as
	// hp-delta, move, end-campaign, add-area, enter-scene, locks (see [turn.SetLocks]) and
	// countdowns (see [turn.SetTimer]).
	Variables []rules.Variable
	Modules   []rules.Module
	Rules     []rules.Rule
	Reactions []reactions.Reaction
	// Scenes are the maps on which the player moves, see [turn.Travel].
	Scenes []rules.SpatialScene

	Hooks   []hooks.Hook
	Actions *act.Table // nil: the built-in action types
	// HookLimits are the limits for hooks. A zero member means the default.
	HookLimits hooks.Limits

	// Dialects are the languages in which the model asks for changes within its text, in the order
	// in which they read it. Nil means [Commands], then [ReplyRules] if there are reply rules, then
	// [Directives] if there are variables. An empty list means no dialect.
	Dialects []Dialect
	// ReplyRules extract marked passages, such as status blocks, from replies; see
	// [rules.CompileReplies].
	ReplyRules []rules.ReplyRule
	// Commands are the options of the variable commands in texts.
	Commands memvars.Options
	// Render defines how the variables are shown to the model.
	Render memvars.RenderOptions
	// ShowsVariables says that lore or a card shows the variables itself, with macros or templates.
	// Then prompts have no block of variables, so the model does not read two copies.
	ShowsVariables bool
}

// eachEffect visits the effects of rules and reactions, each with its path and the ID of its owner.
func (r *Rules) eachEffect(visit func(path, id string, e effect.Effect)) {
	visitList := func(path, id string, effects []effect.Effect) {
		for n, e := range effects {
			visit(fmt.Sprintf("%s[%d]", path, n), id, e)
		}
	}
	for i, x := range r.Rules {
		visitList(fmt.Sprintf("rules[%d].actions", i), x.ID, x.Actions)
	}
	for i, x := range r.Reactions {
		visitList(fmt.Sprintf("reactions[%d].then", i), x.ID, x.Then)
	}
}
