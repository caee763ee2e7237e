package draft

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestForeignMembers has a row for each unknown member of a setup that moves to a field, is left out, or
// is reported.
func TestForeignMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		member, data string
		want         string // number of reports, settings, revision, and unknown members that stay
		reason       string
	}{
		{"own", `1`, "0 map[] 0 1", "a member of the host stays"},
		{"settings_snapshot", `{"a": 1}`, "0 map[a:1] 0 0", "the settings move"},
		{"settings_snapshot", `null`, "0 map[] 0 0", "no settings"},
		{"settings_snapshot", `5`, "1 map[] 0 0", "a number has no settings"},
		{"settings_revision", `3`, "0 map[] 3 0", "the number moves"},
		{"settings_revision", `-3`, "1 map[] -3 0", "less than nothing"},
		{"settings_revision", `"3"`, "1 map[] 0 0", "a text is no number"},
		{"snapshots", `[]`, "0 map[] 0 0", "an empty list"},
		{"snapshots", `[{"a": 1}]`, "1 map[] 0 0", "a state"},
		{"snapshots", `""`, "0 map[] 0 0", "an empty text"},
		{"snapshots", `"a"`, "1 map[] 0 0", "a text"},
		{"rollback_pending", `{"is_pending": false, "from_turn_id": "turn_0001"}`, "0 map[] 0 0", "nothing can be undone"},
		{"rollback_pending", `{"is_pending": true}`, "1 map[] 0 0", "something can be undone"},
		{"rollback_pending", `{"is_pending": 5}`, "1 map[] 0 0", "unclear"},
		{"checkpoints", `{"is_pending": false, "from_turn_id": "turn_0001"}`, "1 map[] 0 0", "a different member with the same text"},
	} {
		reports := 0
		given := map[string]json.RawMessage{c.member: json.RawMessage(c.data)}
		s, revision := moveForeignMembers(state.Setup{Extra: given}, func(string, ...any) { reports++ })
		if got := fmt.Sprint(reports, s.Settings, revision, len(s.Extra)); got != c.want || len(given) != 1 {
			t.Errorf("%s %s: %s, want %s: %s", c.member, c.data, got, c.want, c.reason)
		}
	}
}
