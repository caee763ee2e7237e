package utf8text

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	known := []string{"energy", "mood", "mood_intensity", "能量", "hp"}
	for _, tc := range []struct{ reason, word, want string }{
		{"a letter missing", "enery", "energy"},
		{"two letters swapped", "enregy", "energy"},
		{"letter case", "MOOD", "mood"},
		{"too many slips", "engine", ""},
		{"a short word has no letter to lose", "mp", ""},
		{"the nearest of several", "mood_intensty", "mood_intensity"},
		{"a novel", strings.Repeat("energy", 100), ""},
		{"nothing", "", ""},
		{"one of two Chinese characters", "能力", "能量"},
		{"two of two Chinese characters", "力气", ""},
	} {
		if got, _ := Suggest(tc.word, known); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}
