package campaign_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
)

// provider gives the same answer to everything, and its token counts are the estimate times a
// factor.
type provider struct {
	factor float64
	counts []int // the counts that it has reported for each request
	warn   []llm.Chunk
}

func (p *provider) Generate(_ context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		n := 0
		for _, m := range r.Messages {
			n += prompt.EstimateTokens(m.Text) + 4
		}
		for _, t := range r.Tools {
			n += prompt.EstimateTokens(t.Name + " " + t.Description + " " + string(t.Parameters))
		}
		n = int(float64(n) * p.factor)
		p.counts = append(p.counts, n)
		for _, w := range p.warn {
			if !yield(w, nil) {
				return
			}
		}
		_ = yield(llm.TextDelta{Text: strings.Repeat("Water drips from the stones into the dark. ", 20)}, nil) &&
			yield(llm.UsageReport{Usage: llm.Usage{PromptTokens: n, CompletionTokens: 200}}, nil) &&
			yield(llm.Done{}, nil)
	}
}

// TestUsageCalibratesTheEstimate: after a few reported counts, prompts fill the window by the
// provider's count, and do not exceed it. With the setting off only the estimate counts. The tools
// of a request are included (PR-07).
func TestUsageCalibratesTheEstimate(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	const window, reply, turns = 4000, 500, 40
	for _, c := range []struct {
		reason   string
		factor   float64
		changes  string
		from, to float64 // share of the window, by the provider's count, in the last turns
	}{
		{"an exact estimate", 1, "", 0.80, 1},
		{"it counts half as many again", 1.5, "", 0.75, 1},
		{"it counts fewer", 0.7, "", 0.80, 1},
		{"without the setting", 1.5, `{"settings": {"context.calibrate": false}}`, 1.2, 1.5},
		{"a count that is none counts as twice", 50, "", 15, 25},
	} {
		model := &provider{factor: c.factor}
		cfg := campaign.Config{Model: model, Game: compile(t, game.Content{
			Prompt: game.Prompt{Budget: prompt.Budget{Context: window, Response: reply, TurnReserve: 1}}})}
		e := newEngine(t, cfg, c.changes)
		for range turns {
			if o := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I listen, and go on along the wall of the cave."}); o.Err() != nil {
				t.Fatal(c.reason, o.Err())
			}
		}
		for _, n := range model.counts[turns-5:] {
			if part := float64(n) / (window - reply); part < c.from || part > c.to {
				t.Errorf("%s: %d tokens, %.2f of the room", c.reason, n, part)
			}
		}
		saved, err := e.Campaign(t.Context(), "cave")
		if err != nil {
			t.Fatal(err)
		}
		rebuilt, err := e.Rebuild(t.Context(), "cave")
		if err != nil || turn.Same(rebuilt, saved) != nil {
			t.Errorf("%s: rebuilt otherwise: %v %v", c.reason, err, turn.Same(rebuilt, saved))
		}
	}
}

// TestTokenRatioMovesSlowly: one unusual count moves the ratio by a quarter of the difference. A
// count for a prompt that the server has cut does not move it.
func TestTokenRatioMovesSlowly(t *testing.T) {
	t.Parallel()
	model := &provider{factor: 1}
	e := newEngine(t, campaign.Config{Model: model})
	var got []float64
	for i, f := range []float64{1.2, 1.2, 1.6, 0.1, 0.1} {
		model.factor = f
		if model.warn = nil; i == 4 { // the count of a server that has read only a part
			model.warn = []llm.Chunk{llm.Warning{Code: "prompt_cut"}}
		}
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
		saved, err := e.Campaign(t.Context(), "cave")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, saved.TokenRatio)
	}
	for i, want := range []float64{1.2, 1.2, 1.3, 1.1, 1.1} {
		if d := got[i] - want; d < -0.01 || d > 0.01 {
			t.Errorf("after report %d: %v, want about %v", i+1, got[i], want)
		}
	}
}

// TestTokenRatioOfACast: the count of the first speaker's prompt is compared with the estimate of that
// prompt, not of the last speaker's (PR-07).
func TestTokenRatioOfACast(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: &provider{factor: 1.2}, Game: compile(t, game.Content{People: game.People{Cast: []game.CastMember{
		{CharacterID: "ash", Card: &card.Card{Name: "Ash", Description: strings.Repeat("阿什记得每一条船的名字。", 200)}},
		{CharacterID: "reed", Card: &card.Card{Name: "Reed", Description: "A fisher."}},
	}}})}, `{"settings": {"cast.order": "list"}}`)
	o := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
	if got := campaignOf(t, e).TokenRatio; len(o.Turn.Replies) != 2 || got < 1.15 || got > 1.25 {
		t.Errorf("%d replies, the ratio is %v", len(o.Turn.Replies), got)
	}
}
