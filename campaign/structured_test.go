package campaign_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestStructuredListsTheCalls: assistant_structured lists the calls of a turn, applied or refused,
// in the order of the reply. They are next to the other members in every place where a host reads
// the turn (CA-15).
func TestStructuredListsTheCalls(t *testing.T) {
	t.Parallel()
	const want = `{"combat_log":["a bat bites"],"tool_calls":[` +
		`{"tool":"fly","args":{"to":"moon"},"reason":"It is bright.","id":"call_001"},` +
		`{"tool":"hp_delta","args":{"target_character_id":"ren","delta":-1,"cause":"bat"},"id":"bite"}]}`
	reply := `{"text": "You lose 1 hit point.", "combat_log": ["a bat bites"], "tool_calls": [
		{"tool": "fly", "args": {"to": "moon"}, "reason": "It is bright."},
		{"id": "bite", "tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -1, "cause": "bat"}}]}`
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: scripted(reply)}
	e := newEngine(t, cfg, `{"settings": {"retry.on_rejection": "commit_partial"}}`)
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	wantOutcome(t, o, "completed turn_0001")
	imported, _ := moved(t, nil)
	data := export(t, e)
	if _, err := imported.Import(t.Context(), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	read := map[string]state.Turn{"the outcome": *o.Turn}
	for name, engine := range map[string]*campaign.Engine{"": e, ", loaded again": fresh(t, cfg), ", imported": imported} {
		read["the campaign"+name] = campaignOf(t, engine).Turns[0]
		for one, err := range engine.History(t.Context(), "cave", state.HistoryPage{}) {
			if err != nil {
				t.Fatal(err)
			}
			read["the history"+name] = one.Turn
		}
	}
	for name, one := range read {
		if got := one.Structured.String(); got != want {
			t.Errorf("%s has %s", name, got)
		}
		if !strings.Contains(jsonOf(t, one), `"assistant_structured":`+want) {
			t.Errorf("the JSON of %s is %s", name, jsonOf(t, one))
		}
	}
	if len(read) != 7 || !bytes.Contains(data, []byte(want)) {
		t.Errorf("%d turns were read; the export is %s", len(read), data)
	}
	rebuilt(t, e)
}

// TestStructuredOfSeveralReplies: it lists the calls of all replies that count, and of no other
// reply.
func TestStructuredOfSeveralReplies(t *testing.T) {
	t.Parallel()
	const bat = `{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -1, "cause": "bat"}}`
	const listed = `{"tool":"hp_delta","args":{"target_character_id":"ren","delta":-1,"cause":"bat"},"id":"call_001"}`
	for _, c := range []struct {
		name, setup string
		replies     []llmtest.Reply
		more        turn.Input // after the line
		want        string
	}{
		{"no call", `{}`, []llmtest.Reply{llmtest.Text("Dust falls.")}, nil, ""},
		{"a rejected reply", `{}`, []llmtest.Reply{llmtest.Text(output("", bat, `{"tool": "fly"}`)), llmtest.Text("Dust falls.")}, nil, ""},
		{"calls, then the narration", `{}`, []llmtest.Reply{llmtest.Text(output("", bat)), llmtest.Text("You lose 1 hit point.")}, nil,
			`{"tool_calls":[` + listed + `]}`},
		{"a plan", `{"settings": {"turn.mode": "plan_narrate"}}`, []llmtest.Reply{llmtest.Text(output("", bat)), llmtest.Text("You lose 1 hit point.")}, nil,
			`{"tool_calls":[` + listed + `]}`},
		{"native calls", `{}`, []llmtest.Reply{{Text: "You lose 1 hit point.", Calls: []llm.ToolCall{{ID: "n1", Name: "hp_delta",
			Arguments: `{"target_character_id": "ren", "delta": -1, "cause": "bat"}`}}}}, nil,
			`{"tool_calls":[` + strings.Replace(listed, "call_001", "n1", 1) + `]}`},
		{"a continued text", `{}`, []llmtest.Reply{
			llmtest.Text(`{"text": "You lose 1 hit point.", "mood": "grim", "tool_calls": [` + bat + `]}`),
			llmtest.Text(output("Again you lose 1 hit point.", bat))},
			turn.Continue{}, `{"mood":"grim","tool_calls":[` + listed + "," + listed + `]}`},
		{"arguments that are nested too deep", `{"settings": {"retry.on_rejection": "commit_partial"}}`,
			[]llmtest.Reply{{Text: "Dust falls.", Calls: []llm.ToolCall{{ID: "n1", Name: "hp_delta",
				Arguments: `{"a":` + strings.Repeat("[", tree.MaxNesting-1) + strings.Repeat("]", tree.MaxNesting-1) + "}"}}}}, nil,
			`{"tool_calls":[{"tool":"hp_delta","id":"n1"}]}`},
	} {
		cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(c.replies...)}
		e := newEngine(t, cfg, c.setup)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		if c.more != nil {
			o = do(t, e, c.more)
		}
		wantOutcome(t, o, "completed turn_0001")
		if o.Turn == nil {
			continue
		}
		if got := o.Turn.Structured; got.Exists() != (c.want != "") || got.Exists() && got.String() != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := campaignOf(t, fresh(t, cfg)).Turns[0].Structured; !got.Equal(o.Turn.Structured) {
			t.Errorf("%s, loaded again: %s", c.name, got)
		}
	}
}
