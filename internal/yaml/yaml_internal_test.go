package yaml

import (
	"testing"
)

// TestYAMLReads: what YAML 1.2 says that these texts are (MV-29). The values come from the YAML
// library of MVU.
func TestYAMLReads(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a block text", "t: |\n  one\n   two\n\n  three\n", `{"t":"one\n two\n\nthree\n"}`},
		{"without the last line break", "t: |-\n  one\n\n", `{"t":"one"}`},
		{"with all of them", "t: |+\n  one\n\n\nu: 1\n", `{"t":"one\n\n\n","u":1}`},
		{"an empty one", "t: |\nu: 1\n", `{"t":"","u":1}`},
		{"an empty folded one", "t: >\nu: 1\n", `{"t":"","u":1}`},
		{"empty lines kept", "t: |+\n\n\nu: 1\n", `{"t":"\n\n","u":1}`},
		{"folded", "t: >\n  a\n  b\n\n  c\n", `{"t":"a b\nc\n"}`},
		{"folded with two empty lines", "t: >\n  a\n\n\n  b\n", `{"t":"a\n\nb\n"}`},
		{"indented lines are not folded", "t: >\n  a\n   b\n  c\n   d\n\n   e\n  f\n", `{"t":"a\n b\nc\n d\n\n e\nf\n"}`},
		{"folded without the last line break", "t: >-\n  a\n  b\n", `{"t":"a b"}`},
		{"a given indentation", "t: |2\n   a\n  b\n", `{"t":" a\nb\n"}`},
		{"tabs within", "t: |\n  a\n  \tb\n", `{"t":"a\n\tb\n"}`},
		{"empty lines first", "t: |\n\n\n  a\n", `{"t":"\n\na\n"}`},
		{"after a dash", "- |\n  a\n  b\n- >-\n  c\n  d\n", `["a\nb\n","c d"]`},
		{"a no-break space is a character", "t: \u00a0\n", "{\"t\":\"\u00a0\"}"},
		{"text over two lines", "t: \"a\n  b\"\nu: 1", `{"t":"a b","u":1}`},
		{"an empty line in it", "t: 'a\n\n  b'\n", `{"t":"a\nb"}`},
		{"a line break that is escaped", "t: \"a\\\n    b\"\n", `{"t":"ab"}`},
		{"blanks around the break", "t: \"a  \n   b\"\n", `{"t":"a b"}`},
		{"a number sign in it", "t: \"a # b\n  c # d\"\n", `{"t":"a # b c # d"}`},
		{"a plain text over two lines", "t: a\n  b\n\n  c\nu: 1", `{"t":"a b\nc","u":1}`},
		{"with a comment", "t: a # b\nu: it's # c\n", `{"t":"a","u":"it's"}`},
		{"an apostrophe before a comment", "t: it is 'x # c\n", `{"t":"it is 'x"}`},
		{"escapes", "t: \"\\x41\\u7532\\U0001F600\\e\\_\\/\"", "{\"t\":\"A甲😀\\u001b\u00a0/\"}"},
		{"numbers", "a: 007\nb: 0x1F\nc: .5\nd: 5.\ne: +5\nf: 1e3\ng: 1_000\nh: 09:15\ni: 0b1\nj: 0o17", `{"a":7,"b":31,"c":0.5,"d":5,"e":5,"f":1e3,"g":"1_000","h":"09:15","i":"0b1","j":15}`},
		{"words", "a: ~\nb: Null\nc: yes\nd: TRUE\ne: off", `{"a":null,"b":null,"c":"yes","d":true,"e":"off"}`},
		{"addresses in lists", "t: [http://x, a#b, c # d\n ]", `{"t":["http://x","a#b","c"]}`},
		{"brackets over lines", "t: {a: 1,\n  b: [x,\n y], }\nu: 2", `{"t":{"a":1,"b":["x","y"]},"u":2}`},
		{"keys in quotation marks", "'it''s': 1\n\"a\\\"b\": 2\n\"c # d\": 3", `{"it's":1,"a\"b":2,"c # d":3}`},
		{"a key of two words", "a b: 1\n好 感: 2", `{"a b":1,"好 感":2}`},
		{"a list under its key", "t:\n- a\n-\n  - b\n- c: 1\n  d: 2\n", `{"t":["a",["b"],{"c":1,"d":2}]}`},
		{"windows", "t: |\r\n  a\r\n  b\r\nu: 1\r\n", `{"t":"a\nb\n","u":1}`},
		{"a document begins", "---\nt: 1\n", `{"t":1}`},
		{"members without a value", "t: {a, b: }\nu:\n", `{"t":{"a":null,"b":null},"u":null}`},
		{"keys in the long form", "? a\n: 1\n? b c\n:\n  d: 2\n? e\n: f: 3\n  g: 4\n? h\ni: 5\n", `{"a":1,"b c":{"d":2},"e":{"f":3,"g":4},"h":null,"i":5}`},
		{"a comment between", "t:\n  # x\n  a: 1\n\n# y\n  b: 2\n", `{"t":{"a":1,"b":2}}`},
	} {
		v, err := Parse(tt.text)
		if err != nil || v.String() != tt.want {
			t.Errorf("%s: %q gives %s (%v), want %s", tt.reason, tt.text, v, err, tt.want)
		}
	}
}

// TestYAMLRefuses: what is not read is refused, and never read as something else.
func TestYAMLRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text string }{
		{"an anchor", "a: &x 1\nb: *x\n"},
		{"a tag", "a: !!str 1\n"},
		{"a complex key", "? [a]\n: 1\n"},
		{"a mapping as a key", "? a: 1\n: 1\n"},
		{"a list as a key", "? - a\n: 1\n"},
		{"a key in the long form given twice", "a: 1\n? a\n: 2\n"},
		{"a second document", "a: 1\n---\nb: 2\n"},
		{"a document with its text on the line", "--- a: 1\n"},
		{"a directive", "%YAML 1.2\n---\na: 1\n"},
		{"a key given twice", "a: 1\nb: 2\na: 3\n"},
		{"also in brackets", "t: {a: 1, a: 2}\n"},
		{"a number that JSON does not have", "a: .inf\n"},
		{"a key that would be written otherwise", "1.0: a\n"},
		{"tabs as indentation", "a:\n\tb: 1\n"},
		{"a list on the line of its key", "a: - b\n"},
		{"a key within a value", "a: b: c\n"},
		{"two commas", "t: [a,, b]\n"},
		{"text over lines in brackets", "t: [a\n  b]\n"},
		{"another indentation", "a:\n    b: 1\n  c: 2\n"},
		{"an indicator that there is not", "t: |x\n  a\n"},
		{"an unknown escape", "t: \"\\q\"\n"},
		{"a mark that nothing closes", "t: \"a\nb: 1\n"},
		{"something behind the mark", "t: \"a\" b\n"},
		{"an empty line wider than the text", "t: |\n     \n  a\n"},
	} {
		if v, err := Parse(tt.text); err == nil {
			t.Errorf("%s: %q is read as %s", tt.reason, tt.text, v)
		}
	}
}
