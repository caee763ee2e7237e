package secret

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestIndexOfNotes: an index has the same witnesses as the list, also if the list has two notes about
// a place.
func TestIndexOfNotes(t *testing.T) {
	t.Parallel()
	notes := state.AudienceNotes{{Of: tree.Path{"mood", "a"}, Witnesses: []string{"mara"}}, {Of: tree.Path{"mood"}, Witnesses: []string{"sella"}},
		{Of: tree.Path{"mood", "a"}, Witnesses: []string{"orrin"}}}
	for _, of := range []tree.Path{{"mood"}, {"mood", "a"}, {"mood", "a", "x"}, {"moo"}, {}} {
		if got, want := newIndex(notes).witnesses(of), notes.Witnesses(of); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
}
