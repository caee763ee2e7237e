package prompt_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

type assemblyExpect struct {
	Messages     []llm.Message            `json:"messages"`
	Error        string                   `json:"error"`
	Required     []string                 `json:"required"`
	Report       map[string]prompt.Status `json:"report"`
	Tokens       *int                     `json:"tokens"`
	Breakpoints  []int                    `json:"breakpoints"`
	HistoryStart *int                     `json:"history_start"`
}

func runNativeCase(t *testing.T, raw conformanceCase) {
	in, want := loadAssembly(t, raw)
	layout, input := in.native()
	got, err := prompt.Assemble(layout, input, in.env(), in.budget())
	compareAssembly(t, want, got, err)
}

func loadAssembly(tb testing.TB, raw conformanceCase) (caseInput, assemblyExpect) {
	var c struct {
		remarks
		Input  json.RawMessage `json:"input"`
		Expect assemblyExpect  `json:"expect"`
	}
	decodeCase(tb, raw.ID, raw.Raw, &c)
	return loadInput(tb, raw.ID, c.Input), c.Expect
}

// native is the input for the default layout.
func (in caseInput) native() (prompt.Layout, prompt.Input) {
	layout := prompt.Default()
	layout.ChatMarker = or(in.Options.NewChat, layout.ChatMarker)
	layout.ExampleMarker = or(in.Options.NewExample, layout.ExampleMarker)
	layout.Names = in.Options.Names
	layout.Recent = in.Options.Recent
	layout.HistoryMacros = in.Options.HistoryMacros
	layout.Squash = in.Options.Squash
	input := prompt.Input{
		History: in.history(), FollowUps: in.FollowUps, Generation: in.Type,
		Control: in.Control, Prefill: in.Prefill, Tools: in.Options.Tools,
		ContinueByPrefill: in.Options.ContinuePrefill, Replacement: in.Options.Replacement,
		HistoryStart: in.Options.HistoryStart, TrimSlack: in.Options.TrimSlack,
	}
	if input.Control == "" {
		input.Control = map[worldbook.GenerationType]string{
			worldbook.Continue: or(in.Options.Nudge,
				"[Continue your last message without repeating its original content.]"),
			worldbook.Impersonate: or(in.Options.Impersonation, "[Write as {{user}}.]"),
			worldbook.Quiet:       in.Quiet,
		}[in.Type]
	}
	input.Blocks = in.scene().Blocks(in.env(), input.History)
	for _, b := range in.Blocks {
		input.Blocks = append(input.Blocks, prompt.Block{
			Key: b.Key, Slot: b.Slot, Text: b.Text, Role: b.Role, Order: b.Order, Keep: b.Keep,
			Required: b.Required, Truncate: b.Truncate, Literal: b.Literal,
		})
	}
	return layout, input
}

func compareAssembly(t *testing.T, want assemblyExpect, got prompt.Result, err error) {
	t.Helper()
	if want.Error != "" {
		compareError(t, want, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Messages, got.Messages, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	for key, status := range want.Report {
		if line, ok := got.Report.Line(key); !ok || line.Status != status {
			t.Errorf("report of %s: %q, want %q", key, line.Status, status)
		}
	}
	if want.Tokens != nil && got.Tokens != *want.Tokens {
		t.Errorf("tokens = %d, want %d", got.Tokens, *want.Tokens)
	}
	if want.Breakpoints != nil {
		if diff := cmp.Diff(want.Breakpoints, got.Breakpoints, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("breakpoints (-want +got):\n%s", diff)
		}
	}
	if want.HistoryStart != nil && got.HistoryStart != *want.HistoryStart {
		t.Errorf("history start = %d, want %d", got.HistoryStart, *want.HistoryStart)
	}
	if t.Failed() {
		t.Logf("report:\n%s", got.Report)
	}
}

func compareError(t *testing.T, want assemblyExpect, err error) {
	t.Helper()
	tooSmall, ok := errors.AsType[*prompt.BudgetError](err)
	if want.Error != "budget" || !ok || !errors.Is(err, prompt.ErrBudget) {
		t.Fatalf("error %v, want %q", err, want.Error)
	}
	if want.Required == nil {
		return
	}
	var keys []string
	for _, p := range tooSmall.Required {
		if p.Kind != "control" && p.Kind != "follow_up" {
			keys = append(keys, p.Key)
		}
	}
	if diff := cmp.Diff(want.Required, keys, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}
