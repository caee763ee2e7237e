package temporal

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// Worker configures a worker that runs campaigns.
type Worker struct {
	// Engine has the game, the store and the model. It is required.
	Engine *campaign.Engine
	// Hear receives attempts and their provisional text, for hosts that show it. It is called on
	// the worker that asks the model. nil means no calls. If the worker of an attempt dies, the
	// attempt starts again.
	Hear func(campaignID string, p campaign.Progress)
}

// The names of the registered workflows and activities.
const (
	playName     = "talewright.Play"
	expireName   = "talewright.Expire"
	stepName     = "talewright.Step"
	handOverName = "talewright.HandOver"
	waitsName    = "talewright.Waits"
)

// Register registers the workflows and activities of campaigns with a worker. The error names a
// missing part of w.
func Register(r worker.Registry, w Worker) error {
	if w.Engine == nil {
		return errors.New("temporal: Worker.Engine is missing")
	}
	r.RegisterWorkflowWithOptions(play, workflow.RegisterOptions{Name: playName})
	r.RegisterWorkflowWithOptions(expire, workflow.RegisterOptions{Name: expireName})
	r.RegisterActivityWithOptions(w.step, activity.RegisterOptions{Name: stepName})
	r.RegisterActivityWithOptions(w.handOver, activity.RegisterOptions{Name: handOverName})
	r.RegisterActivityWithOptions(w.waits, activity.RegisterOptions{Name: waitsName})
	return nil
}

// step runs one step of an instruction.
func (w Worker) step(ctx context.Context, at position) (taken, error) {
	defer beat(ctx)()
	step, err := w.Engine.Step(ctx, at.Campaign, at.Journal, func(p campaign.Progress) {
		if w.Hear != nil {
			w.Hear(at.Campaign, p)
		}
	})
	if refusal, is := errors.AsType[*state.Refusal](err); is && refusal.Code != state.CampaignBusy {
		return taken{Ended: &ended{Refused: &refused{refusal.Code, refusal.Detail}}}, nil
	}
	if err != nil {
		return taken{}, forTemporal(err, activity.GetInfo(ctx).Attempt)
	}
	out := taken{JournalStep: step}
	if step.Outcome != nil {
		out.Ended = endOf(*step.Outcome)
	}
	return out, nil
}

// handOver does the work that follows an instruction.
func (w Worker) handOver(ctx context.Context, in handing) (handed, error) {
	defer beat(ctx)()
	var out handed
	over := false
	for p, err := range w.Engine.Handover(ctx, in.Campaign, in.After) {
		if err != nil {
			return handed{}, forTemporal(err, activity.GetInfo(ctx).Attempt)
		}
		switch p := p.(type) {
		case campaign.HostEffect:
			if !over { // later effects belong to other instructions
				out.Host = append(out.Host, causedBy(effect.Attributed{Source: p.By, Effect: p.Effect}))
			}
		case campaign.Finished:
			if !over {
				out.Version = p.Outcome.Version
			}
			over = true
		}
	}
	return out, nil
}

// waits reports whether a question waits for people.
func (w Worker) waits(ctx context.Context, in waiting) (bool, error) {
	q, err := w.Engine.Pending(ctx, in.Campaign)
	return q != nil && q.ID == in.Question, forTemporal(err, activity.GetInfo(ctx).Attempt)
}

// beat sends heartbeats until the returned function is called.
func beat(ctx context.Context) (end func()) {
	every := activity.GetInfo(ctx).HeartbeatTimeout / 3
	if every <= 0 {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
