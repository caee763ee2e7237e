package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	diffs "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// pageOf reads a page.
func pageOf(t testing.TB, e *campaign.Engine, page state.HistoryPage) (out []state.HistoryTurn) {
	t.Helper()
	for one, err := range e.History(t.Context(), "cave", page) {
		if err != nil {
			t.Fatalf("page %+v: %v", page, err)
		}
		out = append(out, one)
	}
	return out
}

// written returns turns with the alternative answers to their lines.
func written(turns []state.HistoryTurn) string {
	var out []string
	for _, t := range turns {
		one := t.ID + " " + t.Text
		for _, o := range t.Others {
			one += " | " + o.ID + " " + o.Text
		}
		out = append(out, one)
	}
	return strings.Join(out, "\n")
}

// wanderer plays at random and records the result of each turn.
type wanderer struct {
	t      *testing.T
	e      *campaign.Engine
	random *rand.Rand
	turns  map[string]state.Turn
	states map[string]state.State // after each turn
}

// wander plays a random instruction.
func (w *wanderer) wander() {
	w.t.Helper()
	c := campaignOf(w.t, w.e)
	var in turn.Input = turn.Submit{Text: fmt.Sprint("I wait, in version ", c.Version)}
	switch w.random.IntN(9) {
	case 0:
		in = turn.RollBack{To: c.Checkpoints[w.random.IntN(len(c.Checkpoints))].TurnID}
	case 1, 2:
		in = turn.Regenerate{}
	case 3:
		if ids := c.Answers(); len(ids) > 0 {
			in = turn.Choose{TurnID: ids[w.random.IntN(len(ids))]}
		}
	case 4:
		branches := []string{"main", "branch_1", "branch_2", "branch_5"}
		in = turn.SwitchBranch{BranchID: branches[w.random.IntN(len(branches))]}
	case 5:
		if c.TurnCounter > 0 {
			id := state.TurnID(1 + w.random.IntN(c.TurnCounter))
			in = turn.EditText{TurnID: id, Text: fmt.Sprint("As it is told in version ", c.Version)}
		}
	}
	o, err := w.e.Do(w.t.Context(), "cave", in)
	if _, refused := errors.AsType[*state.Refusal](err); err != nil && !refused || err == nil && o.Status != turn.Completed && o.Status != turn.Refused {
		w.t.Fatalf("%T: %+v, %v", in, o, err)
	}
	if o.Turn == nil || err != nil {
		return
	}
	if _, known := w.turns[o.Turn.ID]; !known {
		w.states[o.Turn.ID] = campaignOf(w.t, w.e).State
	}
	w.turns[o.Turn.ID] = *o.Turn
}

// line returns the turns that lead to a turn, newest first, with the alternative answers to their
// lines.
func (w *wanderer) line(head string) (out []state.HistoryTurn) {
	answers := map[string][]state.Turn{} // by the first answer
	for n := 1; n <= len(w.turns); n++ {
		t := w.turns[state.TurnID(n)]
		first := cmp.Or(t.AlternativeOf, t.ID)
		answers[first] = append(answers[first], t)
	}
	for _, id := range w.ids(head) {
		one := state.HistoryTurn{Turn: w.turns[id]}
		for _, o := range answers[cmp.Or(one.AlternativeOf, id)] {
			if o.ID != id {
				one.Others = append(one.Others, o)
			}
		}
		out = append(out, one)
	}
	return out
}

// ids returns the IDs of the turns that lead to a turn, newest first.
func (w *wanderer) ids(head string) (out []string) {
	for t, ok := w.turns[head]; ok; t, ok = w.turns[t.ParentID] {
		out = append(out, t.ID)
	}
	return out
}

// TestHistoryIsWhatWasPlayed (CA-51, CA-42): after any rollbacks, choices, edits and branches, a
// page has the turns of its line as they read now, newest first, with the alternative answers. This
// is so in the process that played them and in a second one.
func TestHistoryIsWhatWasPlayed(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for seed := range uint64(testkit.Cases(2, 1)) {
		cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: numbered()}
		e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "conflict.mode": "off"}}`)
		w := &wanderer{t: t, e: e, random: rand.New(rand.NewPCG(seed, 7)), turns: map[string]state.Turn{}, states: map[string]state.State{}}
		for range 200 {
			w.wander()
		}
		c, other := campaignOf(t, e), fresh(t, cfg)
		if len(c.Turns) == c.TurnCounter || len(c.Branches) < 3 {
			t.Errorf("seed %d: %d of %d turns are held, %d branches: the test shows little", seed, len(c.Turns), c.TurnCounter, len(c.Branches))
		}
		for branch, b := range c.Branches {
			head := b.HeadTurnID
			if branch == c.BranchID {
				head = c.State.HeadTurnID
			}
			want := w.line(head)
			for _, e := range []*campaign.Engine{e, other} {
				if diff := diffs.Diff(written(want), written(pageOf(t, e, state.HistoryPage{Branch: branch}))); diff != "" {
					t.Errorf("seed %d, %s (-played +read):\n%s", seed, branch, diff)
				}
			}
			var pages []state.HistoryTurn
			for page := (state.HistoryPage{Branch: branch, Limit: 7}); len(pages) < len(want); page.Before = pages[len(pages)-1].ID {
				some := pageOf(t, other, page)
				if len(some) == 0 || len(some) > 7 {
					t.Fatalf("seed %d: a page of %d turns", seed, len(some))
				}
				pages = append(pages, some...)
			}
			if diff := diffs.Diff(jsonOf(t, want), jsonOf(t, pages)); diff != "" {
				t.Errorf("seed %d, %s in pages (-played +read):\n%s", seed, branch, diff)
			}
		}
		w.compare(other)
	}
}

// compare checks comparisons of turns against the recorded results (CA-32).
func (w *wanderer) compare(e *campaign.Engine) {
	w.t.Helper()
	for range 30 {
		a, b := state.TurnID(w.random.IntN(len(w.turns)+1)), state.TurnID(1+w.random.IntN(len(w.turns)))
		got, err := e.Compare(w.t.Context(), "cave", state.HistorySpan{A: a, B: b})
		if err != nil {
			w.t.Fatal(err)
		}
		ids := func(head string) []string { // oldest first
			out := append(w.ids(head), state.StartTurnID)
			slices.Reverse(out)
			return out
		}
		x, y := ids(a), ids(b)
		shared := 0
		for shared < min(len(x), len(y)) && x[shared] == y[shared] {
			shared++
		}
		want := fmt.Sprint(x[shared-1], x[shared:], y[shared:])
		if read := fmt.Sprint(got.Ancestor, got.A, got.B); read != want {
			w.t.Errorf("%s and %s: %s\nwant %s", a, b, read, want)
		}
		if a == state.StartTurnID {
			continue
		}
		before, after := valueOf(w.t, w.states[a]), valueOf(w.t, w.states[b])
		if diff := diffs.Diff(jsonOf(w.t, ordered(tree.Change{Old: before, New: after}.Parts())), jsonOf(w.t, ordered(slices.Concat(got.Changes, got.Bookkeeping)))); diff != "" {
			w.t.Errorf("%s and %s (-want +got):\n%s", a, b, diff)
		}
	}
}

// ordered sorts changes by the first member of their paths.
func ordered(changes []tree.Change) []tree.Change {
	slices.SortStableFunc(changes, func(a, b tree.Change) int { return strings.Compare(a.Path[0], b.Path[0]) })
	return changes
}

// TestBookkeepingIsApart: a comparison shows what players notice separately from the bookkeeping,
// and every member of the state belongs to one of the two (CA-32).
func TestBookkeepingIsApart(t *testing.T) {
	t.Parallel()
	game := []string{"selected", "world", "map", "movement_lock", "characters", "milestone", "lifecycle", "variables", "timers", "place",
		"added_entries", "lore_edits", "greeting", "greeting_id"}
	engine := []string{"head_turn_id", "turn_count", "summary", "variable_state", "rule_state", "hook_state", "lore_state", "secrets", "groups", "variables_before_greeting", "variables_after_greeting",
		"injections", "command_feedback", "macro_variables", "auto_rounds", "history_start", "random_cursor"}
	for field := range reflect.TypeFor[state.State]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && slices.Contains(game, name) == slices.Contains(engine, name) {
			t.Errorf("is %s the game's or the engine's?", name)
		}
	}
	cfg := campaign.Config{Model: scripted("Dust falls.", output("You walk into the Hall.", `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}}`))}
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I walk."}), "completed turn_0002")
	got, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0001", B: "turn_0002"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Changes) != 1 || got.Changes[0].String() != `characters.0.area_id: "gate" -> "hall"` {
		t.Errorf("changes: %v", got.Changes)
	}
	if len(got.Bookkeeping) == 0 {
		t.Error("no bookkeeping")
	}
	for _, change := range got.Bookkeeping {
		if !slices.Contains(engine, change.Path[0]) && change.Path[0] != "milestone" {
			t.Errorf("bookkeeping: %v", change)
		}
	}
}

func valueOf(t *testing.T, v any) tree.Value {
	t.Helper()
	out, err := tree.ParseValue([]byte(jsonOf(t, v)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestHistoryShowsWhatWasRejected (CA-47): a turn of a page has its refused outputs, also if the
// head does not hold it.
func TestHistoryShowsWhatWasRejected(t *testing.T) {
	t.Parallel()
	texts := []string{output("You step into the Vault.", moveLock), "A door of iron."}
	for range 80 {
		texts = append(texts, "Dust falls.")
	}
	cfg := campaign.Config{Model: scripted(texts...)}
	e, cfg := longGone(t, cfg, 81)
	for _, e := range []*campaign.Engine{e, fresh(t, cfg)} {
		page := pageOf(t, e, state.HistoryPage{Before: "turn_0002"})
		if len(page) != 1 || page[0].Text != "A door of iron." || len(page[0].Attempts) != 2 || page[0].Attempts[0].Output != texts[0] {
			t.Errorf("the page is %s", jsonOf(t, page))
		}
	}
}

// countingStore counts the entries that are read.
type countingStore struct {
	*campaign.MemoryStore
	read int
}

func (s *countingStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for entry, err := range s.MemoryStore.Records(ctx, id, after) {
			if s.read++; !yield(entry, err) {
				return
			}
		}
	}
}

// TestHistoryCostsItsPage (CA-51): wherever a page is, it reads as many records as it has turns,
// and a few to find them. A caller that stops early reads no more. A comparison reads a few records
// for each side.
func TestHistoryCostsItsPage(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	_, cfg := longGone(t, campaign.Config{}, 300)
	store := &countingStore{MemoryStore: cfg.Store.(*campaign.MemoryStore)}
	cfg.Store = store
	e := fresh(t, cfg)
	campaignOf(t, e)
	reads := func(do func()) int {
		before := store.read
		do()
		return store.read - before
	}
	const few = 64 // to find the place
	for _, before := range []int{300, 299, 150, 37, 20} {
		n := reads(func() {
			page := pageOf(t, e, state.HistoryPage{Before: state.TurnID(before), Limit: 16})
			if len(page) != 16 || page[0].ID != state.TurnID(before-1) {
				t.Errorf("before %d: %s", before, written(page))
			}
		})
		if n > 16+few {
			t.Errorf("before %d: %d records are read for 16 turns", before, n)
		}
	}
	if n := reads(func() {
		for range e.History(t.Context(), "cave", state.HistoryPage{Before: "turn_0150"}) {
			break
		}
	}); n > 32+few {
		t.Errorf("%d records are read for one turn", n)
	}
	if n := reads(func() {
		if _, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0031", B: "turn_0250"}); err != nil {
			t.Error(err)
		}
	}); n > 2*(few+state.WholeEvery) {
		t.Errorf("%d records are read to compare", n)
	}
}

// TestHistoryRefusals: missing turns and branches are refused by name, and a store that fails is
// reported.
func TestHistoryRefusals(t *testing.T) {
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 70)
	for name, c := range map[string]struct {
		page state.HistoryPage
		want state.RefusalCode
		says string
	}{
		"a branch that is not there":  {state.HistoryPage{Branch: "branch_7"}, state.BranchNotFound, `no branch "branch_7": Engine.Branches lists them`},
		"a turn that is not there":    {state.HistoryPage{Before: "turn_0071"}, state.UnknownTurn, "no turn turn_0071"},
		"what is no turn":             {state.HistoryPage{Before: "the first"}, state.UnknownTurn, "no turn the first"},
		"a turn of no branch of that": {state.HistoryPage{Branch: "main", Before: "turn_0072"}, state.UnknownTurn, "no turn turn_0072"},
	} {
		refused := false
		for _, err := range e.History(t.Context(), "cave", c.page) {
			if refused = isRefused(err, c.want, c.says); !refused {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !refused {
			t.Errorf("%s: a page came", name)
		}
	}
	for _, ids := range [][3]string{{"turn_0071", "turn_0001", "turn_0071"}, {"turn_0001", "the first", "the first"}} {
		if _, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: ids[0], B: ids[1]}); !isRefused(err, state.UnknownTurn, "no turn "+ids[2]) {
			t.Errorf("%v: %v", ids, err)
		}
	}
	if page := pageOf(t, e, state.HistoryPage{Before: "turn_0001"}); len(page) != 0 {
		t.Errorf("before the first turn: %s", written(page))
	}
	if _, err := e.Fork(t.Context(), "cave", "turn_0040", "fork"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Compare(t.Context(), "fork", state.HistorySpan{A: "turn_0003", B: "turn_0040"}); !isRefused(err, state.CheckpointNotFound, `the state after turn_0003 is not known: the campaign began with that turn`) {
		t.Errorf("a state of before the fork: %v", err)
	}
	for _, err := range fresh(t, cfg).History(t.Context(), "nowhere", state.HistoryPage{}) {
		if _, refused := err.(*state.Refusal); err == nil || refused {
			t.Errorf("an unknown campaign: %v", err)
		}
	}
}
