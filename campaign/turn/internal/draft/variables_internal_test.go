package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

func document(t *testing.T, text string) tree.Document {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := tree.NewDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestVariablesInTexts: the macros of a text read a value as what it is, by its name or by a path.
func TestVariablesInTexts(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s := state.State{Variables: document(t, `{"none": null, "list": [1], "bag": {"a.b": 5, "c": "x"}, "wet": true, "n": 2}`)}
	texts := Turn{Game: g, Campaign: &state.Campaign{}, State: &s, As: &state.Viewer{}}.Readable()
	for path, want := range map[string]string{"none": "<nil> true", "list": "[1] true", "bag": `{"a.b":5,"c":"x"} true`, "wet": "true true", "n": "2 true", "bag.c": "x true",
		"bag[": "<nil> false", "nothing": "<nil> false"} {
		if v, ok := texts.Get(path); fmt.Sprint(v, " ", ok) != want {
			t.Errorf("%s is %v %t, want %s", path, v, ok, want)
		}
	}
}

// TestTemplateWrites: a template changes the document, and what it saw follows. It cannot change a
// value that it saw only in part, or data that the document does not have.
func TestTemplateWrites(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ seen, before, path, old, new, wantSeen, want string }{
		{`{"a":1}`, `{"a":1,"b":2}`, "a", "1", "5", `{"a":5}`, `{"a":5,"b":2}`},
		{`{"a":1}`, `{"a":1,"b":2}`, "a", "1", "", `{}`, `{"b":2}`},
		{`{"a":{}}`, `{"a":{"b":2}}`, "a", `{"b":2}`, "5", `{"a":{}}`, "the value is not the one that the template read: a part of it is private"},
		{`{"a":1}`, `{}`, "a", "1", "", `{}`, "tree: delete a: path not found"},
		{`{"a":{}}`, `{}`, "a.b", "", "1", `{"a":{"b":1}}`, "tree: set a.b: parent: path not found"},
		{`{}`, `{"a":{}}`, "a.b", "", "1", `{}`, `{"a":{"b":1}}`},
	} {
		seen, before := document(t, c.seen), document(t, c.before)
		w := template.Write{Old: document(t, `{"v":`+orNull(c.old)+`}`).Root().Get("v"), New: document(t, `{"v":`+orNull(c.new)+`}`).Root().Get("v")}
		if c.old == "" {
			w.Old = tree.Value{}
		}
		if c.new == "" {
			w.New = tree.Value{}
		}
		var err error
		if w.Path, err = tree.ParsePath(c.path); err != nil {
			t.Fatal(err)
		}
		after, err := writeTemplate(&seen, before, w, Writers(g, &state.State{Variables: before}, 1))
		got := after.String()
		if err != nil {
			if got = err.Error(); !after.Same(before) {
				t.Errorf("%+v: %s after an error", c, after)
			}
		}
		if got != c.want || seen.String() != c.wantSeen {
			t.Errorf("%+v: %s, seen %s", c, got, seen)
		}
	}
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// TestUpdateAsData: an update of a model has its texts within the limits, and no text that it did not
// have.
func TestUpdateAsData(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxEntryContent+1)
	content := updateAsData(effect.UpdateEntry{Content: &long})
	if content.Name != nil || content.Content == nil || *content.Content != long[:maxEntryContent] {
		t.Errorf("%+v", content)
	}
	name := updateAsData(effect.UpdateEntry{Name: &long})
	if name.Content != nil || name.Name == nil || *name.Name != long[:maxEntryKey] {
		t.Errorf("%+v", name)
	}
}

// TestShownVariables: a model is told the names of variables that it may see, and of their parts.
func TestShownVariables(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{Rules: game.Rules{Variables: []rules.Variable{{ID: "purse", Type: rules.TypeJSON}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	gate := g.Gate(&state.State{}, 1)
	for path, want := range map[string]bool{"purse": true, "purse.gold": true, "bag": false, "bag.gold": false, "a..b[": false} {
		if got := isVisible(gate, path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
	if isVisible(nil, "purse") {
		t.Error("a game without variables shows one")
	}
}

// TestManyTimers: a setup has at most maxTimers countdowns, each with its own ID.
func TestManyTimers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{maxTimers: "", maxTimers + 1: "timers: 257 are too many: at most 256 run at a time"} {
		var list rules.Timers
		for i := range n {
			list = list.Start(fmt.Sprint(i), "", 1, false)
		}
		got := ""
		checkTimers(list, func(format string, args ...any) { got += fmt.Sprintf(format, args...) })
		if got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
