package memvars_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// mutations is the number of damaged messages; a release tries 100000.
var mutations = flag.Int("mutations", 2000, "damaged messages to try")

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// TestBatchEqualsSingles: the commands of a message, applied one by one, give the same document as
// the message (MV-25), apart from the passes that run once per message.
func TestBatchEqualsSingles(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{
		Derived: memvars.Derived{Preset: "off"}, Difficulty: "off",
	})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	start := standard(t)
	r := rng(1)
	for range 300 {
		text := commands(r, 6)
		ops := sys.Parse(text)
		batch, result := sys.ApplyOps(start, ops, memvars.AI, text)
		single := start
		for i := range ops {
			before := single
			var res memvars.Result
			single, res = sys.ApplyOps(single, ops[i:i+1], memvars.AI, text)
			if got, want := res.Calls[0].Status, result.Calls[i].Status; got != want {
				t.Fatalf("%s: %s alone, %s in\n%s", ops[i], got, want, text)
			}
			if res.Calls[0].Status != memvars.Applied && !single.Same(before) {
				t.Fatalf("%s: %s made a new version", ops[i], res.Calls[0].Status)
			}
		}
		if single.String() != batch.String() {
			t.Fatalf("one by one\n%s\nbatch\n%s\nof\n%s", single, batch, text)
		}
	}
}

// TestNothingHalfApplies: for every damaged message the changes match the reports exactly, and no
// write failed after its check (MV-25, MV-26).
func TestNothingHalfApplies(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{MoveOverwrite: true, AutoCreate: true})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	start := standard(t)
	text := start.String()
	r := rng(2)
	actors := []memvars.Actor{memvars.AI, memvars.User, memvars.Host}
	for range *mutations {
		message := mutate(r, commands(r, 3))
		by := actors[r.IntN(len(actors))]
		after, result := sys.Apply(start, message, by)
		for _, n := range result.Notes {
			if n.Pass == "edit" {
				t.Fatalf("%s: %s of\n%s", n.Path, n.Text, message)
			}
		}
		if !replay(t, start, result.Changes).Equal(after) {
			t.Fatalf("the changes do not lead to the result of\n%s", message)
		}
		if len(result.Changes) == 0 && !after.Same(start) {
			t.Fatalf("a new version without a change by\n%s", message)
		}
	}
	if start.String() != text {
		t.Fatal("the input was modified")
	}
}

// TestRebuildEqualsLive plays random histories and rebuilds them (MV-21).
func TestRebuildEqualsLive(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{ScanUser: true})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	start := standard(t)
	histories := 1000
	if testing.Short() {
		histories = 100
	}
	r := rng(3)
	for range histories {
		var history []memvars.Message
		doc, state := start, sys.Begin(start)
		var heard []string
		for range 1 + r.IntN(5) {
			text := commands(r, r.IntN(3))
			if r.IntN(3) == 0 {
				history = append(history, memvars.Message{Actor: memvars.User, Text: text})
				heard = append(heard, text)
				doc, _ = sys.Apply(doc, text, memvars.User)
				continue
			}
			history = append(history, memvars.Message{Actor: memvars.AI, Text: text})
			var turn memvars.Result
			before, _ := sys.Apply(doc, text, memvars.AI)
			doc, state, turn = sys.EndTurn(before, state, memvars.Turn{Reply: text, Player: heard})
			heard = nil
			if !replay(t, before, turn.Changes).Equal(doc) {
				t.Fatalf("the changes of the turn do not lead to its result:\n%s", text)
			}
		}
		if repair, intact := sys.Verify(doc, start, history); !intact {
			t.Fatalf("live\n%s\nwould need %v after\n%v", doc, repair, history)
		}
	}
}

// TestPrintParses: a printed command, read again, has the same meaning.
func TestPrintParses(t *testing.T) {
	t.Parallel()
	r, sys := rng(4), defaultSystem(t)
	for range 500 {
		for _, op := range sys.Parse(mutate(r, commands(r, 3))) {
			if op.Fault != nil {
				continue
			}
			text := op.String()
			again := sys.Parse(text)
			if len(again) != 1 || again[0].String() != text {
				t.Fatalf("%s is read as %v", text, again)
			}
			for i, a := range op.Args {
				b := again[0].Args[i]
				if i > 0 && a.Code == "" && !a.Value.Equal(b.Value) || i == 0 && a.Text != b.Text {
					t.Fatalf("%s: argument %d is %+v, was %+v", text, i, b, a)
				}
			}
		}
	}
}

// TestSnapshots: later edits never change an earlier version (MV-20).
func TestSnapshots(t *testing.T) {
	t.Parallel()
	sys := defaultSystem(t)
	doc := standard(t)
	r := rng(5)
	var docs []tree.Document
	var texts []string
	for range 200 {
		docs, texts = append(docs, doc), append(texts, doc.String())
		doc, _ = sys.Apply(doc, commands(r, 4), memvars.Host)
	}
	for i, d := range docs {
		if d.String() != texts[i] {
			t.Fatalf("snapshot %d changed", i)
		}
	}
}

// TestDiffIsSmallAndRight: applying the difference leads from a to b.
func TestDiffIsSmallAndRight(t *testing.T) {
	t.Parallel()
	r := rng(9)
	sys := defaultSystem(t)
	a := standard(t)
	for range 100 {
		b, _ := sys.Apply(a, commands(r, 5), memvars.Host)
		e := a.Edit()
		for _, c := range tree.Diff(a, b) {
			err := error(nil)
			if c.New.Exists() {
				err = e.Set(c.Path, c.New)
			} else {
				err = e.Delete(c.Path)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !e.Document().Equal(b) {
			t.Fatal("the difference does not lead to b")
		}
	}
	if diff := tree.Diff(a, a); diff != nil {
		t.Error(diff)
	}
}
