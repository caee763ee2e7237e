package observe

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// TestSpans: a text is cut at its highlights. Highlights that overlap, are empty or lie outside the
// text are left out.
func TestSpans(t *testing.T) {
	t.Parallel()
	at := func(from, to int) highlight { return highlight{from: from, to: to, class: "x"} }
	for _, c := range []struct {
		list []highlight
		want string
	}{
		{nil, "abcdef"}, {[]highlight{at(2, 4)}, "ab[cd]ef"}, {[]highlight{at(0, 2), at(2, 6)}, "[ab][cdef]"},
		{[]highlight{at(4, 6), at(0, 1)}, "[a]bcd[ef]"}, {[]highlight{at(1, 4), at(3, 5)}, "a[bcd]ef"},
		{[]highlight{at(3, 3)}, "abcdef"}, {[]highlight{at(3, 2)}, "abcdef"}, {[]highlight{at(5, 7)}, "abcdef"},
	} {
		var got strings.Builder
		for _, s := range spans("abcdef", c.list) {
			switch {
			case s.Class != "":
				got.WriteString("[" + s.Text + "]")
			case s.Text == "" && len(c.list) == 0:
				t.Error("an empty piece")
			default:
				got.WriteString(s.Text)
			}
		}
		if got.String() != c.want {
			t.Errorf("%v: %s, want %s", c.list, got.String(), c.want)
		}
	}
	if got := len(spans("abcdef", []highlight{at(0, 2)})); got != 2 {
		t.Errorf("a highlight at the beginning: %d pieces", got)
	}
}

// TestFindKey: a key is a text or a regular expression between slashes, in any letter case.
func TestFindKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, key, want string }{
		{"The Mill.", "mill", "[[4 8]]"}, {"a.b axb", "a.b", "[[0 3]]"}, {"a.b axb", "/a.b/", "[[0 3] [4 7]]"}, {"a.b axb", "/A.B/i", "[[0 3] [4 7]]"},
		{"and/or", "and/or", "[[0 6]]"}, {"/x", "/x", "[[0 2]]"}, {"mill", "", "[]"}, {"mill", "/(/", "[]"}, {"mill", "barn", "[]"},
	} {
		if got := fmt.Sprint(findKey(c.text, c.key)); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.key, c.text, got, c.want)
		}
	}
}

// TestTextsOfBlocks: a block has the text of its message. A block has no text if no message contains it,
// or if the report of the prompt lacks it or its message.
func TestTextsOfBlocks(t *testing.T) {
	t.Parallel()
	p := &turnPage{source: source{words: words{}}}
	for i, key := range []string{"first", "dropped", "missing", "last"} {
		p.turn.Trace.Prompt = append(p.turn.Trace.Prompt, state.TracePrompt{Key: key, Tokens: 1, Status: string(prompt.Kept)})
		if key != "missing" {
			p.why.Prompt.Report.Lines = append(p.why.Prompt.Report.Lines, prompt.ReportLine{Key: key, Message: []int{0, -1, 0, 1}[i]})
		}
	}
	p.why.Prompt.Messages = []llm.Message{{Text: "one"}}
	p.addPrompt()
	for i, want := range []string{"one", "", "", ""} {
		if b := p.Blocks[i]; b.Text != want || len(b.With) > 0 {
			t.Errorf("block %d has the text %q, want %q, with %v", i, b.Text, want, b.With)
		}
	}
}

// TestKindsOfBlocks: blocks with one purpose have one colour, whatever entry or update they belong to.
func TestKindsOfBlocks(t *testing.T) {
	t.Parallel()
	for want, keys := range map[string]string{
		"instructions": "gm_persona authority prompt", "lore": "world.town.3 update.world.town.3 lore", "people": "card card.mara persona party", "talk": "history",
		"state": "map status variables goal acceleration world_rules world update.world", "tools": "tools languages dialog claims",
		"memory": "memory summary pins", "notes": "note directive.fog hook injection follow_up", "other": "own own.thing",
	} {
		for _, key := range strings.Fields(keys) {
			if got := blockKinds[blockKind(key, "")].name; got != want {
				t.Errorf("%s is of the kind %s, want %s", key, got, want)
			}
		}
	}
	if got := blockKinds[blockKind("own", "lore")].name; got != "lore" {
		t.Errorf("a block of an unknown name is of the kind %s", got)
	}
}

// TestStepsOfChanges: a change has the names of what changed, its values in words, and what made it.
func TestStepsOfChanges(t *testing.T) {
	t.Parallel()
	n, w := names{"mara": "Mara", "gold": "Gold"}, words{"of.hp": "hit points", "nothing": "nothing", "the turn": "the turn", "tool.move": "a step", "value.true": "yes", "of.max": "most"}
	for want, c := range map[string]tree.Change{
		"Mara: hit points: 7 → 5 by a step -2":       {Path: tree.Path{"hp.mara"}, Old: tree.Int(7), New: tree.Int(5), By: "tool.move"},
		"Gold: nothing → 3 by the turn ":             {Path: tree.Path{"gold"}, New: tree.Int(3)},
		"Gold: 1 → nothing by a rule ":               {Path: tree.Path{"gold"}, Old: tree.Int(1), By: "a rule"},
		"bag.wet: Mara → yes by the turn ":           {Path: tree.Path{"bag", "wet"}, Old: tree.Text("mara"), New: tree.Bool(true)},
		"x.mara: most 9, kind Gold → 2 by the turn ": {Path: tree.Path{"x.mara"}, Old: tree.Object(tree.Member{Key: "max", Value: tree.Int(9)}, tree.Member{Key: "kind", Value: tree.Text("gold")}), New: tree.Int(2)},
	} {
		s := n.step(w, c)
		if got := fmt.Sprintf("%s: %s → %s by %s %s", s.What, s.Before, s.After, s.By, s.Step); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if up, down := w.Direction("+2"), w.Direction("-2"); up != "up" || down != "down" {
		t.Errorf("+2 goes %s, -2 goes %s", up, down)
	}
}

// TestPagesHaveNoControlCharacters: characters that control a terminal or the direction of text are
// replaced. Blanks, tabs and line breaks stay.
func TestPagesHaveNoControlCharacters(t *testing.T) {
	t.Parallel()
	const bad, good = "\x01\x1b\x7f\u0085\u009f\u202a\u202e\u2066\u2069", " \t\n~\u00a0\u2029\u202f\u2065\u206a"
	title := func(text string) string {
		var page strings.Builder
		if err := (RuleGraph{Title: "[" + text + "]"}).WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		return page.String()
	}
	if page := title(good); !strings.Contains(page, "["+good+"]") {
		t.Errorf("%q is changed", good)
	}
	for _, r := range bad {
		if page := title(string(r)); strings.ContainsRune(page, r) || !strings.Contains(page, "[\uFFFD]") {
			t.Errorf("%q stays", r)
		}
	}
}

// TestUnreadableCampaigns: the error of a sequence is the error of the page, and nothing more is read.
func TestUnreadableCampaigns(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	turns := func(err error) iter.Seq2[state.HistoryTurn, error] {
		return func(yield func(state.HistoryTurn, error) bool) {
			if yield(state.HistoryTurn{}, err) && err != nil {
				t.Error("a turn is read after an error")
			}
		}
	}
	branches := func(err error) iter.Seq2[state.HistoryBranch, error] {
		return func(yield func(state.HistoryBranch, error) bool) {
			if yield(state.HistoryBranch{}, err) && err != nil {
				t.Error("a branch is read after an error")
			}
		}
	}
	for _, c := range []struct{ ofTurns, ofBranches, want error }{{nil, nil, nil}, {broken, nil, broken}, {nil, broken, broken}} {
		var page strings.Builder
		err := CampaignReport{Game: g, Turns: turns(c.ofTurns), Branches: branches(c.ofBranches)}.WriteHTML(&page)
		if !errors.Is(err, c.want) || (err == nil) != (page.Len() > 0) {
			t.Errorf("turns %v, branches %v: %v, %d bytes", c.ofTurns, c.ofBranches, err, page.Len())
		}
	}
}

// TestCountLoreOrder: entries that no book has are sorted by ID. The order of the turns does not matter.
func TestCountLoreOrder(t *testing.T) {
	t.Parallel()
	use, err := CountLore(nil, func(yield func(state.HistoryTurn, error) bool) {
		for _, n := range []int{2, 3, 1} {
			one := state.Turn{ID: state.TurnID(n), Index: n}
			one.Trace.Lore = []state.TraceLore{{ID: "b.2"}, {ID: "b.1"}, {ID: "b.2"}}
			if !yield(state.HistoryTurn{Turn: one}, nil) {
				return
			}
		}
	})
	if err != nil || len(use.Entries) != 2 || use.Entries[0].ID != "b.1" {
		t.Fatalf("%+v, %v", use, err)
	}
	if e := use.Entries[1]; e.Turns != 3 || e.First != "turn_0001" || e.Last != "turn_0003" {
		t.Errorf("%+v", e)
	}
}
