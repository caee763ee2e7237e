package openjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type door struct {
	ID    string                     `json:"id"`
	Locks []door                     `json:"locks,omitempty"`
	Extra map[string]json.RawMessage `json:"-"`
}

func (d door) MarshalJSON() ([]byte, error)     { return Write(d) }
func (d *door) UnmarshalJSON(data []byte) error { return Read(data, d) }

// TestWriteAndRead: a type with these two methods keeps unknown members, also in nested values, and
// does not change on an error.
func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	const text = `{"id":"a","locks":[{"id":"b","keys":2}],"color":"<red>"}`
	var d door
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	want := door{ID: "a", Locks: []door{{ID: "b", Extra: Extra{"keys": json.RawMessage("2")}}},
		Extra: Extra{"color": json.RawMessage(`"<red>"`)}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if out, err := Marshal(d); err != nil || string(out) != text {
		t.Errorf("%s, %v", out, err)
	}
	err := json.Unmarshal([]byte(`{"id": "x", "locks": [{"id": 7}]}`), &d)
	if err == nil || !strings.Contains(err.Error(), "locks[0].id: must be a text, not the number 7") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("after an error: %s", diff)
	}
	if err := json.Unmarshal([]byte(`{"id": "c"}`), &d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(door{ID: "c"}, d); diff != "" {
		t.Errorf("something is left of what was there: %s", diff)
	}
}

// TestWriteWantsExtra: a type without the field Extra is a mistake in this module. Its first use
// panics.
func TestWriteWantsExtra(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a struct without Extra was written")
		}
	}()
	_, _ = Write(struct{ ID string }{"a"})
}
