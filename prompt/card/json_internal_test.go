package card

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/openjson"
)

// checkScan compares the parts with the result of encoding/json.
func checkScan(t *testing.T, text []byte) {
	t.Helper()
	raw := clean(text)
	if (raw != nil) != json.Valid(text) {
		t.Fatalf("%q: clean gives %q", text, raw)
	}
	switch kindOf(raw) {
	case isObject:
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := membersOf(raw)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: members (-want +got):\n%s", text, diff)
		}
		for _, value := range got {
			checkScan(t, value)
		}
	case isList:
		var want []json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := elementsOf(raw)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: elements (-want +got):\n%s", text, diff)
		}
		for _, value := range got {
			checkScan(t, value)
		}
	case isText:
		var want string
		if err := json.Unmarshal(raw, &want); err != nil || openjson.Unquote(raw) != want {
			t.Fatalf("%q is %q, want %q (%v)", raw, openjson.Unquote(raw), want, err)
		}
	}
}

var scanTexts = []string{
	"", "{", "null", " 1 ", "{}", "[ ]", `{"a":{}}`,
	"{ \"a\" :\n[ 1 , {\"b\":[]},\t\"x\" ] , \"a\" : -1e5 }",
	`["\\","\"","a\\\"b\\",true,null]`, `{"\u0061":1,"a":2,"":[]}`,
	"{\"\xff\":\"\xff\",\"k\":\"\\ud800\"}",
	`[[[]],[{}],[[1,2],3]]`, `{"a":"}","b":"]","c":"{[,:"}`,
}

// TestScan holds the reader against encoding/json.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, text := range scanTexts {
		checkScan(t, []byte(text))
	}
	if membersOf([]byte("[1]")) != nil || elementsOf([]byte(`{"a":1}`)) != nil {
		t.Error("another kind has parts")
	}
}

// FuzzScan does so for any text.
func FuzzScan(f *testing.F) {
	for _, text := range scanTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(checkScan)
}
