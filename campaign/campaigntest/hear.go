package campaigntest

import (
	"context"
	"errors"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// hear finds out what a line would give, in the game as it stands: nothing is generated,
// committed or delivered.
func (p *party) hear(ctx context.Context, m *moment) error {
	in := turn.Submit{Text: m.step.Args[0], ActorID: m.step.As, At: p.now}
	m.heard = &heard{why: turn.Explain(p.game, m.before, in, "")}
	request, err := firstRequest(ctx, p.game, m.before, in)
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
func firstRequest(ctx context.Context, g *game.Game, c state.Campaign, in turn.Submit) (turn.Request, error) {
	m := turn.NewMachine(g, c)
	err := m.Step(in)
	for err == nil {
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			return todo.Generate.Request, nil
		case todo.Hooks != nil:
			err = m.Step(todo.Hooks.Run(ctx))
		case todo.Recall != nil:
			err = m.Step(turn.Recalled{})
		case todo.Retrieve != nil:
			err = m.Step(turn.Retrieved{})
		case todo.Route != nil:
			err = m.Step(turn.Routed{Error: errNoAnswer.Error()})
		case todo.Outcome != nil && todo.Outcome.Err() != nil:
			return turn.Request{}, todo.Outcome.Err()
		default:
			return turn.Request{}, errors.New("the line leads to no prompt")
		}
	}
	return turn.Request{}, err
}
