package tokenize

import "testing"

// TestNumerals reads Chinese numerals.
func TestNumerals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"五": 5, "十二": 12, "二十": 20, "两百五": 250, "一百零五": 105,
		"一百〇五": 105, "一百五十": 150, "三百二十一": 321} {
		if n, ok := New(text, nil).NumberAt(0); !ok || n.Value != want || n.End != len([]rune(text)) {
			t.Errorf("%s: %+v, %v; want %d", text, n, ok, want)
		}
	}
}
