package campaign_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// host runs machines of the saga without an engine, on a real store.
type host struct {
	t     testing.TB
	game  *game.Game
	store *campaign.MemoryStore
	m     *turn.Machine
	used  int // outputs of the running act
	// cut, if set, is called at every boundary and may replace the machine. It reports whether the
	// running act must begin again.
	cut func(h *host) bool
	// boundaries counts the questions so far.
	boundaries int
	// loaded is the result of the last read of the store.
	loaded state.Campaign
}

func newHost(t testing.TB, g *game.Game) *host {
	h := &host{t: t, game: g, store: &campaign.MemoryStore{}}
	first, err := turn.Begin(g, sagaSetup(t))
	if err != nil {
		t.Fatal(err)
	}
	rec := turn.Record{Version: 1, Kind: "create", At: noon, Campaign: []byte(jsonOf(t, first))}
	if err := h.store.Append(t.Context(), "cave", entries(t, rec)[0], nil); err != nil {
		t.Fatal(err)
	}
	h.restore()
	return h
}

// restore does what a new process does: only the store is left.
func (h *host) restore() {
	h.t.Helper()
	if news := recordsOf(h.t, h.store, "cave", h.loaded.Version); len(news) > 0 { // reading takes longer than playing
		saved, err := h.store.Load(h.t.Context(), "cave")
		if err != nil {
			h.t.Fatal(err)
		}
		if h.loaded, err = campaign.Restore(saved); err != nil {
			h.t.Fatal(err)
		}
	}
	h.m = turn.NewMachine(h.game, h.loaded)
}

// run plays an act to its end. After an interruption it plays the act again from its beginning.
func (h *host) run(a deed) turn.Outcome {
	h.t.Helper()
	before := h.m.Campaign().Version
	h.used = 0
	if err := h.m.Step(a.in); err != nil {
		h.t.Fatalf("%T: %v", a.in, err)
	}
	for h.m.Phase() != turn.Idle {
		h.boundaries++
		if h.cut != nil && h.cut(h) {
			if h.m.Campaign().Version > before && !isSubmit(a.in) {
				return turn.Outcome{} // it was already written: done
			}
			return h.run(a)
		}
		h.answer(a)
	}
	if o := h.m.Todo().Outcome; o != nil {
		return *o
	}
	return turn.Outcome{}
}

func isSubmit(in turn.Input) bool {
	_, ok := turn.NeedsModel(in)
	return ok
}

func (h *host) answer(a deed) {
	h.t.Helper()
	todo := h.m.Todo()
	switch {
	case todo.Past != nil:
		h.look()
	case todo.Route != nil:
		d := sagaRoute()
		step(h.t, h.m, turn.Routed{Decision: &d})
	case todo.Hooks != nil:
		step(h.t, h.m, turn.HooksRan{Result: todo.Hooks.Run(h.t.Context())})
	case todo.Judge != nil:
		step(h.t, h.m, turn.Judged{Verdicts: sagaJudge(*todo.Judge)})
	case todo.Generate != nil:
		if h.used >= len(a.outputs) {
			h.t.Fatalf("%+v: no output %d", a.in, h.used+1)
		}
		h.used++
		if out := a.outputs[h.used-1]; out == "!" {
			step(h.t, h.m, turn.GenerateFailed{Reason: "overloaded"})
		} else {
			step(h.t, h.m, turn.Replied{Text: out})
		}
	case todo.Commit != nil:
		h.write()
		step(h.t, h.m, turn.Committed{})
	}
}

// look answers queries of the machine from the log.
func (h *host) look() {
	h.t.Helper()
	for todo := h.m.Todo(); todo.Past != nil; todo = h.m.Todo() {
		read, err := turn.ReadPast(*todo.Past, campaign.Decoded(h.store.Records(h.t.Context(), "cave", 0)))
		if err != nil {
			h.t.Fatal(err)
		}
		step(h.t, h.m, read)
	}
}

func (h *host) write() {
	h.t.Helper()
	rec := h.m.Todo().Commit
	var snapshot []byte
	if rec.Version%4 == 0 {
		next := restored(h.t, h.m.Campaign(), *rec)
		snapshot = []byte(jsonOf(h.t, next))
	}
	err := h.store.Append(h.t.Context(), "cave", entries(h.t, *rec)[0], snapshot)
	if err != nil {
		h.t.Fatal(err)
	}
}

// restored returns the campaign from a snapshot and the records after it.
func restored(t testing.TB, c state.Campaign, records ...turn.Record) state.Campaign {
	t.Helper()
	c, err := campaign.Restore(campaign.Saved{Snapshot: []byte(jsonOf(t, c)),
		SnapshotVersion: c.Version, Entries: entries(t, records...)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (h *host) bytes() string {
	h.t.Helper()
	h.restore()
	return jsonOf(h.t, h.m.Campaign())
}

// played returns the outcomes of the whole saga, and the campaign's bytes.
func (h *host) played() (outcomes []string, data string) {
	h.t.Helper()
	for i, a := range saga() {
		o := h.run(a)
		text := fmt.Sprintf("%d %T %s %s", i, a.in, o.Status, o.Reason)
		if o.Turn != nil {
			text += " " + o.Turn.ID
		}
		outcomes = append(outcomes, text)
	}
	live := jsonOf(h.t, h.m.Campaign())
	if stored := h.bytes(); stored != live {
		h.t.Errorf("the store has another campaign (-live +stored):\n%s", cmp.Diff(live, stored))
	}
	return outcomes, live
}

// legend is the saga, played once without an interruption, for the tests that inspect it.
type legend struct {
	game     *game.Game
	outcomes []string
	bytes    string // the campaign at the end
	records  []turn.Record
	final    state.Campaign
}

var legendOnce struct {
	sync.Once
	legend
}

func uncut(t testing.TB) legend {
	t.Helper()
	legendOnce.Do(func() {
		l := legend{game: sagaGame(t)}
		h := newHost(t, l.game)
		l.outcomes, l.bytes = h.played()
		l.final = h.m.Campaign()
		l.records = recordsOf(t, h.store, "cave", 0)
		legendOnce.legend = l
	})
	if legendOnce.game == nil {
		t.Fatal("the saga cannot be played")
	}
	return legendOnce.legend
}

// TestSaga shows the whole saga that the other tests interrupt.
func TestSaga(t *testing.T) {
	t.Parallel()
	l := uncut(t)
	if n := len(l.final.Turns); n < 12 {
		t.Errorf("%d turns, want at least 12", n)
	}
	if last := l.final.Turns[len(l.final.Turns)-1]; last.Text != "Mei loses 1 HP." || last.RetriesUsed != 1 {
		t.Errorf("the last turn, whose claims were to be listed: %s", jsonOf(t, last))
	}
	seen := strings.Join(l.outcomes, "\n")
	for _, want := range []string{"completed", "failed overloaded", "refused empty_input", "conflict"} {
		if !strings.Contains(seen, want) {
			t.Errorf("nothing is %s:\n%s", want, seen)
		}
	}
	c := l.final
	if len(c.Branches) < 2 || c.State.Milestone.Value < 2 || c.State.Summary.Version != 1 ||
		len(c.State.Entries) == 0 || len(c.Checkpoints) != 6 || !c.State.Lifecycle.Ended {
		t.Errorf("the saga is not what it was: %s", l.bytes)
	}
}

// TestRestartAnywhere ends the process at every boundary of the saga, before an answer, and after a
// record was written but not reported (CA-37).
func TestRestartAnywhere(t *testing.T) {
	t.Parallel()
	l := uncut(t)
	for _, c := range []struct {
		name string
		cut  func(h *host) bool
	}{
		{"and repeat the instruction", func(h *host) bool {
			h.restore()
			return true
		}},
		{"after the write", func(h *host) bool {
			if h.m.Todo().Commit == nil {
				return false
			}
			h.write()
			h.restore()
			return true
		}},
		{"and go on from the journal", func(h *host) bool {
			h.look() // it is not part of the journal
			journal, question := h.m.Journal(), describe(h.t, h.m)
			h.restore()
			for _, in := range decoded(h.t, journal) {
				step(h.t, h.m, in)
				h.look()
			}
			if got := describe(h.t, h.m); got != question {
				h.t.Errorf("the journal leads elsewhere (-want +got):\n%s", cmp.Diff(question, got))
			}
			return false
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, l.game)
			cuts := map[int]bool{}
			h.cut = func(h *host) bool {
				at := len(h.m.Journal())<<32 | int(h.m.Campaign().Version)
				if cuts[at] {
					return false // once at each boundary
				}
				cuts[at] = true
				return c.cut(h)
			}
			if _, got := h.played(); got != l.bytes {
				t.Errorf("another end (-want +got):\n%s", cmp.Diff(l.bytes, got))
			}
			if len(cuts) < 90 {
				t.Errorf("only %d cuts", len(cuts))
			}
		})
	}
}

// describe returns the question of a machine as bytes.
func describe(t testing.TB, m *turn.Machine) string {
	t.Helper()
	todo := m.Todo()
	text := string(m.Phase())
	switch {
	case todo.Route != nil:
		text += jsonOf(t, todo.Route)
	case todo.Hooks != nil:
		text += jsonOf(t, todo.Hooks.Event) + jsonOf(t, todo.Hooks.State)
	case todo.Generate != nil:
		text += jsonOf(t, todo.Generate)
	case todo.Judge != nil:
		text += jsonOf(t, todo.Judge)
	case todo.Approve != nil:
		text += jsonOf(t, todo.Approve)
	case todo.Commit != nil:
		text += jsonOf(t, todo.Commit)
	}
	return text
}

// decoded passes inputs through their JSON form, like a stored journal.
func decoded(t testing.TB, in turn.Inputs) turn.Inputs {
	t.Helper()
	var out turn.Inputs
	if err := out.UnmarshalJSON([]byte(jsonOf(t, in))); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRebuildIsExact replays the saga's log without a model (CA-36).
func TestRebuildIsExact(t *testing.T) {
	t.Parallel()
	l := uncut(t)
	rebuilt, err := campaign.Rebuild(l.game, logOf(t, l.records...))
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, rebuilt); got != l.bytes {
		t.Errorf("rebuilt another campaign (-want +got):\n%s", cmp.Diff(l.bytes, got))
	}
	// The same in pieces: a snapshot and the records up to the next one.
	c, err := campaign.Restore(campaign.Saved{Entries: entries(t, l.records[0])})
	if err != nil {
		t.Fatal(err)
	}
	for piece := range slices.Chunk(l.records[1:], 9) {
		c = restored(t, c, piece...)
	}
	if diff := cmp.Diff(l.bytes, jsonOf(t, c)); diff != "" {
		t.Errorf("restored another campaign (-want +got):\n%s", diff)
	}
	half := len(l.records) / 2
	rebuilt, err = campaign.Rebuild(l.game, logOf(t, l.records[:half]...))
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, restored(t, rebuilt, l.records[half:]...)); got != l.bytes {
		t.Errorf("a rebuilt half and the rest (-want +got):\n%s", cmp.Diff(l.bytes, got))
	}
}
