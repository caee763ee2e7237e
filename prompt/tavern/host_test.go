package tavern_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
)

// hostScene has a piece for every place of the default layout that a preset does not have.
func hostScene() prompt.Scene {
	directive := func(at string) prompt.Directive {
		return prompt.Directive{ID: at, Text: at, Position: prompt.DirectivePosition(at)}
	}
	return prompt.Scene{
		Directives: []prompt.Directive{directive("top"), directive("before_char"), directive("after_char"),
			directive("auto"), directive("bottom"), directive("depth")},
		Hooks:   []prompt.HookPlace{{Key: "t", Text: "hook"}, {Key: "s", Text: "session", Session: true}},
		Context: []prompt.Context{{Text: "context"}}, Summary: "summary", State: "state",
		Lore: []prompt.Lore{{Text: "lore", Position: "before"}},
	}
}

// TestPiecesThatNoPresetKnows: rules, hooks, summaries and states are in the prompt with every
// preset.
func TestPiecesThatNoPresetKnows(t *testing.T) {
	t.Parallel()
	env := prompt.Env{User: "Mara", Char: "Orin", Card: macro.Card{Description: "DESC", Examples: "Orin: e"}}
	for _, c := range []struct {
		order string
		want  []string
	}{
		{"main worldInfoBefore charDescription dialogueExamples chatHistory jailbreak", []string{
			"top", "M", "session", "before_char", "lore", "DESC", "after_char", "auto", "summary", "e", "bottom",
			"depth", "a", "b", "context", "state", "hook", "PHI"}},
		{"main jailbreak", []string{
			"top", "M", "PHI", "session", "before_char", "after_char", "auto", "summary", "bottom",
			"context", "state", "hook"}},
		{"chatHistory charDescription", []string{
			"top", "auto", "summary", "bottom", "depth", "a", "b", "context", "state", "hook", "session",
			"before_char", "DESC", "after_char"}},
		{"", nil},
	} {
		p := programCase{order: c.order, prompts: []tavern.Prompt{{ID: tavern.Main, Content: "M"},
			{ID: "jailbreak", Content: "PHI"}}}.layout()
		got, err := p.Assemble(hostScene(), prompt.Input{History: said}, env, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, m := range got.Messages {
			list = append(list, m.Text)
		}
		if diff := cmp.Diff(c.want, list); diff != "" {
			t.Errorf("%q (-want +got):\n%s\n%s", c.order, diff, got.Report)
		}
		for line := range got.Report.All() {
			ours := line.Source.Kind == prompt.KindDirective || line.Source.Kind == prompt.KindHook
			if ours && line.Status == prompt.Unlisted && line.Key != "directive.depth" && c.order != "" {
				t.Errorf("%q: %s has no place", c.order, line.Key)
			}
		}
	}
}

// TestPresetOwnsItsNames: a preset's prompt with the name of a place of the default layout is
// placed by the preset.
func TestPresetOwnsItsNames(t *testing.T) {
	t.Parallel()
	p := programCase{order: "chatHistory state", prompts: []tavern.Prompt{own("state", "OWN")}}.layout()
	got, err := p.Assemble(prompt.Scene{}, prompt.Input{History: said}, prompt.Env{}, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if m := got.Messages[len(got.Messages)-1]; m.Role != llm.System || m.Text != "OWN" {
		t.Errorf("%v, want OWN at the end", got.Messages)
	}
}
