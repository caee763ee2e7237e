package mvu

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestExtents: for every offset, the table of closed calls agrees with reading from that offset.
func TestExtents(t *testing.T) {
	t.Parallel()
	pieces := []string{"_.set(", "_.add（", "'", "\"", "`", "\\", ",", "，", ")", "）", ";", "(", "[", "]", "{", "}", "a", " ", "\n", "甲",
		"\n_.set('a', 1);", "-", "\n ", "\r\n", "_.", "//", "/*", "*/", "“", "”", "‘", "’", ":"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		for _, compat := range []bool{false, true} {
			f := &finder{text: text, compat: compat}
			table := newClosedCalls(f)
			for i := range len(text) {
				f.closed = nil
				if _, _, ok := f.readArgs(i); ok != table.isClosed(i) && !splitsMark(text, i) {
					t.Fatalf("compat %v, %q from %d: closes %v, the table says %v", compat, text, i, ok, table.isClosed(i))
				}
			}
		}
	}
}

// splitsMark reports whether i is within a character, where nothing can begin.
func splitsMark(s string, i int) bool { return s[i]&0xC0 == 0x80 }

// TestCallsThatDoNotClose: an unclosed call affects only itself. In default mode it is reported,
// and a forgotten mark does not write the value of the next line.
func TestCallsThatDoNotClose(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text    string
		compat, sensibl []string // type and arguments; in default mode with the fault
	}{
		{"a parenthesis is missing", "_.set('a', 1;\n_.set('b', 2);", []string{"set 'b' 2"}, []string{"set unbalanced", "set 'b' 2"}},
		{"a bracket is missing", "_.set('a', [1, 2);\n_.set('b', 2);\n_.set('c', 3);",
			[]string{"set 'b' 2", "set 'c' 3"}, []string{"set unbalanced", "set 'b' 2", "set 'c' 3"}},
		{"a mark is missing at the end", "_.set('a', 'x);\n_.set('b', 'y');\n_.set('c', 3);",
			[]string{"set 'b' 'y'", "set 'c' 3"}, []string{"set unbalanced", "set 'b' 'y'", "set 'c' 3"}},
		{"a mark is missing in the path", "_.set('a, 1);\n_.set('b', 2);", []string{"set 'b' 2"}, []string{"set unbalanced", "set 'b' 2"}},
		{"on one line", "_.add('a', ; _.set('b', 2);", []string{"set 'b' 2"}, []string{"add unbalanced", "set 'b' 2"}},
		{"the text ends", "_.set('b', 2); _.set('a', ", []string{"set 'b' 2"}, []string{"set 'b' 2", "set unbalanced"}},
	} {
		for _, o := range []Options{{Mode: "compat"}, {}} {
			want := tt.sensibl
			if o.compat() {
				want = tt.compat
			}
			var got []string
			for _, c := range Find(tt.text, o) {
				got = append(got, strings.Join(append([]string{c.Type}, append(c.Args, string(c.Fault))...), " "))
			}
			for i := range got {
				got[i] = strings.TrimSpace(got[i])
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, mode %q: %q, want %q", tt.reason, o.Mode, got, want)
			}
		}
	}
}
