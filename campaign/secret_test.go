package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

const goalWords = "Wake the sleeping dragon below the mountain"

// TestHiddenGoalStaysHidden: wherever a model writes the words of a hidden goal, the output is
// refused, and no text for people contains them.
func TestHiddenGoalStaysHidden(t *testing.T) {
	t.Parallel()
	escaped := `{"text": "Nothing here.", "plan": "Wake\nthe \u0073leeping dragon below the mountain"}`
	for _, c := range []struct {
		name, reason, output string
		native               []llm.ToolCall
	}{
		{"narration", "it is read as it is", "You must " + goalWords + ".", nil},
		{"two sentences", "a pause hides nothing", "You must wake the sleeping dragon. It lies below the mountain.", nil},
		{"a space without width", "nobody sees it", "You must wake the sleeping dra\u200bgon below the mountain.", nil},
		{"structured text", "it is narration too", `{"text": "You must ` + goalWords + `."}`, nil},
		{"other member", "the log keeps it, and hosts show it", `{"text": "Nothing.", "plan": "` + goalWords + `"}`, nil},
		{"name of a member", "names are texts", `{"text": "Nothing.", "` + goalWords + `": 1}`, nil},
		{"escapes", "the words are those of the value", escaped, nil},
		{"escapes in the text", "the words are those of the value", `{"text": "Wake\nthe \u0073leeping dragon below the mountain."}`, nil},
		{"arguments", "the turn keeps them", `{"text": "Ouch.", "tool_calls": [{"tool": "hp_delta",
			"args": {"target_character_id": "ren", "delta": -1, "cause": "` + goalWords + `"}}]}`, nil},
		{"reason of a call", "the turn keeps it", `{"text": "Ouch.", "tool_calls": [{"tool": "hp_delta", "reason": "` + goalWords + `",
			"args": {"target_character_id": "ren", "delta": -1, "cause": "x"}}]}`, nil},
		{"native arguments", "the turn keeps them", "Ouch.", []llm.ToolCall{{ID: "n", Name: "hp_delta",
			Arguments: `{"target_character_id": "ren", "delta": -1, "cause": "` + goalWords + `"}`}}},
		{"escapes in native arguments", "the words are those of the value", "Ouch.", []llm.ToolCall{{ID: "n", Name: "hp_delta",
			Arguments: `{"target_character_id": "ren", "delta": -1, "cause": "Wake\nthe \u0073leeping dragon below the mountain"}`}}},
		{"unexpected argument", "a refusal lists its name", `{"text": "You must ` + goalWords + `.", "tool_calls": [{"tool": "move",
			"args": {"` + goalWords + `": 1}}]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := begin(t, game.Content{}, defaultK1)
			step(t, m, turn.Submit{Text: "I wait.", ClientTurnID: "c1"})
			for range 2 {
				step(t, m, turn.Replied{Text: c.output, ToolCalls: c.native})
			}
			step(t, m, turn.Committed{})
			out := *m.Todo().Outcome
			if out.Status != turn.Conflict {
				t.Fatalf("%s: the turn ended %s", c.reason, out.Status)
			}
			leak := func(what string, v any) {
				t.Helper()
				if text := jsonOf(t, v); strings.Contains(strings.ToLower(text), "dragon") {
					t.Errorf("%s: %s tells the goal: %s", c.reason, what, text)
				}
			}
			leak("the outcome", out)
			leak("the pending report", m.Campaign().PendingConflict)
			accepted := play(t, m, turn.ResolveConflict{Decision: state.DecideAccept})
			if accepted.Status != turn.Completed {
				t.Fatalf("accept_text ended %s %s", accepted.Status, accepted.Reason)
			}
			leak("the accepted turn", accepted.Turn)
		})
	}
}

// TestAcceptedTextChangesNothing: a text that a person accepts is delivered. Its commands are not
// applied, and no rule fires for it.
func TestAcceptedTextChangesNothing(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "r",
		Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{},
		Actions: effect.Actions{effect.SetVariable{Path: "heard", Value: tree.Int(1)}}}}}},
		vaultVariables, `{"settings": {"retry.max_retries": 0}}`)
	say(t, m, "I wait.", "You step into the Hall.\nset_status('world_shard.name', 'Ash')")
	before := m.Campaign().State
	out := play(t, m, turn.ResolveConflict{Decision: state.DecideAccept})
	if out.Status != turn.Completed || out.Turn.Text != "You step into the Hall." {
		t.Fatalf("accepted: %+v", out)
	}
	after := m.Campaign().State
	if got, want := jsonOf(t, after.Variables), jsonOf(t, before.Variables); got != want {
		t.Errorf("variables %s, want %s", got, want)
	}
	if n := len(out.Turn.Commands) + len(out.Turn.Changes) + len(out.Turn.Trace.Fired); n > 0 {
		t.Errorf("the turn did something: %s", jsonOf(t, out.Turn))
	}
	if got, want := jsonOf(t, after.Characters), jsonOf(t, before.Characters); got != want {
		t.Errorf("characters %s, want %s", got, want)
	}
}
