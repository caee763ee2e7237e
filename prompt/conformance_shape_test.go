package prompt_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

type shapeCase struct {
	remarks
	Input struct {
		Profile        prompt.ShapeProfile `json:"profile"`
		Tools          bool                `json:"tools"`
		Names          caseNames           `json:"names"`
		Messages       []llm.Message       `json:"messages"`
		SeparateSystem *bool               `json:"separate_system"`
		Prefill        string              `json:"prefill"`
		AcceptsPrefill *bool               `json:"accepts_prefill"`
		FirstUser      bool                `json:"first_user"`
		Depth          *int                `json:"depth"`
		PrefillLast    bool                `json:"prefill_last"` // state of a trailing assistant message
	} `json:"input"`
	Expect struct {
		System      []string              `json:"system"`
		Messages    []prompt.ShapeMessage `json:"messages"`
		Problems    []string              `json:"problems"`
		Breakpoints []int                 `json:"breakpoints"`
	} `json:"expect"`
}

func runShapeCase(t *testing.T, raw conformanceCase) {
	var c shapeCase
	decodeCase(t, raw.ID, raw.Raw, &c)
	in, want := c.Input, c.Expect
	if in.Depth != nil {
		messages := make([]prompt.ShapeMessage, len(in.Messages))
		for i, m := range in.Messages {
			messages[i].Role = m.Role
		}
		got := prompt.CacheMarks(messages, *in.Depth)
		if diff := cmp.Diff(want.Breakpoints, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("marks (-want +got):\n%s", diff)
		}
		return
	}
	got := prompt.Shape(in.Messages, prompt.ShapeRules{
		Profile: in.Profile, Tools: in.Tools, User: in.Names.User, Char: in.Names.Char,
		InlineSystem: !or(in.SeparateSystem, true), FirstUser: in.FirstUser,
		Prefill: in.Prefill, AcceptsPrefill: or(in.AcceptsPrefill, true),
	})
	if diff := cmp.Diff(want.System, got.System, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("system (-want +got):\n%s", diff)
	}
	if in.Profile == prompt.ShapeMistral {
		renumber(want.Messages)
		for _, id := range renumber(got.Messages) {
			if !mistralID.MatchString(id) {
				t.Errorf("call id %q is not 9 letters or digits", id)
			}
		}
	}
	if diff := cmp.Diff(want.Messages, got.Messages, sameArguments, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	var problems []string
	for _, p := range got.Repairs {
		problems = append(problems, p.Code)
	}
	if diff := cmp.Diff(want.Problems, problems, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// mistralID is Mistral's format of a call ID. Any stable unique scheme is correct, so the IDs
// themselves are not compared, only which of them are equal.
var mistralID = regexp.MustCompile(`\A[A-Za-z0-9]{9}\z`)

// renumber replaces the IDs of calls and results by numbers in the order of first use, and returns
// the old IDs in that order.
func renumber(messages []prompt.ShapeMessage) []string {
	var ids []string
	number := func(id *string) {
		i := slices.Index(ids, *id)
		if i < 0 {
			i, ids = len(ids), append(ids, *id)
		}
		*id = strconv.Itoa(i)
	}
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Call != nil {
				number(&p.Call.ID)
			}
			if p.Result != nil {
				number(&p.Result.ID)
			}
		}
	}
	return ids
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
