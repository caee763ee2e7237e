package openjson

import "testing"

func TestDeeper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data   string
		levels int
		reason string
	}{
		{`1`, 0, "a scalar has none"},
		{`[]`, 1, "an empty list has its own"},
		{`{"a":[1,2],"b":3}`, 2, "the deepest counts"},
		{`{"a":"[[[{{"}`, 1, "brackets in texts are text"},
		{`{"a\"[":["\\"]}`, 2, "an escaped quotation mark ends no text"},
		{`[[],[],[]]`, 2, "what is closed does not add up"},
		{``, 0, "no text at all"},
		{`"\`, 0, "a text that breaks off"},
	} {
		if Deeper([]byte(c.data), c.levels) || c.levels > 0 && !Deeper([]byte(c.data), c.levels-1) {
			t.Errorf("%s: want %d levels, %s", c.data, c.levels, c.reason)
		}
	}
}
