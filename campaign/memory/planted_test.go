package memory_test

import (
	"context"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
)

// TestPlantedFacts: the index finds most facts that were mentioned once in a campaign of 1,000
// turns, among the first five items. Every second turn names the same people, places and things. A
// missed fact shares only such names with its question.
func TestPlantedFacts(t *testing.T) {
	t.Parallel()
	for language, least := range map[string]float64{"en": 0.9, "zh": 0.8} {
		var all memoryScore
		for seed := range uint64(3) {
			score, err := newSaga(language, seed).Examine(t.Context(), &memory.Index{}, 1000, plantedFacts(language))
			if err != nil {
				t.Fatal(err)
			}
			all.Asked, all.AtFive, all.Within = all.Asked+score.Asked, all.AtFive+score.AtFive, all.Within+score.Within
			t.Logf("%s, campaign %d: missed %q", language, seed+1, score.Missed)
		}
		t.Logf("%s: %v", language, all)
		if all.recall() < least {
			t.Errorf("%s: %v, want %v at least", language, all, least)
		}
	}
}

// remembering is an [memory.Index] or a [memory.Vectors].
type remembering interface {
	Remember(ctx context.Context, campaign string, turn memory.Turn) error
	Recall(ctx context.Context, q memory.Query) ([]memory.Item, error)
}

func remember(t testing.TB, index remembering, campaign string, turns ...memory.Turn) {
	t.Helper()
	for _, turn := range turns {
		if err := index.Remember(t.Context(), campaign, turn); err != nil {
			t.Fatal(err)
		}
	}
}

func recall(t testing.TB, index remembering, q memory.Query) []memory.Item {
	t.Helper()
	items, err := index.Recall(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return items
}
