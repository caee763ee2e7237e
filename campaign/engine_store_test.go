package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// another returns an additional engine on a store, like a second process.
func another(t testing.TB, store campaign.Store, model ...string) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(campaign.Config{Store: store, Model: scripted(model...),
		Game: compile(t, game.Content{}), Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEnginesByTurns: two processes that play one campaign alternately lose nothing and pay for
// nothing twice. Each sees at once what the other has played: ST-03.
func TestEnginesByTurns(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	even := newEngine(t, campaign.Config{Store: store, Model: scripted("0", "2", "4", "6", "8", "10")})
	odd := another(t, store, "1", "3", "5", "7", "9", "11")
	for i := range 12 {
		player, reader := even, odd
		if i%2 == 1 {
			player, reader = odd, even
		}
		o := turnOf(t, player, turn.Submit{Text: "I wait.", ClientTurnID: fmt.Sprint("c", i)})
		wantOutcome(t, o, fmt.Sprintf("completed turn_%04d", i+1))
		if turns := campaignOf(t, reader).Turns; len(turns) != i+1 || turns[i].Text != fmt.Sprint(i) {
			t.Fatalf("after turn %d the other engine knows %d turns", i+1, len(turns))
		}
	}
	// A submission that the other engine has played is not played again.
	wantOutcome(t, turnOf(t, odd, turn.Submit{Text: "I wait.", ClientTurnID: "c4"}), "completed turn_0005 replayed")
	if jsonOf(t, campaignOf(t, even)) != jsonOf(t, campaignOf(t, odd)) {
		t.Error("the engines know different campaigns")
	}
	for _, e := range []*campaign.Engine{even, odd} {
		if c, err := e.Rebuild(t.Context(), "cave"); err != nil || c.Version != 13 {
			t.Errorf("rebuilt version %d, %v", c.Version, err)
		}
	}
}

// deafStore loses the answer of an Append, before or after the write.
type deafStore struct {
	campaign.MemoryStore
	deaf string // "before", "after" or ""
	next string // the same for the Append after it
	mute bool   // reading fails too
	wins func() // a different writer writes in the meantime
}

var errCut = fmt.Errorf("connection reset: %w", campaign.ErrUnavailable)

func (s *deafStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	deaf, wins := s.deaf, s.wins
	s.deaf, s.next, s.wins = s.next, "", nil
	if wins != nil {
		wins()
	}
	switch deaf {
	case "before":
		return errCut
	case "after":
		if err := s.MemoryStore.Append(ctx, id, entry, snapshot); err != nil {
			return err
		}
		return errCut
	}
	return s.MemoryStore.Append(ctx, id, entry, snapshot)
}

func (s *deafStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	if s.mute {
		return func(yield func(campaign.Entry, error) bool) { yield(campaign.Entry{}, errCut) }
	}
	return s.MemoryStore.Records(ctx, id, after)
}

// TestLostAnswer: a broken connection before or after the write does not fail the turn, unless it
// stays broken. An entry of a different writer is a lost race.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	in := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	for _, c := range []struct {
		name string
		set  func(s *deafStore, other *campaign.Engine)
		want string // the outcome, or the text of the error
		next string // of the same submission again
	}{
		{"after the write", func(s *deafStore, _ *campaign.Engine) { s.deaf = "after" },
			"completed turn_0001", "completed turn_0001 replayed"},
		{"before the write", func(s *deafStore, _ *campaign.Engine) { s.deaf = "before" },
			"completed turn_0001", "completed turn_0001 replayed"},
		{"before the write, and again", func(s *deafStore, _ *campaign.Engine) { s.deaf, s.next = "before", "before" },
			"connection reset", "completed turn_0001"},
		{"before the write, and then after it", func(s *deafStore, _ *campaign.Engine) { s.deaf, s.next = "before", "after" },
			"completed turn_0001", "completed turn_0001 replayed"},
		{"somebody else was faster", func(s *deafStore, other *campaign.Engine) {
			s.deaf = "before"
			s.wins = func() { do(t, other, turn.MakeCheckpoint{Label: "mine"}) }
		}, "failed version_conflict", "completed turn_0001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := &deafStore{}
			e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust.", "Dust.")})
			other := campaign.Config{Store: &store.MemoryStore, Model: scripted(), Game: compile(t, game.Content{}), Sharing: campaign.Sharing{Lease: -1}}
			hasty, err := campaign.New(other) // without the check whether a different process plays
			if err != nil {
				t.Fatal(err)
			}
			c.set(store, hasty)
			o, err := e.Turn(t.Context(), "cave", in)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) || !errors.Is(err, campaign.ErrUnavailable) {
					t.Errorf("got %v, want %s", err, c.want)
				}
			} else {
				wantOutcome(t, o, c.want)
			}
			wantOutcome(t, turnOf(t, e, in), c.next)
			if n := len(recordsOf(t, &store.MemoryStore, "cave", 0)); n > 3 {
				t.Errorf("%d records", n)
			}
		})
	}
}

// TestLostAnswerAndNobodyToAsk: if the store cannot be queried either, the turn fails with an error
// that says a retry helps, and the retry finds the turn.
func TestLostAnswerAndNobodyToAsk(t *testing.T) {
	t.Parallel()
	store := &deafStore{}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust.")})
	turn := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	store.deaf = "after"
	store.wins = func() { store.mute = true }
	if _, err := e.Turn(t.Context(), "cave", turn); !errors.Is(err, campaign.ErrUnavailable) {
		t.Fatalf("got %v, want ErrUnavailable", err)
	}
	store.mute = false
	wantOutcome(t, turnOf(t, e, turn), "completed turn_0001 replayed")
}

// TestCreateAgainAfterALostAnswer: a second creation at the same time is not taken for a new
// campaign. A creation whose answer was lost succeeds.
func TestCreateAgainAfterALostAnswer(t *testing.T) {
	t.Parallel()
	store := &deafStore{deaf: "after"}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted()})
	for _, other := range []*campaign.Engine{e, another(t, store)} {
		if _, err := other.Create(t.Context(), cave(t)); !errors.Is(err, campaign.ErrExists) {
			t.Errorf("got %v, want ErrExists", err)
		}
	}
}

// TestDeletedWhileLoaded: a campaign that a different process has deleted can no longer be played,
// read or created.
func TestDeletedWhileLoaded(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust.", "Dust.")})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if err := store.Delete(t.Context(), "cave"); err != nil {
		t.Fatal(err)
	}
	_, played := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."})
	_, read := e.Campaign(t.Context(), "cave")
	_, created := e.Create(t.Context(), cave(t))
	for what, err := range map[string]error{"played": played, "read": read, "created": created} {
		if !errors.Is(err, campaign.ErrDeleted) {
			t.Errorf("%s: %v, want ErrDeleted", what, err)
		}
	}
}

// rot is a codec that reverses bytes and binds them to their place.
type rot struct{}

func (rot) Seal(at campaign.Place, plain []byte) ([]byte, error) {
	out := []byte(at.String() + "\n")
	for _, b := range plain {
		out = append(out, b^0x5a)
	}
	return out, nil
}

func (rot) Open(at campaign.Place, sealed []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(sealed, []byte(at.String()+"\n"))
	if !ok {
		return nil, errors.New("it belongs elsewhere")
	}
	out := make([]byte, len(rest))
	for i, b := range rest {
		out[i] = b ^ 0x5a
	}
	return out, nil
}

// TestCodec: with a codec the store contains no word of the campaign, and everything works as
// without it. Bytes that were moved to a different place are refused.
func TestCodec(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	config := func(texts ...string) campaign.Config {
		return campaign.Config{Store: store, Codec: rot{}, SnapshotEvery: 2, Model: scripted(texts...),
			Game: compile(t, game.Content{})}
	}
	e := newEngine(t, config("Dust.", "Moss.", "Fog."))
	for _, text := range []string{"One", "Two"} {
		turnOf(t, e, turn.Submit{Text: text})
	}
	second, err := campaign.New(config("Rain."))
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, turnOf(t, second, turn.Submit{Text: "Three"}), "completed turn_0003")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Four"}), "completed turn_0004")
	if _, err := second.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
	saved, err := store.Load(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	if saved.SnapshotVersion != 4 || bytes.Contains(saved.Snapshot, []byte("Dust")) {
		t.Errorf("a snapshot of version %d: %q", saved.SnapshotVersion, saved.Snapshot)
	}
	for entry, err := range store.Records(t.Context(), "cave", 0) {
		if err != nil || bytes.Contains(entry.Data, []byte("cave_")) || bytes.Contains(entry.Data, []byte(`"turn`)) {
			t.Errorf("%v: the store reads %q", err, entry.Data)
		}
		entry.Version = 1
		if err := store.Append(t.Context(), "moved"+fmt.Sprint(len(entry.Data)), entry, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Campaign(t.Context(), "moved"+fmt.Sprint(len(entry.Data))); err == nil ||
			!strings.Contains(err.Error(), "it belongs elsewhere") {
			t.Errorf("a record in another place: %v", err)
		}
	}
}

// TestEntryRefusesWhatItIsNot: an entry in the wrong place, of a newer library or with broken bytes
// is an error with the reason.
func TestEntryRefusesWhatItIsNot(t *testing.T) {
	t.Parallel()
	good := entries(t, uncut(t).records[1])[0]
	if back, err := good.Record(); err != nil || len(back.Extra) != 0 {
		t.Fatalf("%v, unknown members %v", err, back.Extra)
	}
	change := func(edit func(*campaign.Entry)) campaign.Entry {
		e := good
		edit(&e)
		return e
	}
	for _, c := range []struct {
		reason string
		entry  campaign.Entry
		want   string
	}{
		{"it was moved", change(func(e *campaign.Entry) { e.Version++ }), "it has record 2"},
		{"its kind was changed", change(func(e *campaign.Entry) { e.Kind = "create" }), "it has record 2"},
		{"it was cut", change(func(e *campaign.Entry) { e.Data = e.Data[:len(e.Data)/2] }), "checksum"},
		{"it is empty", change(func(e *campaign.Entry) { e.Data = nil }), "checksum"},
		{"it has no layout", change(func(e *campaign.Entry) { e.Data = summed([]byte(`{"version":2}`)) }), "layout 0"},
	} {
		if _, err := c.entry.Record(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	newer := change(func(e *campaign.Entry) { e.Data = summed([]byte(`{"layout":99,"version":2}`)) })
	if _, err := newer.Record(); !errors.Is(err, turn.ErrNewerLayout) {
		t.Errorf("a newer layout: %v", err)
	}
}

// TestRoundTripOfEntries: a record is restored exactly from its stored form, including unknown
// members. A record whose members conflict with the layout is refused.
func TestRoundTripOfEntries(t *testing.T) {
	t.Parallel()
	for _, rec := range uncut(t).records {
		rec.Extra = map[string]json.RawMessage{"note": []byte(`"later"`)}
		back, err := entries(t, rec)[0].Record()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(jsonOf(t, rec), jsonOf(t, back)); diff != "" {
			t.Errorf("record %d (-want +got):\n%s", rec.Version, diff)
		}
		rec.Extra["layout"] = []byte("7")
		if _, err := campaign.EntryOf(rec); err == nil {
			t.Error("a record with a layout of its own was taken")
		}
	}
}

// TestLoadsAgainAfterDamage: an engine that cannot follow the records of a second one reports the
// damage once. Then it loads the campaign again, from a newer snapshot.
func TestLoadsAgainAfterDamage(t *testing.T) {
	t.Parallel()
	for reason, damage := range map[string]func(*worn){
		"missing": func(w *worn) { w.lost = 3 },
		"damaged": func(w *worn) { w.entry = wearing(3, half) },
	} {
		store := &worn{MemoryStore: &campaign.MemoryStore{}}
		first := newEngine(t, campaign.Config{Store: store, Model: scripted("1", "4"), SnapshotEvery: 1})
		wantOutcome(t, turnOf(t, first, turn.Submit{Text: "I wait."}), "completed turn_0001")
		second := engineOver(t, compile(t, game.Content{}), store, 1, nil, "2", "3")
		for range 2 {
			turnOf(t, second, turn.Submit{Text: "I wait."})
		}
		damage(store)
		_, err := first.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."})
		d, is := errors.AsType[*state.LogDamage](err)
		if !is || d.Version != 3 || errors.Is(err, state.ErrRecordMissing) != (reason == "missing") {
			t.Errorf("%s: %v", reason, err)
		}
		wantOutcome(t, turnOf(t, first, turn.Submit{Text: "I wait."}), "completed turn_0004")
	}
}
