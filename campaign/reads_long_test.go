package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// unreadable is a store and a codec. One of the reads that it counts fails.
type unreadable struct {
	*campaign.MemoryStore
	mode  string // store: a read fails; bytes: half of an entry is lost
	left  int    // the number of reads up to that one; 0: no read fails
	fired bool
}

func (s *unreadable) fails(mode string) bool {
	if mode != s.mode || s.left == 0 {
		return false
	}
	s.left--
	s.fired = s.fired || s.left == 0
	return s.left == 0
}

func (s *unreadable) Load(ctx context.Context, id string) (campaign.Saved, error) {
	if s.fails("store") {
		return campaign.Saved{}, errTorn
	}
	return s.MemoryStore.Load(ctx, id)
}

func (s *unreadable) Find(ctx context.Context, id, key string) (int64, error) {
	if s.fails("store") {
		return 0, errTorn
	}
	return s.MemoryStore.Find(ctx, id, key)
}

func (s *unreadable) List(ctx context.Context, page campaign.Page) ([]campaign.Info, error) {
	if s.fails("store") {
		return nil, errTorn
	}
	return s.MemoryStore.List(ctx, page)
}

func (s *unreadable) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for entry, err := range s.MemoryStore.Records(ctx, id, after) {
			if s.fails("store") {
				yield(campaign.Entry{}, errTorn)
				return
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

func (*unreadable) Seal(_ campaign.Place, plain []byte) ([]byte, error) { return plain, nil }

func (s *unreadable) Open(_ campaign.Place, sealed []byte) ([]byte, error) {
	if s.fails("bytes") {
		return sealed[:len(sealed)/2], nil
	}
	return sealed, nil
}

// longStore is a store with a campaign that has archive pages of every kind, and with a fork of it.
func longStore(t *testing.T) (*unreadable, campaign.Config) {
	t.Helper()
	s := &unreadable{MemoryStore: &campaign.MemoryStore{}}
	for _, entry := range entries(t, rolledBack(t, 300, func(*chronicle) {}).log...) {
		if err := s.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	cfg := campaign.Config{Store: s, Codec: s, Model: replying("You lose 4 HP."), Game: compile(t, game.Content{}), SnapshotEvery: 2}
	e := fresh(t, cfg)
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{setting.ConflictMode: tree.Text("strict"), setting.MaxRetries: tree.Int(0)}})
	for n := range 20 {
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I fall.", ClientTurnID: fmt.Sprint("fall", n)}), "conflict")
	}
	cfg.Model = replying("Dust falls.")
	turnOf(t, fresh(t, cfg), turn.Submit{Text: "I wait.", ClientTurnID: "last"})
	head := campaignOf(t, fresh(t, cfg))
	if a := head.Attic; a.Jumps == 0 || a.Branches == 0 || len(head.Branches) == a.Branches {
		t.Fatalf("the archive has %d jumps and %d branches", a.Jumps, a.Branches)
	}
	if _, err := fresh(t, cfg).Fork(t.Context(), "cave", head.State.HeadTurnID, "fork"); err != nil {
		t.Fatal(err)
	}
	return s, cfg
}

// TestEveryReadOfALongLogFails: when a read of the log fails in the middle of a call, the call returns the error.
// When a record is damaged, the call returns an error, or the same result as before the damage.
func TestEveryReadOfALongLogFails(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	s, cfg := longStore(t)
	e := fresh(t, cfg)
	all := listBranches(t, e, state.HistoryBranches{})
	oldest, head := all[len(all)-1], all[0].HeadTurnID
	var exported bytes.Buffer
	if err := e.Export(t.Context(), "fork", &exported); err != nil {
		t.Fatal(err)
	}
	text := func(v any, err error) (string, error) { return jsonOf(t, v), err }
	outcome := func(e *campaign.Engine, id string, in turn.Input) (string, error) {
		o, err := e.Do(t.Context(), id, in)
		if err == nil {
			err = o.Err()
		}
		if f, failed := errors.AsType[*turn.Failure](err); failed && f.Err != nil {
			err = f.Err
		}
		return string(o.Status), err
	}
	ctx := t.Context()
	for _, op := range []struct {
		name  string
		modes string
		do    func(e *campaign.Engine) (string, error)
	}{
		{"old branch", "store bytes", func(e *campaign.Engine) (string, error) {
			return text(listOf(e.History(ctx, "cave", state.HistoryPage{Branch: oldest.ID, Viewer: "ren", Limit: 40})))
		}},
		{"old turns", "store bytes", func(e *campaign.Engine) (string, error) {
			return text(listOf(e.History(ctx, "cave", state.HistoryPage{Before: "turn_0060", Limit: 40})))
		}},
		{"turns of a fork", "store bytes", func(e *campaign.Engine) (string, error) {
			return text(listOf(e.History(ctx, "fork", state.HistoryPage{Limit: 60})))
		}},
		{"branches", "store bytes", func(e *campaign.Engine) (string, error) {
			return text(listOf(e.Branches(ctx, "cave", state.HistoryBranches{})))
		}},
		{"compare", "store", func(e *campaign.Engine) (string, error) {
			return text(e.Compare(ctx, "cave", state.HistorySpan{A: oldest.HeadTurnID, B: head, Viewer: "ren"}))
		}},
		{"report", "store bytes", func(e *campaign.Engine) (string, error) {
			r, err := e.Report(ctx, "cave", "turn_0040")
			return r.String(), err
		}},
		{"forks", "store bytes", func(e *campaign.Engine) (string, error) { return text(listOf(e.Forks(ctx, campaign.Page{}))) }},
		{"export", "store bytes", func(e *campaign.Engine) (string, error) {
			var out bytes.Buffer
			err := e.Export(ctx, "fork", &out)
			return out.String(), err
		}},
		{"import", "store", func(e *campaign.Engine) (string, error) {
			c, err := e.Import(ctx, bytes.NewReader(exported.Bytes()))
			return fmt.Sprint(c.Version), err
		}},
		{"check", "store bytes", func(e *campaign.Engine) (string, error) { return "", e.Check(ctx, "fork") }},
		{"rebuild", "store bytes", func(e *campaign.Engine) (string, error) { return text(e.Rebuild(ctx, "fork")) }},
		{"handover", "store bytes", func(e *campaign.Engine) (string, error) { return text(listOf(e.Handover(ctx, "fork", 1))) }},
		{"old conflict", "store bytes", func(e *campaign.Engine) (string, error) {
			_, err := outcome(fresh(t, cfg), "cave", turn.Submit{Text: "I fall.", ClientTurnID: "fall2"})
			if errors.Is(err, turn.ErrConflict) {
				return "conflict", nil
			}
			return "", err
		}},
		{"old submission", "store bytes", func(e *campaign.Engine) (string, error) {
			return outcome(fresh(t, cfg), "fork", turn.Submit{Text: "I wait.", ClientTurnID: "last"})
		}},
		{"old turn edited", "store", func(e *campaign.Engine) (string, error) {
			return outcome(e, "cave", turn.EditText{TurnID: "turn_0033", Text: "It was still."})
		}},
		{"switch", "store", func(e *campaign.Engine) (string, error) {
			return outcome(e, "cave", turn.SwitchBranch{BranchID: oldest.ID})
		}},
		{"rolled back", "store", func(e *campaign.Engine) (string, error) {
			return outcome(e, "cave", turn.RollBack{To: state.StartTurnID})
		}},
		{"second fork", "store", func(e *campaign.Engine) (string, error) { return text(e.Fork(ctx, "cave", head, "second")) }},
	} {
		for mode := range strings.FieldsSeq(op.modes) {
			s.mode, s.left = mode, 0
			clean := ""
			if op.name != "switch" && op.name != "rolled back" && op.name != "old turn edited" && op.name != "second fork" {
				var err error
				if clean, err = op.do(e); err != nil {
					t.Fatalf("%s: %v", op.name, err)
				}
			}
			for n, failed := 1, 0; ; n += 1 + n {
				s.left, s.fired = n, false
				got, err := op.do(e)
				s.left = 0
				if !s.fired {
					if err != nil {
						t.Errorf("%s, %s: without a fault: %v", op.name, mode, err)
					}
					if failed == 0 {
						t.Errorf("%s, %s: nothing is read", op.name, mode)
					}
					break
				}
				failed++
				if mode == "bytes" && err == nil && got == clean {
					continue
				}
				if err == nil || mode != "bytes" && !strings.Contains(err.Error(), errTorn.Error()) {
					t.Errorf("%s, %s: read %d fails: %.100q, %v", op.name, mode, n, got, err)
				}
			}
		}
	}
}
