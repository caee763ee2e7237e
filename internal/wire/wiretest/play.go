// Package wiretest tests adapters of models from the view of a campaign, their user.
package wiretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// Signature is the seal that the scripted provider wants back with its thinking. It is base64,
// because some adapters decode it. Thought is that thinking.
const (
	Signature = "c2VhbGVkLWJ5LXRoZS1wcm92aWRlcg=="
	Thought   = "The bridge hides a troll."
)

// The number of turns, and the turns with special events.
const (
	turns       = 20
	callTurn    = 3
	repairTurn  = 6
	refusalTurn = 9
	limitTurn   = 12
	cutTurn     = 15
)

// blow is a narration; blowCall adds the call that it needs.
const blow = "A troll strikes you: you lose 1 hit points."

func blowCall(reply llmtest.Reply) llmtest.Reply {
	return reply.AndCall("hp_delta", "target_character_id", "ann", "delta", -1, "cause", "a troll")
}

// whole is the reply to the second request after an interrupted reply.
const whole = "You go on after all."

// script returns the replies of all turns of [Play], in order.
func script(provider string) (replies []llmtest.Reply) {
	for turn := 1; turn <= turns; turn++ {
		narration := llmtest.Reply{
			Text: fmt.Sprintf("You go on, mile %d.", turn), Piece: 4,
			Usage: &llm.Usage{PromptTokens: 100 + turn, CompletionTokens: 9},
		}
		switch turn {
		case callTurn: // thinking and a call, then the narration
			replies = append(replies, thinkingCall(provider), llmtest.Text(blow))
		case repairTurn: // the blow has no call at first; the second try has one
			replies = append(replies, llmtest.Text(blow), blowCall(llmtest.Text(blow)))
		case refusalTurn: // the provider refuses, then answers
			replies = append(replies, llmtest.Reply{Text: "I", Finish: llm.FinishContentFilter}, narration)
		case limitTurn:
			tooMany := &llm.Error{Code: llm.CodeRateLimit, Status: 429, Message: "slow", RetryAfter: 3 * time.Second, Retry: true}
			replies = append(replies, llmtest.Fail(tooMany), narration)
		case cutTurn:
			narration.Cut = true
			replies = append(replies, narration, llmtest.Text(whole))
		default:
			replies = append(replies, narration)
		}
	}
	return replies
}

func thinkingCall(provider string) llmtest.Reply {
	chunks := llm.Chunks{llm.ReasoningDelta{Text: Thought}, llm.Seal{Provider: provider, Signature: Signature}}
	for _, chunk := range blowCall(llmtest.Reply{}).Stream() {
		if call, ok := chunk.(llm.CallDelta); ok {
			call.ID = "call_troll"
			chunk = call
		}
		chunks = append(chunks, chunk)
	}
	return llmtest.Reply{Chunks: chunks}
}

// Play plays a campaign of 20 turns. It has thinking, a call whose result is sent back, a repair, a
// refusal by the provider, a 429, and an interrupted reply. At the end a rebuild must give the same
// campaign. Prompts have the shape of the profile. The argument provider is the provider of the
// thoughts. The argument proof is the part of them that is sent back with the result of the call:
// [Signature] or [Thought], empty if the dialect sends no part. The function open starts a server
// that sends the script in a dialect.
func Play(t *testing.T, profile prompt.ShapeProfile, provider, proof string, open func(t *testing.T, script []llmtest.Reply) (llm.Model, *Tape)) {
	t.Helper()
	play(t, game.Content{Prompt: game.Prompt{Shape: profile}}, script(provider), proof, open)
}

// PlayText is [Play] for a dialect of texts: prompts are written with a template for models without
// chat messages, and calls are in the text.
func PlayText(t *testing.T, template tavern.InstructTemplate, open func(t *testing.T, script []llmtest.Reply) (llm.Model, *Tape)) {
	t.Helper()
	replies := script("")
	for i, reply := range replies {
		replies[i] = inText(t, reply)
	}
	play(t, game.Content{Prompt: game.Prompt{Instruct: &template}}, replies, "", open)
}

// inText returns a reply whose calls are in the text.
func inText(t *testing.T, reply llmtest.Reply) llmtest.Reply {
	t.Helper()
	var c llm.Collector
	for _, chunk := range reply.Stream() {
		if err := c.Add(chunk); err != nil {
			t.Fatal(err)
		}
	}
	m := c.Response().Message
	if len(m.ToolCalls) == 0 {
		return reply
	}
	type call struct {
		ID   string          `json:"id,omitempty"`
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	var calls []call
	for _, c := range m.ToolCalls {
		calls = append(calls, call{c.ID, c.Name, json.RawMessage(c.Arguments)})
	}
	text, err := json.Marshal(map[string]any{"text": m.Text, "tool_calls": calls})
	if err != nil {
		t.Fatal(err)
	}
	return llmtest.Reply{Text: string(text), Piece: 7}
}

// play plays the script.
func play(t *testing.T, content game.Content, replies []llmtest.Reply, proof string, open func(t *testing.T, script []llmtest.Reply) (llm.Model, *Tape)) {
	t.Helper()
	model, tape := open(t, replies)
	var waits []time.Duration
	model = wrap.Retry(model, wrap.RetryPolicy{Sleep: func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}})
	engine := newEngine(t, content, model)
	for n := 1; n <= turns; n++ {
		in := turn.Submit{Text: fmt.Sprintf("I go on, mile %d.", n)}
		outcome, err := engine.Turn(t.Context(), "road", in)
		if err != nil {
			t.Fatalf("turn %d: %v", n, err)
		}
		if err := outcome.Err(); err != nil {
			t.Fatalf("turn %d: %v", n, err)
		}
		if text := outcome.Turn.Text; n == cutTurn && text != whole {
			t.Errorf("turn %d: %q, want the reply that was asked for again", n, text)
		}
		want := 0
		if n == repairTurn || n == refusalTurn {
			want = 1
		}
		if outcome.RetriesUsed != want {
			t.Errorf("turn %d: %d retries, want %d", n, outcome.RetriesUsed, want)
		}
	}
	if len(waits) != 1 || waits[0] != 3*time.Second {
		t.Errorf("waited %v, want the three seconds that the server asked for", waits)
	}
	checkRebuild(t, engine)
	checkThoughts(t, proof, tape.Requests())
}

func newEngine(t *testing.T, content game.Content, model llm.Model) *campaign.Engine {
	t.Helper()
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: model, Now: func() time.Time { start = start.Add(time.Minute); return start },
	})
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(t.Context(), state.Setup{ID: "road", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// checkRebuild replays the log and compares the campaigns.
func checkRebuild(t *testing.T, engine *campaign.Engine) {
	t.Helper()
	played, err := engine.Campaign(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := engine.Rebuild(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	a, errA := json.Marshal(played)
	b, errB := json.Marshal(rebuilt)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("rebuild: not identical, %v, %v", errA, errB)
	}
	if hp := played.State.Characters[0].HP.Current; hp != 8 {
		t.Errorf("Ann has %d hit points, want 8 after two blows", hp)
	}
	if n := len(played.BranchTurns()); n != turns {
		t.Errorf("%d turns, want %d", n, turns)
	}
}

// checkThoughts searches the requests for the proof: it must be sent once, with the result of the
// call, and in no later turn. With an empty proof no thinking may be sent.
func checkThoughts(t *testing.T, proof string, requests [][]byte) {
	t.Helper()
	wantSent := func(text string, want int) {
		t.Helper()
		got := 0
		for _, body := range requests {
			if bytes.Contains(body, []byte(text)) {
				got++
			}
		}
		if got != want {
			t.Errorf("%q was sent in %d of %d requests, want %d", text, got, len(requests), want)
		}
	}
	switch proof {
	case Signature: // with a signature some dialects send the thinking too, some do not
		wantSent(Signature, 1)
	case Thought:
		wantSent(Thought, 1)
		wantSent(Signature, 0)
	default:
		wantSent(Thought, 0)
		wantSent(Signature, 0)
	}
}
