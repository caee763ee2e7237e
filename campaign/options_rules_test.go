package campaign_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// everyTurn returns a rule that does something in each turn.
func everyTurn(id string, actions ...effect.Effect) rules.Rule {
	return rules.Rule{ID: id, Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: actions}
}

func set(path string, operation effect.Operation, v tree.Value) effect.Effect {
	return effect.SetVariable{Path: path, Operation: operation, Value: v}
}

func is(variable string, v tree.Value) rules.Condition {
	return rules.Condition{VariableID: variable, Operator: rules.Eq, Value: v}
}

func variableOptions(t *testing.T) []option {
	t.Helper()
	// A purse of 7. A rule adds 90 every turn.
	purse := func(v rules.Variable, actions ...effect.Effect) func(*drama) {
		return func(d *drama) {
			d.content.Rules.Variables = []rules.Variable{v}
			d.content.Rules.Rules = []rules.Rule{everyTurn("r", actions...)}
		}
	}
	gold := rules.Variable{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(7)}
	more := set("gold", effect.Add, tree.Int(90))
	change := func(f func(*rules.Variable)) func(*drama) {
		return func(d *drama) { f(&d.content.Rules.Variables[0]) }
	}
	off := false
	low, high := 100.0, 50.0
	cursed := rules.Variable{ID: "cursed", Type: rules.TypeBoolean}
	back := func(d *drama) {
		purse(gold, more)(d)
		d.acts = []turn.Input{turn.Submit{Text: "I wait."}, turn.Submit{Text: "I wait."},
			turn.RollBack{To: "turn_0001"}, turn.Submit{Text: "I wait."}}
	}
	return []option{
		{"rules.Variable.ID", purse(gold, more), change(func(v *rules.Variable) { v.ID = "silver" })},
		{"rules.Variable.Name", purse(gold, set("Gold coins", effect.Add, tree.Int(90))),
			change(func(v *rules.Variable) { v.Name = "Gold coins" })},
		{"rules.Variable.Type", purse(gold, more), change(func(v *rules.Variable) { v.Type = rules.TypeString })},
		{"rules.Variable.Path", purse(gold, more), change(func(v *rules.Variable) { v.Path = "purse.gold" })},
		{"rules.Variable.Default", purse(gold, more), change(func(v *rules.Variable) { v.Default = tree.Int(8) })},
		{"rules.Variable.Min", purse(gold, more), change(func(v *rules.Variable) { v.Min = &low })},
		{"rules.Variable.Max", purse(gold, more), change(func(v *rules.Variable) { v.Max = &high })},
		{"rules.Variable.Formula", purse(gold), change(func(v *rules.Variable) { v.Formula = "3 * 4" })},
		{"rules.Variable.OnceTrue", purse(cursed, set("cursed", effect.Set, tree.Bool(true)),
			set("cursed", effect.Set, tree.Bool(false))), change(func(v *rules.Variable) { v.OnceTrue = true })},
		{"rules.Variable.AIAccess", purse(gold, more), change(func(v *rules.Variable) { v.AIAccess = rules.AINone })},
		{"rules.Variable.Internal", purse(gold, more), change(func(v *rules.Variable) { v.Internal = true })},
		{"rules.Variable.Enabled", purse(gold, more), change(func(v *rules.Variable) { v.Enabled = &off })},
		{"rules.Variable.Activation", purse(gold, more), change(func(v *rules.Variable) {
			v.Activation = rules.Activation{Mode: rules.ModeConditions, Conditions: []rules.Condition{is("gold", tree.Int(97))}}
		})},
		{"rules.Variable.BookID", purse(gold, more), change(func(v *rules.Variable) { v.BookID = rules.Unplaced })},
		{"rules.Variable.Scope", back, change(func(v *rules.Variable) { v.Scope = "setup" })},
	}
}

func moduleOptions(t *testing.T) []option {
	t.Helper()
	cellar := func(d *drama) {
		d.content.Rules.Modules = []rules.Module{{ID: "cellar", Activation: rules.Activation{
			Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}}
		d.content.Rules.Rules = []rules.Rule{counting("cellar")}
		books(lore("cellar", "It smells of wine."))(d)
	}
	return []option{
		{"rules.Module.ID", cellar, func(d *drama) { d.content.Rules.Modules[0].ID = "attic" }},
		{"rules.Module.Activation", cellar, func(d *drama) { d.content.Rules.Modules[0].Activation.Keywords = []string{"lamp"} }},
	}
}

func ruleOptions(t *testing.T) []option {
	t.Helper()
	play := func(list ...rules.Rule) func(*drama) {
		return func(d *drama) { d.content.Rules.Rules = slices.Clone(list) }
	}
	change := func(f func(*rules.Rule)) func(*drama) { return func(d *drama) { f(&d.content.Rules.Rules[0]) } }
	count := everyTurn("r", set("n", effect.Add, tree.Int(1)))
	never, false1, one, two := 0.0, false, 1, 2
	holds, fails := is("hp.ren", tree.Int(10)), is("hp.ren", tree.Int(3))
	picky := count
	picky.Conditions = []rules.Condition{holds, fails}
	return []option{
		{"rules.Rule.ID", play(everyTurn("r"), everyTurn("s", effect.ToggleRule{ID: "r"})), change(func(r *rules.Rule) { r.ID = "q" })},
		{"rules.Rule.Trigger", play(count), change(func(r *rules.Rule) { r.Trigger = &rules.Trigger{Type: rules.Manual} })},
		{"rules.Rule.Conditions", play(count), change(func(r *rules.Rule) { r.Conditions = []rules.Condition{fails} })},
		{"rules.Rule.ConditionLogic", play(picky), change(func(r *rules.Rule) { r.ConditionLogic = rules.Any })},
		{"rules.Rule.Actions", play(count), change(func(r *rules.Rule) { r.Actions = effect.Actions{set("n", effect.Add, tree.Int(2))} })},
		{"rules.Rule.Priority", play(everyTurn("r", set("n", effect.Set, tree.Int(1))), everyTurn("s", set("n", effect.Set, tree.Int(2)))),
			change(func(r *rules.Rule) { r.Priority = -5 })},
		{"rules.Rule.Enabled", play(count), change(func(r *rules.Rule) { r.Enabled = &false1 })},
		{"rules.Rule.CooldownTurns", play(count), change(func(r *rules.Rule) { r.CooldownTurns = &two })},
		{"rules.Rule.MaxFireCount", play(count), change(func(r *rules.Rule) { r.MaxFireCount = &one })},
		{"rules.Rule.Chance", play(count), change(func(r *rules.Rule) { r.Chance = &never })},
		{"rules.Rule.StopConditions", play(count), change(func(r *rules.Rule) { r.StopConditions = []rules.Condition{holds} })},
		{"rules.Rule.ElseMessage", play(picky), change(func(r *rules.Rule) { r.ElseMessage = "The door is shut." })},
		{"rules.Rule.MaxChainDepth", play(everyTurn("r", effect.TriggerRule{ID: "s"}), rules.Rule{ID: "s",
			Trigger: &rules.Trigger{Type: rules.Manual}, Actions: count.Actions}), change(func(r *rules.Rule) { r.MaxChainDepth = &one })},
		{"rules.Rule.BookID", play(count), change(func(r *rules.Rule) { r.BookID = rules.Unplaced })},
	}
}

func reactionOptions(t *testing.T) []option {
	t.Helper()
	play := func(list ...reactions.Reaction) func(*drama) {
		return func(d *drama) { d.content.Rules.Reactions = slices.Clone(list) }
	}
	change := func(f func(*reactions.Reaction)) func(*drama) {
		return func(d *drama) { f(&d.content.Rules.Reactions[0]) }
	}
	reaction := func(id string, effects ...effect.Effect) reactions.Reaction {
		return reactions.Reaction{ID: id, When: reactions.Pattern{EventType: event.TypeTurnComplete}, Then: effects}
	}
	count := reaction("r", set("n", effect.Add, tree.Int(1)))
	never, false1, one, two := 0.0, false, 1, 2
	holds, fails := is("hp.ren", tree.Int(10)), is("hp.ren", tree.Int(3))
	picky := count
	picky.Conditions = []rules.Condition{holds, fails}
	emits := reaction("r", effect.Emit{Event: event.New("drum:beat")})
	drum := count
	drum.ID, drum.When = "s", reactions.Pattern{EventType: "drum:beat"}
	return []option{
		{"reactions.Reaction.ID", play(reaction("r"), reaction("s", effect.ToggleRule{ID: "r"})), change(func(r *reactions.Reaction) { r.ID = "q" })},
		{"reactions.Reaction.When", play(count), change(func(r *reactions.Reaction) { r.When.EventType = "drum:beat" })},
		{"reactions.Reaction.Trigger", play(count), change(func(r *reactions.Reaction) { r.Trigger = &rules.Trigger{Type: rules.Manual} })},
		{"reactions.Reaction.Conditions", play(count), change(func(r *reactions.Reaction) { r.Conditions = []rules.Condition{fails} })},
		{"reactions.Reaction.ConditionLogic", play(picky), change(func(r *reactions.Reaction) { r.ConditionLogic = rules.Any })},
		{"reactions.Reaction.StopConditions", play(count), change(func(r *reactions.Reaction) { r.StopConditions = []rules.Condition{holds} })},
		{"reactions.Reaction.Then", play(count), change(func(r *reactions.Reaction) { r.Then = nil })},
		{"reactions.Reaction.Priority", play(reaction("r", set("n", effect.Set, tree.Int(1))), reaction("s", set("n", effect.Set, tree.Int(2)))),
			change(func(r *reactions.Reaction) { r.Priority = -5 })},
		{"reactions.Reaction.Enabled", play(count), change(func(r *reactions.Reaction) { r.Enabled = &false1 })},
		{"reactions.Reaction.CooldownTurns", play(count), change(func(r *reactions.Reaction) { r.CooldownTurns = &two })},
		{"reactions.Reaction.MaxFireCount", play(count), change(func(r *reactions.Reaction) { r.MaxFireCount = &one })},
		{"reactions.Reaction.Chance", play(count), change(func(r *reactions.Reaction) { r.Chance = &never })},
		{"reactions.Reaction.MaxChainDepth", play(emits, drum), change(func(r *reactions.Reaction) { r.MaxChainDepth = &one })},
		{"reactions.Reaction.ElseMessage", play(picky), change(func(r *reactions.Reaction) { r.ElseMessage = "The door is shut." })},
		{"reactions.Reaction.BookID", play(count), change(func(r *reactions.Reaction) { r.BookID = rules.Unplaced })},
	}
}
