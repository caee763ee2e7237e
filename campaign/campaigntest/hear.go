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

// Heard is what one line gives.
type Heard struct {
	// Lore are the entries of the world book that are active, by their comments, or else by
	// their ids; Rules those that fire, if the reply says nothing that they wait for; Blocks the
	// parts of the prompt, in its order.
	Lore, Rules, Blocks []string

	t      T
	moment moment
}

// Hear says which lore, rules and blocks a player's line gives, at the beginning of a campaign:
// nothing is generated, stored or delivered, and no model is asked. A setup without characters
// gets a player. The reply is taken to be a mere "…".
func Hear(t T, content game.Content, setup state.Setup, line string) *Heard {
	t.Helper()
	c, err := compile(content)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	if len(setup.Characters) == 0 {
		setup.Characters = []state.Character{{ID: "player", Name: "Player"}}
	}
	setup.ID = cmp.Or(setup.ID, unnamed)
	begun, err := turn.Begin(c.game, setup)
	if err != nil {
		t.Fatalf("the campaign cannot begin:\n%v", err)
	}
	m := moment{game: c.game, step: ScenarioStep{Do: "hear", Args: []string{line}}, before: begun, after: begun}
	if err := m.hear(context.Background(), turn.Submit{Text: line, At: began}); err != nil {
		t.Fatalf("%s: %v", title(m.step), err)
	}
	return heardBy(t, m)
}

// heardBy tells what was heard.
func heardBy(t T, m moment) *Heard {
	h := &Heard{t: t, moment: m, Blocks: m.heard.blocks}
	for _, l := range m.heard.why.Lore {
		if l.Active {
			h.Lore = append(h.Lore, loreName(l))
		}
	}
	for _, r := range m.heard.why.Rules {
		if r.Gate == "fired" {
			h.Rules = append(h.Rules, r.ID)
		}
	}
	return h
}

// Want looks at what the line gives: with [Lore], [Rule], [Prompt], [Block] and [Not].
// What is not so is an error of the test, and is explained.
func (h *Heard) Want(checks ...ScenarioCheck) *Heard {
	h.t.Helper()
	var faults []string
	for _, c := range checks {
		if fault := h.moment.verify(c); fault != "" {
			faults = append(faults, fault)
		}
	}
	if len(faults) > 0 {
		h.t.Errorf("%s", h.moment.tell(faults))
	}
	return h
}

// hear finds out what a line would give, in the campaign as it stands.
func (m *moment) hear(ctx context.Context, in turn.Submit) error {
	m.heard = &heard{why: turn.NewMachine(m.game, m.before).Explain(in, silence.Text)}
	request, err := firstRequest(ctx, m.game, m.before, in)
	if err != nil {
		return err
	}
	for _, said := range request.Messages {
		if said.Block != "" {
			m.heard.blocks = append(m.heard.blocks, said.Block)
		}
	}
	m.requests = []llm.Request{request.LLM()}
	return nil
}

// firstRequest is the prompt that a line leads to.
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
