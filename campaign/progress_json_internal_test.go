package campaign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
)

// TestProgressKinds: the table has each type of Progress, and every event reads back unchanged
// (CA-39).
func TestProgressKinds(t *testing.T) {
	t.Parallel()
	declared := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	method := regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)\) progress\(\)`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range method.FindAllSubmatch(text, -1) {
			declared[string(m[1])] = true
		}
	}
	listed := map[string]bool{}
	for name, read := range progressKinds {
		zero, _ := read([]byte(`{}`))
		typ := reflect.TypeOf(zero)
		listed[typ.Name()] = true
		for seed := range 30 {
			v := reflect.New(typ).Elem()
			filltest.New(seed, false).Fill(v, 5)
			if p, ok := v.Interface().(HostEffect); ok && p.Effect == nil {
				t.Fatal("the effect is not filled")
			}
			if p, ok := v.Interface().(Finished); ok {
				p.Outcome.Version, p.Outcome.Host = 0, nil
				v.Set(reflect.ValueOf(p))
			}
			sent, err := json.Marshal(v.Interface())
			if err != nil || !strings.HasPrefix(string(sent), `{"progress":"`+name+`"`) {
				t.Fatalf("%s, seed %d: %s, %v", name, seed, sent, err)
			}
			back, err := ParseProgress(sent)
			if err != nil || reflect.TypeOf(back) != typ {
				t.Fatalf("%s, seed %d: reads back as %T, %v\n%s", name, seed, back, err, sent)
			}
			again, err := json.Marshal(back)
			if diff := cmp.Diff(string(sent), string(again)); diff != "" || err != nil {
				t.Fatalf("%s, seed %d: %v (-sent +again)\n%s", name, seed, err, diff)
			}
			for i := range typ.NumField() {
				was, is := v.Field(i).Interface(), reflect.ValueOf(back).Field(i).Interface()
				if f := typ.Field(i); f.Name != "Outcome" && f.Name != "Effect" && !reflect.DeepEqual(was, is) {
					t.Fatalf("%s, seed %d: %s was %#v and is %#v", name, seed, f.Name, was, is)
				}
			}
		}
	}
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("-types with the method progress, +types in progressKinds:\n%s", diff)
	}
}

func TestParseProgressRefuses(t *testing.T) {
	t.Parallel()
	for data, says := range map[string]string{
		``: "end of JSON", `null`: `"progress"`, `{}`: `"progress"`, `[]`: "array", `{"progress":5}`: "number",
		`{"progress":"dance"}`:                                        `unknown type "dance": give one of attempt_started, finished, `,
		`{"progress":"retracted","attempt":"x"}`:                      "retracted: ",
		`{"progress":"host_effect"}`:                                  "host_effect: ",
		`{"progress":"host_effect","by":5,"effect":{"type":"dance"}}`: "number",
		`{"progress":"host_effect","effect":null}`:                    "host_effect: ",
		`{"progress":"finished","outcome":[]}`:                        "finished: ",
		`{"progress":"narration","text":"x"}{"a":1}`:                  "after top-level value",
	} {
		if p, err := ParseProgress([]byte(data)); p != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s reads as %#v, %v: want an error about %s", data, p, err, says)
		}
	}
	if p, err := ParseProgress([]byte(`{"progress":"retracted","attempt":2,"weather":1}`)); err != nil || p != (Retracted{2}) {
		t.Errorf("an unknown member: %#v, %v", p, err)
	}
	if data, err := json.Marshal(HostEffect{By: "r"}); err == nil {
		t.Errorf("an effect that is missing is sent: %s", data)
	}
}
