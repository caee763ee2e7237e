package prompt_test

import (
	"testing"

	"github.com/talewright/talewright/prompt"
)

func runEstimateCase(t *testing.T, raw conformanceCase) {
	var c struct {
		remarks
		Text   string `json:"text"`
		Expect struct {
			Tokens int `json:"tokens"`
		} `json:"expect"`
	}
	decodeCase(t, raw.ID, raw.Raw, &c)
	if got := (prompt.TokenEstimator{}).Count(c.Text); got != c.Expect.Tokens {
		t.Errorf("Count(%q) = %d, want %d", c.Text, got, c.Expect.Tokens)
	}
}
