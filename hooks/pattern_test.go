package hooks_test

import (
	"testing"

	"github.com/talewright/talewright/hooks/act"
)

func TestMatch(t *testing.T) { // HK-17
	t.Parallel()
	tests := []struct {
		pattern, event string
		want           bool
		reason         string
	}{
		{"*", "anything.goes", true, "a single star"},
		{"", "e", false, "the empty pattern"},
		{"a.b.c", "a.b.c", true, "equal"},
		{"a.b.c", "a.b.d", false, "another last segment"},
		{"a.b", "a.b.c", false, "shorter than the event"},
		{"a.b.c", "a.b", false, "longer than the event"},
		{"A.b", "a.b", false, "case counts"},
		{"character.*", "character.before_turn.finished", true, "a last star spans segments"},
		{"character.*", "character", false, "but needs one"},
		{"character.*", "characters.x", false, "segments are compared whole"},
		{"*.changed", "state.changed", true, "an inner star is one segment"},
		{"*.changed", "plot.node.changed", false, "and not two"},
		{"a.*.c", "a.b.c", true, "in the middle"},
		{"a.*.c", "a.b.d", false, "what follows the star counts"},
		{"*.*", "a.b.c", true, "both kinds of star"},
		{"*.*", "a", false, "two segments at least"},
		{"a.b*", "a.bc", false, "a star inside a segment is a character"},
		{"model.before_call", "pipeline.before_model_call", true, "canonical pattern, alias event"},
		{"pipeline.before_model_call", "model.before_call", true, "alias pattern, canonical event"},
		{"character.memory.recalled", "character.before_turn.after_memory_retrieve", true,
			"one alias against another"},
		{"pipeline.*", "model.before_call", true, "wildcards see aliases"},
		{"character.before_turn.*", "character.after_memory_retrieve", true, "here too"},
		{"*.changed", "character.state.changed", true, "through its canonical name"},
	}
	for _, tt := range tests {
		if got := act.MatchType(tt.pattern, tt.event); got != tt.want {
			t.Errorf("Match(%q, %q) = %v, want %v: %s", tt.pattern, tt.event, got, tt.want, tt.reason)
		}
	}
}
