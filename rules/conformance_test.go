package rules_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
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
	Events    []rules.Event       `json:"events"`
	Effects   []conformanceEffect `json:"effects"`
	Checks    json.RawMessage     `json:"checks"`
	Rules     json.RawMessage     `json:"rules"`
	Formulas  []string            `json:"formulas"`
	Text      string              `json:"text"`
	PatchRoot string              `json:"patchRoot"`
}

type conformanceWorld struct {
	Variables  json.RawMessage      `json:"variables"`
	Rules      []rules.Rule         `json:"rules"`
	Reactions  []reactions.Reaction `json:"reactions"`
	Modules    []rules.Module       `json:"modules"`
	State      rules.State          `json:"state"`
	Random     []float64            `json:"random"`
	Lookup     memvars.Value        `json:"lookup"`
	Scenes     json.RawMessage      `json:"scenes"`
	SceneID    string               `json:"sceneId"`
	X          float64              `json:"x"`
	Y          float64              `json:"y"`
	ReplyRules json.RawMessage      `json:"replyRules"`
}

type conformanceStep struct {
	Op       string              `json:"op"`
	User     string              `json:"user"`
	AI       string              `json:"ai"`
	Effects  []conformanceEffect `json:"effects"`
	AIText   *string             `json:"aiText"`
	Events   []rules.Event       `json:"events"`
	MaxDepth int                 `json:"maxDepth"`
	ActionID string              `json:"actionId"`
	Params   memvars.Value       `json:"params"`
	Turn     int                 `json:"turn"`
	Text     string              `json:"text"`

	Args    []any       `json:"args"`
	DT      float64     `json:"dt"`
	As      string      `json:"as"`
	Pattern string      `json:"pattern"`
	Event   rules.Event `json:"event"`
}

type conformanceEffect struct {
	Path      string          `json:"path"`
	Operation rules.Operation `json:"operation"`
	Value     memvars.Value   `json:"value"`
	ValueRef  string          `json:"valueRef"`
}

// UnmarshalJSON reads broken effects too: some cases are about them.
func (e *conformanceEffect) UnmarshalJSON(data []byte) error {
	f, err := rules.ReadFields(data)
	if err != nil {
		return err
	}
	*e = conformanceEffect{
		Path:      f.Text("path"),
		Operation: rules.Operation(f.Text("operation")),
		Value:     f.Value("value"),
		ValueRef:  f.Text("valueRef"),
	}
	return nil
}

func (e conformanceEffect) effect() rules.SetVariable {
	return rules.SetVariable{Path: e.Path, Operation: e.Operation, Value: e.Value,
		ValueRef: e.ValueRef}
}

// elsewhere are the kinds that other packages are about, with the reason.
var elsewhere = map[string]string{
	"macro": "macros are expanded by package prompt",
	"lore":  "entries are matched by package worldbook",
}

// TestConformance runs the recorded cases, with the recommended answers where sources
// disagree (RU-30).
func TestConformance(t *testing.T) {
	dir := os.Getenv("TALEWRIGHT_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join("testdata", "conformance")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	sort.Strings(files)
	var passed, failed, skipped, unbound int
	for _, file := range files {
		for _, c := range readCases(t, file) {
			if reason, ok := elsewhere[c.Kind]; ok {
				skipped++
				t.Logf("%s is left to another package: %s", c.ID, reason)
				continue
			}
			differs := false
			ok := t.Run(c.ID, func(t *testing.T) {
				diff := c.run(t)
				differs = diff != ""
				switch {
				case differs && c.Verdict == "info":
					t.Skipf("recorded, not binding:\n%s", diff)
				case differs:
					t.Errorf("%s (%s, %s)\n%s", c.Title, c.Verdict, c.Kind, diff)
				}
			})
			switch {
			case !ok:
				failed++
			case differs:
				unbound++
			default:
				passed++
			}
		}
	}
	summary := fmt.Sprintf("%d passed, %d failed of %d", passed, failed, passed+failed)
	t.Log(summary)
	fmt.Println(summary)
	t.Logf("not counted: %d cases about other packages, %d recorded without being binding", skipped,
		unbound)
}

// readCases reads a file of cases, or the two files of another form: the examples of
// the specification, and the workload of the benchmark.
func readCases(t *testing.T, file string) []conformanceCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var content struct {
		Cases    []json.RawMessage `json:"cases"`
		Examples []struct {
			Name   string            `json:"name"`
			Checks []conformanceCase `json:"checks"`
		} `json:"examples"`
		TurnCount *int `json:"turnCount"`
	}
	if err := json.Unmarshal(data, &content); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var cases []conformanceCase
	for i, raw := range content.Cases {
		var c conformanceCase
		if err := json.Unmarshal(raw, &c); err != nil { // it counts, as one that fails
			c = conformanceCase{ID: fmt.Sprintf("%s-%d", filepath.Base(file), i+1),
				Title: err.Error(), Kind: "unreadable"}
		}
		cases = append(cases, c)
	}
	for _, e := range content.Examples {
		for i, c := range e.Checks {
			c.ID = fmt.Sprintf("%s-%d", e.Name, i+1)
			c.Verdict = "must"
			cases = append(cases, c)
		}
	}
	if content.TurnCount != nil {
		cases = append(cases, workloadCase(t, data, filepath.Base(file)))
	}
	return cases
}

// want returns what the case demands, and whether keys that it leaves out are empty.
func (c conformanceCase) want() (map[string]any, bool) {
	if c.Recommend != nil {
		return c.Recommend, false
	}
	return c.Expect, true
}

// run returns a description of the difference, "" if there is none.
func (c conformanceCase) run(t *testing.T) (difference string) {
	t.Helper()
	defer func() { // a case of an unforeseen form must not end the others
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

// diff compares the keys that are wanted. With strict, the listed keys that are not
// wanted must be empty.
func diff(want, got map[string]any, strict ...string) string {
	got = plainMap(got)
	for _, key := range strict {
		if _, ok := want[key]; !ok && !isEmpty(got[key]) {
			return fmt.Sprintf("%s should be empty, is %s", key, text(got[key]))
		}
	}
	var out string
	for _, key := range slices.Sorted(mapKeys(want)) {
		if isEmpty(want[key]) && isEmpty(got[key]) {
			continue
		}
		if d := cmp.Diff(want[key], got[key], roughly); d != "" {
			out += key + ":\n" + d
		}
	}
	return out
}

// roughly lets numbers differ in the last digits.
var roughly = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
})

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

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
