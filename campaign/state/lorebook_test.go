package state_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

func ids(list []effect.AddEntry) (out []string) {
	for i, e := range list {
		out = append(out, state.AddedEntryID(i, e).String()+" "+e.Content)
	}
	return out
}

// TestIndexOfLore: an entry is found by its full ID and by its UID. Of two entries with one ID the
// first counts.
func TestIndexOfLore(t *testing.T) {
	t.Parallel()
	attached := []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "one"}, {UID: "1", Content: "two"}}}}}
	compiled, problems := worldbook.Compile(attached, worldbook.Exact())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	x := state.NewLoreIndex(compiled, attached)
	for _, name := range []string{"1", "b.1"} {
		if got := x.Find(name); len(got) != 1 || got[0] != (worldbook.ID{Book: "b", UID: "1"}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	add, _ := state.OverlayLore(nil, state.LoreEdits{Changed: []effect.UpdateEntry{{ID: "b.1", Keywords: []string{"key"}}}}, func() *state.LoreIndex { return x })
	if len(add) != 1 || add[0].Book.Entries[0].Content != "one" {
		t.Errorf("changed: %+v", add)
	}
}

// TestIDsStay: an entry keeps its ID when earlier ones are removed, and all IDs are different.
func TestIDsStay(t *testing.T) {
	t.Parallel()
	var list []effect.AddEntry
	add := func(id, content string) {
		list = state.AddLore(list, effect.AddEntry{ID: id, BookID: "b", Content: content})
	}
	add("", "one")
	add("", "two")
	add("x", "three")
	before := list
	list = state.RemoveLore(list, 0)
	add("", "four")
	add("x", "five")
	add("", "six")
	id := func(uid string) string { return worldbook.ID{Book: "b", UID: uid}.String() }
	want := []string{id("added-2") + " two", id("x") + " five", id("added-3") + " four", id("added-4") + " six"}
	if diff := cmp.Diff(want, ids(list)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{id("added-1") + " one", id("added-2") + " two", id("x") + " three"}, ids(before)); diff != "" {
		t.Errorf("the list that was given is another: %s", diff)
	}
	if got := state.FindAddedLore(list, "added-2"); len(got) != 1 || got[0] != 0 {
		t.Errorf("found %v", got)
	}
	if got := state.RemoveLore(list[:1], 0); got != nil {
		t.Errorf("without its only entry the list is %#v, not nil", got)
	}
}

// TestEditsAreBounded: the number of edits is limited, and existing ones can still be changed.
func TestEditsAreBounded(t *testing.T) {
	t.Parallel()
	var e state.LoreEdits
	for i := range 2 * 1024 {
		id := worldbook.ID{Book: "b", UID: fmt.Sprint(i)}
		text := fmt.Sprint(i)
		var fits [3]bool
		e, fits[0] = e.Change(id, effect.UpdateEntry{Content: &text})
		e, fits[1] = e.Force(id, 3, 1)
		if fits[0] != (i < 256) || fits[1] != (i < 64) {
			t.Fatalf("%d: %v", i, fits)
		}
	}
	for i := range 2 * 1024 {
		var fits bool
		if e, fits = e.Remove(worldbook.ID{Book: "b", UID: fmt.Sprint(i)}); fits != (i < 1024) {
			t.Fatalf("%d: %t", i, fits)
		}
	}
	on := true
	e, fits := e.Change(worldbook.ID{Book: "b", UID: "0"}, effect.UpdateEntry{AlwaysOn: &on})
	if !fits || *e.Changed[0].Content != "0" || !*e.Changed[0].AlwaysOn || len(e.Forced) > 0 {
		t.Errorf("%t %+v, forced %v", fits, e.Changed[0], e.Forced)
	}
}

// TestForcedTurns: an entry that is forced until a turn is forced in that turn and not after it.
func TestForcedTurns(t *testing.T) {
	t.Parallel()
	id := worldbook.ID{Book: "b", UID: "1"}
	e, _ := state.LoreEdits{}.Force(id, 3, 2)
	if e = e.Expire(2); len(e.ForcedIDs()) != 1 {
		t.Errorf("in turn 3: %v", e.Forced)
	}
	if after := e.Expire(3); !after.IsZero() || len(e.Forced) != 1 {
		t.Errorf("behind turn 3: %v, and before %v", after.Forced, e.Forced)
	}
	if ended, _ := e.Force(id, 1, 2); !ended.IsZero() {
		t.Errorf("forced no more: %v", ended.Forced)
	}
}

// TestRoundTripEdits: edits survive a JSON round trip, with their unknown members.
func TestRoundTripEdits(t *testing.T) {
	t.Parallel()
	in := `{"changed":[{"entryId":"b.1","content":"x"}],"removed":["b.2"],"forced":[{"id":{"book":"b","uid":"1"},"until":3}],"later":1}`
	var e state.LoreEdits
	if err := json.Unmarshal([]byte(in), &e); err != nil {
		t.Fatal(err)
	}
	if data, err := json.Marshal(e); err != nil || string(data) != in {
		t.Errorf("%s %v", data, err)
	}
}

// TestEveryMemberOfAnUpdate: an update changes all members that it names and no others. This is
// true for an added entry, for an entry of a book, and after an earlier update.
func TestEveryMemberOfAnUpdate(t *testing.T) {
	t.Parallel()
	full := filltest.Full[effect.UpdateEntry]()
	id := worldbook.ID{Book: "b", UID: "1"}
	all := reflect.ValueOf(full)
	var none effect.UpdateEntry
	if e := state.UpdateLore([]effect.AddEntry{{Literal: true}}, 0, none)[0]; !e.Literal || !state.EditedLore(worldbook.Entry{Literal: true}, none).Literal {
		t.Error("an update makes a literal text an authored one")
	}
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		if name == "ID" || name == "Extra" {
			continue
		}
		var one effect.UpdateEntry
		reflect.ValueOf(&one).Elem().Field(i).Set(all.Field(i))

		added, bare := effect.AddEntry{Name: "n", Content: "c"}, worldbook.Entry{Comment: "n", Content: "c"}
		changed := state.UpdateLore([]effect.AddEntry{added}, 0, one)[0]
		if was, is := reflect.ValueOf(added), reflect.ValueOf(changed); !reflect.DeepEqual(
			reflect.Indirect(all.Field(i)).Interface(), is.FieldByName(name).Interface()) || differing(was, is) != 1 {
			t.Errorf("%s: an added entry becomes %+v", name, changed)
		}
		if differing(reflect.ValueOf(bare), reflect.ValueOf(state.EditedLore(bare, one))) != 1 {
			t.Errorf("%s: an entry of a book becomes %+v", name, state.EditedLore(bare, one))
		}
		edits, _ := state.LoreEdits{}.Change(id, none)
		edits, _ = edits.Change(id, one)
		edits, _ = edits.Change(id, none)
		one.ID = id.String()
		if diff := cmp.Diff([]effect.UpdateEntry{one}, edits.Changed); diff != "" {
			t.Errorf("%s after an update of nothing, and before one (-want +got):\n%s", name, diff)
		}
	}
}

// differing counts the members in which two structs differ.
func differing(a, b reflect.Value) (n int) {
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			n++
		}
	}
	return n
}
