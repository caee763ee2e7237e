package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
)

// TestTerms: texts of all scripts are split into terms.
func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, reason string }{
		{"words", "The brass Key!", "the brass key", "case and punctuation do not count"},
		{"plural", "keys, ladies, glass, bus, this, virus", "key lady glass bus this virus", "one s is taken off where it is a plural's"},
		{"possessive", "Mara's and the sisters’ o'clock", "mara and the sister o'clock", "an apostrophe at the end of a word is no part of it"},
		{"single letters", "I saw a 7", "saw 7", "a letter alone says nothing, a digit does"},
		{"accents", "Élan vital déjà", "élan vital déjà", "letters of all alphabets make words"},
		{"Cyrillic", "Серый Волк", "серый волк", "and have small forms"},
		{"Chinese", "铜钥匙在。", "铜钥 钥匙 匙在", "pairs overlap"},
		{"one character", "剑，剑", "剑 剑", "a character alone is a term"},
		{"punctuation between", "铜钥，匙", "铜钥 匙", "pairs do not reach over punctuation"},
		{"Japanese", "ラーメンを食べる", "ラー ーメ メン ンを を食 食べ べる", "kana and kanji, and the mark of length"},
		{"Korean", "늑대가 온다", "늑대 대가 온다", "pairs end at blanks"},
		{"Thai", "ไทย", "ไท ทย", "a script without blanks"},
		{"mixed", "我的HP是10点", "我的 hp 是 10 点", "a change of script ends a term"},
		{"full width", "ＨＰ：１２", "hp 12", "full-width forms are the same letters"},
		{"broken", "ab\xffcd\xff铜", "ab cd 铜", "bytes that are no UTF-8 divide"},
		{"long", strings.Repeat("a", 100) + " b1", strings.Repeat("a", 32) + " b1", "of a word 32 characters count"},
		{"a typographic apostrophe", "o’clock", "o'clock", "it is the same word"},
		{"quotes", "'tis 'key'", "tis key", "quotation marks are no part of a word"},
		{"digits of other scripts", "٣٤", "٣٤", "digits make words too"},
		{"braces", "ab{cd}", "ab cd", "ASCII characters after the letters divide"},
		{"nothing", " \n…!", "", "no terms"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), memory.Terms(c.text)); diff != "" && len(memory.Terms(c.text))+len(c.want) > 0 {
			t.Errorf("%s (%s): %s", c.name, c.reason, diff)
		}
	}
}

// TestPassagesEndWithSentences: a passage is cut after a sentence, else between words, else
// anywhere, but not within a character.
func TestPassagesEndWithSentences(t *testing.T) {
	t.Parallel()
	size := memory.PassageSize
	for _, c := range []struct {
		name, text string
		ends       string // the allowed ends of each passage but the last
	}{
		{"English", strings.Repeat("He nods slowly, and waits. ", 40), "."},
		{"quoted", strings.Repeat("“He nods slowly and waits.” ", 40), "”"},
		{"Chinese", strings.Repeat("他慢慢地点头，等着。", 40), "。"},
		{"Chinese, quoted", strings.Repeat("“他慢慢地点头，等着。”", 40), "”"},
		{"lines", strings.Repeat("a line without an end\n", 40), "d"},
		{"words", strings.Repeat("word ", 200), "d"},
		{"clauses", strings.Repeat("他慢慢地点头，", 40), "，"},
		{"one word", strings.Repeat("a", 3*size), "a"},
		{"one word, Chinese", strings.Repeat("剑", size), "剑"},
	} {
		got := memory.Pieces(c.text)
		if len(got) < 3 {
			t.Errorf("%s: %d passages", c.name, len(got))
		}
		for _, text := range got {
			if !strings.HasSuffix(text, c.ends) {
				t.Errorf("%s: a passage ends with %q", c.name, text[max(0, len(text)-12):])
			}
		}
		checkPassages(t, c.text, got)
	}
}

// checkPassages checks that everything except white space is in exactly one passage.
func checkPassages(t *testing.T, text string, got []string) {
	t.Helper()
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if bare(strings.Join(got, "")) != bare(text) {
		t.Errorf("the passages of %q are %q", text, got)
	}
	for _, p := range got {
		if len([]rune(p)) > memory.PassageSize || strings.TrimSpace(p) != p || p == "" {
			t.Errorf("a passage of %q: %q", text, p)
		}
	}
	if again := memory.Pieces(text); !slices.Equal(got, again) {
		t.Errorf("not the same twice: %q", text)
	}
}
