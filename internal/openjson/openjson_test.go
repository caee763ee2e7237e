package openjson

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Deep string `json:"deep"`
}

type sample struct {
	inner
	Name   string `json:"name"`
	Plain  int
	Hidden string `json:"-"`
	Empty  string `json:"empty,omitempty"`
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, in, out string
	}{
		{"unknown members come last, sorted",
			`{"z":1.0,"name":"a","b":[ 1 ],"Plain":2,"deep":"d"}`,
			`{"deep":"d","name":"a","Plain":2,"b":[1],"z":1.0}`},
		{"nothing unknown", `{"name":"a"}`, `{"deep":"","name":"a","Plain":0}`},
		{"a member named like a hidden field is unknown", `{"Hidden":"x"}`,
			`{"deep":"","name":"","Plain":0,"Hidden":"x"}`},
		{"names are compared exactly", `{"name":"a","NAME":1,"Name":[]}`,
			`{"deep":"","name":"a","Plain":0,"NAME":1,"Name":[]}`},
		{"null is an empty value", `null`, `{"deep":"","name":"","Plain":0}`},
		{"characters of markup stay", `{"name":"<b>&","t":"<i>"}`,
			`{"deep":"","name":"<b>&","Plain":0,"t":"<i>"}`},
		{"no member of src", `{"only":true}`, `{"deep":"","name":"","Plain":0,"only":true}`},
	} {
		var s sample
		extra, err := Decode([]byte(tc.in), &s)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		got, err := Encode(s, extra)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		var compact, want any
		if json.Unmarshal(got, &compact) != nil || json.Unmarshal([]byte(tc.out), &want) != nil {
			t.Errorf("%s: not JSON: %s", tc.reason, got)
		}
		if d := cmp.Diff(want, compact); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, d)
		}
		if again, _ := Encode(s, extra); string(again) != string(got) {
			t.Errorf("%s: two encodings differ", tc.reason)
		}
	}
}

func TestFieldsWin(t *testing.T) {
	t.Parallel()
	got, err := Encode(sample{Name: "kept"}, Extra{"name": json.RawMessage(`"lost"`)})
	if err != nil || string(got) != `{"deep":"","name":"kept","Plain":0}` {
		t.Errorf("got %s, %v", got, err)
	}
	got, err = Encode(struct{}{}, Extra{"a": json.RawMessage("1"), "b": json.RawMessage("2")})
	if err != nil || string(got) != `{"a":1,"b":2}` {
		t.Errorf("an empty struct: got %s, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	var s sample
	for _, in := range []string{``, `[]`, `{"name":1}`, `{"name":`} {
		if _, err := Decode([]byte(in), &s); err == nil {
			t.Errorf("Decode(%q): no error", in)
		}
	}
	if _, err := Encode([]int{1}, Extra{"a": nil}); err == nil {
		t.Error("Encode of a list: no error")
	}
}
