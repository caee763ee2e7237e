package layout_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/memvars/tree"
)

func value(t *testing.T, text string) tree.Value {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFirstStep: names of states become the versions of the records that led to them, except those
// of the beginning; jumps and rewritten turns, which the first layout did not note, are found in
// the records.
func TestFirstStep(t *testing.T) {
	t.Parallel()
	var log layout.Log
	log.Begin(1)
	for _, rec := range []layout.Noted{
		{Version: 1, After: value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"}]}`)},
		{Version: 1, Turn: "turn_0001", Parent: "turn_0000", After: value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"}]}`)}, // of a fork
		{Version: 2, Turn: "turn_0002", Parent: "turn_0001", After: value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"},{"state_snapshot_ref":"snapshot_0002"}]}`)},
		{Version: 3, After: value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"},{"state_snapshot_ref":"snapshot_0002"}],"rollback_pending":{"from_snapshot_ref":"snapshot_0003"}}`)},
		{Version: 4, Turn: "turn_0003", Parent: "turn_0001", After: value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"}],"branches":{"main":{"snapshot_ref":"snapshot_0003","checkpoints":[{"state_snapshot_ref":"snapshot_0002"}]}},"alternatives":{"before_snapshot_ref":"before_turn_0003","others":[{"snapshot_ref":"snapshot_0002","checkpoints":[{"state_snapshot_ref":"snapshot_0001"}]}]}}`)},
		{Version: 5, Turn: "turn_0002", Parent: "turn_0001", After: value(t, `{}`)}, // edited
	} {
		log.Note(rec)
	}
	old := value(t, `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"}],"snapshot_counter":3,"snapshots":[],"rollback_pending":{"from_snapshot_ref":"snapshot_0003"},`+
		`"branches":{"main":{"snapshot_ref":"snapshot_0003","checkpoints":[{"state_snapshot_ref":"snapshot_0002"}],"alternatives":{"before_snapshot_ref":"before_turn_0003"}}},`+
		`"alternatives":{"before_snapshot_ref":"before_turn_0003","others":[{"snapshot_ref":"snapshot_0002","checkpoints":[{"state_snapshot_ref":"snapshot_0001"}]}]}}`)
	const want = `{"checkpoints":[{"state_snapshot_ref":"snapshot_0001"}],"rollback_pending":{"from_snapshot_ref":"state_2"},` +
		`"branches":{"main":{"snapshot_ref":"state_2","checkpoints":[{"state_snapshot_ref":"state_2"}],"alternatives":{"before_snapshot_ref":"state_3"}}},` +
		`"alternatives":{"before_snapshot_ref":"state_3","others":[{"snapshot_ref":"state_2","checkpoints":[{"state_snapshot_ref":"snapshot_0001"}]}]},` +
		`"jumps":[{"turn":3,"after":1}],"rewritten":{"turn_0002":5}}`
	if got := log.Head(old).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	now, err := log.Turn(layout.Current, old)
	if err != nil || log.Old() || now.String() != want {
		t.Errorf("%v, %s", err, now)
	}
	if _, err := log.Turn(1, now); !errors.Is(err, layout.ErrOlder) {
		t.Errorf("back to layout 1: %v", err)
	}
	if same := log.Head(now); !same.Same(now) {
		t.Error("a head of the present layout was changed")
	}
}

// TestFirstRecordOfOld: the states of a campaign that began with checkpoints stand beside it.
func TestFirstRecordOfOld(t *testing.T) {
	t.Parallel()
	for old, want := range map[string]string{
		`{"layout":1,"campaign":{"a":1.0,"snapshots":[{"ref":"snapshot_0001","state":{}}],"snapshot_counter":1}}`: `{"layout":1,"campaign":{"a":1.0},"states":[{"ref":"snapshot_0001","state":{}}]}`,
		`{"layout":1,"delta":[]}`: `{"layout":1,"delta":[]}`,
	} {
		got, err := layout.Record(1, []byte(old))
		if err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := layout.Record(1, []byte(`{`)); err == nil {
		t.Error("what is no JSON was read")
	}
	if got, err := layout.Record(layout.Current, []byte(`{`)); err != nil || string(got) != "{" {
		t.Errorf("the present layout is read: %q, %v", got, err)
	}
}

// A record of a layout that is not known is refused.
func ExampleCheck() {
	fmt.Println(layout.Check(1))
	fmt.Println(layout.Check(99))
	fmt.Println(layout.Check(0))
	// Output:
	// <nil>
	// layout 99, up to 2 are known: it was written by a newer version of this library: read it with that version
	// layout 0: there is none
}

// A record of any layout is read in the present form.
func ExampleRecord() {
	record, err := layout.Record(1, []byte(`{"layout":1,"campaign":{"campaign_id":"mill","snapshots":[],"snapshot_counter":1}}`))
	fmt.Println(string(record), err)
	// Output: {"layout":1,"campaign":{"campaign_id":"mill"},"states":[]} <nil>
}
