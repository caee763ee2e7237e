package match_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// TestNext goes through sets with their numbers at the edges of words.
func TestNext(t *testing.T) {
	t.Parallel()
	for _, want := range [][]int{nil, {0}, {63}, {64}, {0, 63, 64, 127, 128, 199}, {1, 2, 190}} {
		s := match.New(200)
		for _, i := range want {
			s.Put(i)
		}
		var got []int
		for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if s.Reset(200).Next(0) != -1 {
			t.Errorf("%v: not empty after a reset", want)
		}
	}
}
