package memvars_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// messages returns the texts of the recorded cases, as seeds.
func messages(f *testing.F) []string {
	f.Helper()
	var out []string
	files, err := filepath.Glob(filepath.Join("testdata", "conformance", "seed_*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var file struct {
			Cases []struct{ Steps []struct{ Text string } }
		}
		if err := json.Unmarshal(data, &file); err != nil {
			f.Fatal(err)
		}
		for _, c := range file.Cases {
			for _, s := range c.Steps {
				if s.Text != "" {
					out = append(out, s.Text)
				}
			}
		}
	}
	return out
}

// FuzzApply: after any text the changes explain the document, calls are in the order of the text,
// and rejected commands have changed nothing.
func FuzzApply(f *testing.F) {
	for _, text := range messages(f) {
		f.Add(text)
	}
	start := standard(f)
	sys := defaultSystem(f)
	f.Fuzz(func(t *testing.T, text string) {
		after, result := sys.Apply(start, text, memvars.AI)
		if !replay(t, start, result.Changes).Equal(after) {
			t.Fatal("the changes do not lead to the result")
		}
		last := -1
		for _, c := range result.Calls {
			if c.Offset <= last || c.Line < 1 || c.Col < 1 {
				t.Fatalf("call at %d:%d after offset %d", c.Line, c.Col, last)
			}
			last = c.Offset
		}
		again, err := tree.ParseDocument([]byte(after.String()))
		if err != nil || again.String() != after.String() {
			t.Fatalf("the document does not read back: %v", err)
		}
	})
}

// FuzzParseDocument: ParseDocument accepts only what encoding/json accepts, and a loaded document
// is written so that it loads to the same document.
func FuzzParseDocument(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,"x\u00e9\ud83d\ude00"]}`, `{"a":{"b":{}}}`, `{`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := tree.ParseDocument(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not valid JSON", data)
		}
		again, err := tree.ParseDocument([]byte(d.String()))
		if err != nil || again.String() != d.String() || !again.Equal(d) {
			t.Fatalf("%s becomes %s, %v", d, again, err)
		}
	})
}

// FuzzPath: a path that was read is read back from its canonical text.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"a.b[0]", `x["y.z"]['k']`, `a\.b`, " x . y ", "[", "a]b", "键[值]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := tree.ParsePath(text)
		if err != nil {
			return
		}
		again, err := tree.ParsePath(p.String())
		if err != nil || !slices.Equal(again, p) {
			t.Fatalf("%q reads as %q, its text %s as %q (%v)", text, []string(p), p, []string(again), err)
		}
	})
}

// FuzzFormula: any formula compiles or is refused, and computes or is skipped.
func FuzzFormula(f *testing.F) {
	for _, s := range []string{
		"(力量 + 敏捷 + 体积) / 3", "floor(max(力量, 2) * -1.5)", `"货币段.积分" - 3`, "((", "1/0", "abs(", "--1",
	} {
		f.Add(s)
	}
	start := standard(f)
	f.Fuzz(func(t *testing.T, expr string) {
		o := memvars.Options{Derived: memvars.Derived{Formulas: []memvars.Formula{
			{Target: "衍生属性段.先攻", Expr: expr},
		}}}
		sys, problems := memvars.Compile(o)
		if err := problems.Err(); err != nil {
			return
		}
		after, result := sys.Apply(start, "", memvars.AI)
		if after.Same(start) != (len(result.Changes) == 0) {
			t.Fatal("a new version without a change")
		}
		if _, err := tree.ParseDocument([]byte(after.String())); err != nil {
			t.Fatalf("%q made a bad document: %v", expr, err)
		}
	})
}

// FuzzDate: a readable date advances to a readable date in its own format. All other text stays
// unchanged.
func FuzzDate(f *testing.F) {
	for _, s := range []string{
		"03月15日", "二月廿八", "腊月三十", "2024-02-28", "贞观三年正月初一", "3月9号", "１２月３１日", "闰四月初一", "明天",
	} {
		f.Add(s, "星历203年")
	}
	sys := defaultSystem(f)
	f.Fuzz(func(t *testing.T, text, era string) {
		d, err := tree.NewDocument(tree.Object(tree.Member{Key: "stat_data", Value: tree.Object(
			tree.Member{Key: "纪年", Value: tree.Text(era)},
			tree.Member{Key: "日期", Value: tree.Text(text)},
			tree.Member{Key: "时间", Value: tree.Text("23:00")},
		)}))
		if err != nil {
			t.Fatal(err)
		}
		state := sys.Begin(d)
		e := d.Edit()
		if err := e.Set(tree.Path{"stat_data", "时间"}, tree.Text("01:00")); err != nil {
			t.Fatal(err)
		}
		d = e.Document()
		after, state, result := sys.EndTurn(d, state, memvars.Turn{})
		if len(result.Changes) == 0 {
			return
		}
		next, _ := result.Changes[0].New.AsText()
		if strings.TrimSpace(next) == "" || next == text {
			t.Fatalf("%q moves on to %q", text, next)
		}
		// The new date is readable too: the next night advances it again.
		e = after.Edit()
		if err := e.Set(tree.Path{"stat_data", "时间"}, tree.Text("23:00")); err != nil {
			t.Fatal(err)
		}
		mid, state, _ := sys.EndTurn(e.Document(), state, memvars.Turn{})
		e = mid.Edit()
		if err := e.Set(tree.Path{"stat_data", "时间"}, tree.Text("01:00")); err != nil {
			t.Fatal(err)
		}
		if _, _, result = sys.EndTurn(e.Document(), state, memvars.Turn{}); len(result.Changes) == 0 {
			t.Fatalf("%q moves on to %q, which cannot be read", text, next)
		}
	})
}
