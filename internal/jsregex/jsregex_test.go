package jsregex_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/testkit"
)

func compile(t testing.TB, pattern, letters string) *jsregex.Regexp {
	t.Helper()
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		t.Fatal(err)
	}
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		t.Fatalf("/%s/%s: %v", pattern, letters, err)
	}
	return re
}

func TestMatch(t *testing.T) {
	t.Parallel()
	rows := []struct {
		reason, pattern, flags, text string
		want                         bool
	}{
		{"edges are ASCII", `\bwarp\b`, "", "warp门", true},
		{"no fold from outside ASCII", `k`, "i", "\u212a", false},
		{"with u there is", `k`, "iu", "\u212a", true},
		{"long s", `s`, "i", "ſ", false},
		{"sigma", `σ`, "i", "ς", true},
		{"dot leaves line ends out", `a.b`, "", "a\u2028b", false},
		{"dot with s", `a.b`, "s", "a\nb", true},
		{"space", `a\sb`, "", "a\ufeffb", true},
		{"next line is no space", `a\sb`, "", "a\u0085b", false},
		{"any", `a[^]b`, "", "a\nb", true},
		{"nothing", `a[]`, "", "a", false},
		{"unset group", `(a)?b\1c`, "", "bc", true},
		{"look-behind of any length", `(?<=a+)b`, "", "aaab", true},
		{"octal", `\101`, "", "A", true},
		{"no such group: octal", `(a)\2`, "", "a\x02", true},
		{"lone braces", `a{,2}`, "", "a{,2}", true},
		{"control", `\cA`, "", "\x01", true},
		{"bare control", `\c`, "", `\c`, true},
		{"property without u", `\p{L}`, "", "p{L}", true},
		{"property", `\p{Script=Han}`, "u", "魔", true},
		{"braces with u", `\u{9b54}`, "u", "魔", true},
		{"pair", `\ud83d\udc09`, "", "🐉", true},
		{"half a pair", `\ud83d`, "", "🐉", true},
		{"half a pair with u", `\ud83d`, "u", "🐉", false},
		{"all but one above U+FFFF", `[^🐉]|q`, "u", "🐉😀", true},
		{"all but one half", `[^\ud83d]|q`, "", "🐉", true},
		{"two units", `^..$`, "", "🐉", true},
		{"class with a shorthand at a range end", `[a-\d]`, "", "-", true},
		{"posix is a class and a bracket", `[[:alpha:]]`, "", "a]", true},
		{"named group", `(?<x>a)\k<x>`, "", "aa", true},
		{"k without names", `\k<x>`, "", "k<x>", true},
		{"sticky", `b`, "y", "ab", false},
		{"sticky at the start", `a`, "y", "ab", true},
		{"sticky, the second branch", `b|a`, "y", "ab", true},
		{"sticky and lines", `^b`, "my", "a\nb", false},
		{"sticky and an empty match", `x*`, "y", "ab", true},
		{"repeated look-ahead", `(?=(a))?b\1`, "", "b", true},
		{"lines end at a carriage return", `^b`, "m", "a\rb", true},
		{"word class under i", `[\W]`, "i", "ſ", true},
		{"wide class under i", `[\W_]`, "i", "aſ", true},
		{"with u the long s is a letter", `[\W_]`, "iu", "aſ", false},
		{"unless the class lists its like", `[\Ws]`, "iu", "ſ", true},
		{"the opposite of a wide class", `[^\Ws]`, "i", "S", false},
		{"two wide classes are all", `[^\W\S]`, "i", "a", false},
		{"and idiom", `(?=[^]*b)(?=[^]*a)`, "", "a b", true},
		{"and idiom, one missing", `(?=[^]*b)(?=[^]*a)`, "", "a c", false},
		{"and not, anchored", `^(?=[^]*a)(?![^]*b)`, "", "a b", false},
		{"backspace", `[\b]`, "", "\b", true},
	}
	for _, r := range rows {
		got, err := compile(t, r.pattern, r.flags).Match(r.text)
		if err != nil || got != r.want {
			t.Errorf("%s: /%s/%s on %q: %v %v", r.reason, r.pattern, r.flags, r.text, got, err)
		}
	}
}

// TestRefused: patterns that JavaScript refuses. Such a key is plain text.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, r := range []struct{ pattern, flags string }{
		{`(?>a)`, ""}, {`(?#a)`, ""}, {`(?i)a`, ""}, {`(?i:a)`, ""}, {`(?'n'a)`, ""}, {`(?<n>a)(?<n>b)`, ""},
		{`a**`, ""}, {`*a`, ""}, {`a{2}{3}`, ""}, {`{1}`, ""}, {`a{2,1}`, ""}, {`(a`, ""}, {`a)`, ""}, {`[a`, ""},
		{`[b-a]`, ""}, {`a\`, ""}, {`\b+`, ""}, {`(?<=a)*`, ""}, {`(?<n>a)\k<m>`, ""}, {`(?<1>a)`, ""},
		{`\-`, "u"}, {`\_`, "u"}, {`a{`, "u"}, {`}`, "u"}, {`]`, "u"}, {`[a-\d]`, "u"}, {`(?=a)*`, "u"},
		{`\p{Nonsense}`, "u"}, {`\u{110000}`, "u"}, {`\1`, "u"}, {`\00`, "u"}, {`\c`, "u"}, {`\xz`, "u"},
	} {
		flags, _ := jsregex.ParseFlags(r.flags)
		if _, err := jsregex.Compile(r.pattern, flags); err == nil {
			t.Errorf("/%s/%s was accepted", r.pattern, r.flags)
		}
	}
	deep := strings.Repeat("(", 501) + strings.Repeat(")", 501)
	for _, pattern := range []string{deep, `(?<n>a)|(?<n>b)`, `(?-i:a)`} {
		if _, err := jsregex.Compile(pattern, jsregex.Flags{}); err == nil {
			t.Errorf("/%.20s…/ was accepted", pattern)
		}
	}
	for _, letters := range []string{"ii", "x", "gg", "v", "d"} {
		if _, err := jsregex.ParseFlags(letters); err == nil {
			t.Errorf("flags %q were accepted", letters)
		}
	}
}

func TestSplitKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string][2]string{
		`/a/i`: {"a", "i"}, `/a\/b/`: {"a/b", ""}, `/a/gimsuy`: {"a", "gimsuy"}, `//a/`: {}, `/a/b/`: {},
		`//`: {}, `/a`: {}, `a/`: {}, `/a/x`: {}, `/a\\/b/`: {`a\/b`, ""}, `///`: {},
	} {
		body, flags, _ := jsregex.SplitKey(key)
		if body != want[0] || flags != want[1] {
			t.Errorf("%q: %q %q, want %q", key, body, flags, want)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		pattern, flags string
		literals       int
		guard          string
		locality       jsregex.Locality
		runs           bool
	}{
		{`魔法|咒语|法术`, "", 3, "魔法", jsregex.PerPart, false},
		{`\b(?:king|queen)s?\b`, "i", 4, "king", jsregex.PerPart, false},
		{`ring.*mordor`, "i", 0, "mordor", jsregex.PerPart, false},
		{`(?<!no )magic(?! missile)`, "i", 0, "magic", jsregex.PerPart, false},
		{`magic\s+ring`, "", 0, "magic", jsregex.PerPartTail, false},
		{`(?:^|\W)elf`, "", 0, "elf", jsregex.Whole, false},
		{`(a+)+$`, "", 0, "", jsregex.Whole, false},
		{`(\w+\s?)+\1`, "", 0, "", jsregex.PerPartTail, true},
		{`(?:\w+\W+){0,6}?blood`, "", 0, "blood", jsregex.Whole, false},
		{`\w+\s+\w+:`, "", 0, "", jsregex.PerPartTail, false},
	} {
		re := compile(t, r.pattern, r.flags)
		p := re.Plan()
		guard := ""
		if len(p.Guard) > 0 {
			guard = p.Guard[0]
		}
		if len(p.Literals) != r.literals || guard != r.guard || p.Locality != r.locality ||
			re.RunAway() != r.runs {
			t.Errorf("/%s/%s: %+v", r.pattern, r.flags, p)
		}
	}
	marked, err := jsregex.CompileMarked(`(?:^|\W)elf`, jsregex.Flags{})
	if err != nil || marked.Plan().Locality != jsregex.PerPartTail {
		t.Errorf("marked: %+v %v", marked.Plan(), err)
	}
	never, err := jsregex.CompileMarked(`^elf$`, jsregex.Flags{})
	if err != nil || !never.Plan().Never {
		t.Errorf("never: %+v %v", never.Plan(), err)
	}
}

// TestPerfCompileTraps tests notations with large sets. The engine must not compute their case
// closure, which takes tens of milliseconds each.
func TestPerfCompileTraps(t *testing.T) {
	testkit.Need(t)
	start := time.Now()
	for _, pattern := range []string{
		`.x`, `\Wx`, `\Sx`, `\Dx`, `[^]x`, `[\W_]x`, `[^\W\d]x`, `[\Sa]x`,
	} {
		for _, flags := range []string{"i", "iu", "is"} {
			if _, err := compile(t, pattern+`.*y`, flags).Match("xxy"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if took := time.Since(start); took > 200*time.Millisecond {
		t.Errorf("24 patterns took %v", took)
	}
}

// FuzzCompile runs every accepted pattern with its plan. If regexp2 can read the unchanged pattern,
// it compares the answers.
func FuzzCompile(f *testing.F) {
	for _, s := range [][3]string{
		{`\b(?:king|queen)s?\b`, "i", "the Queens"}, {`(?:^|\W)elf[a-z]{0,3}`, "", "an elf"},
		{`[\u4e00-\u9fff]{2,4}学院`, "", "魔法学院"}, {`(a+)+$`, "", "aaab"}, {`x\s+\w+`, "m", "x\ny"},
		{`(?=[^]*a)(?=[^]*b)`, "", "ba"}, {`[^🐉]x`, "", "🐉x"}, {`\k<a>(?<a>.)`, "u", "x"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, pattern, letters, text string) {
		flags, err := jsregex.ParseFlags(letters)
		if err != nil || len(pattern) > 60 || len(text) > 200 {
			return
		}
		re, err := jsregex.Compile(pattern, flags)
		if err != nil {
			return
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		got, err := re.Match(text)
		if err != nil {
			return
		}
		checkPlan(t, re.Plan(), pattern, letters, text, got)
		options := regexp2.ECMAScript
		for letter, o := range map[rune]regexp2.RegexOptions{
			'i': regexp2.IgnoreCase, 'm': regexp2.Multiline, 's': regexp2.Singleline, 'u': regexp2.Unicode,
		} {
			for _, l := range letters {
				if l == letter {
					options |= o
				}
			}
		}
		if flags.Sticky || !isBMP(pattern+text) || flags.IgnoreCase && strings.Count(pattern, ".") > 2 {
			return // the engine needs a long time to compile many dots that ignore case
		}
		plain, err := regexp2.Compile(pattern, options)
		if err != nil {
			return
		}
		plain.MatchTimeout = time.Second
		if want, err := plain.MatchString(text); err == nil && want != got {
			t.Errorf("/%s/%s on %q: %v, regexp2 has %v", pattern, letters, text, got, want)
		}
	})
}

// checkPlan checks that a match contains the literals of the plan.
func checkPlan(t *testing.T, p jsregex.Plan, pattern, letters, text string, got bool) {
	folded, odd := keyindex.Fold(nil, text)
	for _, choice := range append(p.Needs, p.Guard) {
		if got && len(choice) > 0 && !occurs(choice, folded) {
			t.Errorf("/%s/%s matches %q without any of %q", pattern, letters, text, choice)
		}
	}
	if p.Literals == nil || odd {
		return
	}
	in := []byte(text)
	if p.Folded {
		in = folded
	}
	if hits := keyindex.Build(p.Literals).Scan(nil, in, nil); (len(hits) > 0) != got {
		t.Errorf("/%s/%s on %q: %v, its literals %v say %v", pattern, letters, text, got, p.Literals, hits)
	}
}

func occurs(choice []string, folded []byte) bool {
	var keys []keyindex.Key
	for _, c := range choice {
		keys = append(keys, keyindex.Key{Text: c})
	}
	return len(keyindex.Build(keys).Scan(nil, folded, nil)) > 0
}

func isBMP(s string) bool {
	for _, r := range s {
		if r > 0xffff || r == 0xfffd {
			return false
		}
	}
	return true
}

// TestLimit: a search that is stopped by the limit returns ErrLimit, and the error does not quote
// the chat.
func TestLimit(t *testing.T) {
	t.Parallel()
	re := compile(t, `(?:(a|b))*\1c`, "")
	if !re.RunAway() {
		t.Error("not known to run away")
	}
	ok, err := re.Match(strings.Repeat("ab", 60000))
	if ok || err != jsregex.ErrLimit { // the value itself, not wrapped
		t.Errorf("%v, an error of %d bytes", ok, len(err.Error()))
	}
}

// TestAstralAnywhere: without flag u a character above U+FFFF is two units, wherever it is in the
// text.
func TestAstralAnywhere(t *testing.T) {
	t.Parallel()
	for before := range 20 {
		for after := range 10 {
			text := strings.Repeat("a", before) + "😀" + strings.Repeat("é", after)
			re := compile(t, fmt.Sprintf("^a{%d}..é{%d}$", before, after), "")
			if ok, err := re.Match(text); !ok || err != nil {
				t.Errorf("%q: %v %v", text, ok, err)
			}
		}
	}
}
