package lexicon

import (
	"slices"
	"testing"
)

func TestInflect(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"walk":    {"walk", "walks", "walked"},
		"slip":    {"slip", "slips", "slipped"},
		"hurry":   {"hurry", "hurries", "hurried"},
		"stay":    {"stay", "stays", "stayed"},
		"reach":   {"reach", "reaches", "reached"},
		"recover": {"recover", "recovers", "recovered"},
		"crawl":   {"crawl", "crawls", "crawled"},
		"bring":   {"bring", "brings", "brought"},
		"rise": {"rise", "rises", "rose", "has risen", "have risen", "has just risen", "have just risen", "has already risen", "have already risen",
			"has now risen", "have now risen", "has finally risen", "have finally risen", "has long since risen", "have long since risen"},
	} {
		if got := inflect(word); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// An entry with slashes means every choice of one character from each part.
func TestSpread(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	l.addLine("走跑/进/-了", true, Dead)
	l.entries = l.graph.Join()
	for text, want := range map[string]int{"走进": 1, "走进了": 1, "跑进": 1, "跑进了": 1, "走了": 0, "走跑进": 1} {
		if got := len(l.find([]rune(text)).All(Dead)); got != want {
			t.Errorf("%s: %d words, want %d", text, got, want)
		}
	}
}
