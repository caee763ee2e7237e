package mvu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestGrowth checks that the readers of messages, patches and initial variables have linear growth.
// Values nest up to 200 levels. An unclosed call affects only itself. Events of compat mode contain
// whole containers, at most a million elements, so they are not among the calls with many keys.
func TestGrowth(t *testing.T) {
	var wide strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&wide, `"k%d":0,`, i)
	}
	data := mustParse(`{"$meta":{"recursiveExtensible":true},"a":1,"t":"x","l":[1],"o":{"k":1},"p":[1,"d"],"d":"2024-01-02","wide":{` + wide.String() + `"k":0}}`)
	var calls []testkit.Atom
	for _, piece := range []string{
		"_.set(", "_.set('", "_.set(\"a\",(", "_.set('k#, (", "_.set('a', [[", "_.set('a', '", "_.set('a\\", "_.set('a', 1", "_.set('a', 1)", "_.set('a', 1);\n",
		"\n_.set('a'", "_.set('a' ' ", "_.set('a', `", "_.set(（", "_.set('a', 1);//", "_.set('a', 1);  \n", "<JsonPatch>", "<JsonPatch>[", "<JsonPatch></JsonPatch>",
		"<JsonPatch>[{}]</JsonPatch>", "</JsonPatch>", "/*", "/* */", "<!--", "<!-- -->", "- // ", "_.", "_.add('a', 1);", "_.insert('l', 1);", "_.insert('o', 'k', 2);",
		"_.delete('l[0]');_.insert('l', 1);", "_.set('p', 2);", "_.add('d', 1);", "_.set('none', 1);", "_.set('a', '\n",
		`<JsonPatch>[{"op":"replace","path":"/a","value":2}]</JsonPatch>`,
	} {
		calls = append(calls, testkit.Repeat(piece))
	}
	value := func(open, mid, close string) testkit.Atom {
		return testkit.Atom{Head: "_.set('t', ", Open: open, Mid: mid, Close: close, Tail: ");"}
	}
	calls = append(calls, value("[", "", "]"), value("{a:", "1", "}"), value("(", "1", ")"), value("1+", "1", ""), value("-", "1", ""), value("9", "", ""),
		value("1?2:", "3", ""), value("max(1,", "1", ")"), value("a: ", "", ""), value("'a' ", "", ""), value("{", "", ""), value("[1,", "", ""), value("0x9", "", ""),
		value("//", "", ""), value("/*", "", ""), value("{a:/*", "", ""), value("\\", "", ""), value("1:", "", ""), value("1%", "", ""), value("9e9+", "1", ""), value("[(", "", ""),
		testkit.Atom{Head: "_.set('", Open: "a.", Tail: "', 1);"}, testkit.Atom{Head: "_.set('", Open: "[", Tail: "', 1);"},
		testkit.Atom{Head: "_.set('", Open: `."`, Tail: "', 1);"}, testkit.Atom{Head: "_.set('", Open: `["`, Tail: "', 1);"},
		testkit.Atom{Head: "_.set('", Open: "[]", Tail: "', 1);"}, testkit.Atom{Head: "_.set('", Open: ".", Tail: "', 1);"})
	update := func(o mvu.Options) func(string) {
		v, err := mvu.New(data, o)
		if err != nil {
			t.Fatal(err)
		}
		return func(text string) {
			after, _ := mvu.Update(v, text, o)
			after.Display()
			after.Delta()
		}
	}
	beside, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	doc, err := tree.ParseDocument([]byte(`{"stat_data":{"a":1,"t":"x","l":[1],"o":{"k":1},"p":[1,"d"],"wide":{` + wide.String() + `"k":0}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var bodies []testkit.Atom
	for _, piece := range []string{
		"[", "{", "- ", "-\n", "a: ", "a:\n ", "a: [\n", "a: {b: [1,\n", "a: \"x\n ", "a: 'x\n\n ", "a: |\n  x\n", "a: >\n x\n", "# c\n", "\n", " \n", "\t\n", "'", "\"", "\\", "? ", "---\n",
		"x\n ", "a: x\n  y\n", "'a': 1\n", "\"a", "a: 1 # x\n", "- [a, b]\n", "- {a: 1}\n", "- |\n  a\n", "- \"a\\\n  b\"\n", "//", "/*", "{/*", "[1 ", "\u3000", "a: \"\\x41", "```\n", "<initvar>",
		"[a]\n", "[[a]]\n", "a.", "<user>",
	} {
		bodies = append(bodies, testkit.Repeat(piece))
	}
	bodies = append(bodies, testkit.Nest("[", "", "]"), testkit.Nest("{a: ", "1", "}"), testkit.Nest("- ", "a", ""),
		testkit.Atom{Head: "a: |\n", Open: "  x\n\n"}, testkit.Atom{Head: "a: >+\n", Open: "   x\n  y\n"}, testkit.Atom{Head: "a: \"", Open: "x\n  ", Tail: "\""},
		testkit.Atom{Head: "a = [", Open: "1,", Tail: "]"}, testkit.Atom{Head: "a = \"", Open: `\n`, Tail: `"`}, testkit.Atom{Head: `a = """`, Open: `"x`, Tail: `"""`},
		testkit.Atom{Head: "a = 1\n", Open: "[[b.c]]\nd = 1\n"}, testkit.Atom{Head: "a = ", Open: "{b = ", Tail: "1"}, testkit.Atom{Head: `a = """`, Open: "\\\n "},
		testkit.Atom{Head: "a: x\n", Open: "  y\n\n"}, testkit.Atom{Head: "a: [", Open: "x,\n ", Tail: "]"}, testkit.Atom{Head: "a: '", Open: "''", Tail: "'"})
	// Every call has its own key, which a repeated text cannot have.
	numbered := func(read func(string), form string) func(string) {
		return func(text string) {
			var b strings.Builder
			for i := range len(text) / 32 {
				fmt.Fprintf(&b, form, i)
			}
			read(b.String())
		}
	}
	keys := []testkit.Atom{testkit.Repeat(" ")}
	for _, form := range []string{"_.insert('o', 'k%d', 1);\n", "_.insert('o', {k%d: 1});\n", "_.insert('l', %d);\n", "_.insert('l', 0, %d);\n", "_.set('wide.k%d', 1);\n",
		"_.delete('wide.k%d');\n", "<JsonPatch>[{\"op\":\"add\",\"path\":\"/o/k%d\",\"value\":1}]</JsonPatch>\n"} {
		testkit.Growth(t,
			testkit.Reader{Name: "Update " + strings.TrimSpace(form), Atoms: keys, Read: numbered(update(mvu.Options{}), form)},
			testkit.Reader{Name: "Dialect " + strings.TrimSpace(form), Atoms: keys, Read: numbered(func(text string) { beside.Apply(doc, text, memvars.AI) }, form)})
	}
	testkit.Growth(t,
		testkit.Reader{Name: "Update", Atoms: calls, Read: update(mvu.Options{})},
		testkit.Reader{Name: "Update in compat mode", Atoms: calls, Read: update(mvu.Options{Mode: "compat"})},
		testkit.Reader{Name: "Dialect", Atoms: calls, Read: func(text string) { beside.Apply(doc, text, memvars.AI) }},
		testkit.Reader{Name: "Init", Atoms: bodies, Read: func(text string) {
			mvu.Init(mvu.Variables{}, []mvu.Book{{Name: "b", Entries: []mvu.Entry{{Comment: "[initvar]", Content: text}}}}, text, mvu.Options{})
		}},
		testkit.Reader{Name: "patch bodies", Atoms: bodies, Read: func(text string) {
			mvu.Find("<JsonPatch>"+text+"</JsonPatch>", mvu.Options{})
		}},
		testkit.Reader{Name: "patches", Atoms: []testkit.Atom{
			{Head: "[", Open: `{"op":"add","path":"/k","value":1},`, Tail: `{"op":"test","path":"/k","value":1}]`},
			{Head: "[", Open: `{"op":"add","path":"/l/-","value":1},`, Tail: `{"op":"test","path":"/k","value":1}]`},
			{Head: `[{"op":"add","path":"`, Open: "/~1", Tail: `","value":1}]`},
		}, Read: func(text string) { update(mvu.Options{})("<JsonPatch>" + text + "</JsonPatch>") }},
	)
}
