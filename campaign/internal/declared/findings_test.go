package declared

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// TestWithout: a finding is known if a known one has the same kind and the same words.
func TestWithout(t *testing.T) {
	blow := conflict.Conflict{Detector: "hp", EntityID: "ann", Kind: "hp_change_unsettled", Quote: "you lose 4"}
	other := blow
	other.Kind = "death_unsettled"
	later := blow
	later.Quote = "you lose 5"
	for _, tt := range []struct {
		name        string
		known, want []conflict.Conflict
	}{
		{"nothing is known", nil, []conflict.Conflict{blow, other, later}},
		{"one is known", []conflict.Conflict{blow}, []conflict.Conflict{other, later}},
		{"a different severity is the same finding", []conflict.Conflict{func() conflict.Conflict {
			c := blow
			c.Severity = conflict.Block
			return c
		}()}, []conflict.Conflict{other, later}},
		{"all are known", []conflict.Conflict{later, other, blow}, nil},
	} {
		got := Without([]conflict.Conflict{blow, other, later}, tt.known)
		if !slices.EqualFunc(got, tt.want, func(a, b conflict.Conflict) bool { return a.Kind == b.Kind && passageOf(a) == passageOf(b) }) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
