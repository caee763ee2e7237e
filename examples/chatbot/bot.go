package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// message is a message of a platform (Discord, Telegram, a web socket). It is delivered at least
// once.
type message struct{ id, channel, user, text string }

// platform sends the bot's answers. It must be safe for concurrent use.
type platform interface {
	Send(channel, text string)
}

// bot plays one campaign for each channel. It is safe for concurrent use, because platforms deliver
// on many goroutines.
type bot struct {
	engine   *campaign.Engine
	platform platform

	mu      sync.Mutex
	running map[string]context.CancelCauseFunc // by channel
}

// errStopped is the cause of a turn that a user stopped.
var errStopped = errors.New("stopped")

func newBot(store campaign.Store, model llm.Model, p platform) (*bot, error) {
	g, problems := campaign.Compile(campaign.Content{
		Rules:      campaign.Rules{Variables: []rules.Variable{coins}},
		Extensions: campaign.Extensions{Tools: []tool.Tool{pay()}},
	})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model})
	if err != nil {
		return nil, err
	}
	return &bot{engine: engine, platform: p, running: map[string]context.CancelCauseFunc{}}, nil
}

// handle answers one message. It returns errors of the store. Deliver the message again then: a
// turn that was already played is not played twice.
func (b *bot) handle(ctx context.Context, m message) error {
	switch m.text {
	case "/stop":
		b.stop(m.channel)
		return nil
	case "/undo":
		return b.undo(ctx, m.channel)
	case "/swipe":
		return b.swipe(ctx, m)
	case "/back":
		return b.back(ctx, m.channel)
	}
	return b.play(ctx, m.channel, campaign.Submit{Text: m.text, ActorID: m.user, UserID: m.user, Channel: m.channel, ClientTurnID: m.id})
}

// play plays a line. If the channel has no campaign, play creates one. Ann and Bob are the players,
// and each may write at any time.
func (b *bot) play(ctx context.Context, channel string, line campaign.Submit) error {
	ctx, done := b.begin(ctx, channel)
	defer done()
	outcome, err := b.engine.Turn(ctx, channel, line)
	if errors.Is(err, campaign.ErrNotFound) {
		_, err = b.engine.Create(ctx, campaign.Setup{
			ID: channel,
			Characters: []campaign.Character{
				{ID: "ann", Name: "Ann", HP: campaign.HP{Current: 10, Max: 10}},
				{ID: "bob", Name: "Bob", HP: campaign.HP{Current: 10, Max: 10}},
			},
			Settings:  campaign.Settings{"turn.order": tree.Text("free")},
			Allowlist: []string{"hp_delta", "pay"},
		})
		if err == nil || errors.Is(err, campaign.ErrExists) { // a different message created it first
			outcome, err = b.engine.Turn(ctx, channel, line)
		}
	}
	if err != nil {
		return err
	}
	b.platform.Send(channel, b.answer(outcome, context.Cause(ctx)))
	return nil
}

// answer returns the text for an outcome.
func (b *bot) answer(o campaign.Outcome, cause error) string {
	err := o.Err()
	if err == nil {
		return o.Turn.Text
	}
	if failure, ok := errors.AsType[*campaign.Failure](err); ok {
		switch {
		case errors.Is(cause, errStopped):
			return "(stopped; nothing has happened)"
		case failure.Retry:
			return "(the storyteller is busy, please try again)"
		}
	}
	if refusal, ok := errors.AsType[*campaign.Refusal](err); ok && refusal.Code == campaign.CampaignBusy {
		return "(one at a time, please)"
	}
	return "(" + err.Error() + ")"
}

// begin records that a channel is busy, so that it can be stopped.
func (b *bot) begin(ctx context.Context, channel string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, busy := b.running[channel]; busy {
		return ctx, func() { cancel(nil) } // the engine will refuse this turn
	}
	b.running[channel] = cancel
	return ctx, func() {
		cancel(nil)
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.running, channel)
	}
}

// stop cancels the running turn of a channel. A turn is all or nothing: either it is committed, or
// nothing of it has happened.
func (b *bot) stop(channel string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel, busy := b.running[channel]; busy {
		cancel(errStopped)
		return
	}
	b.platform.Send(channel, "(there is nothing to stop)")
}

// refused tells the channel why the engine refused a command, and returns any other error.
func (b *bot) refused(channel string, err error) error {
	if _, refused := errors.AsType[*campaign.Refusal](err); refused || errors.Is(err, campaign.ErrNotFound) {
		b.platform.Send(channel, "("+err.Error()+")")
		return nil
	}
	return err
}

// undo reverts the newest turn: state, lore and variables are as they were before it.
func (b *bot) undo(ctx context.Context, channel string) error {
	c, err := b.engine.Campaign(ctx, channel)
	if err == nil {
		_, err = b.engine.Do(ctx, channel, campaign.Undo{})
	}
	if err != nil {
		return b.refused(channel, err)
	}
	newest, _ := c.Turn(c.State.HeadTurnID)
	b.platform.Send(channel, fmt.Sprintf("(taken back: %q)", newest.UserInput))
	return nil
}

// swipe requests a different answer to the newest line. The old answer is kept, see back.
func (b *bot) swipe(ctx context.Context, m message) error {
	ctx, done := b.begin(ctx, m.channel)
	defer done()
	outcome, err := b.engine.Do(ctx, m.channel, campaign.Regenerate{Swipe: true, ClientTurnID: m.id})
	if err != nil {
		return b.refused(m.channel, err)
	}
	b.platform.Send(m.channel, b.answer(outcome, context.Cause(ctx)))
	return nil
}

// back selects the previous answer. The state of that answer comes back, including the purse.
func (b *bot) back(ctx context.Context, channel string) error {
	outcome, err := b.engine.Do(ctx, channel, campaign.PreviousAnswer{})
	if err != nil {
		return b.refused(channel, err)
	}
	b.platform.Send(channel, b.answer(outcome, nil))
	return nil
}
