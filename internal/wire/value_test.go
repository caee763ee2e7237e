package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// tree reads a value only with cursors.
func tree(v Value) any {
	switch {
	case v.IsObject():
		out := map[string]any{}
		for c := v.Members(); c.Next(); {
			var name string
			if json.Unmarshal([]byte(`"`+string(c.Name)+`"`), &name) == nil {
				out[name] = tree(c.Value)
			}
		}
		return out
	case len(v) > 0 && v[0] == '[':
		out := []any{}
		for c := v.Elements(); c.Next(); {
			out = append(out, tree(c.Value))
		}
		return out
	}
	var out any
	if err := json.Unmarshal(v, &out); err != nil {
		return err
	}
	return out
}

// Cursors return the same as encoding/json.
func FuzzValue(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ` { "a" : [ 1 , "b\\\"" , { } ] , "c" : null , "a" : true } `, `"\\"`, `1`, `[[],[[]],{"a":{}}]`, `{"\u0061":"]}"}`, `[`, `{}x`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			if failure, ok := errors.AsType[*llm.Error](err); !ok || json.Valid(data) {
				t.Fatalf("%q: %v, %v", data, failure, err)
			}
			return
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil {
			if _, big := errors.AsType[*json.UnmarshalTypeError](err); big {
				return // a number beyond float64
			}
			t.Fatal(err)
		}
		if got := tree(v); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %#v, want %#v", data, got, want)
		}
	})
}

func TestParseFailures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		data       string
		incomplete bool
	}{
		{`{"a":`, true}, {`"a`, true}, {``, true}, {`{"a" 1}`, false}, {`{} {}`, false}, {`nul`, true}, {strings.Repeat("[", 20_000), false},
	} {
		_, err := Parse([]byte(test.data))
		if got := errors.Is(err, io.ErrUnexpectedEOF); err == nil || got != test.incomplete {
			t.Errorf("%.20q: %.200v, incomplete: %t, want %t", test.data, err, got, test.incomplete)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	v, err := Parse([]byte(`{"text":"stop","number":503,"whole":5.0,"quoted":"5","half":0.5,"none":null,"list":[1],"text":"twice"}`))
	if err != nil {
		t.Fatal(err)
	}
	if !v.Get("text").Is("stop") || v.Get("text").Is("sto") || v.Get("number").Is("503") {
		t.Error("a text is compared wrongly")
	}
	if a, b, c := v.Get("text").Word(), v.Get("number").Word(), v.Get("list").Word(); a != "stop" || b != "503" || c != "" {
		t.Errorf("words %q %q %q", a, b, c)
	}
	for name, want := range map[string]int{"number": 503, "whole": 5, "quoted": 5, "half": -1, "none": -1, "list": -1, "missing": -1} {
		if got, ok := v.Get(name).Count(); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s is %d, %t, want %d", name, got, ok, want)
		}
	}
	if !v.Get("none").Null() || !v.Get("missing").Null() || v.Get("whole").Null() {
		t.Error("null is not seen")
	}
	if !bytes.Equal(v.Get("list"), []byte("[1]")) {
		t.Errorf("the list is %s", v.Get("list"))
	}
}
