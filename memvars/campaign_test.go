package memvars_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/memvars"
)

// runCampaign plays a long history, checks every message and rebuilds it.
func runCampaign(t *testing.T, p *player, c seedCase) {
	want := c.Expect
	if n := len(want.PerMessage); n > 0 && n != len(c.History) {
		t.Errorf("%d messages, %d expected", len(c.History), n)
	}
	var effects []memvars.Effect
	turns, commands := 0, 0
	for i, m := range c.History {
		calls, events, out := p.hear(m.Role, m.Text)
		effects = append(effects, out...)
		commands += len(calls)
		if m.Role == "assistant" {
			turns++
			p.checkpoint(t, c, turns)
		}
		if i < len(want.PerMessage) {
			w := want.PerMessage[i]
			got := statusWords(calls)
			if !slices.Equal(got, w.Status) || events != w.Events || w.I != nil && *w.I != i {
				t.Errorf("message %d: %v with %d events, want %v with %d", i, got, events,
					w.Status, w.Events)
			}
		}
	}
	for _, point := range want.Checkpoints {
		if point.AfterTurn < 1 || point.AfterTurn > turns {
			t.Errorf("there is no turn %d", point.AfterTurn)
		}
	}
	if want.Commands != nil && *want.Commands != commands {
		t.Errorf("%d commands, want %d", commands, *want.Commands)
	}
	sameEffects(t, "campaign", effects, want.Effects)
	if want.Final != nil {
		final := load(t, want.Final)
		if p.doc.String() != final.String() {
			t.Errorf("the final document differs:\n%s\nwant\n%s", p.doc, final)
			sameValue(t, "final", p.doc.Root(), final.Root())
		}
	}
	wantEqual := want.RebuildEqual == nil || *want.RebuildEqual
	for range 2 {
		doc, _ := p.sys.Rebuild(p.initial, p.history)
		if (doc.String() == p.doc.String()) != wantEqual {
			t.Errorf("the rebuilt document equals live play: want %v", wantEqual)
		}
	}
}

// hear plays one message of a history. A message of the assistant ends the turn.
func (p *player) hear(role, text string) ([]memvars.CallResult, int, []memvars.Effect) {
	actor := memvars.User
	if role == "assistant" {
		actor = memvars.AI
	}
	p.history = append(p.history, memvars.Message{Actor: actor, Text: text})
	doc, result := p.sys.Apply(p.doc, text, actor)
	p.doc = doc
	events := len(result.Changes)
	if actor != memvars.AI {
		p.heard = append(p.heard, text)
		return result.Calls, events, result.Effects
	}
	var turn memvars.Result
	p.doc, p.state, turn = p.sys.EndTurn(p.doc, p.state,
		memvars.Turn{Reply: text, Player: p.heard})
	p.heard = nil
	return result.Calls, events + len(turn.Changes), result.Effects
}

// checkpoint compares the document with the expected one after the given number of turns.
func (p *player) checkpoint(t *testing.T, c seedCase, turns int) {
	t.Helper()
	for _, point := range c.Expect.Checkpoints {
		if point.AfterTurn == turns {
			p.sameDiff(t, fmt.Sprintf("after turn %d", turns), point.Diff)
		}
	}
}

// statusWords writes the results of calls in the form of the campaign case.
func statusWords(calls []memvars.CallResult) []string {
	var words []string
	for _, r := range calls {
		s := map[memvars.Status]string{"applied": "A", "unchanged": "U", "rejected": "R"}[r.Status]
		if r.Code != "" {
			s += ":" + string(r.Code)
		}
		words = append(words, s)
	}
	return words
}
