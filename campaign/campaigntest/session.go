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

// startTime is the start time of every game in this package.
var startTime = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// defaultCampaignID is the ID of a campaign whose setup has no ID.
const defaultCampaignID = "test"

// session is a game in progress: an engine with scripted answers for everything outside it.
type session struct {
	game    *game.Game
	engine  *campaign.Engine
	store   *campaign.MemoryStore
	outside *outside  // the model and the other services
	chance  *chance   // the random numbers
	now     time.Time // the clock of the engine
	id      string    // of the campaign
	last    snapshot  // the results of the last step
	// restarts makes each step run on a new engine, as after a restart of the process.
	restarts bool
	// loreSinkFails means that the deliveries of hooks to world books fail.
	loreSinkFails bool
}

// compiled is content for many games, one after the other. They share the source of random numbers,
// because content has only one.
type compiled struct {
	game   *game.Game
	chance *chance
}

// compile checks content. A part that a real game would leave out because of a mistake is an error
// here: authors want to see it.
func compile(content game.Content) (compiled, error) {
	plain, _ := game.Compile(game.Content{Extensions: game.Extensions{Random: content.Extensions.Random}})
	c := compiled{chance: &chance{base: plain.Random}}
	content.Extensions.Random = c.chance.draw
	g, problems := game.Compile(content)
	if wrong := problems.AtLeast(talewright.Error); len(wrong) > 0 {
		return c, wrong
	}
	c.game = g
	return c, nil
}

// newSession begins a game. An earlier game of the same content can no longer be played.
func (c compiled) newSession(setup state.Setup, neverRunsOut bool) (*session, error) {
	c.chance.reset()
	p := &session{
		game: c.game, chance: c.chance, store: &campaign.MemoryStore{}, outside: &outside{neverRunsOut: neverRunsOut}, now: startTime,
		id: cmp.Or(setup.ID, defaultCampaignID),
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
	p.last, err = p.present(context.Background())
	return p, err
}

func (p *session) newEngine() (*campaign.Engine, error) {
	return campaign.New(campaign.Config{
		Game: p.game, Store: p.store, Model: p.outside, Services: campaign.Services{
			Route: p.outside.route, Judge: p.outside.judge,
			Summarize: p.outside.summarize, Sinks: p.outside.sinks(p.loreSinkFails),
		}, Repeats: -1, Now: func() time.Time { return p.now },
	})
}

// present returns a snapshot of the present campaign, in which nothing has happened.
func (p *session) present(ctx context.Context) (snapshot, error) {
	c, err := p.engine.Campaign(ctx, p.id)
	return snapshot{game: p.game, before: c, after: c}, err
}

// playStep runs a step. An error means a mistake in the step or a failure of the store.
func (p *session) playStep(ctx context.Context, s ScenarioStep) (snapshot, error) {
	_, loreSinkFails := s.Sinks["worldbook"]
	if p.restarts || loreSinkFails != p.loreSinkFails {
		p.loreSinkFails = loreSinkFails
		var err error
		if p.engine, err = p.newEngine(); err != nil {
			return snapshot{}, err
		}
	}
	m, err := p.present(ctx)
	if err != nil {
		return snapshot{}, err
	}
	in, err := instruction(s, m.before)
	if err != nil {
		return snapshot{}, err
	}
	m.step, m.input = s, in
	p.outside.begin(withoutOverrideCalls(s))
	if !s.Clock.IsZero() {
		p.now = s.Clock
	}
	switch {
	case s.Do == "hear":
		err = m.activate(ctx, turn.Submit{Text: s.Args[0], ActorID: s.As, At: p.now})
	case in != nil:
		if s.Do == "approve" && len(s.Draws) > 0 {
			return m, errors.New("dice belong to the step that begins a turn; this step continues it")
		}
		err = p.runInstruction(ctx, &m, nextDraw(s, m.before))
	}
	p.last = m
	return m, err
}

// withoutOverrideCalls returns the step with only the replies of the model. The reply of an override
// has the calls that the person wants instead.
func withoutOverrideCalls(s ScenarioStep) ScenarioStep {
	if s.Do == "decide" && len(s.Args) > 0 && s.Args[0] == string(state.DecideOverride) {
		s.Replies = nil
	}
	return s
}

// runInstruction runs the instruction of m on the engine and collects the results in m. The draws of
// the step begin at the position from.
func (p *session) runInstruction(ctx context.Context, m *snapshot, from uint64) error {
	end := from + uint64(len(m.step.Draws))
	p.chance.setDraws(from, m.step.Draws)
	outcome, err := p.engine.Do(ctx, p.id, m.input)
	if refused, is := errors.AsType[*state.Refusal](err); is {
		m.failure = refused
		outcome, err = turn.Outcome{Status: turn.Refused, Reason: string(refused.Code), Detail: refused.Detail}, nil
	}
	if err != nil {
		return err
	}
	if m.failure == nil {
		m.failure = outcome.Err()
	}
	if m.after, err = p.engine.Campaign(ctx, p.id); err != nil {
		return err
	}
	m.outcome = &outcome
	m.collect(p.outside)
	next := max(from, m.after.State.Random) // the first draw that was not used
	p.chance.removeUnused(next, end)
	if outcome.Status == turn.Completed && next < end {
		m.faults = append(m.faults, fmt.Sprintf("%d of %d draws were not used", end-next, len(m.step.Draws)))
	}
	m.record, err = p.record(ctx, m.before.Version)
	return err
}

// nextDraw returns the position of the next draw. A second answer to a line draws after all draws
// that earlier answers to the line used.
func nextDraw(s ScenarioStep, c state.Campaign) uint64 {
	from := c.State.Random
	head, _ := c.Turn(c.State.HeadTurnID)
	if line, ok := c.BeforeHead(head); ok && (s.Do == "swipe" || s.Do == "regenerate") {
		from = max(from, line.Random)
	}
	return from
}

// record returns the first record of a step in the log, nil if the step left none.
func (p *session) record(ctx context.Context, after int64) (*turn.Record, error) {
	for entry, err := range p.store.Records(ctx, p.id, after) {
		if err != nil {
			return nil, err
		}
		rec, err := entry.Record()
		return &rec, err
	}
	return nil, nil
}

// replay replays the log and compares the result. It does nothing if the draws are contradictory, see
// chance.isContradictory.
func (p *session) replay(ctx context.Context) error {
	if p.chance.isContradictory {
		return nil
	}
	_, err := p.engine.Rebuild(ctx, p.id)
	return err
}
