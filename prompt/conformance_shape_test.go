package prompt_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/shape"
)

type shapeCase struct {
	Input struct {
		Profile        shape.Profile `json:"profile"`
		Tools          bool          `json:"tools"`
		Names          caseNames     `json:"names"`
		Messages       []llm.Message `json:"messages"`
		SeparateSystem *bool         `json:"separate_system"`
		Prefill        string        `json:"prefill"`
		AcceptsPrefill *bool         `json:"accepts_prefill"`
		FirstUser      bool          `json:"first_user"`
		Depth          *int          `json:"depth"`
	} `json:"input"`
	Expect struct {
		System      []string        `json:"system"`
		Messages    []shape.Message `json:"messages"`
		Problems    []string        `json:"problems"`
		Breakpoints []int           `json:"breakpoints"`
	} `json:"expect"`
}

func runShapeCase(t *testing.T, raw conformanceCase) {
	var c shapeCase
	decode(t, raw.ID, raw.Raw, &c)
	in, want := c.Input, c.Expect
	if in.Depth != nil {
		messages := make([]shape.Message, len(in.Messages))
		for i, m := range in.Messages {
			messages[i].Role = m.Role
		}
		got := shape.CacheMarks(messages, *in.Depth)
		if diff := cmp.Diff(want.Breakpoints, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("marks (-want +got):\n%s", diff)
		}
		return
	}
	got := shape.Shape(in.Messages, shape.Rules{
		Profile: in.Profile, Tools: in.Tools, User: in.Names.User, Char: in.Names.Char,
		InlineSystem: !or(in.SeparateSystem, true), FirstUser: in.FirstUser,
		Prefill: in.Prefill, AcceptsPrefill: or(in.AcceptsPrefill, true),
	})
	if diff := cmp.Diff(want.System, got.System, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("system (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Messages, got.Messages, sameArguments, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	var problems []string
	for _, p := range got.Problems {
		problems = append(problems, p.Code)
	}
	if diff := cmp.Diff(want.Problems, problems, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// sameArguments compares the arguments of calls as JSON.
var sameArguments = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == ".Arguments"
}, cmp.Transformer("json", func(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}))
