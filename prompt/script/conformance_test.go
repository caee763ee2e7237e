package script_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// TestConformance runs the recorded cases of regex scripts: PR-17.
func TestConformance(t *testing.T) {
	suite := testkit.Suite{Dir: filepath.Join("testdata", "conformance")}
	suite.Run(t, readCases)
}

// scriptCase is one recorded case.
type scriptCase struct {
	Name      string            `json:"name"`
	Global    []json.RawMessage `json:"global"`
	Preset    []json.RawMessage `json:"preset"`
	Character []json.RawMessage `json:"character"`
	Exact     bool              `json:"exact"`
	Text      caseText          `json:"text"`
	Where     caseWhere         `json:"where"`
	Views     []caseWhere       `json:"views"`
	Allow     struct {
		Character *bool `json:"character"`
		Preset    *bool `json:"preset"`
	} `json:"allow"`
	Off       bool             `json:"off"`
	Nobody    bool             `json:"nobody"`
	Env       caseEnv          `json:"env"`
	MatchText script.MatchText `json:"match_text"`
	Expect    caseExpect       `json:"expect"`

	// Remarks of the recording.
	Origin   string          `json:"origin"`
	Observed json.RawMessage `json:"observed"`
	Quirk    string          `json:"quirk"`
}

type caseWhere struct {
	Placement string `json:"placement"`
	Display   bool   `json:"display"`
	Prompt    bool   `json:"prompt"`
	Edit      bool   `json:"edit"`
	Depth     *int   `json:"depth"`
}

type caseEnv struct {
	User         *string        `json:"user"`
	Char         *string        `json:"char"`
	Description  string         `json:"description"`
	Persona      string         `json:"persona"`
	Vars         map[string]any `json:"vars"`
	Globals      map[string]any `json:"globals"`
	Random       []float64      `json:"rng"`
	NameOverride string         `json:"name_override"`
	Chat         []struct {
		Name     string `json:"name"`
		IsUser   bool   `json:"is_user"`
		Text     string `json:"mes"`
		IsSystem bool   `json:"is_system"`
	} `json:"chat"`
}

type caseExpect struct {
	Out     *string         `json:"out"`
	Bytes   int             `json:"bytes"`
	SHA256  string          `json:"sha256"`
	Head    string          `json:"head"`
	Ran     []caseRan       `json:"ran"`
	Vars    map[string]any  `json:"vars"`
	Globals map[string]any  `json:"globals"`
	Views   []caseExpect    `json:"views"`
	Problem talewright.Code `json:"problem"`
}

type caseRan struct {
	Script  string `json:"script"`
	Matches int    `json:"matches"`
	Changed bool   `json:"changed"`
}

// caseText is a text, or a list of pieces that are repeated and joined.
type caseText string

func (c *caseText) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = caseText(text)
		return nil
	}
	var pieces struct{ Repeat [][2]json.RawMessage }
	if err := json.Unmarshal(data, &pieces); err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range pieces.Repeat {
		var times int
		if err := json.Unmarshal(p[0], &text); err != nil {
			return err
		}
		if err := json.Unmarshal(p[1], &times); err != nil {
			return err
		}
		b.WriteString(strings.Repeat(text, times))
	}
	*c = caseText(b.String())
	return nil
}

func readCases(t *testing.T, file string, data []byte) []testkit.RecordedCase {
	t.Helper()
	var head struct {
		Format string            `json:"format"`
		Cases  []json.RawMessage `json:"cases"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if head.Format != "script-conformance/1" {
		return nil
	}
	var cases []testkit.RecordedCase
	for _, raw := range head.Cases {
		var c scriptCase
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s: %v: %.200s", file, err, raw)
		}
		cases = append(cases, testkit.RecordedCase{Name: c.Name, Run: c.run})
	}
	return cases
}

func (c scriptCase) run(t *testing.T) {
	set := c.set(t)
	vars, globals := c.Env.Vars, c.Env.Globals
	stored := c.apply(t, set, string(c.Text), c.Where, vars, globals, c.Expect)
	for i, view := range c.Views {
		c.apply(t, set, stored, view, vars, globals, c.Expect.Views[i])
	}
}

// set compiles the scripts of the case. They have the form of a host's state, because SillyTavern
// converts old placements only when it loads settings.
func (c scriptCase) set(t *testing.T) *script.Set {
	t.Helper()
	if c.Off {
		return nil
	}
	lists := []script.List{
		{Source: script.Global, Scripts: c.scripts(t, c.Global)},
		{Source: script.Preset, Scripts: c.scripts(t, c.Preset), Denied: c.Allow.Preset != nil && !*c.Allow.Preset},
	}
	if !c.Nobody {
		lists = append(lists, script.List{
			Source: script.Character, Scripts: c.scripts(t, c.Character),
			Denied: c.Allow.Character != nil && !*c.Allow.Character,
		})
	}
	matchText := c.MatchText
	if matchText == "" {
		matchText = script.Expand
	}
	set, _ := script.Compile(lists, script.Options{MatchText: matchText})
	return set
}

func (c scriptCase) scripts(t *testing.T, list []json.RawMessage) []script.Script {
	t.Helper()
	var scripts []script.Script
	for _, raw := range list {
		members := map[string]json.RawMessage{}
		if !c.Exact { // in the form of SillyTavern's editor
			members["placement"], members["runOnEdit"] = json.RawMessage("[2]"), json.RawMessage("true")
		}
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatal(err)
		}
		full, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		var s script.Script
		if err := json.Unmarshal(full, &s); err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, s)
	}
	return scripts
}

func (c scriptCase) apply(t *testing.T, set *script.Set, text string, where caseWhere,
	vars, globals map[string]any, want caseExpect) string {
	t.Helper()
	run := macro.NewRun(c.Env.macros(vars, globals))
	got, report := set.Apply(text, where.where(t, c.Env.NameOverride), run)
	want.checkText(t, got)
	if want.Problem != "" {
		want.checkProblem(t, report)
	}
	if want.Ran != nil {
		var ran []caseRan
		for _, r := range report.Ran {
			ran = append(ran, caseRan{fmt.Sprintf("%s/%d", r.Source, r.Index), r.Matches, r.Changed})
		}
		if diff := cmp.Diff(want.Ran, ran); diff != "" && len(want.Ran)+len(ran) > 0 {
			t.Errorf("scripts that ran (-want +got):\n%s", diff)
		}
	}
	now, _ := run.Vars()
	checkVars(t, "vars", vars, want.Vars, now)
	now, _ = run.Globals()
	checkVars(t, "globals", globals, want.Globals, now)
	return got
}

func (e caseExpect) checkText(t *testing.T, got string) {
	t.Helper()
	if e.Out != nil {
		if got != *e.Out {
			t.Errorf("result %q, want %q", got, *e.Out)
		}
		return
	}
	sum := sha256.Sum256([]byte(got))
	if len(got) != e.Bytes || hex.EncodeToString(sum[:]) != e.SHA256 {
		t.Errorf("result of %d bytes, want %d: %.80q…", len(got), e.Bytes, got)
	}
}

// checkProblem: a search that ends in time without a match is correct too.
func (e caseExpect) checkProblem(t *testing.T, report script.Report) {
	t.Helper()
	for _, r := range report.Ran {
		if r.Problem == e.Problem || e.Problem == "limit" && r.Problem == "" && r.Matches == 0 {
			return
		}
	}
	t.Errorf("no script reports %q: %+v", e.Problem, report.Ran)
}

// checkVars: variables that a case does not name must not change.
func checkVars(t *testing.T, name string, before, want, got map[string]any) {
	t.Helper()
	if want == nil {
		want = before
	}
	if len(want)+len(got) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func (w caseWhere) where(t *testing.T, name string) script.Where {
	t.Helper()
	placements := map[string]script.Placement{
		"": script.AIOutput, "ai_output": script.AIOutput, "user_input": script.UserInput,
		"slash_command": script.SlashCommand, "world_info": script.WorldInfo,
		"reasoning": script.Reasoning, "display_legacy": 0,
	}
	p, ok := placements[w.Placement]
	if !ok {
		t.Fatalf("unknown placement %q", w.Placement)
	}
	return script.Where{
		Placement: p, Depth: w.Depth, ForPrompt: w.Prompt, ForDisplay: w.Display, Edit: w.Edit, Name: name,
	}
}

func (e caseEnv) macros(vars, globals map[string]any) macro.Env {
	numbers := slices.Clone(e.Random)
	env := macro.Env{
		User: "Mara", Char: "Orin", Persona: e.Persona, Card: macro.Card{Description: e.Description},
		Vars: vars, Globals: globals,
		Random: func() float64 {
			if len(numbers) == 0 {
				return 0.5
			}
			x := numbers[0]
			numbers = numbers[1:]
			return x
		},
	}
	if e.User != nil {
		env.User = *e.User
	}
	if e.Char != nil {
		env.Char = *e.Char
	}
	var chat macro.Messages
	for _, m := range e.Chat {
		role := "assistant"
		if m.IsUser {
			role = "user"
		}
		chat = append(chat, macro.Message{Role: role, Text: m.Text, Hidden: m.IsSystem})
	}
	env.Chat = chat
	return env
}
