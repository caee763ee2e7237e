package mvu_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// cases are the recorded cases. Package memvars runs the cases of the other layer.
var cases = testkit.Suite{Dir: filepath.Join("..", "testdata", "conformance")}

type recordedCase struct {
	ID      string
	Quirk   string
	Initial struct {
		Fixture  string
		StatData tree.Value `json:"stat_data"`
		Books    []mvu.Book
	}
	AfterInit struct {
		StatData    tree.Value `json:"stat_data"`
		Schema      tree.Value
		Initialized []string
	} `json:"after_init"`
	Messages []struct {
		Text   string
		Expect recordedExpect
	}
}

type recordedExpect struct {
	Commands []mvu.Command
	Modified bool
	Errors   []mvu.Code
	Diff     []recordedEvent
	Events   []struct {
		Path     string
		Old, New tree.Value
	}
	Delta   tree.Value `json:"delta_data"`
	Display tree.Value `json:"display_data"`
	Schema  tree.Value
}

type recordedEvent struct {
	Path     []any
	Old, New tree.Value
}

func (e recordedEvent) path() tree.Path {
	p := make(tree.Path, len(e.Path))
	for i, seg := range e.Path {
		switch s := seg.(type) {
		case string:
			p[i] = s
		case float64:
			p[i] = strconv.Itoa(int(s))
		}
	}
	return p
}

// readCases returns the cases of this layer in a file.
func readCases(t *testing.T, file string, data []byte) []recordedCase {
	t.Helper()
	var f struct {
		Layer string
		Cases []recordedCase
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if f.Layer != "mvu" {
		return nil
	}
	return f.Cases
}

// TestConformance runs the recorded cases in compat mode (MV-28, MV-29, MV-33).
func TestConformance(t *testing.T) {
	cases.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		t.Helper()
		var out []testkit.RecordedCase
		for _, c := range readCases(t, file, data) {
			out = append(out, testkit.RecordedCase{Name: c.ID, Run: func(t *testing.T) {
				runRecorded(t, c, mvu.Options{Mode: "compat"}, true)
			}})
		}
		return out
	})
}

// deviations are the recorded cases that the default mode fails on purpose, with the rule that it
// follows instead.
var deviations = map[string]string{
	"c-mvu-extract-02":    "a semicolon is not needed",
	"c-mvu-extract-03":    "blanks before the semicolon are fine",
	"c-mvu-extract-04":    "blanks before the parenthesis are fine",
	"c-mvu-extract-11":    "an apostrophe within a text does not end it",
	"c-mvu-extract-14":    "what stands in a comment is not executed",
	"c-mvu-json-patch-04": "copy is executed",
	"c-mvu-paths-01":      "a quoted key in brackets is one segment",
	"c-mvu-remove-03":     "a list of two texts has the form of a pair, which keeps its shape",
}

// TestDefaultMode runs the package's own cases without special MVU behaviour in default mode: same
// data, same failures.
func TestDefaultMode(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(cases.Dir, "mvu_*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", cases.Dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range readCases(t, file, data) {
			reason, deviates := deviations[c.ID]
			if c.Quirk != "" || deviates {
				t.Logf("%s: %s%s", c.ID, c.Quirk, reason)
				continue
			}
			t.Run(c.ID, func(t *testing.T) { runRecorded(t, c, mvu.Options{}, false) })
		}
	}
}

func start(t *testing.T, c recordedCase, o mvu.Options) mvu.Variables {
	t.Helper()
	var v mvu.Variables
	data := c.Initial.StatData
	if c.Initial.Fixture != "" {
		name := c.Initial.Fixture + ".json"
		text, err := os.ReadFile(filepath.Join(cases.Folder(), "fixtures", name))
		if err != nil {
			text, err = os.ReadFile(filepath.Join(cases.Dir, "fixtures", name))
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, err = tree.ParseValue(text); err != nil {
			t.Fatal(err)
		}
	}
	if data.Exists() {
		var err error
		if v, err = mvu.New(data, o); err != nil {
			t.Fatal(err)
		}
	}
	v, problems := mvu.Init(v, c.Initial.Books, "", o)
	if len(problems) > 0 {
		t.Log(problems) // the data is compared
	}
	return v
}

func runRecorded(t *testing.T, c recordedCase, o mvu.Options, full bool) {
	v := start(t, c, o)
	if want := c.AfterInit.StatData; want.Exists() {
		same(t, "after init", v.Stat.Root(), want)
	}
	if want := c.AfterInit.Schema; want.Exists() {
		same(t, "schema after init", v.Schema(), want)
	}
	if want := c.AfterInit.Initialized; want != nil && !slices.Equal(v.Initialized, want) {
		t.Errorf("initialized %q, want %q", v.Initialized, want)
	}
	for i, m := range c.Messages {
		before := v.Stat
		var res mvu.Result
		v, res = mvu.Update(v, m.Text, o)
		w := m.Expect
		where := fmt.Sprintf("message %d: ", i)
		want := before
		for _, e := range w.Diff {
			if old := before.Lookup(e.path()); !approx(old, plain(e.Old)) {
				t.Errorf("%sdata: %s was %v, not %v", where, e.path(), old, e.Old)
			}
			want = patched(t, want, e)
		}
		same(t, where+"data", v.Stat.Root(), want.Root())
		var codes []mvu.Code
		for _, f := range res.Failures {
			codes = append(codes, f.Code)
		}
		if !slices.Equal(codes, w.Errors) {
			t.Errorf("%sfailures %q, want %q", where, codes, w.Errors)
		}
		if res.Modified != w.Modified {
			t.Errorf("%smodified %v", where, res.Modified)
		}
		if w.Schema.Exists() {
			same(t, where+"schema", v.Schema(), w.Schema)
		}
		if full {
			compareCommands(t, where, res.Commands, w.Commands)
			compareEvents(t, where, res.Events, w)
			if w.Delta.Exists() {
				sameTexts(t, where+"delta", v.Delta(), w.Delta)
			}
			if w.Display.Exists() {
				sameTexts(t, where+"display", v.Display(), w.Display)
			}
		}
	}
}

func patched(t *testing.T, d tree.Document, e recordedEvent) tree.Document {
	t.Helper()
	edit := d.Edit()
	var err error
	if e.New.Exists() {
		err = edit.Set(e.path(), plain(e.New))
	} else {
		err = edit.Delete(e.path())
	}
	if err != nil {
		t.Fatal(err)
	}
	return edit.Document()
}

func compareCommands(t *testing.T, where string, got, want []mvu.Command) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = got[i].Type == want[i].Type && slices.Equal(got[i].Args, want[i].Args) &&
			got[i].Reason == want[i].Reason
	}
	if !ok {
		t.Errorf("%scommands %+v\nwant %+v", where, got, want)
	}
}

func compareEvents(t *testing.T, where string, got []mvu.Event, w recordedExpect) {
	t.Helper()
	ok := len(got) == len(w.Events)
	for i := 0; ok && i < len(got); i++ {
		g, e := got[i], w.Events[i]
		ok = g.Path == e.Path && approx(g.Old, plain(e.Old)) && approx(g.New, plain(e.New))
		if !ok {
			t.Errorf("%sevent %d: %s %v -> %v\nwant %s %v -> %v", where, i, g.Path, g.Old, g.New,
				e.Path, plain(e.Old), plain(e.New))
			return
		}
	}
	if !ok {
		t.Errorf("%sevents %+v\nwant %+v", where, got, w.Events)
	}
}

// plain removes from a recorded value what JSON does not have: NaN is written as null, and
// undefined is left out. The member $internal, with MVU's own sentences, is not data.
func plain(v tree.Value) tree.Value {
	switch {
	case v.Get("$number").Exists():
		return tree.Null
	case v.Get("undefined").Exists():
		return tree.Value{}
	case v.Get("$undefined").Exists():
		return tree.Null
	case v.IsObject():
		var members []tree.Member
		for key, child := range v.Members() {
			if key != "$internal" {
				members = append(members, tree.Member{Key: key, Value: plain(child)})
			}
		}
		return tree.Object(members...)
	case v.IsArray():
		var elems []tree.Value
		for _, e := range v.Elements() {
			elems = append(elems, plain(e))
		}
		return tree.Array(elems...)
	}
	return v
}

// sameTexts compares display or delta data, except the sentences that MVU writes about inserts and
// deletes.
func sameTexts(t *testing.T, where string, got, want tree.Value) {
	t.Helper()
	text, isText := want.AsText()
	switch {
	case isText && (strings.HasPrefix(text, "ASSIGNED ") || strings.HasPrefix(text, "REMOVED ")):
		if got.Kind() != tree.KindText {
			t.Errorf("%s: %v, want a text", where, got)
		}
	case want.IsObject() && want.Get("$undefined").Exists():
		same(t, where, got, tree.Null)
	case want.IsObject() && got.Len() == want.Len():
		for key, w := range want.Members() {
			sameTexts(t, where+"."+key, got.Get(key), w)
		}
	case want.IsArray() && got.Len() == want.Len():
		for i, w := range want.Elements() {
			sameTexts(t, where+"."+strconv.Itoa(i), got.At(i), w)
		}
	default:
		same(t, where, got, want)
	}
}

func same(t *testing.T, where string, got, want tree.Value) {
	t.Helper()
	if !approx(got, want) {
		t.Errorf("%s:\n%v, want\n%v", where, got, want)
	}
}

func approx(a, b tree.Value) bool {
	if a.Equal(b) {
		return true
	}
	x, okX := a.AsFloat()
	y, okY := b.AsFloat()
	if okX && okY {
		return math.Abs(x-y) <= 1e-12*max(1, math.Abs(x))
	}
	if a.Kind() != b.Kind() || a.Len() != b.Len() || a.Len() == 0 {
		return false
	}
	for i := range a.Len() {
		other := b.At(i)
		if a.IsObject() {
			other = b.Get(a.KeyAt(i))
		}
		if !approx(a.At(i), other) {
			return false
		}
	}
	return true
}
