package tavern_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/tavern"
)

// masterExport has the parts of SillyTavern's export, and one of a later version.
const masterExport = `{
	"instruct": {"name": "T", "input_sequence": "<u>", "output_sequence": "<a>", "wrap": false, "own": 1},
	"context": {"name": "C", "story_string": "{{system}}", "chat_start": "==="},
	"sysprompt": {"name": "S", "content": "Tell it darkly.", "post_history": "Now."},
	"preset": {"temp": 1}, "srw": {"value": "So", "show": false},
	"reasoning": {"name": "R", "prefix": "<think>"}, "later": [1]
}`

// TestMaster reads a master export, reports unused parts, and writes it back as it was.
func TestMaster(t *testing.T) {
	t.Parallel()
	m, err := readable(tavern.ParseMaster([]byte(masterExport)))
	if err != nil {
		t.Fatal(err)
	}
	if m.Template.UserPrefix != "<u>" || m.Context.ChatStart != "===" || m.System.PostHistory != "Now." {
		t.Errorf("the parts are %+v, %+v, %+v", m.Template, m.Context, m.System)
	}
	var unused []string
	for _, p := range m.Vet() {
		if p.Severity != talewright.Warning || p.Code != "unused_part" {
			t.Errorf("%v is no warning of an unused part", p)
		}
		unused = append(unused, p.Path)
	}
	if want := []string{"later", "preset", "reasoning", "srw"}; !cmp.Equal(want, unused) {
		t.Errorf("unused are %v, want %v", unused, want)
	}
	written, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var before, after any
	_ = json.Unmarshal([]byte(masterExport), &before)
	_ = json.Unmarshal(written, &after)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("written back (-want +got):\n%s", diff)
	}
}

// TestMasterMistakes: members of wrong types do not make a file invalid, and are reported with
// their places in all parts.
func TestMasterMistakes(t *testing.T) {
	t.Parallel()
	odd, err := readable(tavern.ParseMaster([]byte(`{"instruct": {"wrap": 7}, "context": [], "sysprompt": {"content": 1}}`)))
	if err != nil || !odd.Template.Wrap || odd.Context != nil || odd.System.Content != "1" {
		t.Errorf("%+v, %v", odd, err)
	}
	if problems := odd.Vet(); len(problems) != 1 || problems[0].Path != "context" || len(odd.Template.Vet()) != 1 || len(odd.System.Vet()) != 1 {
		t.Errorf("%v, %v, %v", problems, odd.Template.Vet(), odd.System.Vet())
	}
	m, err := readable(tavern.ParseMaster([]byte(`{"input_sequence": "<u>", "instruct": null}`)))
	if problems := m.Vet(); err != nil || len(problems) != 2 || problems[0].Severity != talewright.Error {
		t.Errorf("a file of another kind: %v, %v", err, problems)
	}
}
