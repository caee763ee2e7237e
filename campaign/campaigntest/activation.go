package campaigntest

import (
	"cmp"
	"context"
	"errors"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// Heard is the result of [Hear] for one line.
type Heard struct {
	// Lore lists the active entries of the world book by their comments, or by their IDs if they
	// have none. Rules lists the rules that fire if the reply triggers no rule. Blocks lists the
	// parts of the prompt, in order.
	Lore, Rules, Blocks []string

	t        T
	snapshot snapshot
}

// Hear returns the lore, rules and prompt blocks that a player's line activates at the beginning of
// a campaign. It generates, stores and delivers nothing and asks no model. A setup without
// characters gets a player. The reply is assumed to be "…".
func Hear(t T, content game.Content, setup state.Setup, line string) *Heard {
	t.Helper()
	c, err := compile(content)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	if len(setup.Characters) == 0 {
		setup.Characters = []state.Character{{ID: "player", Name: "Player"}}
	}
	setup.ID = cmp.Or(setup.ID, defaultCampaignID)
	begun, err := turn.Begin(c.game, setup)
	if err != nil {
		t.Fatalf("the campaign cannot begin:\n%v", err)
	}
	m := snapshot{game: c.game, step: ScenarioStep{Do: "hear", Args: []string{line}}, before: begun, after: begun}
	if err := m.activate(context.Background(), turn.Submit{Text: line, At: startTime}); err != nil {
		t.Fatalf("%s: %v", title(m.step), err)
	}
	return newHeard(t, m)
}

// newHeard returns the result of a hear step.
func newHeard(t T, m snapshot) *Heard {
	h := &Heard{t: t, snapshot: m, Blocks: m.activated.blocks}
	for _, l := range m.activated.explanation.Lore {
		if l.Active {
			h.Lore = append(h.Lore, loreName(l))
		}
	}
	for _, r := range m.activated.explanation.Rules {
		if r.Gate == "fired" {
			h.Rules = append(h.Rules, r.ID)
		}
	}
	return h
}

// Want checks the result with [Lore], [Rule], [Prompt], [Block] and [Not]. Each failed check is an
// error of the test, with an explanation.
func (h *Heard) Want(checks ...ScenarioCheck) *Heard {
	h.t.Helper()
	var faults []string
	for _, c := range checks {
		if fault := h.snapshot.verify(c); fault != "" {
			faults = append(faults, fault)
		}
	}
	if len(faults) > 0 {
		h.t.Errorf("%s", h.snapshot.describeFaults(faults))
	}
	return h
}

// activate finds what a line would activate in the campaign, and stores it in m.
func (m *snapshot) activate(ctx context.Context, in turn.Submit) error {
	m.activated = &activation{explanation: turn.NewMachine(m.game, m.before).Explain(in, silence.Text)}
	request, err := firstRequest(ctx, m.game, m.before, in)
	if err != nil {
		return err
	}
	for _, message := range request.Messages {
		if message.Block != "" {
			m.activated.blocks = append(m.activated.blocks, message.Block)
		}
	}
	m.requests = []llm.Request{request.LLM()}
	return nil
}

// firstRequest returns the first prompt for a line.
func firstRequest(ctx context.Context, g *game.Game, c state.Campaign, in turn.Submit) (question.Request, error) {
	m := turn.NewMachine(g, c)
	err := m.Step(in)
	for err == nil {
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			return todo.Generate.Request, nil
		case todo.Hooks != nil:
			err = m.Step(turn.HooksRan{Result: todo.Hooks.Run(ctx)})
		case todo.Recall != nil:
			err = m.Step(turn.Recalled{})
		case todo.Retrieve != nil:
			err = m.Step(turn.Retrieved{})
		case todo.Route != nil:
			err = m.Step(turn.Routed{Error: errNoAnswer.Error()})
		case todo.Outcome != nil && todo.Outcome.Err() != nil:
			return question.Request{}, todo.Outcome.Err()
		default:
			return question.Request{}, errors.New("the line leads to no prompt")
		}
	}
	return question.Request{}, err
}
