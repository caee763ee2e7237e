package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// host has everything outside the machine.
type host struct {
	model llm.Model
	store campaign.Store
	// checkpoint gets the journal after every answer. An error stops the loop.
	checkpoint func(journal turn.Inputs) error
}

// play runs one instruction, or continues one from its journal. It passes the inputs to the
// machine. Then it does what the machine requests and passes the answer back, until the machine is
// idle. It returns the remaining work, including the text to show.
func (h host) play(ctx context.Context, m *turn.Machine, inputs ...turn.Input) (turn.Todo, error) {
	for _, in := range inputs {
		if err := m.Step(in); err != nil {
			return turn.Todo{}, err
		}
	}
	for {
		todo := m.Todo()
		if m.Phase() == turn.Idle {
			return todo, nil
		}
		answer, err := h.answer(ctx, m, todo)
		if err != nil {
			return todo, err
		}
		if err := m.Step(answer); err != nil {
			return todo, err
		}
		if err := h.checkpoint(m.Journal()); err != nil {
			return todo, err
		}
	}
}

// end does the remaining work after an instruction, in this order: the text, effects that only a
// host can apply, and events for hooks.
func (h host) end(ctx context.Context, m *turn.Machine, todo turn.Todo) error {
	if todo.Outcome != nil { // an announcement has none
		if err := todo.Outcome.Err(); err != nil {
			return err // refused, failed, or a person must decide
		}
	}
	if todo.Show != nil {
		fmt.Println("show:", todo.Show.Text)
	}
	for _, caused := range todo.Host {
		fmt.Println("do:", caused.Effect.EffectType(), "because of", caused.Source)
	}
	for _, event := range todo.Announce {
		next, err := h.play(ctx, m, event)
		if err != nil {
			return err
		}
		if err := h.end(ctx, m, next); err != nil {
			return err
		}
	}
	return nil
}

// answer does what the machine requests. Exactly one of these fields is set.
func (h host) answer(ctx context.Context, m *turn.Machine, todo turn.Todo) (turn.Input, error) {
	switch {
	case todo.Generate != nil:
		return h.generate(ctx, todo.Generate.Request), nil
	case todo.Commit != nil:
		return h.commit(ctx, m.Campaign().ID, *todo.Commit)
	case todo.Past != nil: // data older than the head of the campaign is in the log
		return turn.ReadPast(*todo.Past, campaign.Decoded(h.store.Records(ctx, m.Campaign().ID, 0)))
	case todo.Hooks != nil:
		return turn.HooksRan{Result: todo.Hooks.Run(ctx)}, nil
	case todo.Outside != nil:
		found, _ := todo.Outside.Run(ctx) // a panic in a tool is an answer too
		return turn.Answered{Answer: found}, nil
	// This host answers requests for missing features with nothing. The turn continues without
	// them.
	case todo.Route != nil:
		return turn.Routed{}, nil
	case todo.Recall != nil:
		return turn.Recalled{}, nil
	case todo.Retrieve != nil:
		return turn.Retrieved{}, nil
	case todo.Judge != nil:
		return turn.Judged{}, nil
	}
	return nil, fmt.Errorf("nothing to do:\n%s", m)
}

// generate asks the model. A failure is an answer too, and ends the turn.
func (h host) generate(ctx context.Context, req question.Request) turn.Input {
	reply, err := llm.Collect(h.model.Generate(ctx, req.LLM()))
	if err != nil {
		why := turn.FailureOf(err)
		return turn.GenerateFailed{Reason: why.Code, Retry: why.Retry, RetryAfter: why.RetryAfter}
	}
	return turn.ReplyOf(reply)
}

// commit writes a record. A lost race against a different writer is an answer. Any other failure
// stops the loop: the journal is safe, so the same commit can be retried later.
func (h host) commit(ctx context.Context, id string, rec turn.Record) (turn.Input, error) {
	entry, err := campaign.EntryOf(rec)
	if err != nil {
		return nil, err
	}
	switch err := h.store.Append(ctx, id, entry, nil); {
	case errors.Is(err, campaign.ErrVersionConflict):
		return turn.CommitFailed{Reason: turn.VersionConflict}, nil
	case err != nil:
		return nil, err
	}
	return turn.Committed{}, nil
}

// create begins a campaign and stores its first record.
func (h host) create(ctx context.Context, g *game.Game, s state.Setup) (*turn.Machine, error) {
	c, err := turn.Begin(g, s)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if _, err := h.commit(ctx, c.ID, turn.Record{Version: 1, Kind: turn.RecordCreate, Campaign: data}); err != nil {
		return nil, err
	}
	return turn.NewMachine(g, c), nil
}

func (h host) load(ctx context.Context, g *game.Game, id string) (*turn.Machine, error) {
	saved, err := h.store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := campaign.Restore(saved)
	if err != nil {
		return nil, err
	}
	return turn.NewMachine(g, c), nil
}
