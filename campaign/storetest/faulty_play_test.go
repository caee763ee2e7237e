package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// narrator is a model that narrates, and hurts and heals in turn.
type narrator struct{ calls int }

func (n *narrator) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	n.calls++
	reply := llmtest.Reply{Text: fmt.Sprintf("Dust falls, for the %dth time.", n.calls), Piece: 9}
	if n.calls%3 > 0 {
		reply = reply.AndCall("hp_delta", "target_character_id", "ren", "delta", 3-2*(n.calls%3), "cause", "the dust")
		reply.Calls[0].ID = fmt.Sprint("call_", n.calls)
	}
	return llmtest.NewScripted(reply).Generate(ctx, req)
}

func cave() state.Setup {
	return state.Setup{
		ID: "cave", Map: state.Map{Areas: []state.MapArea{{ID: "hall", Name: "Hall"}}},
		Characters: []state.Character{{ID: "ren", Name: "Ren", AreaID: "hall", HP: state.HP{Current: 40, Max: 60}}},
	}
}

// table is a campaign with faults, played by two processes. Its host repeats every call until it
// gets an answer.
type table struct {
	ctx    context.Context
	plan   *storetest.FaultPlan
	sound  *campaign.MemoryStore
	stores [2]*storetest.FaultyCluster
	model  *storetest.FaultyModel
	game   *game.Game
	played []state.Turn // acknowledged turns
}

// sleep waits; in a bubble of testing/synctest that takes no real time.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// engine returns the engine of a new process.
func (p *table) engine(store campaign.Store) (*campaign.Engine, error) {
	return campaign.New(campaign.Config{Game: p.game, Store: store, Model: p.model, SnapshotEvery: 5})
}

// insist repeats a call until it returns something other than a fault.
func (p *table) insist(what string, do func() error) error {
	var last error
	for range 300 {
		err := do()
		if err == nil {
			return nil
		}
		last = err
		if f, failed := errors.AsType[*turn.Failure](err); failed && f.Kind != turn.FailureState {
			err = campaign.ErrUnavailable // nothing of the turn was stored, for any cause
		}
		if r, refused := errors.AsType[*state.Refusal](err); refused && r.Code == state.CampaignBusy {
			err = campaign.ErrUnavailable // the first process does not know yet that its release succeeded
		}
		if !errors.Is(err, campaign.ErrUnavailable) && !errors.Is(err, campaign.ErrLeaseLost) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if err := sleep(p.ctx, time.Second); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: it never comes through: %w", what, last)
}

// say plays a line.
func (p *table) say(e *campaign.Engine, n int) error {
	line := turn.Submit{Text: fmt.Sprint("line ", n), ClientTurnID: fmt.Sprint("c", n)}
	return p.insist(line.Text, func() error {
		o, err := e.Turn(p.ctx, "cave", line)
		if err == nil && o.Status == turn.Conflict {
			_, err = e.Do(p.ctx, "cave", turn.ResolveConflict{Decision: state.DecideDiscard})
			return saidAgain(err)
		}
		if err = errors.Join(err, o.Err()); err == nil {
			p.played = append(p.played, *o.Turn)
		}
		return err
	})
}

// saidAgain returns the error of a decision after which the line is submitted again.
func saidAgain(err error) error {
	if r, refused := errors.AsType[*state.Refusal](err); refused && r.Code == state.NoPendingConflict {
		err = nil // the answer of the first decision was lost
	}
	if err == nil {
		return campaign.ErrUnavailable
	}
	return err
}

// play plays the given number of turns. Every few turns the other process continues, or a new one.
func (p *table) play(turns int) error {
	for i := range p.stores {
		p.stores[i] = &storetest.FaultyCluster{Cluster: p.sound, Plan: p.plan.Store}
	}
	var engines [2]*campaign.Engine
	for n := range turns {
		at := n / 4 % 2
		if n%10 == 0 || engines[at] == nil {
			var err error
			if engines[at], err = p.engine(p.stores[at]); err != nil {
				return err
			}
		}
		if n == 0 {
			err := p.insist("create", func() error {
				_, err := engines[at].Create(p.ctx, cave())
				if errors.Is(err, campaign.ErrExists) {
					return nil // the answer of the first call was lost
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := p.say(engines[at], n); err != nil {
			return err
		}
		if n%7 == 6 { // read while turns are played
			if err := p.insist("history", func() error { return p.reads(engines[at], n) }); err != nil {
				return err
			}
		}
	}
	return p.check(turns)
}

// reads reads the newest turns.
func (p *table) reads(e *campaign.Engine, n int) error {
	for told, err := range e.History(p.ctx, "cave", state.HistoryPage{Limit: 3}) {
		if err != nil {
			return err
		}
		if want := fmt.Sprint("line ", n); told.UserInput != want {
			return fmt.Errorf("turn %q has %q, want %q", told.ID, told.UserInput, want)
		}
		n--
	}
	return nil
}

// check checks the stored data. Every acknowledged turn is there once, in one line. The replayed
// log, and the snapshot with the entries after it, give the same campaign. A repeated old line
// returns its turn.
func (p *table) check(turns int) error {
	e, err := p.engine(p.sound)
	if err != nil {
		return err
	}
	c, err := e.Campaign(p.ctx, "cave")
	if err != nil {
		return err
	}
	again, err := e.Rebuild(p.ctx, "cave")
	if err != nil {
		return fmt.Errorf("the log is not played again: %w", err)
	}
	if err := turn.Same(again, c); err != nil {
		return fmt.Errorf("played again, the log is another campaign: %w", err)
	}
	var told []state.HistoryTurn
	for one, err := range e.History(p.ctx, "cave", state.HistoryPage{}) {
		if err != nil {
			return err
		}
		told = append(told, one)
	}
	slices.Reverse(told)
	if len(told) != turns || len(p.played) != turns {
		return fmt.Errorf("%d turns were said, %d acknowledged, and %d are there", turns, len(p.played), len(told))
	}
	parent := told[0].ParentID
	for n, one := range told {
		was := p.played[n]
		if one.ID != was.ID || one.UserInput != fmt.Sprint("line ", n) || one.Text != was.Text || was.ParentID != parent {
			return fmt.Errorf("turn %d is %q after %q: %q %q, and was acknowledged as %q: %q", n, one.ID, parent, one.UserInput,
				one.Text, was.ID, was.Text)
		}
		parent = one.ID
	}
	for n := 0; n < turns; n += 9 {
		o, err := e.Turn(p.ctx, "cave", turn.Submit{Text: fmt.Sprint("line ", n), ClientTurnID: fmt.Sprint("c", n)})
		if err != nil || !o.Replayed || o.Turn == nil || o.Turn.ID != p.played[n].ID {
			return fmt.Errorf("line %d said again: %+v, %w", n, o.Status, err)
		}
	}
	return nil
}

// plans returns the number of random plans: the number in TALEWRIGHT_FAULTS, else 8.
func plans(t *testing.T) int {
	text := os.Getenv("TALEWRIGHT_FAULTS")
	if text == "" {
		return 8
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("TALEWRIGHT_FAULTS=%s is no number of plans", text)
	}
	return n
}

// TestTurnsUnderRandomFaults plays with random faults of the store and the model. The host repeats
// a line with the same ID until it gets an answer. Each line must be played once. No acknowledged
// turn may be missing or doubled. The history must be one line. The log must replay to the same
// bytes. TALEWRIGHT_FAULTS=500 sets the number of plans (ST-02, ST-14).
func TestTurnsUnderRandomFaults(t *testing.T) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	faults := 0
	kinds := map[storetest.FaultKind]int{}
	storetest.ExploreFaults(t, storetest.FaultTrials{Seeds: plans(t), Rate: 0.25, Sleep: sleep}, func(plan *storetest.FaultPlan) (err error) {
		synctest.Test(t, func(t *testing.T) {
			p := &table{ctx: t.Context(), plan: plan, sound: &campaign.MemoryStore{}, game: g,
				model: &storetest.FaultyModel{Model: &narrator{}, Plan: plan.Model}}
			err = p.play(50)
		})
		for _, one := range plan.Happened() {
			faults++
			kinds[one.Kind]++
		}
		return err
	})
	t.Logf("%d faults: %v", faults, kinds)
	if faults < 1000 || len(kinds) < 10 {
		t.Errorf("only %d faults of %d kinds", faults, len(kinds))
	}
}
