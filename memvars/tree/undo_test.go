package tree_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestUndoAgainstSnapshots changes documents at random and compares the results of Undo and AsOf
// with stored documents.
func TestUndoAgainstSnapshots(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rng(seed)
		start := `{"o":{"a":1,"b":{"c":2}},"l":[1,{"x":1},[2]],"wide":{`
		for i := range 40 {
			start += fmt.Sprintf(`"k%d":%d,`, i, i)
		}
		edit := load(t, []byte(start+`"z":0}}`)).Edit()
		change := func() {
			paths := []string{"o", "l", "wide", "o.b", "o.new", "l.1", "l.1.y", "l.0", "wide.k" + strconv.Itoa(r.IntN(45)), "wide.k0", "o.a", "l.3"}
			p, err := tree.ParsePath(paths[r.IntN(len(paths))])
			if err != nil {
				t.Fatal(err)
			}
			switch v := tree.Object(tree.Member{Key: "v", Value: tree.Int(int64(r.IntN(100)))}); r.IntN(9) {
			case 0, 1, 2, 3:
				_ = edit.Set(p, v)
			case 4:
				_ = edit.Insert(tree.Path{"l"}, r.IntN(3), v)
			case 5, 6:
				_ = edit.Delete(p)
			case 7:
				_ = edit.Rename(p, "r"+strconv.Itoa(r.IntN(5)))
			case 8:
				if r.IntN(8) == 0 {
					_ = edit.Set(nil, tree.Object(tree.Member{Key: "o", Value: v}, tree.Member{Key: "l", Value: tree.Array(v)}))
				}
			}
		}
		type kept struct {
			mark tree.Mark
			text string
		}
		marks := []kept{{edit.Mark(), edit.Peek(nil).String()}}
		for range 60 {
			for range r.IntN(4) {
				change()
			}
			switch r.IntN(4) {
			case 0:
				marks = append(marks, kept{edit.Mark(), edit.Peek(nil).String()})
			case 1:
				_ = edit.Document() // a returned document must not change
			case 2:
				m, now := marks[r.IntN(len(marks))], edit.Peek(nil).String()
				edit.AsOf(m.mark, func() {
					if got := edit.Peek(nil).String(); got != m.text {
						t.Fatalf("seed %d: as of the mark it is\n%s, it was\n%s", seed, got, m.text)
					}
				})
				if got := edit.Peek(nil).String(); got != now {
					t.Fatalf("seed %d: looking back made\n%s of\n%s", seed, got, now)
				}
			case 3:
				i := r.IntN(len(marks))
				edit.Undo(marks[i].mark)
				if got := edit.Peek(nil).String(); got != marks[i].text {
					t.Fatalf("seed %d: undone it is\n%s, it was\n%s", seed, got, marks[i].text)
				}
				marks = marks[:i+1]
			}
		}
	}
}

// TestSinceTellsWhatHappened: the changes since a mark, applied to the document of the mark, give
// the current document.
func TestSinceTellsWhatHappened(t *testing.T) {
	t.Parallel()
	before := load(t, []byte(`{"o":{"a":1},"l":[1,2]}`))
	edit := before.Edit()
	mark := edit.Mark()
	for _, err := range []error{
		edit.Set(tree.Path{"o", "b"}, tree.Int(2)), edit.Set(tree.Path{"o", "a"}, tree.Int(3)), edit.Insert(tree.Path{"l"}, 0, tree.Int(9)),
		edit.Delete(tree.Path{"l", "1"}), edit.Rename(tree.Path{"o", "b"}, "c"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	edit.AsOf(mark, func() {})
	got := fmt.Sprint(edit.Since(mark))
	want := `[o.b: - -> 2 o.a: 1 -> 3 l.0: - -> 9 l.1: 1 -> - o.b: 2 -> - o.c: - -> 2]`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := edit.Document().String(); got != `{"o":{"a":3,"c":2},"l":[9,2]}` {
		t.Error(got)
	}
}

func ExampleEdit_Undo() {
	edit := mustLoad(`{"hp": 10}`).Edit()
	mark := edit.Mark()
	fmt.Println(edit.Set(tree.Path{"hp"}, tree.Int(-3)), edit.Set(tree.Path{"dead"}, tree.Bool(true)))
	fmt.Println(edit.Since(mark))
	edit.Undo(mark)
	fmt.Println(edit.Document())
	// Output:
	// <nil> <nil>
	// [hp: 10 -> -3 dead: - -> true]
	// {"hp":10}
}
