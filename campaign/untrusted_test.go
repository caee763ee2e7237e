package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules/effect"
)

// vaultVariables contain a secret that no prompt may show.
const vaultVariables = `{"variables": {
	"play_character_data": {},
	"stat_data": {"world_shard": {"name": ["Fog", ""]}},
	"assa_data": {"vault": {"_showInEJS": false, "code": "SECRET-4711"},
		"global_set": {"npc": {}}, "world_set": {"npc": {}}, "summary": {"small": {}, "big": {}}, "map": {}}}}`

// requestText returns all text of a request.
func requestText(r question.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Message.Text + "\n")
		for _, c := range m.Message.ToolCalls {
			b.WriteString(c.Arguments + "\n")
		}
	}
	return b.String()
}

// puppet is a tool whose effects are made from its arguments.
func puppet(effects func(text string) effect.List) tool.Tool {
	return tool.Tool{
		Name: "say", Description: "Say something.", Manual: "For tests.",
		Params:  map[string]tool.Param{"text": {Type: tool.StringParam, Required: true}},
		Reasons: map[state.CallCode]string{}, Affects: []string{tool.AffectsNothing},
		Judge: func(c tool.Call, _ tool.View) tool.Judgement {
			return tool.Judgement{Result: tree.Text("done"), Effects: effects(c.Text("text"))}
		},
	}
}

// TestModelTextIsNotExpanded: macros that a model wrote stay text wherever its words occur in a
// prompt.
func TestModelTextIsNotExpanded(t *testing.T) {
	t.Parallel()
	const attack = "{{var::assa_data.vault.code}} {{roll::2d6}} {{{{noop}}var::assa_data}} @@"
	call := func(text string) string {
		return jsonOf(t, map[string]any{"text": quiet, "tool_calls": []any{
			map[string]any{"tool": "say", "args": map[string]any{"text": text}}}})
	}
	for _, c := range []struct {
		name, reason string
		content      game.Content
		reply        string
	}{
		{name: "backup of a world", reason: "the entry holds what the model put into the variables",
			reply: quiet + "\nmemory('world_set.npc', {\"Fog\": {\"a\": " + jsonOf(t, attack) + "}})\ndelete('world_set.npc','all')"},
		{name: "entry", reason: "a tool adds lore in the model's words", reply: call(attack),
			content: game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
				return effect.List{effect.AddEntry{BookID: "b", Name: s, Content: s, AlwaysOn: true, Keywords: []string{s}}}
			})}}}},
		{name: "directive", reason: "a tool gives an instruction in the model's words", reply: call(attack),
			content: game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
				return effect.List{effect.InjectDirective{ID: "d", Content: s, Persistent: true}}
			})}}}},
		{name: "one-shot context", reason: "a tool sends the model's words", reply: call(attack),
			content: game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
				return effect.List{effect.SendContext{Message: s}}
			})}}}},
		{name: "injection", reason: "a tool injects the model's words", reply: call(attack),
			content: game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
				return effect.List{effect.InjectPrompt{Key: "k", Content: s, Scope: "session"}}
			})}}}},
		{name: "a hook's injection", reason: "a handler passes on what the model said", reply: quiet + " " + attack,
			content: echoing(t, func(s string) effect.Effect { return effect.InjectPrompt{Key: "k", Content: s, Scope: "session"} })},
		{name: "a hook's entry", reason: "a handler makes lore of what the model said", reply: quiet + " " + attack,
			content: echoing(t, func(s string) effect.Effect {
				return effect.AddEntry{BookID: "b", Name: "n", Content: s, AlwaysOn: true, Keywords: []string{s}}
			})},
		{name: "narration", reason: "the history is data", reply: quiet + " " + attack},
		{name: "variable", reason: "a macro's value is not expanded again",
			content: game.Content{People: game.People{Persona: "{{var::assa_data.world_set}}"}},
			reply:   quiet + "\nmemory('world_set.npc', " + jsonOf(t, attack) + ", 1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			allow := ""
			if len(c.content.Extensions.Tools) > 0 {
				allow = `{"allowlist": ["say"]}`
			}
			m := begin(t, c.content, vaultVariables, allow)
			for range 2 { // an entry's keys are searched one turn later
				say(t, m, "I think of Fog.", c.reply)
			}
			draws := m.Campaign().State.Random
			step(t, m, turn.Submit{Text: "I think of Fog."})
			text := requestText(m.Todo().Generate.Request)
			if strings.Contains(text, "SECRET-4711") {
				t.Errorf("%s: the prompt tells the secret", c.reason)
			}
			if !strings.Contains(text, "{{roll::2d6}}") {
				t.Errorf("%s: the words did not come back as they were:\n%s", c.reason, text)
			}
			step(t, m, turn.Replied{Text: quiet})
			for todo := m.Todo(); todo.Hooks != nil; todo = m.Todo() {
				step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
			}
			if rec := m.Todo().Commit; rec == nil || len(rec.Turn.Trace.Draws) > 0 {
				t.Errorf("%s: random numbers were drawn, %d before", c.reason, draws)
			}
		})
	}
}

// TestPlayerTextIsNotExpanded: text of a player is data in every layout of a prompt and in
// everything made from it, including names. A layout can expand the names (PR-08).
func TestPlayerTextIsNotExpanded(t *testing.T) {
	t.Parallel()
	const line = "I am {{user}}, not {{char}} or <USER>. {{roll::2d6}} {{setvar::x::1}}"
	named := prompt.Default()
	named.HistoryMacros = macro.Names
	own := prompt.Default()
	said := func(s string) effect.Effect {
		return effect.InjectPrompt{Key: "k", Content: "said: " + s, Scope: "session"}
	}
	heard := echoing(t, said)
	heard.Rules.Hooks[0].Event = hooks.On(game.EventTurnAccepted)
	preset := tavern.Default()
	for _, c := range []struct {
		name    string
		content game.Content
		want    string
	}{
		{"the engine's layout", game.Content{}, line},
		{"a layout", game.Content{Prompt: game.Prompt{Layout: &own}}, line},
		{"a layout that expands names", game.Content{Prompt: game.Prompt{Layout: &named}}, "I am Ren, not Orin or Ren. {{roll::2d6}} {{setvar::x::1}}"},
		{"a preset", game.Content{Prompt: game.Prompt{Preset: &preset}}, line},
		{"an instruct template", game.Content{Prompt: game.Prompt{Instruct: &tavern.InstructTemplate{}, Context: new(tavern.DefaultContext())}}, line},
		{"a hook that repeats it", heard, "said: " + line},
		{"a macro", game.Content{People: game.People{Persona: "Last: {{input}}"}}, "Last: " + line},
	} {
		c.content.People.Card = &card.Card{Name: "Orin"}
		m := begin(t, c.content)
		say(t, m, line, quiet)
		if o := say(t, m, line, quiet); o.Turn == nil || o.Turn.UserInput != line {
			t.Errorf("%s: the turn keeps %q", c.name, o.Turn.UserInput)
		}
		for _, in := range []turn.Input{turn.Submit{Text: line}, turn.Continue{Instructions: line}, turn.Regenerate{Instructions: line}} {
			step(t, m, in)
			for todo := m.Todo(); todo.Hooks != nil; todo = m.Todo() {
				step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
			}
			text := requestText(m.Todo().Generate.Request)
			if !strings.Contains(text, c.want) || c.want == line && strings.Count(text, "I am ") != strings.Count(text, line) {
				t.Errorf("%s, %T: not as it was written:\n%s", c.name, in, text)
			}
			step(t, m, turn.GenerateFailed{Reason: "timeout"})
		}
	}
}

// echoing is content with a hook whose handler makes an effect from each reply, or from each line.
func echoing(t *testing.T, asked func(text string) effect.Effect) game.Content {
	t.Helper()
	var actions act.Table
	err := actions.Register("echo", act.Type{Internal: true, Handler: func(_ context.Context, call act.Call) (act.Outcome, error) {
		text, _ := cmp.Or(call.Event.Payload.Get("text"), call.Event.Payload.Get("content")).AsText()
		return act.Outcome{Effects: []effect.Effect{asked(text)}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return game.Content{Rules: game.Rules{Actions: &actions, Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterModelCall),
		Actions: []act.Action{act.New("echo")}}}}}
}

// TestModelKeysArePlain: a key that a model wrote is not compiled as a pattern, not expanded, and
// limited.
func TestModelKeysArePlain(t *testing.T) {
	t.Parallel()
	const stall = `/(?:(e)|e\1?|ee)*$x/i`
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprint("key ", i)
	}
	m := begin(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
		return effect.List{
			effect.AddEntry{BookID: "b", Content: s, Keywords: append([]string{s, "{{var::a}}", " //e+/i "}, many...)},
			effect.BackupBranch{Path: tree.Path{"x"}, World: s},
		}
	})}}}, `{"allowlist": ["say"]}`)
	say(t, m, "eee", jsonOf(t, map[string]any{"text": quiet, "tool_calls": []any{
		map[string]any{"tool": "say", "args": map[string]any{"text": stall}}}}))
	entries := m.Campaign().State.Entries
	if len(entries) != 2 {
		t.Fatalf("%d entries, want 2", len(entries))
	}
	for _, e := range entries {
		if len(e.Keywords) > 16 || len(e.Keywords) == 0 {
			t.Errorf("%d keys", len(e.Keywords))
		}
		if !e.Literal {
			t.Errorf("the entry %q is no data", e.Name)
		}
	}
	for line, want := range map[string]int{"eee": 0, "e " + stall + " e": 2} {
		step(t, m, turn.Submit{Text: line})
		if trace := m.Campaign().State.Lore; len(trace.Fuses) > 0 {
			t.Errorf("%q: a pattern was run: %+v", line, trace.Fuses)
		}
		step(t, m, turn.Replied{Text: quiet})
		if lore := m.Todo().Commit.Turn.Trace.Lore; len(lore) != want {
			t.Errorf("%q activates %+v, want %d entries", line, lore, want)
		}
		step(t, m, turn.Committed{})
	}
}

// TestModelEntriesAreBounded: entries that a model adds to the world book are limited in number and
// size. The refusal names the limit.
func TestModelEntriesAreBounded(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
		var out effect.List
		for range 100 {
			out = append(out, effect.AddEntry{BookID: "b", Content: s, Keywords: []string{s}})
		}
		return out
	})}}}, `{"allowlist": ["say"]}`)
	out := say(t, m, "I listen.", jsonOf(t, map[string]any{"text": quiet, "tool_calls": []any{
		map[string]any{"tool": "say", "args": map[string]any{"text": strings.Repeat("e", 100_000)}}}}))
	entries := m.Campaign().State.Entries
	if size := len(jsonOf(t, entries)); len(entries) != 32 || size > 32*9<<10 {
		t.Errorf("%d entries of %d bytes", len(entries), size)
	}
	refused := out.Turn.Trace.Refused
	if len(refused) == 0 || refused[0].Reason != "too_many_entries" {
		t.Errorf("refused: %+v", refused)
	}
}

// TestPromptSurvivesAModelThatFillsIt: data that a model stores does not make a later prompt too
// long.
func TestPromptSurvivesAModelThatFillsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, reason, reply string }{
		{"refused commands", "each is told in the next prompt", quiet + strings.Repeat("\nset_status('nope.x',1)", 200)},
		{"unknown objects", "each is told in the next prompt", quiet + strings.Repeat("\n*.foo(1);", 200)},
		{"stored text", "the variables stand in every prompt",
			quiet + "\nmemory('world_set.npc','bard'," + jsonOf(t, strings.Repeat("la la ", 6000)) + ")"},
		{"many stored texts", "the variables stand in every prompt", quiet + strings.Repeat(
			"\nmemory('world_set.npc','bard',"+jsonOf(t, strings.Repeat("啦", 300))+")", 100)},
		{"long rejected text", "the next request repeats it",
			"Ren takes 9 damage. " + strings.Repeat("It hurts. ", 4000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := begin(t, game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 8192}}}, vaultVariables)
			outputs := []string{c.reply}
			if c.name == "long rejected text" {
				outputs = append(outputs, c.reply, quiet)
			}
			if out := say(t, m, "I wait.", outputs...); out.Status != turn.Completed {
				t.Fatalf("%s: the first turn ended %s %s", c.reason, out.Status, out.Reason)
			}
			for n := 2; n <= 4; n++ {
				if out := say(t, m, "I wait.", quiet); out.Status != turn.Completed {
					t.Fatalf("%s: turn %d ended %s %s", c.reason, n, out.Status, out.Reason)
				}
			}
			if n := len(m.Campaign().State.Feedback); n > 16 {
				t.Errorf("%d commands are told about", n)
			}
		})
	}
}
