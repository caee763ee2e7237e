package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// conformanceCase is one case of testdata/conformance; its README gives the schema.
type conformanceCase struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Verdict   string           `json:"verdict"`
	Kind      string           `json:"kind"`
	Given     conformanceWorld `json:"given"`
	Expect    map[string]any   `json:"expect"`
	Recommend map[string]any   `json:"recommend"`

	Steps     []conformanceStep   `json:"steps"`
	Events    []event.Event       `json:"events"`
	Effects   []conformanceEffect `json:"effects"`
	Checks    json.RawMessage     `json:"checks"`
	Rules     json.RawMessage     `json:"rules"`
	Formulas  []string            `json:"formulas"`
	Text      string              `json:"text"`
	PatchRoot string              `json:"patchRoot"`

	// For people, and for the kinds of other packages.
	Source, Why, Peer, Note, Templates, Messages json.RawMessage
}

type conformanceWorld struct {
	Variables  json.RawMessage      `json:"variables"`
	Rules      []rules.Rule         `json:"rules"`
	Reactions  []reactions.Reaction `json:"reactions"`
	Modules    []rules.Module       `json:"modules"`
	State      rules.State          `json:"state"`
	Random     []float64            `json:"random"`
	Lookup     tree.Value           `json:"lookup"`
	Scenes     json.RawMessage      `json:"scenes"`
	SceneID    string               `json:"sceneId"`
	X          float64              `json:"x"`
	Y          float64              `json:"y"`
	ReplyRules json.RawMessage      `json:"replyRules"`

	Entries, Settings json.RawMessage // for the kinds that are elsewhere
}

type conformanceStep struct {
	Op       string              `json:"op"`
	User     string              `json:"user"`
	AI       string              `json:"ai"`
	Effects  []conformanceEffect `json:"effects"`
	AIText   *string             `json:"aiText"`
	Events   []event.Event       `json:"events"`
	MaxDepth int                 `json:"maxDepth"`
	ActionID string              `json:"actionId"`
	Params   tree.Value          `json:"params"`
	Turn     int                 `json:"turn"`
	Text     string              `json:"text"`
	Parsed   json.RawMessage     `json:"parsed"` // for runners without a parser of replies

	Args    []any       `json:"args"`
	DT      float64     `json:"dt"`
	As      string      `json:"as"`
	Pattern string      `json:"pattern"`
	Event   event.Event `json:"event"`
}

type conformanceEffect struct {
	Path      string           `json:"path"`
	Operation effect.Operation `json:"operation"`
	Value     tree.Value       `json:"value"`
	ValueRef  string           `json:"valueRef"`
}

// UnmarshalJSON also reads broken effects, because some cases are about them.
func (e *conformanceEffect) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*e = conformanceEffect{
		Path:      f.Text("path"),
		Operation: effect.Operation(f.Text("operation")),
		Value:     f.Value("value"),
		ValueRef:  f.Text("valueRef"),
	}
	return nil
}

func (e conformanceEffect) effect() effect.SetVariable {
	return effect.SetVariable{Path: e.Path, Operation: e.Operation, Value: e.Value,
		ValueRef: e.ValueRef}
}

// elsewhere lists the kinds that belong to other packages, with the reason.
var elsewhere = map[string]string{
	"macro": "macros are expanded by package prompt",
	"lore":  "entries are matched by package worldbook",
}

// suite is the recorded cases. There are no deviations: if sources disagree, a case also has the
// recommended answer, and that answer counts.
var suite = testkit.Suite{Dir: filepath.Join("testdata", "conformance")}

// TestConformance runs the recorded cases, with the recommended answers where sources disagree
// (RU-30). Cases about other packages, and recorded cases that are not binding, are not counted.
func TestConformance(t *testing.T) {
	suite.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		var cases []testkit.RecordedCase
		for _, c := range readCases(t, file, data) {
			if reason, ok := elsewhere[c.Kind]; ok {
				t.Logf("%s is left to another package: %s", c.ID, reason)
				continue
			}
			if c.Verdict == "info" {
				t.Run(c.ID, func(t *testing.T) {
					if d := c.run(t); d != "" {
						t.Skipf("recorded, not binding:\n%s", d)
					}
				})
				continue
			}
			cases = append(cases, testkit.RecordedCase{Name: c.ID, Run: func(t *testing.T) {
				if d := c.run(t); d != "" {
					t.Errorf("%s (%s, %s)\n%s", c.Title, c.Verdict, c.Kind, d)
				}
			}})
		}
		return cases
	})
}

// allCases returns the cases of all files of the suite.
func allCases(t *testing.T) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(suite.Dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	var cases []conformanceCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, readCases(t, file, data)...)
	}
	return cases
}

// strictly decodes and refuses unknown members. A test that ignores a part of a case proves
// nothing.
func strictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// readCases reads a file of cases. Two files have a different form: the examples of the
// specification, and the workload of the benchmark.
func readCases(t *testing.T, file string, data []byte) []conformanceCase {
	t.Helper()
	var content struct {
		Suite, Set, About json.RawMessage // for people
		Cases             []json.RawMessage
		Examples          []struct {
			Name       string
			JSON, Must json.RawMessage
			Checks     []json.RawMessage
		}
	}
	base := filepath.Base(file)
	if gjson.GetBytes(data, "turnCount").Exists() {
		return []conformanceCase{workloadCase(t, data, base)}
	}
	if err := strictly(data, &content); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	var cases []conformanceCase
	read := func(raw json.RawMessage, id string) {
		c := conformanceCase{ID: id, Verdict: "must"}
		if err := strictly(raw, &c); err != nil { // it counts as a failed case
			c = conformanceCase{ID: id, Title: err.Error(), Kind: "unreadable"}
		}
		cases = append(cases, c)
	}
	for i, raw := range content.Cases {
		read(raw, fmt.Sprintf("%s-%d", base, i+1))
	}
	for _, e := range content.Examples {
		for i, raw := range e.Checks {
			read(raw, fmt.Sprintf("%s-%d", e.Name, i+1))
		}
	}
	return cases
}

// want returns the expected result of the case, and whether missing keys must be empty.
func (c conformanceCase) want() (map[string]any, bool) {
	if c.Recommend != nil {
		return c.Recommend, false
	}
	return c.Expect, true
}

// run returns a description of the difference, or "" without a difference.
func (c conformanceCase) run(t *testing.T) (difference string) {
	t.Helper()
	defer func() { // a case of an unexpected form must not end the test
		if r := recover(); r != nil {
			difference = fmt.Sprintf("panic: %v", r)
		}
	}()
	switch c.Kind {
	case "chain":
		return c.runChain(t)
	case "evaluate":
		return c.runEvaluate(t)
	case "match":
		return c.runMatch(t)
	case "condition":
		return c.runCondition(t)
	case "apply":
		return c.runApply(t)
	case "compile":
		return c.runCompile(t)
	case "keyword":
		return c.runKeyword(t)
	case "workload":
		return c.runWorkload(t)
	case "formula":
		return c.runFormula()
	case "aiFilter":
		return c.runAccess(t)
	case "parse", "parseStructured":
		return c.runParse(t)
	case "replyRules":
		return c.runReply(t)
	case "timer":
		return c.runTimer(t)
	case "spatial":
		return c.runSpatial(t)
	case "bus":
		return c.runBus()
	}
	return "no runner for the kind " + c.Kind
}

// diff compares the expected keys. With strict, the listed keys that are not expected must be
// empty. At every depth an absent member equals an empty one.
func diff(want, got map[string]any, strict ...string) string {
	got = plainMap(got)
	for _, key := range strict {
		if _, ok := want[key]; !ok && !isEmpty(got[key]) {
			return fmt.Sprintf("%s should be empty, is %s", key, text(got[key]))
		}
	}
	var out string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if isEmpty(want[key]) && isEmpty(got[key]) {
			continue
		}
		if d := cmp.Diff(pruned(want[key]), pruned(got[key]), roughly); d != "" {
			out += key + ":\n" + d
		}
	}
	return out
}

// pruned leaves out the empty members of objects.
func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any)
		for k, m := range v {
			if m = pruned(m); !isEmpty(m) {
				out[k] = m
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = pruned(e)
		}
		return out
	}
	return v
}

// partly removes the members that the expected element does not name from each result element. Our
// results have more members than the recorded ones.
func partly(want any, got []any) []any {
	list, _ := want.([]any)
	out := slices.Clone(got)
	for i := range min(len(list), len(out)) {
		w, isObject := list[i].(map[string]any)
		g, ok := out[i].(map[string]any)
		if !isObject || !ok {
			continue
		}
		kept := make(map[string]any)
		for k := range w {
			if v, ok := g[k]; ok {
				kept[k] = v
			}
		}
		out[i] = kept
	}
	return out
}

// roughly ignores differences in the last digits of numbers.
var roughly = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
})

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// plain turns any value into the types of encoding/json.
func plain(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}

func plainMap(m map[string]any) map[string]any {
	out, _ := plain(m).(map[string]any)
	return out
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
