package worldbook

import (
	"math"
	"strings"
	"testing"
)

// TestSumsOfTextWeightsAreBounded: weights that are texts are concatenated, as in JavaScript. A
// group of very many such weights has no winner, because the work would grow with the square of
// their number.
func TestSumsOfTextWeightsAreBounded(t *testing.T) {
	t.Parallel()
	text := func(s string) *member { return &member{WeightText: &s} }
	for _, tt := range []struct {
		name    string
		members []*member
		want    float64
	}{
		{"numbers", []*member{{Weight: 100}, {Weight: 20}}, 120},
		{"a text after a number", []*member{{Weight: 100}, text("20")}, 10020},
		{"a number after a text", []*member{text("20"), {Weight: 100}, {Weight: 1}}, 201001},
		{"a hexadecimal text", []*member{{Weight: 0}, text("x100")}, 256},
		{"no number", []*member{{Weight: 100}, text("heavy")}, math.NaN()},
		{"a long text", []*member{text(strings.Repeat("1", maxWeightText+1))}, math.NaN()},
	} {
		var total weightSum
		for _, m := range tt.members {
			total.add(m)
		}
		if got := total.number(); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	var total weightSum
	for range 100_000 {
		if total.add(text("12345")); len(*total.text) > maxWeightText {
			t.Fatalf("the sum has %d bytes", len(*total.text))
		}
	}
	if !math.IsNaN(total.number()) {
		t.Errorf("%v of very many weights", total.number())
	}
}
