package lexicon

import (
	"slices"
	"testing"
)

func TestInflect(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"walk":       {"walk", "walks", "walked"},
		"slip":       {"slip", "slips", "slipped"},
		"hurry":      {"hurry", "hurries", "hurried"},
		"stay":       {"stay", "stays", "stayed"},
		"reach":      {"reach", "reaches", "reached"},
		"recover":    {"recover", "recovers", "recovered"},
		"crawl":      {"crawl", "crawls", "crawled"},
		"drop to":    {"drop to", "drops to", "dropped to"},
		"bring back": {"bring back", "brings back", "brought back"},
		"rise from": {"rise from", "rises from", "rose from",
			"has risen from", "has just risen from", "has already risen from", "has now risen from", "has finally risen from", "has long since risen from",
			"have risen from", "have just risen from", "have already risen from", "have now risen from", "have finally risen from", "have long since risen from"},
		"enter @ ": {"enter @ ", "enters @ ", "entered @ "},
	} {
		if got := inflect(word); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// An entry with slashes means every choice of one character from each part.
func TestSpread(t *testing.T) {
	t.Parallel()
	want := []string{"走进", "走进了", "跑进", "跑进了"}
	if got := spread("走跑/进/-了"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
