package openjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestLenient: blanks take the place of comments and of last commas, and nothing in a text changes.
func TestLenient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want, mended string }{
		{`{"a": "// b, /* c */ ,}"}`, `{"a": "// b, /* c */ ,}"}`, ""},
		{"{ // a, \"\n\"b\": 1}", "{        \n\"b\": 1}", "comments"},
		{`[1, /* two, ] */ 2]`, `[1,              2]`, "comments"},
		{"[1, 2,\n]", "[1, 2 \n]", "commas before closing brackets"},
		{`{"a": [1,], "b": "x",}`, `{"a": [1 ], "b": "x" }`, "commas before closing brackets"},
		{`[1, // one` + "\n]", `[1        ` + "\n]", "comments, and commas before closing brackets"},
		{`[1,,]`, `[1,,]`, ""},
		{`[,]`, `[,]`, ""},
		{`{"a": {,}}`, `{"a": {,}}`, ""},
		{`[1, /* open`, `[1, /* open`, ""},
		{`]`, `]`, ""},
		{`,`, `,`, ""},
		{``, ``, ""},
		{`["\",`, `["\",`, ""},
	} {
		out, mended := Lenient([]byte(c.in))
		if string(out) != c.want || mended != c.mended {
			t.Errorf("%q: %q, %q, want %q, %q", c.in, out, mended, c.want, c.mended)
		}
	}
	if out, _ := Lenient([]byte(strings.Repeat("/*", 1<<20))); len(out) != 1<<21 {
		t.Error("bytes have moved")
	}
}

// FuzzLenient: only blanks take the place of bytes, and valid JSON does not change.
func FuzzLenient(f *testing.F) {
	for _, text := range []string{`{"a": [1, 2,], /* b */ "c": "//",}`, "[1, // x\n]", `[1,,]`, `"\",`, `/*`, `[,]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		out, mended := Lenient(text)
		if len(out) != len(text) {
			t.Fatalf("%q has %d bytes, not %d", out, len(out), len(text))
		}
		for i := range out {
			if out[i] != text[i] && out[i] != ' ' {
				t.Fatalf("%q became %q", text, out)
			}
		}
		if same := bytes.Equal(out, text); mended == "" && !same || json.Valid(text) && !same {
			t.Errorf("%q became %q: %q", text, out, mended)
		}
	})
}
