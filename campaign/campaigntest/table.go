package campaigntest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// began is the time at which every game of the kit begins.
var began = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// unnamed is a campaign whose setup has no id.
const unnamed = "test"

// party is a game that is being played: an engine with nothing but a script around it.
type party struct {
	game    *game.Game
	engine  *campaign.Engine
	store   *campaign.MemoryStore
	outside *outside
	chance  *chance
	now     time.Time
	id      string
	last    moment
	// restarts lets another engine play each step, as if the process had ended before.
	restarts bool
}

// compiled is content that may be played many times, one game after the other: they share the
// source of chance, which is what content has only once.
type compiled struct {
	game   *game.Game
	chance *chance
}

// compile checks content. What is left out of a game because it is wrong is an error here: an
// author wants to know.
func compile(content game.Content) (compiled, error) {
	plain, _ := game.Compile(game.Content{Random: content.Random})
	c := compiled{chance: &chance{base: plain.Random}}
	content.Random = c.chance.draw
	g, problems := game.Compile(content)
	if wrong := problems.AtLeast(talewright.Error); len(wrong) > 0 {
		return c, wrong
	}
	c.game = g
	return c, nil
}

// party begins a game. The one before is over.
func (c compiled) party(setup state.Setup, quiet bool) (*party, error) {
	c.chance.reset()
	p := &party{
		game: c.game, chance: c.chance, store: &campaign.MemoryStore{}, outside: &outside{quiet: quiet}, now: began,
		id: cmp.Or(setup.ID, unnamed),
	}
	setup.ID = p.id
	var err error
	p.engine, err = p.newEngine()
	if err != nil {
		return nil, err
	}
	if _, err = p.engine.Create(context.Background(), setup); err != nil {
		return nil, err
	}
	p.last, err = p.look(context.Background())
	return p, err
}

func (p *party) newEngine() (*campaign.Engine, error) {
	return campaign.New(campaign.Config{
		Game: p.game, Store: p.store, Model: p.outside, Route: p.outside.route, Judge: p.outside.judge,
		Summarize: p.outside.summarize, Sinks: p.outside.sinks(), Repeats: -1, Now: func() time.Time { return p.now },
	})
}

// look is a moment in which nothing happens.
func (p *party) look(ctx context.Context) (moment, error) {
	c, err := p.engine.Campaign(ctx, p.id)
	return moment{game: p.game, before: c, after: c}, err
}

// play carries a step out. An error is a mistake of the step, or a fault of the store.
func (p *party) play(ctx context.Context, s ScenarioStep) (moment, error) {
	if p.restarts {
		var err error
		if p.engine, err = p.newEngine(); err != nil {
			return moment{}, err
		}
	}
	m, err := p.look(ctx)
	if err != nil {
		return moment{}, err
	}
	in, err := instruction(s, m.before)
	if err != nil {
		return moment{}, err
	}
	m.step, m.input = s, in
	p.outside.begin(answers(s))
	if !s.Clock.IsZero() {
		p.now = s.Clock
	}
	switch {
	case s.Do == "hear":
		err = m.hear(ctx, turn.Submit{Text: s.Args[0], ActorID: s.As, At: p.now})
	case in != nil:
		if s.Do == "approve" && len(s.Draws) > 0 {
			return m, errors.New("dice belong to the step that begins a turn, and this one goes on with it")
		}
		err = p.carryOut(ctx, &m, cursor(s, m.before))
	}
	p.last = m
	return m, err
}

// answers is what the outside has to say in a step. The calls of an override are no reply.
func answers(s ScenarioStep) ScenarioStep {
	if s.Do == "decide" && len(s.Args) > 0 && s.Args[0] == string(state.DecideOverride) {
		s.Replies = nil
	}
	return s
}

// carryOut lets the engine play, and gathers what came of it.
func (p *party) carryOut(ctx context.Context, m *moment, from uint64) error {
	p.chance.say(from, m.step.Draws)
	outcome, err := p.engine.Do(ctx, p.id, m.input)
	if refused, is := errors.AsType[*state.Refusal](err); is {
		m.why = refused
		outcome, err = turn.Outcome{Status: turn.Refused, Reason: string(refused.Code), Detail: refused.Detail}, nil
	}
	if err != nil {
		return err
	}
	if m.why == nil {
		m.why = outcome.Err()
	}
	if m.after, err = p.engine.Campaign(ctx, p.id); err != nil {
		return err
	}
	m.outcome = &outcome
	m.take(p.outside)
	used := m.after.State.Random
	p.chance.forget(max(from, used), from+uint64(len(m.step.Draws)))
	if said := from + uint64(len(m.step.Draws)); outcome.Status == turn.Completed && len(m.step.Draws) > 0 && used < said {
		m.faults = append(m.faults, fmt.Sprintf("%d of %d draws were not used", said-max(from, used), len(m.step.Draws)))
	}
	m.record, err = p.record(ctx, m.before.Version)
	return err
}

// cursor is the place of the next draw. Another answer to a line draws behind all that were
// drawn for it.
func cursor(s ScenarioStep, c state.Campaign) uint64 {
	from := c.State.Random
	head, _ := c.Turn(c.State.HeadTurnID)
	if line, ok := c.BeforeHead(head); ok && (s.Do == "swipe" || s.Do == "regenerate") {
		from = max(from, line.Random)
	}
	return from
}

// record is the first of a step in the log, nil if the step left none.
func (p *party) record(ctx context.Context, after int64) (*turn.Record, error) {
	for entry, err := range p.store.Records(ctx, p.id, after) {
		if err != nil {
			return nil, err
		}
		rec, err := entry.Record()
		return &rec, err
	}
	return nil, nil
}

// replay plays the log again. What was drawn otherwise a second time, behind a rollback, no
// replay can know.
func (p *party) replay(ctx context.Context) error {
	if p.chance.again {
		return nil
	}
	_, err := p.engine.Rebuild(ctx, p.id)
	return err
}
