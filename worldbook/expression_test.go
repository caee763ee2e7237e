package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// when is an entry with an expression.
func when(uid, keys, expression string) wb.Entry {
	e := wb.Entry{UID: uid, Content: "Text of " + uid + ".", Options: &wb.Options{When: expression}}
	if keys != "" {
		e.Keys = strings.Split(keys, ",")
	}
	return e
}

// featureExpression has one row for each part of the language, with the decisive lines of a chat.
func featureExpression(t *testing.T) {
	for _, r := range []struct{ reason, expression, yes, no string }{
		{"or", "dragon OR wyrm", "a wyrm|a dragon", "an elf"},
		{"and", "dragon AND gold", "gold of a dragon", "gold|dragon"},
		{"not", "NOT rain", "sun", "rain"},
		{"and binds tighter than or", "sun OR rain AND wind", "sun|rain and wind", "rain|wind"},
		{"not binds tightest", "NOT sun AND wind", "wind", "sun and wind|rain"},
		{"brackets", "(sun OR rain) AND wind", "sun and wind|rain and wind", "sun|wind"},
		{"not before brackets", "wind AND NOT (sun OR rain)", "wind", "wind and rain|rain"},
		{"twice not", "NOT NOT sun", "sun", "rain"},
		{"words in a row are one key", "old dragon OR elf", "an old dragon|an elf", "a dragon is old"},
		{"quoted words are no operators", `"salt OR pepper"`, "salt or pepper", "salt|pepper"},
		{"a quotation mark in quotation marks", `"say \"hi\""`, `they say "hi" now`, "say hi"},
		{"signs", "dragon&!(boat|fruit)", "a dragon", "dragon boat|dragon fruit"},
		{"doubled signs", "sun && wind || rain", "sun, wind|rain", "sun"},
		{"full width signs", "龙＆！（船｜舟）", "一条 龙", "龙 船|龙 舟"},
		{"Chinese quotation marks", "「龙 船」 OR “a OR b”", "看 龙 船|a or b", "龙"},
		{"a regex", `/wyrms?/i AND NOT /\d+ gold/`, "Wyrms|a wyrm, gold", "wyrm with 7 gold"},
		{"a regex with a bracket and a slash", `/[(\/]x/ OR y`, "(x|/x|y", "x"},
		{"a quoted regex is plain text", `"/a/"`, "see /a/ here", "a"},
		{"an exclamation mark inside a word", "hey! OR wow", "hey! you|wow", "hey you"},
		{"a name in a key", "{{user}} AND crown", "Mara has a crown", "a crown"},
	} {
		c := featureBook(t, wb.Exact(), when("1", "", r.expression))
		for want, lines := range map[string]string{"1": r.yes, "": r.no} {
			for _, line := range strings.Split(lines, "|") {
				in := says(line)
				in.User = "Mara"
				wantText(t, r.reason+": "+line, scanned(c, in), want)
			}
		}
	}
}

// TestExpressionWithKeys: the expression restricts the finds of the keys. Constants and forced
// entries need neither keys nor an expression.
func TestExpressionWithKeys(t *testing.T) {
	t.Parallel()
	both := when("both", "dragon", "NOT boat")
	both.SecondaryKeys, both.Selective = []string{"gold"}, true
	constant := when("constant", "", "never said")
	constant.Constant = true
	sensitive := when("sensitive", "", "Rose")
	sensitive.CaseSensitive = new(true)
	literal := when("literal", "", "/x/ OR {{user}}")
	literal.Literal = true
	c := featureBook(t, wb.Exact(), both, constant, sensitive, literal)
	for line, want := range map[string]string{
		"dragon": "constant", "dragon gold": "both constant", "dragon gold boat": "constant", "gold": "constant",
		"a rose": "constant", "a Rose": "constant sensitive", "x": "constant", "/x/": "constant literal",
	} {
		wantText(t, line, scanned(c, says(line)), want)
	}
	in := says("boat")
	in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "both"}}}
	wantText(t, "forced", scanned(c, in), "both constant")
}

// TestExpressionRecursion: an expression sees the texts of other entries, and the trace shows the
// path. An overlay may add an entry with an expression.
func TestExpressionRecursion(t *testing.T) {
	t.Parallel()
	feeder := wb.Entry{UID: "feeder", Keys: []string{"inn"}, Content: "A dragon sleeps."}
	led := when("led", "", "dragon AND inn")
	c := featureBook(t, wb.Exact(), feeder, led)
	wantText(t, "line", gateOf(c, says("the inn"), wb.State{}, "led"), `b.led: active by key "dragon AND inn" in recursion via b.feeder`)
	in := says("the inn")
	in.Overlay.Add = []wb.Attachment{{Book: wb.Book{Name: "o", Entries: []wb.Entry{when("new", "", "dragon AND NOT elf")}}}}
	wantText(t, "added", scanned(c, in), "feeder led new")
}

// TestExpressionExplains: the trace says which keys decided, or why the expression cannot be read.
func TestExpressionExplains(t *testing.T) {
	t.Parallel()
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		when("1", "", "sun AND wind"), when("2", "sun", "NOT rain"), when("3", "sun", "(sun"), when("4", "", "NOT sun"),
	}}}}, wb.Exact())
	for _, r := range []struct{ line, uid, want string }{
		{"sun", "1", "b.1: stopped: expression does not hold: found sun: missing wind"},
		{"sun and wind", "1", `b.1: active by key "sun AND wind" in message 0`},
		{"sun and rain", "2", "b.2: stopped: expression does not hold: found rain"},
		{"sun", "2", `b.2: active by key "sun" in message 0`},
		{"sun", "3", "b.3: stopped: its expression cannot be read: column 5: a bracket is not closed; add )"},
		{"rain", "4", `b.4: active by key "NOT sun" in anywhere`},
	} {
		wantText(t, r.line+" "+r.uid, gateOf(c, says(r.line), wb.State{}, r.uid), r.want)
	}
}

// TestExpressionVet: Vet finds expressions that are never true, and their dead keys.
func TestExpressionVet(t *testing.T) {
	t.Parallel()
	for _, r := range []vetRow{
		{"fine", nil, []wb.Entry{when("1", "", "a AND NOT b")}, ""},
		{"it denies a key that is everywhere", nil, []wb.Entry{when("1", "", `a AND NOT "{{user}}"`)}, ""},
		{"a dead key", nil, []wb.Entry{when("1", "", "a OR /$^x/")}, "dead_key b.entries[0].extensions.talewright.when"},
		{"never", nil, []wb.Entry{when("1", "", "a AND NOT a")}, "unreachable b.entries[0]: nothing activates the entry: its expression is never true"},
		{"unread", nil, []wb.Entry{when("1", "a", "(a")}, "unreachable b.entries[0]: nothing activates the entry: its expression is never true"},
	} {
		r.check(t)
	}
}

// tree is an expression of the test, with its meaning.
type tree struct {
	text string
	is   func(line string) bool
}

// grow makes a random expression.
func grow(rng *rand.Rand, depth int) tree {
	words := []string{"sun", "rain", "wind", "old elf", "/sn?ow/", "龙"}
	if depth == 0 || rng.IntN(4) == 0 {
		word := words[rng.IntN(len(words))]
		return tree{word, func(line string) bool {
			if word == "/sn?ow/" {
				return strings.Contains(line, "snow") || strings.Contains(line, "sow")
			}
			return strings.Contains(line, word)
		}}
	}
	a, b := grow(rng, depth-1), grow(rng, depth-1)
	switch rng.IntN(3) {
	case 0:
		return tree{"NOT (" + a.text + ")", func(line string) bool { return !a.is(line) }}
	case 1:
		return tree{"(" + a.text + ")" + []string{" AND ", "&", " && "}[rng.IntN(3)] + "(" + b.text + ")",
			func(line string) bool { return a.is(line) && b.is(line) }}
	}
	return tree{"(" + a.text + ")" + []string{" OR ", "|", "｜"}[rng.IntN(3)] + "(" + b.text + ")",
		func(line string) bool { return a.is(line) || b.is(line) }}
}

// TestExpressionOracle compares random books of expressions with a direct evaluation of the same
// trees. Entries are only examined if one of their keys is found, so the test notices a missing
// key.
func TestExpressionOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 2))
	parts := []string{"sun ", "rain ", "wind ", "old elf ", "snow ", "sow ", "龙 ", "and "}
	set := wb.Exact()
	set.Depth, set.Recursive, set.MatchWholeWords = 1, false, false
	set.BudgetCap, set.Budget = 0, 100
	for range 200 {
		var trees []tree
		var entries []wb.Entry
		for i := range 8 {
			trees = append(trees, grow(rng, 1+rng.IntN(4)))
			entries = append(entries, when(fmt.Sprint(i), "", trees[i].text))
		}
		c := featureBook(t, set, entries...)
		for range 20 {
			line := ""
			for _, part := range parts {
				if rng.IntN(3) == 0 {
					line += part
				}
			}
			var want []string
			for i, tree := range trees {
				if tree.is(line) {
					want = append(want, fmt.Sprint(i))
				}
			}
			if got := scanned(c, says(line)); got != strings.Join(want, " ") {
				t.Fatalf("%q: got %s, want %s, of %v", line, got, want, trees)
			}
		}
	}
}

// FuzzExpression: no text makes compiling or scanning fail. The same book gives the same answer
// with and without an explanation. An expression whose keys are all in brackets has the same
// meaning.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"a OR b", "(a AND NOT b)", `"a`, "/a/i|b", "a and b", "！（a｜b）", "((((", "NOT", `"\"" OR 「x」`, "a b c", "{{user}}&x"} {
		f.Add(s, "a line with b and c")
	}
	f.Fuzz(func(t *testing.T, text, line string) {
		if len(text) > 300 || len(line) > 300 {
			return
		}
		e := when("1", "", text)
		compile := func(e wb.Entry) (*wb.Compiled, int) {
			c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{e}}}}, wb.Exact())
			c.Vet(4096, nil)
			return c, len(problems)
		}
		c, problems := compile(e)
		r, _ := c.Scan(says(line), wb.State{})
		in := says(line)
		in.Explain = true
		if again, _ := c.Scan(in, wb.State{}); uids(again) != uids(r) {
			t.Errorf("%q in %q: %q, explained %q", text, line, uids(r), uids(again))
		}
		if problems > 0 || text == "" {
			return
		}
		for how, same := range map[string]string{"in brackets": "(" + text + ")", "denied twice": "NOT NOT (" + text + ")", "or itself": "(" + text + ") OR (" + text + ")"} {
			same := when("1", "", same)
			if len(text) > 100 {
				continue // it may have too many keys
			}
			if c, more := compile(same); more > 0 || scanned(c, says(line)) != uids(r) {
				t.Errorf("%q %s in %q: %d problems, %q, want %q", text, how, line, more, scanned(c, says(line)), uids(r))
			}
		}
	})
}
