package modeltext

import (
	"encoding/json"
	"testing"
)

// TestFirstOfACutText: a text that ends within a value is closed, and a name, a number, a literal or an
// escape that is not complete is left out.
func TestFirstOfACutText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": "x", "b": "he wa`:    `{"a": "x", "b": "he wa"}`,
		`{"a": "x", "b": "ab\`:      `{"a": "x", "b": "ab"}`,
		`{"a": "x", "b": "ab\u00`:   `{"a": "x", "b": "ab"}`,
		`{"a": "x", "b": tru`:       `{"a": "x"}`,
		`{"a": "x", "b": -`:         `{"a": "x"}`,
		`{"a": "x", "b": 1.`:        `{"a": "x"}`,
		`{"a": "x", "b": 12`:        `{"a": "x", "b": 12}`,
		`{"a": "x", "b`:             `{"a": "x"}`,
		`{"a": [1, 2, fal`:          `{"a": [1, 2]}`,
		`{"a": [{"b": 1}, {"c": n`:  `{"a": [{"b": 1}, {}]}`,
		`{"a": "x"} and more {"b"`:  `{"a": "x"}`,
		`{'a': hello, "b": None, }`: `{"a": "hello", "b": null}`,
	} {
		got, _, _ := First(text)
		var a, b any
		if err := json.Unmarshal([]byte(got), &a); err != nil {
			t.Errorf("%s: %s is not JSON: %v", text, got, err)
			continue
		}
		_ = json.Unmarshal([]byte(want), &b)
		gotText, _ := json.Marshal(a)
		wantText, _ := json.Marshal(b)
		if string(gotText) != string(wantText) {
			t.Errorf("%s: got %s, want %s", text, gotText, wantText)
		}
	}
}
