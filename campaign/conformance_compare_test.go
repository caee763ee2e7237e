package campaign_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain converts to the types of encoding/json.
func plain(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err.Error()
	}
	return out
}

// compare checks the expected members and ignores the rest. Null, false, 0, an empty text, an empty
// list and a missing member are equal, at every depth.
func compare(t *testing.T, where string, want, got any) {
	t.Helper()
	if d := mismatch(plain(want), plain(got), where); d != "" {
		t.Error(d)
	}
}

func mismatch(want, got any, where string) string {
	if empty(want) && empty(got) {
		return ""
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: got %v, want %v", where, got, want)
		}
		for key, v := range w {
			if d := mismatch(v, g[key], where+"."+key); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, _ := got.([]any)
		if strings.HasSuffix(where, "conflicts") {
			return setMismatch(w, g, where)
		}
		if len(g) != len(w) {
			return fmt.Sprintf("%s: got %s, want %s", where, brief(got), brief(want))
		}
		for i := range w {
			if d := mismatch(w[i], g[i], fmt.Sprintf("%s[%d]", where, i)); d != "" {
				return d
			}
		}
		return ""
	}
	if cmp.Equal(want, got) {
		return ""
	}
	return fmt.Sprintf("%s: got %s, want %s", where, brief(got), brief(want))
}

// setMismatch compares conflicts as sets, without regard to order and repetition. A text means a
// conflict of that kind.
func setMismatch(want, got []any, where string) string {
	match := func(w, g any) bool {
		if kind, ok := w.(string); ok {
			w = map[string]any{"kind": kind}
		}
		return mismatch(w, g, "") == ""
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g any) bool { return match(w, g) }) {
			return fmt.Sprintf("%s: %s is missing from %s", where, brief(w), brief(got))
		}
	}
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w any) bool { return match(w, g) }) {
			return fmt.Sprintf("%s: %s is not expected", where, brief(g))
		}
	}
	return ""
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, m := range v {
			if !empty(m) {
				return false
			}
		}
		return true
	}
	return false
}

func brief(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
