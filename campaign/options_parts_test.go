package campaign_test

import (
	"context"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// partOptions are the fields of the types in the fields of content.
func partOptions() []option {
	return slices.Concat(noteOptions(), scriptOptions(), replyRuleOptions(), activationOptions(), conditionOptions(),
		triggerOptions(), patternOptions(), dialogOptions(), lifeOptions(), toolOptions(), retrievalOptions())
}

func noteOptions() []option {
	base := func(d *drama) { d.content.Prompt.Note = prompt.AuthorNote{Text: "Keep it dark, the lamp is out."} }
	row := func(field string, change func(*prompt.AuthorNote), before ...func(*drama)) option {
		return option{"prompt.AuthorNote." + field, func(d *drama) {
			base(d)
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(&d.content.Prompt.Note) }}
	}
	return []option{
		row("Text", func(n *prompt.AuthorNote) { n.Text = "Keep it light." }),
		row("Placement", func(n *prompt.AuthorNote) { n.Placement = prompt.InjectionAfterMain }),
		row("Depth", func(n *prompt.AuthorNote) { n.Depth = new(0) }),
		row("Role", func(n *prompt.AuthorNote) { n.Role = llm.User }),
		row("Interval", func(n *prompt.AuthorNote) { n.Interval = new(2) }),
		row("Scan", func(n *prompt.AuthorNote) { n.Scan = true }, func(d *drama) {
			books(keyed())(d)
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}}
		}),
	}
}

func scriptOptions() []option {
	row := func(field string, change func(*script.Script), before ...func(*script.Script)) option {
		return option{"script.Script." + field, func(d *drama) {
			s := script.Script{ID: "s", Name: "s", Find: "/lamp/g", Replace: "torch", Placement: []script.Placement{script.UserInput}}
			for _, f := range before {
				f(&s)
			}
			d.content.Prompt.Scripts = []script.List{{Source: script.Global, Scripts: []script.Script{s}}}
			d.content.People.Card = &card.Card{Name: "lamp"}
		}, func(d *drama) { change(&d.content.Prompt.Scripts[0].Scripts[0]) }}
	}
	prompted := func(s *script.Script) { s.Prompt = true }
	edited := option{"script.Script.OnEdit", func(d *drama) {
		d.content.Prompt.Scripts = []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "s", Find: "/Dust/",
			Replace: "Ash", Placement: []script.Placement{script.AIOutput}}}}}
		d.setup = []string{`{"settings": {"retry.max_retries": 0}}`}
		d.replies = []string{output("You die.", `{"tool": "fly", "args": {}}`)}
		d.acts = []turn.Input{turn.Submit{Text: "I wait."},
			turn.ResolveConflict{Decision: state.DecideOverride, Text: "Dust."}}
	}, func(d *drama) { d.content.Prompt.Scripts[0].Scripts[0].OnEdit = true }}
	return []option{
		row("Name", func(s *script.Script) { s.Name = "other" }),
		row("Find", func(s *script.Script) { s.Find = "/take/g" }),
		row("Replace", func(s *script.Script) { s.Replace = "candle" }),
		row("Trim", func(s *script.Script) { s.Trim = []string{"la"} }, func(s *script.Script) { s.Replace = "$0" }),
		row("Placement", func(s *script.Script) { s.Placement = []script.Placement{script.AIOutput} }),
		row("Disabled", func(s *script.Script) { s.Disabled = true }),
		row("Display", func(s *script.Script) { s.Display = true }),
		row("Prompt", func(s *script.Script) { s.Prompt = true }),
		edited,
		row("Macros", func(s *script.Script) { s.Macros = script.RawMacros }, func(s *script.Script) { s.Find = "/{{char}}/g" }),
		row("MinDepth", func(s *script.Script) { s.MinDepth = new(1.0) }, prompted),
		row("MaxDepth", func(s *script.Script) { s.MaxDepth = new(1.0) }, prompted),
	}
}

func replyRuleOptions() []option {
	row := func(field string, change func(*rules.ReplyRule), before ...func(*rules.ReplyRule)) option {
		return option{"rules.Reply" + field, func(d *drama) {
			d.content.Rules.Variables = potions()
			d.content.Rules.ReplyRules = statusRule(true)
			for _, f := range before {
				f(&d.content.Rules.ReplyRules[0])
			}
			d.replies = []string{"Dust. 【状态】药水：4【/状态】 <mood>grim</mood> <mood>sad</mood>"}
		}, func(d *drama) { change(&d.content.Rules.ReplyRules[0]) }}
	}
	to := func(r rules.ReplyRoute) func(*rules.ReplyRule) {
		return func(x *rules.ReplyRule) {
			x.Match, x.To = rules.ReplyMatch{Tag: "mood"}, []rules.ReplyRoute{r}
		}
	}
	mood := to(rules.ReplyRoute{Kind: rules.ReplyVariable, VariableID: "mood"})
	shown := to(rules.ReplyRoute{Kind: rules.ReplyChannel, Channel: "panel"})
	off := false
	return []option{
		row("Rule.ID", func(r *rules.ReplyRule) { r.ID = "other" }, to(rules.ReplyRoute{Kind: rules.ReplyEvent})).with(func(d *drama) {
			d.content.Rules.Reactions = []reactions.Reaction{{ID: "r", When: reactions.Pattern{EventType: "grim"},
				Then: reactions.Effects{set("n", effect.Add, tree.Int(1))}}}
		}),
		row("Rule.Name", func(r *rules.ReplyRule) { r.Name = "Mood" }, shown),
		row("Rule.Enabled", func(r *rules.ReplyRule) { r.Enabled = &off }),
		row("Rule.Match", func(r *rules.ReplyRule) { r.Match.Tag = "mood" }),
		row("Rule.Hide", func(r *rules.ReplyRule) { r.Hide = false }),
		row("Rule.To", func(r *rules.ReplyRule) { r.To = nil }),
		row("Match.Tag", func(r *rules.ReplyRule) { r.Match.Tag = "none" }),
		row("Match.Pattern", func(r *rules.ReplyRule) { r.Match = rules.ReplyMatch{Pattern: "/sad/"} }, mood),
		row("Route.Kind", func(r *rules.ReplyRule) { r.To[0].Kind = rules.ReplyEvent }),
		row("Route.VariableID", func(r *rules.ReplyRule) { r.To[0].VariableID = "law" }, mood),
		row("Route.Operation", func(r *rules.ReplyRule) { r.To[0].Operation = effect.Push }, mood),
		row("Route.Channel", func(r *rules.ReplyRule) { r.To[0].Channel = "log" }, shown),
	}
}

func activationOptions() []option {
	row := func(field string, change func(*rules.Activation), before ...func(*rules.Activation)) option {
		return option{"rules.Activation." + field, func(d *drama) {
			a := rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"lamp"}}
			for _, f := range before {
				f(&a)
			}
			d.content.Rules.Modules = []rules.Module{{ID: "cellar", Activation: a}, {ID: "attic", Activation: rules.Activation{
				Mode: rules.ModeKeywords, Keywords: []string{"take"}, Exclusive: true}}}
			books(lore("cellar", "It smells of wine."), lore("attic", "It smells of dust."))(d)
			d.acts = []turn.Input{turn.Submit{Text: "I take it."}, turn.Submit{Text: "The lamp!"}, turn.Submit{Text: "I wait."}}
			d.setup = []string{`{"greeting_id": "storm", "greeting": "It storms."}`}
		}, func(d *drama) { change(&d.content.Rules.Modules[0].Activation) }}
	}
	strong, weak := is("hp.ren", tree.Int(10)), is("hp.ren", tree.Int(3))
	conditional := func(a *rules.Activation) {
		a.Mode, a.Conditions = rules.ModeConditions, []rules.Condition{strong, weak}
	}
	return []option{
		row("Mode", func(a *rules.Activation) { a.Mode = rules.ModeAlways }),
		row("Conditions", func(a *rules.Activation) { a.Conditions = []rules.Condition{strong} }, conditional),
		row("ConditionLogic", func(a *rules.Activation) { a.ConditionLogic = rules.Any }, conditional),
		row("Keywords", func(a *rules.Activation) { a.Keywords = []string{"stairs"} }),
		row("LeaveKeywords", func(a *rules.Activation) { a.LeaveKeywords = []string{"wait"} }),
		row("GreetingIDs", func(a *rules.Activation) { a.GreetingIDs = []string{"storm"} },
			func(a *rules.Activation) { a.Mode = rules.ModeGreeting }),
		row("Exclusive", func(a *rules.Activation) { a.Exclusive = true }),
	}
}

func conditionOptions() []option {
	row := func(field string, change func(*rules.Condition)) option {
		return option{"rules.Condition." + field, func(d *drama) {
			r := everyTurn("r", set("n", effect.Add, tree.Int(1)))
			r.Conditions = []rules.Condition{is("hp.ren", tree.Int(10))}
			d.content.Rules.Rules = []rules.Rule{r}
		}, func(d *drama) { change(&d.content.Rules.Rules[0].Conditions[0]) }}
	}
	return []option{
		row("VariableID", func(c *rules.Condition) { c.VariableID = "hp.mei" }),
		row("Operator", func(c *rules.Condition) { c.Operator = rules.Neq }),
		row("Value", func(c *rules.Condition) { c.Value = tree.Int(9) }),
		row("ValueRef", func(c *rules.Condition) { c.ValueRef = "hp.mei" }),
	}
}

func triggerOptions() []option {
	row := func(field string, base rules.Trigger, change func(*rules.Trigger)) option {
		return option{"rules.Trigger." + field, func(d *drama) {
			t := base
			r := everyTurn("r", effect.Notify{Message: "It is so."})
			r.Trigger = &t
			fall := everyTurn("s", set("n", effect.Add, tree.Int(2)))
			d.content.Rules.Rules = []rules.Rule{r, fall}
			d.acts = []turn.Input{turn.Submit{Text: "I take the lamps of oil."}, turn.Submit{Text: "I wait."},
				turn.Submit{Text: "I wait."}, turn.RaiseEvents{Events: []rules.Event{
					event.New(event.TypeActionFired, tree.Member{Key: "actionId", Value: tree.Text("bell")})}}}
		}, func(d *drama) { change(d.content.Rules.Rules[0].Trigger) }}
	}
	crossed := rules.Trigger{Type: rules.VariableCrossed, VariableID: "n", Direction: rules.RisesAbove, Threshold: new(3.0)}
	counted := rules.Trigger{Type: rules.TurnCount, AtTurn: new(2.0)}
	said := rules.Trigger{Type: rules.Keyword, Keywords: []string{"lamp"}}
	second := said
	second.SecondaryKeywords = []string{"oil", "wick"}
	return []option{
		row("Type", said, func(t *rules.Trigger) { t.Type = rules.AIKeyword }),
		row("VariableID", crossed, func(t *rules.Trigger) { t.VariableID = "hp.ren" }),
		row("Direction", crossed, func(t *rules.Trigger) { t.Direction = rules.DropsBelow }),
		row("Threshold", crossed, func(t *rules.Trigger) { t.Threshold = new(90.0) }),
		row("AtTurn", counted, func(t *rules.Trigger) { t.AtTurn = new(3.0) }),
		row("EveryNTurns", counted, func(t *rules.Trigger) { t.EveryNTurns = new(1.0) }),
		row("Keywords", said, func(t *rules.Trigger) { t.Keywords = []string{"stairs"} }),
		row("MatchWholeWords", said, func(t *rules.Trigger) { t.MatchWholeWords = true }),
		row("SecondaryKeywords", said, func(t *rules.Trigger) { t.SecondaryKeywords = []string{"wick"} }),
		row("SecondaryKeywordLogic", second, func(t *rules.Trigger) { t.SecondaryKeywordLogic = rules.AndAll }),
		row("ActionID", rules.Trigger{Type: rules.OnAction}, func(t *rules.Trigger) { t.ActionID = "drum" }),
	}
}

func patternOptions() []option {
	row := func(field string, change func(*rules.Pattern)) option {
		return option{"rules.Pattern." + field, func(d *drama) {
			d.content.Rules.Reactions = []reactions.Reaction{{ID: "r", When: rules.Pattern{EventType: event.TypeTurnComplete},
				Then: reactions.Effects{set("n", effect.Add, tree.Int(1))}}}
		}, func(d *drama) { change(&d.content.Rules.Reactions[0].When) }}
	}
	return []option{
		row("EventType", func(p *rules.Pattern) { p.EventType = "drum:beat" }),
		row("Match", func(p *rules.Pattern) {
			p.Match = map[string]rules.Clause{"turnCount": {Operator: rules.Gt, Value: tree.Int(1)}}
		}),
		row("Equal", func(p *rules.Pattern) { p.Equal = map[string]tree.Value{"turnCount": tree.Int(2)} }),
	}
}

func dialogOptions() []option {
	row := func(field string, change func(*game.DialogType)) option {
		return option{"game.DialogType." + field, func(d *drama) {
			d.content.Extensions.DialogTypes = []game.DialogType{{ID: "scene", Instructions: "Speak in riddles.",
				Blocks: []game.BlockID{game.BlockDialog, game.BlockMap, game.BlockParty}}}
		}, func(d *drama) { change(&d.content.Extensions.DialogTypes[0]) }}
	}
	return []option{
		row("ID", func(x *game.DialogType) { x.ID = "duel" }),
		row("Blocks", func(x *game.DialogType) { x.Blocks = x.Blocks[:2] }),
		row("Persona", func(x *game.DialogType) { x.Persona = "You are the voice of {{char}}." }).with(func(d *drama) {
			d.content.Extensions.DialogTypes[0].Blocks = []game.BlockID{game.BlockPersona}
		}),
		row("LocalMap", func(x *game.DialogType) { x.LocalMap = true }),
		row("NamesOnly", func(x *game.DialogType) { x.NamesOnly = true }),
		row("HistoryTurns", func(x *game.DialogType) { x.HistoryTurns = 1 }).with(func(d *drama) {
			d.acts = []turn.Input{turn.Submit{Text: "One."}, turn.Submit{Text: "Two."}, turn.Submit{Text: "Three."}}
		}),
		row("Omniscient", func(x *game.DialogType) { x.Omniscient = true }).with(func(d *drama) {
			d.setup = append(d.setup, `{"settings": {"turn.order": "free", "visibility.mode": "marked"}}`)
			d.acts = []turn.Input{turn.Submit{ActorID: "ren", Text: "Psst.", Audience: []string{"ren"}}, turn.Submit{ActorID: "mei", Text: "What?"}}
		}),
		row("Instructions", func(x *game.DialogType) { x.Instructions = "Speak plainly." }),
	}
}

// with returns the row with additions to both games.
func (o option) with(more func(*drama)) option {
	base := o.base
	o.base = func(d *drama) { base(d); more(d) }
	return o
}

func lifeOptions() []option {
	row := func(field string, life string, change func(*state.LifeRule), replies ...string) option {
		return option{"state.LifeRule." + field, func(d *drama) {
			d.content.People.LifeStates = []state.LifeRule{
				{State: "stunned", MayAct: true, MayUseTools: true, AcceptsHealing: true}, {State: "ghost"}}
			d.setup = []string{`{"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 4, "max": 10},
				"area_id": "gate", "status": {"alive_state": "` + life + `"}}]}`}
			d.replies = replies
		}, func(d *drama) { change(&d.content.People.LifeStates[0]) }}
	}
	hit := output("You fall.", `{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -4, "cause": "a fall"}}`)
	heal := output("You rest.", `{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": 2, "cause": "rest"}}`)
	return []option{
		row("State", "alive", func(l *state.LifeRule) { l.State = state.Alive; l.MayAct = false }),
		row("MayAct", "stunned", func(l *state.LifeRule) { l.MayAct = false }),
		row("MayUseTools", "stunned", func(l *state.LifeRule) { l.MayUseTools = false }, hit),
		row("SelfHealOnly", "stunned", func(l *state.LifeRule) { l.SelfHealOnly = true }, hit),
		row("Defeated", "stunned", func(l *state.LifeRule) { l.Defeated = true }),
		row("AcceptsHealing", "stunned", func(l *state.LifeRule) { l.AcceptsHealing = false }, heal),
		row("AtZero", "stunned", func(l *state.LifeRule) { l.AtZero = "ghost" }, hit),
		row("AboveZero", "stunned", func(l *state.LifeRule) { l.AboveZero = state.Alive }, heal),
	}
}

func toolOptions() []option {
	row := func(field string, change func(*tool.Tool), before ...func(*tool.Tool)) option {
		return option{"tool.Tool." + field, func(d *drama) {
			pulled := puppet(func(string) effect.List { return nil })
			for _, f := range before {
				f(&pulled)
			}
			d.content.Extensions.Tools = []tool.Tool{pulled}
			d.acts = []turn.Input{turn.SetTools{Allowlist: []string{"say"}}, turn.Submit{Text: "I shout."}}
			d.replies = []string{output("The ultimate goal has changed.", `{"tool": "say", "args": {"text": "Ho!"}}`)}
		}, func(d *drama) { change(&d.content.Extensions.Tools[0]) }}
	}
	refusing := func(t *tool.Tool) {
		t.Judge = func(tool.Call, tool.View) tool.Judgement {
			return tool.Judgement{Reason: "hoarse"}
		}
	}
	return []option{
		row("Name", func(t *tool.Tool) { t.Name = "cry" }),
		row("Description", func(t *tool.Tool) { t.Description = "Cry something." }),
		row("Params", func(t *tool.Tool) { t.Params = map[string]tool.Param{} }),
		row("Reasons", func(t *tool.Tool) { t.Reasons = map[state.CallCode]string{"hoarse": "no voice is left"} }, refusing),
		row("Translations", func(t *tool.Tool) {
			t.Translations = map[string]tool.Translation{"en": {Reasons: map[state.CallCode]string{"hoarse": "no voice is left at all"}}}
		}, refusing, func(t *tool.Tool) { t.Reasons = map[state.CallCode]string{"hoarse": "no voice is left"} }),
		row("Affects", func(t *tool.Tool) { t.Affects = []string{conflict.FieldGoal} }),
		row("Judge", refusing),
		row("Outside", func(t *tool.Tool) {
			t.Outside = func(context.Context, tool.Call) tool.Answer { return tool.Answer{Reason: "hoarse"} }
		}),
		row("Approval", func(t *tool.Tool) { t.Approval = tool.Always },
			func(t *tool.Tool) { t.Affects = []string{conflict.FieldGoal} }),
	}
}

func retrievalOptions() []option {
	base := func(d *drama) {
		books(worldbook.Attachment{Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{
			{UID: "1", Keys: []string{"never"}, Content: "Found by meaning.", Probability: 100}}}})(d)
		d.content.Lore.Retrieval = game.Retrieval{Limit: 2, Depth: 1}
	}
	return []option{
		{"game.Retrieval.Depth", base, func(d *drama) { d.content.Lore.Retrieval.Depth = 3 }},
		{"game.Retrieval.Limit", base, func(d *drama) { d.content.Lore.Retrieval.Limit = 0 }},
	}
}
