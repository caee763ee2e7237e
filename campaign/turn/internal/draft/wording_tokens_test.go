package draft

import "testing"

func TestTokenEstimate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abcd": 1, "abcde": 2, "你好": 2, "你好abc": 3, "カタカナ": 4, "（）": 2, "한글": 2,
	} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
