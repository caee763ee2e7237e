package turn_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// TestRoundTripJournal checks that a journal and a step read back unchanged, with texts that JSON
// can write in several ways, and that entries keep their names.
func TestRoundTripJournal(t *testing.T) {
	for _, text := range []string{"", "I go <in> & out.", "\u2028\x7f", "洞口", "a\"b\\c"} {
		j, err := turn.JournalOf(turn.Submit{Text: text, At: noon})
		if err != nil {
			t.Fatal(err)
		}
		j = j.Then(turn.JournalStep{Base: 7, Entries: []turn.JournalEntry{j.Entries[0].Elsewhere()}})
		j.Cancelled = true
		var back turn.Journal
		roundTrip(t, j, &back)
		if diff := cmp.Diff(j, back); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		in, err := back.Entries[0].Read()
		if err != nil || in != turn.Input(nil) && in.(turn.Submit).Text != text {
			t.Errorf("%q reads back as %v: %v", text, in, err)
		}
		if again, err := turn.JournalEntryOf(in); err != nil || again.Sum() != back.Entries[1].Sum() {
			t.Errorf("%q has another name when it was read back: %v", text, err)
		}
	}
	step := turn.JournalStep{Base: 3, Renewed: true, Committed: true, Stop: "generate", Again: &turn.JournalAgain{Code: turn.TransportFailed, After: time.Second}}
	var back turn.JournalStep
	roundTrip(t, step, &back)
	if diff := cmp.Diff(step, back); diff != "" {
		t.Error(diff)
	}
}

func roundTrip(t *testing.T, from, to any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestStepsAreAddedToACopy checks that adding a step does not change the old journal.
func TestStepsAreAddedToACopy(t *testing.T) {
	one := turn.JournalEntry{Input: []byte(`{"input":"committed"}`)}
	j := turn.Journal{Base: 1, Entries: make([]turn.JournalEntry, 1, 4)}
	a := j.Then(turn.JournalStep{Base: 1, Entries: []turn.JournalEntry{one}})
	b := j.Then(turn.JournalStep{Base: 1, Entries: []turn.JournalEntry{one.Elsewhere()}})
	if len(j.Entries) != 1 || a.Entries[1].Kept != "" || b.Entries[1].Kept == "" || a.Size() != len(one.Input) || b.Size() != 0 {
		t.Errorf("%v, %v, %v", j, a, b)
	}
	if c := a.Then(turn.JournalStep{Base: 2, Renewed: true}); len(c.Entries) != 0 || c.Base != 2 {
		t.Errorf("a new journal is %v", c)
	}
}

// TestNoJournal checks that values without a JSON form are refused, and entries that are not an
// input.
func TestNoJournal(t *testing.T) {
	for _, in := range []turn.Input{nil, turn.Submit{Elapsed: math.Inf(1)}, turn.Submit{Events: []state.HostEvent{{Event: "x"}}, Elapsed: math.NaN()}} {
		if _, err := turn.JournalOf(in); !errors.Is(err, turn.ErrInvalidInput) {
			t.Errorf("%v: %v", in, err)
		}
	}
	for _, text := range []string{"", "1", "[]", `{}`, `{"input":"committed"},{"input":"committed"}`} {
		if in, err := (turn.JournalEntry{Input: []byte(text)}).Read(); err == nil {
			t.Errorf("%q is read as %v", text, in)
		}
	}
	if _, err := (turn.JournalEntry{Kept: "x"}).Read(); err == nil {
		t.Error("an entry that somebody else keeps is read")
	}
}

// TestGrowth checks that the cost of reading an entry is proportional to its length.
func TestGrowth(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "Entry.Read", Read: func(text string) { _, _ = turn.JournalEntry{Input: []byte(text)}.Read() },
		Atoms: []testkit.Atom{
			testkit.Repeat(`{"input":"committed"},`),
			{Head: `{"input":"submit","text":"`, Open: `\u0000`, Tail: `"}`},
			{Head: `{"input":"submit","events":[`, Open: `{"event":"a"},`, Tail: `{}]}`},
			testkit.Nest(`{"input":`, `"x"`, `}`),
			testkit.Nest(`[`, ``, `]`),
		}})
}
