package conflict

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	const (
		goal = "Wake the sleeping dragon below the mountain"
		bell = "找到沉睡在钟楼底下的第七把银钥匙并毁掉它"
	)
	for _, c := range []struct{ name, goal, text, want string }{
		{"nothing of it", goal, "You wake below the mountain.", "You wake below the mountain."},
		{"all of it", goal, "So: wake the sleeping dragon below the mountain!", "So: …!"},
		{"a run of six", goal, "the sleeping dragon below the mountain sleeps", "… sleeps"},
		{"other case and marks", goal, "WAKE the *sleeping* dragon, below the hill", "… *…* …, … hill"},
		{"one word between", goal, "wake the old sleeping dragon below the hill", "… hill"},
		{"five words are free", goal, "the sleeping dragon below the", "the sleeping dragon below the"},
		{"Chinese", bell, "他说：“沉睡在钟楼底下的第七把银钥匙”。", "他说：“…”。"},
		{"Chinese, one sign between", bell, "沉睡在那钟楼底下的第七把银", "…"},
		{"a space without width in a word", goal, "So wake the slee\u200bping dragon below the mountain!", "So …!"},
		{"a soft hyphen and a mark below", goal, "wake the sleep\u00ading dra\u0332gon below the mountain", "…"},
		{"two sentences", goal, "Wake the sleeping dragon. It lies below the mountain!", "…. …!"},
		{"two sentences, the second one long", goal, "Wake the sleeping dragon. It is old and lies below the mountain.", "Wake the sleeping dragon. It is old and lies below the mountain."},
		{"Chinese, two sentences", bell, "去找到沉睡在钟楼底下。那里的第七把银钥匙很旧。", "去…。…很旧。"},
		{"short goal", "find Ann", "We find Ann.", "We …."},
		{"no goal", "", "text", "text"},
	} {
		if got := Redact(c.text, c.goal); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := Redact(strings.Repeat(goal+" ", 100), goal); strings.Contains(got, "dragon") {
		t.Errorf("repeated: %q", got)
	}
}
