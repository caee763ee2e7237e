package openjson

import "testing"

// TestOnlyKnown: unknown members are detected however they are written. Texts and objects inside a
// value are not members.
func TestOnlyKnown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, data string
		want         bool
	}{
		{"none", ` { } `, true},
		{"all are known", `{"a": 1, "b": ["x", {"c": 2}], "a": {"d": "e, \"f\": {"}}`, true},
		{"one behind a list", `{"a": [1, 2], "c": 1}`, false},
		{"one behind a text with quotation marks", `{"a": "\"}", "c": 1}`, false},
		{"another letter case", `{"A": 1}`, false},
		{"an escaped name is looked at in full", `{"\u0061": 1}`, false},
		{"an empty name", `{"": 1}`, false},
		{"no object", `["a"]`, false},
		{"not closed", `{"a": 1`, false},
	} {
		if got := onlyKnown([]byte(tc.data), []string{"a", "b"}); got != tc.want {
			t.Errorf("%s: %v", tc.reason, got)
		}
	}
}
