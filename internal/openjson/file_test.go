package openjson

import "testing"

func TestFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, err string }{
		{"{}", "{}", ""},
		{"\ufeff [1]\r\n", " [1]\r\n", ""},
		{"", "", "the file is empty"},
		{"\ufeff \n", "", "the file is empty"},
		{"\xff\xfe{\x00}\x00", "", "the file is UTF-16: save it as UTF-8"},
		{"\xfe\xff\x00{\x00}", "", "the file is UTF-16: save it as UTF-8"},
		{"x", "", "line 1, byte 1: invalid character 'x' looking for beginning of value"},
		{"{\n \"a\": 1,\n}", "", "line 3, byte 1: invalid character '}' looking for beginning of object key string"},
		{"[\"a\nb\"]", "", `line 1, byte 4: invalid character '\n' in string literal`},
		{"[1,\n2", "", "line 2, byte 1: unexpected end of JSON input"},
		{"{}\n{}", "", "line 2, byte 1: invalid character '{' after top-level value"},
	} {
		text, err := File([]byte(c.file))
		if got := string(text); got != c.text {
			t.Errorf("%q: %q, want %q", c.file, got, c.text)
		}
		if err == nil && c.err != "" || err != nil && err.Error() != c.err {
			t.Errorf("%q: %v, want %q", c.file, err, c.err)
		}
	}
}
