package memvars_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// messageAtoms are pieces of messages that would make a simple reader read the text again and
// again.
func messageAtoms() []testkit.Atom {
	var out []testkit.Atom
	for _, piece := range []string{
		"memory('{", "memory('a", "x memory('a ", "memory('a','", "memory(“", "memory(“a” ", "<think>", "<think ", "</think>",
		"/*", "/* ", "*/", "<!--", "<!-- -->", "set_status(", "set_status(a,[", "set_status(a,{'", "set_status(a,{\"b\":",
		"\n memory('x", "set_status('a','{\"", "set_status(a, /*", "*.x(", "*.foo(1);\n", "\\_", "“", "{", "(", "'", "\" ",
		"memory('a','{\"x\":1,\" /*", "memory('a', {a:1, /*", "- // ", "\n- ", "set_status(a.a.", "set_status(a[", "set_status(a[\"b",
		"set_status([1,", "set_status(\n", "memory('a',\n", "set_status('nope.x',1);\n", "delete('assa.b','all');", "memory('summary.small','k','v');",
		"memory('summary.small','k',{\"a\":1});", "delete('free','a", "set_status('a','9", "<updateMemory>", "</updateMemory>",
		"memory('free.list','-',1);", "delete('free.list','0');", "memory('world_set.npc','n',{\"a\":1});",
	} {
		out = append(out, testkit.Repeat(piece))
	}
	return append(out,
		testkit.Atom{Head: "set_status('a', ", Open: "[", Mid: "1", Close: "]", Tail: ");"},
		testkit.Atom{Head: "set_status('a', ", Open: `{"a":`, Mid: "1", Close: "}", Tail: ");"},
		testkit.Atom{Head: "memory('free', 'k', '", Open: `{"a":{`, Close: "", Tail: "');"},
		testkit.Atom{Head: "set_status('a', ", Open: "9", Tail: ");"},
		testkit.Atom{Head: "set_status('a', 1e", Open: "9", Tail: ");"},
		testkit.Atom{Head: "set_status('a', '", Open: `\u0041`, Tail: "');"},
		testkit.Atom{Head: "set_status('", Open: "a.", Mid: "a", Tail: "', 1);"},
		testkit.Atom{Head: "set_status('", Open: "[0]", Tail: "', 1);"},
		testkit.Atom{Head: "memory('free', {", Open: `"k":1,`, Tail: "});"},
		testkit.Atom{Head: "memory('free.x', ", Open: `{"_is_protected":true,"a":`, Mid: "1", Close: "}", Tail: ");"},
		testkit.Atom{Head: "set_status('a', ", Open: "'x', ", Tail: ");"},
	)
}

// TestGrowth checks that every reader of text by models, players and authors has linear growth, by
// the rules of growthtest. Calls are limited only by the text. Numbers are computed with up to
// MaxDigits digits. Documents nest up to tree.MaxDepth levels, formulas up to 100. Dates are read
// up to 120 bytes.
func TestGrowth(t *testing.T) {
	doc := load(t, []byte(fortress))
	sys, problems := memvars.Compile(memvars.Options{Rules: fortressRules(), CheckOld: "warn"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	state := sys.Begin(doc)
	values := []testkit.Atom{
		testkit.Nest("[", "", "]"), testkit.Nest(`{"a":`, "1", "}"), testkit.Repeat("["), testkit.Repeat(`{"a":`),
		{Head: "[", Open: "1,", Mid: "1", Tail: "]"}, {Head: "{", Open: `"k":1,`, Tail: "}"}, {Head: `"`, Open: `\ud83d\ude00`, Tail: `"`},
		{Open: "9"}, {Head: "0.", Open: "9"}, {Head: "1e", Open: "9"}, {Head: "[", Open: "9e9,", Mid: "1", Tail: "]"}, {Head: `"`, Open: "甲"},
	}
	number := func(text string) {
		n := tree.Number(text)
		for _, m := range []tree.Number{"1", n, n + "1", "-" + n, "1e400", "0.001"} {
			n.Cmp(m)
			n.Add(m)
			n.Sub(m)
			n.Mul(m)
		}
		n.Int64()
		n.Float64()
	}
	field := func(path string, read func(tree.Document)) func(string) {
		return func(text string) {
			p, err := tree.ParsePath(path)
			if err != nil {
				panic(err)
			}
			e := doc.Edit()
			if err := e.Set(p, tree.Text(text)); err != nil {
				panic(err)
			}
			read(e.Document())
		}
	}
	endTurn := func(d tree.Document) { sys.EndTurn(d, state, memvars.Turn{Reply: "x"}) }
	words := []testkit.Atom{testkit.Repeat("年"), testkit.Repeat("月"), testkit.Repeat("1月"), testkit.Repeat("9"), testkit.Repeat("九"),
		testkit.Repeat("March "), testkit.Repeat("Day "), testkit.Repeat("第3天"), testkit.Repeat("1-"), testkit.Repeat("十"), testkit.Repeat("初"), testkit.Repeat(" ")}
	testkit.Growth(t,
		testkit.Reader{Name: "Parse", Atoms: messageAtoms(), Read: func(s string) { sys.Parse(s) }},
		testkit.Reader{Name: "Shown", Atoms: messageAtoms(), Read: func(s string) { sys.Shown(s) }},
		testkit.Reader{Name: "Apply", Atoms: messageAtoms(), Size: 4 << 10, Read: func(s string) {
			_, res := sys.Apply(doc, s, memvars.AI)
			sys.Feedback(res.Calls)
		}},
		testkit.Reader{Name: "EndTurn of a reply", Atoms: messageAtoms()[:8], Read: func(s string) {
			sys.EndTurn(doc, state, memvars.Turn{Reply: s, Player: []string{s}})
		}},
		testkit.Reader{Name: "Load", Atoms: append([]testkit.Atom{{Head: `{"k":`, Open: "[", Close: "]", Tail: "}"}}, values...),
			Read: func(s string) { _, _ = tree.ParseDocument([]byte(s)) }},
		testkit.Reader{Name: "ParseValue and Equal", Atoms: values, Read: func(s string) {
			v, _ := tree.ParseValue([]byte(s))
			w, _ := tree.ParseValue([]byte(s))
			v.Equal(w)
		}},
		testkit.Reader{Name: "Number", Read: number, Atoms: []testkit.Atom{{Open: "9"}, {Head: "0.", Open: "7"}, {Head: "1e", Open: "9"},
			{Head: "-1.", Open: "0", Tail: "1"}, {Open: "0", Tail: "1"}, {Head: "1", Open: "0", Tail: "e-400"}}},
		testkit.Reader{Name: "ParsePath", Atoms: []testkit.Atom{testkit.Repeat("a."), testkit.Repeat("[a]"), testkit.Repeat(`["a"]`), testkit.Repeat("["),
			testkit.Repeat(`\`), testkit.Repeat(" "), testkit.Repeat(`a["`), testkit.Repeat("]")},
			Read: func(s string) {
				p, _ := tree.ParsePath(s)
				_ = p.String()
				sys.Read(doc, p)
				doc.Get(s)
			}},
		testkit.Reader{Name: "dates", Atoms: words, Read: field("stat_data.日期[0]", endTurn)},
		testkit.Reader{Name: "times", Atoms: words, Read: field("stat_data.时间[0]", endTurn)},
		testkit.Reader{Name: "eras", Atoms: words, Read: field("stat_data.a", func(d tree.Document) {
			e := d.Edit()
			_ = e.Set(tree.Path{"stat_data", "纪年"}, d.Lookup(tree.Path{"stat_data", "a"}))
			endTurn(e.Document())
		})},
		testkit.Reader{Name: "rates", Atoms: []testkit.Atom{{Open: "9", Tail: "/d"}, testkit.Repeat("/"), testkit.Repeat("-"), {Head: "1", Open: "甲", Tail: "/d"}},
			Read: field("assa_data.map.全局地点表.p.resources.ore[0]", func(d tree.Document) {
				d, _ = sys.Apply(d, "set_status('日期', '3月9日')", memvars.AI)
				endTurn(d)
			})},
		testkit.Reader{Name: "formulas", Atoms: []testkit.Atom{testkit.Repeat("1+"), testkit.Repeat("("), testkit.Nest("(", "1", ")"), testkit.Repeat("-"),
			testkit.Repeat("9"), {Open: "9*", Mid: "9"}, testkit.Repeat("max("), {Head: "max(", Open: "1,", Mid: "1", Tail: ")"}, testkit.Repeat(`"a`), testkit.Repeat("甲")},
			Read: func(s string) {
				o := memvars.Options{Derived: memvars.Derived{Formulas: []memvars.Formula{{Target: "purse", Expr: s}}}}
				if sys, problems := memvars.Compile(o); len(problems) == 0 {
					sys.Derive(doc)
				}
			}},
		testkit.Reader{Name: "ParseTerms", Atoms: []testkit.Atom{testkit.Repeat("a;"), testkit.Repeat("a:1；"), testkit.Repeat(":"), {Head: "a:", Open: "9"}},
			Read: func(s string) { _, _ = memvars.ParseCheck(s) }},
		testkit.Reader{Name: "summaries", Size: 1 << 10, Atoms: []testkit.Atom{testkit.Repeat("a"), testkit.Repeat("ab ")}, Read: func(s string) {
			var b strings.Builder
			for i := range len(s) {
				fmt.Fprintf(&b, "memory('summary.small','k','v%d');memory('summary.big','k%d','v');\n", i, i)
			}
			d, _ := sys.Apply(doc, b.String(), memvars.AI)
			d, _, _ = sys.EndTurn(d, state, memvars.Turn{Reply: "x"})
			sys.Render(d, memvars.RenderOptions{Format: "yaml", LeafStyle: "comment"})
		}},
	)
}
