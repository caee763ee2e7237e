package memvars_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// scaleDoc is a document with n members in one place, and {@} among the others.
func scaleDoc(shape string, n int, member string) tree.Document {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(member, "#", fmt.Sprint(i))
	}
	d, err := tree.ParseDocument([]byte(strings.Replace(shape, "@", strings.Join(list, ","), 1)))
	if err != nil {
		panic(err)
	}
	return d
}

// lines repeats a command, with the number of the line for #.
func lines(n int, command string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(command, "#", fmt.Sprint(i)))
	}
	return b.String()
}

const (
	inStatus = `{"stat_data":{@},"assa_data":{}}`
	inSheet  = `{"play_character_data":{"o":{@}}}`
	inNPCs   = `{"assa_data":{"global_set":{"npc":{@},"背包":{}},"world_set":{"npc":{"a":1}},` +
		`"summary":{"small":{},"big":{}},"config":{}}}`
	inBag  = `{"assa_data":{"global_set":{"背包":{@}}}}`
	inList = `{"assa_data":{"global_set":{"npc":[@]}}}`
	aLeaf  = `"k#":[1,"d"]`
	aThing = `"i#":{"num":5,"d":"x"}`
)

// scaleFeatures are the parts of a document, a message or options that may be numerous.
var scaleFeatures = []struct {
	name, shape, member string
	text                func(n int) string
	options             func(n int, o *memvars.Options)
}{
	{"set, one per line", inStatus, aLeaf, every("set_status('k#', 2);\n"), nil},
	{"set, all on one line", inStatus, aLeaf, every("set_status('k#', 2); "), nil},
	{"set what does not exist", inStatus, aLeaf, every("set_status('zz', 2);\n"), nil},
	{"fill", inSheet, aThing, one(`set_attribute('o', {`, `"i#":{"num":1},`, `})`), nil},
	{"new members", inNPCs, `"a":1`, every("memory('global_set.npc', 'k#', {\"a\":1});\n"), nil},
	{"merge", inNPCs, aThing, every("memory('global_set.npc', 'i#', {\"a\":1});\n"), nil},
	{"merge at once", inNPCs, aThing, one(`memory('global_set', 'npc', {`, `"i#":{"num":1},`, `})`), nil},
	{"rename", inNPCs, aThing, every("memory('global_set.npc.i#', 'global_set.npc.j#');\n"), nil},
	{"move", inNPCs, aThing, every("memory('global_set.npc.i#', 'world_set.npc.j#');\n"), nil},
	{"delete", inNPCs, aThing, every("delete('global_set.npc', 'i#');\n"), nil},
	{"delete list elements", inList, `#`, every("delete('global_set.npc', '0');\n"), nil},
	{"delete all", inNPCs, aThing, one("delete('global_set.npc', 'all')", "", ""), nil},
	{"leave a world", inNPCs, aThing,
		every("delete('world_set.npc','all'); memory('world_set.npc','a',#)\n"), nil},
	{"change items", inBag, aThing, every("memory('global_set.背包.i#', 'num', 3);\n"), nil},
	{"use items up", inBag, aThing, every("memory('global_set.背包.i#', 'num', 0);\n"), nil},
	{"one key of the short memory", inNPCs, aThing, every("memory('summary.small', 'a', 'text #');\n"), nil},
	{"abort", inNPCs, aThing, one("", "memory('global_set.npc', 'i#', 1);\n", "set_status('q', 1)"),
		func(_ int, o *memvars.Options) { o.OnError = "abort" }},
	{"formulas and their inputs", inSheet, `"i#":{"num":5,"b":1}`, every("set_attribute('o.i#.b', 3)\n"),
		func(n int, o *memvars.Options) {
			for i := range n {
				o.Derived.Formulas = append(o.Derived.Formulas,
					memvars.Formula{Target: fmt.Sprintf("o.i%d.num", i), Expr: fmt.Sprintf(`"o.i%d.b" + 1`, i)})
			}
		}},
	{"leaf rules", inStatus, `"k#":["a","b"]`, every("set_status('k#', 'c');\n"),
		func(n int, o *memvars.Options) {
			p := memvars.DefaultProfile()
			for i := range n {
				p.LeafRules = append(p.LeafRules,
					memvars.LeafRule{Path: tree.Path{"stat_data", fmt.Sprint("k", i)}})
			}
			o.Profile = &p
		}},
	{"a deep path", inStatus, aLeaf, one("set_status('", "a.", "a', 1)"), nil},
	{"a deep path in brackets", inStatus, aLeaf, one("set_status('   a", "[1]", "', 1)"), nil},
	{"arguments", inStatus, aLeaf, one("memory('a'", ", 1", ")"), nil},
	{"nested brackets", inStatus, aLeaf, one("memory('a', 'b', ", "[", ")"), nil},
	{"reasoning", inStatus, aLeaf, every("<think>a</think> delete('a') "), nil},
	{"open marks", inStatus, aLeaf, every("memory('a\n"), nil},
	{"open braces", inStatus, aLeaf, every("set_status( {\n"), nil},
	{"typographic marks", inStatus, aLeaf, every("memory(“a"), nil},
	{"open comments", inStatus, aLeaf, every("memory(/* "), nil},
	{"comments in comments", inStatus, aLeaf, every("memory(//"), nil},
	{"calls before comments", inStatus, aLeaf,
		func(n int) string { return lines(n, "memory(//") + "\n" + lines(n, "//\n") }, nil},
	{"repair before comments", inStatus, aLeaf, func(n int) string {
		return "memory('a','b', {'a':'" + lines(n, "it'//") + "\n" + lines(n, "//\n") + "'})"
	}, nil},
	{"prose", inStatus, aLeaf, every("he said delete (it) 你好 memory of "), nil},
}

func every(command string) func(int) string {
	return func(n int) string { return lines(n, command) }
}

func one(before, part, after string) func(int) string {
	return func(n int) string { return before + strings.TrimSuffix(lines(n, part), ",") + after }
}

// TestPerfFeatures: eight times the commands on eight times the data take about eight times as
// long. Quadratic work takes 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		apply := func(n int) func() {
			var o memvars.Options
			if f.options != nil {
				f.options(n, &o)
			}
			s, problems := memvars.Compile(o)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			members := n
			if !strings.Contains(f.member, "#") {
				members = 1
			}
			d, text := scaleDoc(f.shape, members, f.member), f.text(n)
			return func() { s.Apply(d, text, memvars.AI) }
		}
		holdRatio(t, f.name, apply(500), apply(4000))
	}
}

func holdRatio(t *testing.T, name string, few, many func()) {
	testkit.AtMost(t, name+", 4,000 against 500", 40, func() float64 {
		long, short := time.Hour, time.Hour
		for range 3 { // alternately, so that disturbances affect both
			long = min(long, testkit.Best(1, many))
			short = min(short, testkit.Best(4, few))
		}
		t.Logf("%s: %v, %v", name, short, long)
		return testkit.Ratio(long, short)
	})
}

// TestPerfTurnFeatures is the same for the end of a turn, for prompts and for histories.
func TestPerfTurnFeatures(t *testing.T) {
	testkit.Need(t)
	s, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	turn := func(d tree.Document, text, reply string) func() {
		st := s.Begin(d)
		d, _ = s.Apply(d, text, memvars.Host)
		return func() { s.EndTurn(d, st, memvars.Turn{Reply: reply}) }
	}
	for _, f := range []struct {
		name string
		make func(n int) func()
	}{
		{"summaries cleared", func(n int) func() {
			return turn(scaleDoc(`{"assa_data":{"summary":{"small":{@},"big":{"a":1}},`+
				`"config":{"flags":{"clean_small_flag":true}}}}`, n, `"i#":"t"`), "memory('summary.big', 'b', 'c')", "x")
		}},
		{"resources", func(n int) func() {
			return turn(scaleDoc(`{"stat_data":{"日期":["1月2日",""]},"assa_data":{"map":{@}}}`, n,
				`"p#":{"resources":{"a":["+1/d",3]}}`), "set_status('日期', '1月4日')", "x")
		}},
		{"green lights", func(n int) func() {
			return turn(scaleDoc(inNPCs, n, `"name#":{"_filter":true,"a":1}`), "", strings.Repeat("name1 ", 200))
		}},
		{"hidden nodes", func(n int) func() {
			d := scaleDoc(inNPCs, n, `"name#":{"_filter":true,"_showInEJS":false,"a":1}`)
			return func() { s.Render(d, memvars.RenderOptions{Format: "yaml", LeafStyle: "comment"}) }
		}},
		{"differences", func(n int) func() {
			a, b := scaleDoc(inNPCs, n, aThing), scaleDoc(inNPCs, n, strings.Replace(aThing, "#", "1#", 1))
			return func() { tree.Diff(a, b) }
		}},
		{"a history", func(n int) func() {
			d := scaleDoc(inNPCs, 20, aThing)
			var history []memvars.Message
			for i := range n {
				history = append(history, memvars.Message{Actor: memvars.User, Text: "go"},
					memvars.Message{Actor: memvars.AI, Text: fmt.Sprintf("memory('global_set.npc.i%d', 'num', %d)", i%20, i)})
			}
			return func() { s.Rebuild(d, history) }
		}},
	} {
		holdRatio(t, f.name, f.make(500), f.make(4000))
	}
}
