package jsregex

import (
	"fmt"
	"math/rand/v2"

	"github.com/talewright/talewright/internal/testkit"
	"strings"
	"testing"
)

// hostile makes expensive patterns: repeats of repeats, look-around in loops, back references,
// classes, counts.
type hostile struct {
	*rand.Rand
	groups int
}

func (h *hostile) of(list ...string) string { return list[h.IntN(len(list))] }

func (h *hostile) pattern(depth int) string {
	h.groups = 0
	return h.branches(depth)
}

func (h *hostile) branches(depth int) string {
	parts := make([]string, 1+h.IntN(3)/2+h.IntN(8)/7)
	for i := range parts {
		for range 1 + h.IntN(3) {
			parts[i] += h.item(depth)
		}
	}
	return strings.Join(parts, "|")
}

func (h *hostile) item(depth int) string {
	var s string
	quantified := true
	switch k := h.IntN(12); {
	case depth <= 0 || k < 4:
		s = h.of("a", "b", "é", "魔", ".", `\w`, `\W`, `\s`, "[ab]", "[^a]", "[^]", "[a-zé]", `\S`)
	case k < 6:
		h.groups++
		s = "(" + h.branches(depth-1) + ")"
	case k < 9:
		s = "(?:" + h.branches(depth-1) + ")"
	case k == 9:
		s = h.of("(?=", "(?!") + h.branches(depth-1) + ")"
	case k == 10:
		s = h.of("(?<=", "(?<!") + h.branches(depth-1) + ")"
		quantified = false
	case h.groups > 0 && h.IntN(2) == 0:
		s = fmt.Sprintf(`\%d`, 1+h.IntN(h.groups))
	default:
		s, quantified = h.of(`\b`, `\B`, "^", "$"), false
	}
	switch {
	case !quantified:
	case h.IntN(30) == 0:
		s += h.of("{1,40}", "{60}", "{0,2000}", "{500,2147483647}")
	case h.IntN(5) < 3:
		s += h.of("*", "+", "?", "*?", "+?", "*", "+", "?", "??", "{2,}", "{0,3}", "{1,3}?")
	}
	return s
}

// text makes a text that patterns with few characters nearly match over a long range.
func (h *hostile) text(size int) string {
	unit := h.of("a", "ab", "aab", "魔", "a魔é", "a b", "aaaaaaaa\n")
	s := strings.Repeat(unit, 1+size/len(unit))
	return s + h.of("", "!", "b", "\n")
}

// searched runs one search with a memo from the first step, or without one.
func searched(c *code, text string, limit int, memo bool) (start, end, steps int, ok bool, err error) {
	m := newMachine(c, text, limit)
	defer m.release()
	m.memo.enableAfter, m.memo.disabled = 0, !memo
	start, end, ok, err = m.search(0)
	return start, end, m.steps, ok, err
}

// TestMemoChangesNothing: a search finds the same match with and without a memo.
func TestMemoChangesNothing(t *testing.T) {
	t.Parallel()
	h := hostile{Rand: rand.New(rand.NewPCG(7, 7))}
	compared := 0
	patterns := testkit.Cases(8000, 2000)
	for i := range patterns {
		pattern, text := h.pattern(3), h.text(h.IntN(20))
		flags := Flags{IgnoreCase: i%3 == 0, Multiline: i%4 == 0, Unicode: i%5 == 0}
		root, err := parse(pattern, flags)
		if err != nil {
			continue
		}
		for _, keep := range []bool{false, true} {
			c := assemble(root, flags, keep)
			start, end, _, ok, err := searched(c, text, 4000, false)
			mStart, mEnd, _, mOK, mErr := searched(c, text, 40000, true)
			if err != nil || mErr != nil {
				continue
			}
			compared++
			if start != mStart || end != mEnd || ok != mOK {
				t.Errorf("/%s/ %+v on %q: %d to %d %v, with a memo %d to %d %v",
					pattern, flags, text, start, end, ok, mStart, mEnd, mOK)
			}
		}
	}
	if compared < patterns {
		t.Errorf("only %d were compared", compared)
	}
}

// TestHostileSteps: for every pattern, the size of its code is proportional to the pattern, and a
// search ends within its limit. Patterns that cannot run away take steps in proportion to the text.
func TestHostileSteps(t *testing.T) {
	t.Parallel()
	h := hostile{Rand: rand.New(rand.NewPCG(1, 9))}
	accepted, runAway, givenUp := 0, 0, 0
	patterns := testkit.Cases(24000, 4000)
	for i := range patterns {
		pattern := h.pattern(3)
		flags := Flags{IgnoreCase: i%3 == 0, DotAll: i%4 == 0}
		root, err := parse(pattern, flags)
		if err != nil {
			continue
		}
		accepted++
		c := assemble(root, flags, i%7 == 0)
		if most := 4*len(pattern) + 2*maxUnrolled + 20; len(c.insts) > most {
			t.Errorf("/%s/ has %d instructions, want at most %d", pattern, len(c.insts), most)
		}
		const limit = 8000
		text := h.text(80)
		_, _, steps, _, err := searched(c, text, limit, true)
		if steps > 2*limit { // one step can cost as much as the backtracking stack is long
			t.Errorf("/%s/ took %d steps of %d", pattern, steps, limit)
		}
		if c.runAway {
			runAway++
			continue
		}
		if err != nil {
			givenUp++
		}
		if _, _, steps, _, _ = searched(c, text, 1<<30, true); steps > 100*len(c.insts)*len(text)+10000 {
			t.Errorf("/%s/ of %d instructions took %d steps on %d bytes", pattern, len(c.insts), steps, len(text))
		}
	}
	t.Logf("%d accepted, %d can run away, %d others beyond the small limit", accepted, runAway, givenUp)
	if accepted < patterns*5/6 || runAway > accepted*3/4 {
		t.Errorf("%d accepted, %d of them can run away", accepted, runAway)
	}
}

// TestLinear: patterns that took quadratic time or more now take steps in proportion to the text.
func TestLinear(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ reason, pattern, unit, end string }{
		{"a look-ahead that holds at every place", `(?=\w+!)\w+\?`, "a", "!"},
		{"one that never does", `(?=\w+!)\w+\?`, "a", "?"},
		{"a loop that begins everywhere", `\w+\?`, "a", "!"},
		{"loops in loops", `((a+)+)+$`, "a", "!"},
		{"loops that can stand still", `((a*)*)*$`, "a", "!"},
		{"two loops that share characters", `\w*a\w*b\w*!`, "ab", "?"},
		{"a look-behind of any length", `(?<=^a*)b`, "a", "c"},
		{"at every place", `(?<!b+)c|(?<=a+)b`, "a", "c"},
		{"and idiom", `(?=[^]*x)(?=[^]*y)`, "x", ""},
		{"lazy", `\w+?\s\w+?:`, "a", " "},
		{"ideographs", `([\u4e00-\u9fa5]+)[，。]!`, "魔", "。"},
		{"under flag i", `(?:é|e)+\d`, "É", "x"},
		{"choices one after the other", strings.Repeat("(?:a|aa)", 20) + "$", "a", "!"},
		{"negative look-around in a loop", `(?:(?!xy).)*xy`, "x", "z"},
	} {
		root, err := parse(row.pattern, Flags{IgnoreCase: row.reason == "under flag i"})
		if err != nil {
			t.Fatal(err)
		}
		c := assemble(root, Flags{IgnoreCase: row.reason == "under flag i"}, false)
		if c.runAway {
			t.Errorf("%s: /%s/ can run away", row.reason, row.pattern)
		}
		var steps [2]int
		for i, n := range []int{5000, 20000} {
			text := strings.Repeat(row.unit, n) + row.end
			if _, _, steps[i], _, err = searchedPlainly(c, text); err != nil {
				t.Errorf("%s: /%s/: %v", row.reason, row.pattern, err)
			}
		}
		if steps[1] > 5*steps[0] {
			t.Errorf("%s: /%s/ takes %v steps", row.reason, row.pattern, steps)
		}
	}
}

// searchedPlainly runs one search as Match does.
func searchedPlainly(c *code, text string) (start, end, steps int, ok bool, err error) {
	m := newMachine(c, text, Limit(len(text)))
	defer m.release()
	start, end, ok, err = m.search(0)
	return start, end, m.steps, ok, err
}

// TestStallsAreShort: the two patterns that blocked a chat for seconds and minutes.
func TestStallsAreShort(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, pattern, text string
		want                  error
	}{
		{"a back reference", `([\u4e00-\u9fa5]+)[，。]\1`, strings.Repeat("魔法", 10000), ErrLimit},
		{"a look-ahead", `(?=\w+!)\w+\?`, strings.Repeat("a", 200000) + "!", nil},
		{"groups that refer to themselves", `(?:(e)|e\1?|\1e)*(?:e|ee)*x`, strings.Repeat("e", 20000), ErrLimit},
	} {
		re, err := Compile(row.pattern, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		ok, steps, err := re.MatchCounted(row.text, Limit(len(row.text)))
		if ok || err != row.want || steps > Limit(len(row.text))+Limit(0)/4 {
			t.Errorf("%s: %v after %d steps of %d: %v", row.reason, ok, steps, Limit(len(row.text)), err)
		}
	}
}

// TestBooksOfRepeatsAreSmall: repeats of thousands are not unrolled.
func TestBooksOfRepeatsAreSmall(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a{1000}", "[a-z]{0,1000}", "(?:ab){0,1000}", `(?:a|b){1000}`, `\W{999}`, "(a?){500}", "[a-z]"} {
		pattern := strings.Repeat(unit, 16<<10/len(unit))
		re, err := Compile(pattern, Flags{IgnoreCase: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := re.Match("xyz" + strings.Repeat("a", 100)); err != nil && err != ErrLimit {
			t.Error(err)
		}
		if n := len(re.matcher().insts); n > len(pattern)+2*maxUnrolled {
			t.Errorf("%s: %d instructions for %d bytes", unit, n, len(pattern))
		}
	}
}

// TestFirstBytes: the characters of a set begin only with the bytes that it lists.
func TestFirstBytes(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{`[\u3040-\ud7a3]`, `[k-s]`, `[\u4e00-\u9fa5。]`, `\W`, `[^a]`, `[\u00e0-\u00ff]`, `[\ufffd]`, `[ſ]`} {
		for _, flags := range []Flags{{}, {IgnoreCase: true}, {IgnoreCase: true, Unicode: true}} {
			root, err := parse(pattern, flags)
			if err != nil {
				t.Fatal(err)
			}
			set := newCharSet(root.set, flags)
			var first byteSet
			set.firstBytes(&first)
			for r := rune(0); r < 0x11000; r++ {
				if s := string(r); set.has(r) && !first.has(s[0]) {
					t.Errorf("%s takes %q, which begins with %x", pattern, r, s[0])
					break
				}
			}
		}
	}
}
