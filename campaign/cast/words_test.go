package cast_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/campaign/cast"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text, reason string
		want         []string
	}{
		{"The D'Arc_9!", "letters, digits and low lines are words", []string{"the", "d", "arc_9"}},
		{"ａｓｈ ｚｚ", "small ones too", []string{"ash", "zz"}},
		{"ＡＳＨ Ash", "letters of full width are the same letters", []string{"ash", "ash"}},
		{"KELVIN ſo Σίσυφος", "every form of a letter is the same letter", []string{"kelvin", "so", cast.Words("σίσυφοσ")[0]}},
		{"Ι ι", "the form of iota that is a mark is no letter of a word", []string{"Ι", "Ι"}},
		{"让Cyra来吧", "a script without blanks ends where another begins", []string{"让", "cyra", "来吧"}},
		{"7号 号7", "a digit is not of a script without blanks", []string{"7", "号", "号", "7"}},
		{"さくら子", "kana and Chinese characters are two scripts", []string{"さくら", "子"}},
		{"カーさん", "both kinds of kana are one script, with the sign that makes a vowel long", []string{"カーさん"}},
		{"ｶｰ", "kana of half width too", []string{"ｶｰ"}},
		{"Ⅳ ７", "numerals are digits, in any width", []string{cast.Words("ⅳ")[0], "7"}},
		{"欧阳·青", "a middle dot divides", []string{"欧阳", "青"}},
		{"김민수는", "Korean is written with blanks, but ties particles to names", []string{"김민수는"}},
		{"น้ำ", "a mark belongs to what it stands on", []string{"น้ำ"}},
		{"\u0301e\u0301", "a mark that stands on nothing is left out", []string{"e\u0301"}},
		{"\xff… —", "what is no text has no words", nil},
	} {
		if diff := gocmp.Diff(c.want, cast.Words(c.text)); diff != "" {
			t.Errorf("%q: %s: %s", c.text, c.reason, diff)
		}
	}
}

func TestMentioned(t *testing.T) {
	for _, c := range []struct {
		line, names, reason string
		want                []int
	}{
		{"cyra, and ASH", "Ash|Cyra", "the order is that of mention", []int{1, 0}},
		{"Reed!", "Ana Reed|Bo Reed", "a word that two share is the first one's", []int{0}},
		{"Reed, Bo", "Ana Reed|Bo Reed", "the second has a word of his own", []int{0, 1}},
		{"the smith", "Ash|Dov the Smith", "every word of a name counts, small ones too", []int{1}},
		{"Ashes", "Ash", "a part of a word is no mention", nil},
		{"问老陈吧", "老陈|白露", "in a script without blanks a name is anywhere", []int{0}},
		{"露水白", "白露", "the characters have to be together", nil},
		{"阿姨", "阿K", "a single character is no mention of a longer name", nil},
		{"k, go", "阿K", "a single letter is a word", []int{0}},
		{"他说白了", "白", "a single character is one if it is the whole name", []int{0}},
		{"白露来", "白|白露", "two at one place come in list order", []int{0, 1}},
		{"白露来", "白露|白", "two at one place come in list order", []int{0, 1}},
		{"来Ash白", "白|Ash", "scripts are mixed by place", []int{1, 0}},
		{"白\n露", "白露", "a name does not reach over a line", nil},
		{"Renée", "RENÉE", "accents are letters", []int{0}},
		{"Reed, Ash, Bo", "Ash|Bo Reed", "the first word of a name that is mentioned counts", []int{1, 0}},
		{"", "Ash", "nothing names nobody", nil},
		{"Ash", "", "who has no name is not named", nil},
	} {
		if diff := gocmp.Diff(c.want, cast.Mentioned(c.line, strings.Split(c.names, "|")), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q of %s: %s: %s", c.line, c.names, c.reason, diff)
		}
	}
}

// slowMentioned checks at each position of the line, from the left, which names have a word that
// begins there.
func slowMentioned(line string, names []string) []int {
	words := cast.Words(line)
	packed := cast.Packed(line)
	var out []int
	at := func(i int, rest string) {
		for n, name := range names {
			own, isPacked := cast.Words(name), cast.Packed(name)
			for k, w := range own {
				first := slices.IndexFunc(names, func(other string) bool {
					theirs, p := cast.Words(other), cast.Packed(other)
					j := slices.Index(theirs, w)
					return j >= 0 && (!p[j] || len(theirs) == 1 || signs(w) > 1)
				})
				if first != n || isPacked[k] && signs(w) == 1 && len(own) > 1 {
					continue
				}
				if isPacked[k] && packed[i] && strings.HasPrefix(rest, w) || !packed[i] && rest == w {
					if !slices.Contains(out, n) {
						out = append(out, n)
					}
				}
			}
		}
	}
	for i, w := range words {
		for place := range w {
			if place == 0 || packed[i] {
				at(i, w[place:])
			}
		}
	}
	return out
}

// signs counts the characters of a word without marks.
func signs(word string) int {
	n := 0
	for _, r := range word {
		if len(cast.Words(string(r))) > 0 {
			n++
		}
	}
	return n
}

// FuzzWords: the search finds the same names as the slow search, and splitting words again changes
// nothing.
func FuzzWords(f *testing.F) {
	for _, seed := range [][2]string{
		{"Cyra, and Ash!", "Ash|Bo Reed|Cyra"}, {"问老陈,Cyra来", "老陈|白露|阿K|Cyra"}, {"白露 白", "白|白露"},
		{"น้ำ ำ", "น้ำ"}, {"e\u0301 é", "É|E\u0301"}, {"カー가나다", "ーカ|나"}, {"\xff\xe9_", "_|\xff"}, {"İıſK", "iISK|k"}, {"Ι", "ι"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, line, list string) {
		if len(line) > 300 || len(list) > 100 {
			return // the slow search is quadratic in the line
		}
		names := strings.Split(list, "|")
		if diff := gocmp.Diff(slowMentioned(line, names), cast.Mentioned(line, names), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		for _, w := range cast.Words(line) {
			if again := cast.Words(w); len(again) != 1 || again[0] != w || !utf8.ValidString(w) {
				t.Errorf("the word %q is %q when it is read again", w, again)
			}
		}
	})
}
