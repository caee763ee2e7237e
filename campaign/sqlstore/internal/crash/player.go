package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

const (
	envFrom  = "TALEWRIGHT_CRASH_FROM"  // makes the writer a player; the value is the number of its first turn
	envLease = "TALEWRIGHT_CRASH_LEASE" // the lease of its engine, a duration
)

// player is a process that plays the same campaigns as others.
type player struct {
	engine *campaign.Engine
	name   string
	out    io.Writer
}

// played is a report of an acknowledged turn.
type played struct {
	N        int    // counts the turns of the player
	Campaign int    // the campaign of the turn
	Key      string // of the submission
	TurnID   string
}

// play plays turns until the process is killed.
func play(store campaign.Store, name, from string, out io.Writer) error {
	first, err := strconv.Atoi(from)
	if err != nil {
		return err
	}
	lease, err := time.ParseDuration(os.Getenv(envLease))
	if err != nil {
		return err
	}
	engine, err := newEngine(store, lease)
	if err != nil {
		return err
	}
	p := player{engine, name, out}
	for n := first; ; n++ {
		if err := p.turn(n); err != nil {
			return err
		}
	}
}

// turn submits one line until it is played, and reports the turn. Every fifth submission is the
// same for all players.
func (p player) turn(n int) error {
	ack := played{N: n, Campaign: n % campaigns, Key: fmt.Sprintf("%s.%d", p.name, n)}
	if n%5 == 0 {
		ack.Key = fmt.Sprintf("all.%d", n)
	}
	in := turn.Submit{Text: "I look for " + ack.Key + ".", ClientTurnID: ack.Key}
	for {
		o, err := p.engine.Turn(context.Background(), campaignID(ack.Campaign), in)
		if err == nil {
			err = o.Err()
		}
		if err == nil {
			ack.TurnID = o.Turn.ID
			return json.NewEncoder(p.out).Encode(ack)
		}
		if !again(err) {
			return fmt.Errorf("turn %s: %w", ack.Key, err)
		}
	}
}

// again reports whether the same submission may succeed later.
func again(err error) bool {
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		return refusal.Code == state.CampaignBusy
	}
	if failure, ok := errors.AsType[*turn.Failure](err); ok {
		return failure.Retry
	}
	return errors.Is(err, campaign.ErrUnavailable) || errors.Is(err, campaign.ErrLeaseLost)
}

// roll is a model that first throws a die, so that each turn depends on all earlier ones. Then it
// repeats what the player looks for.
func roll(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	last := req.Messages[len(req.Messages)-1]
	if last.Role == llm.User {
		return chunks(llm.CallDelta{ID: "die", Name: "check", Arguments: `{"actor_id":"ann","dc":10}`}, llm.Done{Reason: llm.FinishToolCalls})
	}
	return chunks(llm.TextDelta{Text: "Dust. " + last.Text}, llm.Done{Reason: llm.FinishStop})
}

// chunks returns a reply.
func chunks(reply ...llm.Chunk) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for _, chunk := range reply {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

func newEngine(store campaign.Store, lease time.Duration) (*campaign.Engine, error) {
	return engineOf(store, lease, roll)
}

func engineOf(store campaign.Store, lease time.Duration, model llm.ModelFunc) (*campaign.Engine, error) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return campaign.New(campaign.Config{Game: g, Store: store, Model: model, Sharing: campaign.Sharing{Lease: lease}})
}

// queueing makes a submission wait for the running one.
var queueing = setting.Snapshot{settingkey.TurnConcurrency: tree.Text("queue")}

// begin creates the shared campaigns.
func begin(ctx context.Context, engine *campaign.Engine) error {
	for i := range campaigns {
		_, err := engine.Create(ctx, state.Setup{ID: campaignID(i), Allowlist: []string{"check"},
			Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}},
			Settings:   queueing,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
