package draft

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
)

func TestTokenEstimate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abcd": 1, "abcde": 2, "你好": 2, "你好abc": 3, "カタカナ": 4, "（）": 2, "한글": 2, "\uf900\ufaff": 2, "㐀": 1,
	} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestMembersThatSayNothing: a member of a foreign history says nothing if it is empty. Broken JSON is
// not empty.
func TestMembersThatSayNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"null": true, "false": true, `""`: true, "[]": true, `{"a": {"b": ""}}`: true, "true": false, "0": false, "[0]": false, `{"a": 1}`: false, "{": false,
	} {
		if got := isEmptyMember([]byte(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// TestEvidenceOfCalls: kept evidence of tools gets the calls in their order. Evidence without a tool,
// and evidence beyond the calls, stays.
func TestEvidenceOfCalls(t *testing.T) {
	t.Parallel()
	kept := []conflict.Action{{Tool: "move"}, {ID: "rule"}, {}, {Tool: "check"}, {Tool: "roll"}}
	got := EvidenceOf(kept, []state.Applied{{ID: "a"}, {ID: "b"}})
	if got[0].ID != "a" || got[1].ID != "rule" || got[2].ID != "" || got[3].ID != "b" || got[4].ID != "" || kept[0].ID != "" {
		t.Errorf("%+v, kept %+v", got, kept)
	}
}

// words counts each word as a token.
type words struct{}

func (words) Count(text string) int { return len(strings.Fields(text)) }

// TestLeastTokens: a line with a part that a prompt may shorten counts half of its remaining text.
// Only the counts of other lines are cached.
func TestLeastTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"one two three four":          4,
		"one {{user}} three four":     2,
		"one <USER> three four":       2,
		"one\r two three four":        3,
		"one {{user three four":       4,
		"one }} {{ four":              4,
		"1 < 2 four":                  4,
		"2 > 1 < 3":                   5,
		"{{a}}{{b}}":                  1,
		" \n":                         0,
		"{{a b c}} d <e f g> h {{ i ": 3,
	} {
		var tokens Tokens
		got := tokens.Least(words{}, text)
		if got != want || tokens.Least(words{}, text) != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if cached := len(tokens.lines) == 1; cached != (want > 3) {
			t.Errorf("%q: cached: %v", text, cached)
		}
	}
	tokens := Tokens{lines: map[string]int{"one two": 7}}
	if got := tokens.Least(words{}, "one two"); got != 7 {
		t.Errorf("the cached count is %d", got)
	}
	if c := tokens.Counter(words{}); c.Count("one two") != 7 || c.Count("one two three") != 3 {
		t.Error("the counter does not use the cache")
	}
}

// TestForgottenTokens: the cache forgets lines that are no longer in prompts, once it has many.
func TestForgottenTokens(t *testing.T) {
	t.Parallel()
	var tokens Tokens
	line := func(i int) string { return strings.Repeat("a ", i+1) }
	for i := range 258 {
		tokens.Least(words{}, line(i))
	}
	if tokens.Forget(1, line); len(tokens.lines) != 258 {
		t.Errorf("%d lines of few", len(tokens.lines))
	}
	tokens.Least(words{}, line(258))
	if tokens.Forget(1, line); len(tokens.lines) != 1 || tokens.lines[line(0)] != 1 {
		t.Errorf("%d lines remain", len(tokens.lines))
	}
}
