package answer

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// TestWithClaims: a list of claims is found in any form. Players do not see it, and it is not
// judged as a call (CA-57).
func TestWithClaims(t *testing.T) {
	t.Parallel()
	native := func(calls ...string) (out []llm.ToolCall) {
		for i, name := range calls {
			out = append(out, llm.ToolCall{ID: fmt.Sprint("n", i), Name: name, Arguments: `{"claims":[{"kind":"map"}]}`})
		}
		return out
	}
	for _, c := range []struct {
		name, raw string
		native    []llm.ToolCall
		want      string
	}{
		{"none", "You wait.", nil, `"You wait."`},
		{"a passage", "You wait.\n<claims>[{\"kind\":\"map\"}]</claims>", nil, `"You wait." +{"claims":[{"kind":"map"}]}`},
		{"in a fence", "You wait.\n<Claims>\n```json\n[1]\n```\n</CLAIMS> Then.", nil, "\"You wait.\\n Then.\" +{\"claims\":[1]}"},
		{"empty", "You wait.<claims> </claims>", nil, `"You wait." +{"claims":[]}`},
		{"not closed", "You wait.<claims>[1]", nil, `"You wait." +{"claims":[1]}`},
		{"not opened", "You wait.</claims> Then.", nil, `"You wait. Then."`},
		{"no JSON", "You wait.<claims>none</claims>", nil, `"You wait." +{"claims":"none"}`},
		{"two", "<claims>[1]</claims>You wait.<claims>{\"kind\":\"map\"}</claims>", nil, `"You wait." +{"claims":[1,{"kind":"map"}]}`},
		{"one in another", "You wait.<claims>[<claims>1]</claims>", nil, `"You wait." +{"claims":"[<claims>1]"}`},
		{"a member", `{"text":"You wait.","claims":[1],"mood":"grim"}`, nil, `"You wait." +{"claims":[1],"mood":"grim"}`},
		{"a passage in the text of an object", `{"text":"You wait.<claims>[2]</claims>","claims":[1]}`, nil, `"You wait." +{"claims":[1,2]}`},
		{"a call", `{"text":"You wait.","tool_calls":[{"tool":"a"},{"tool":"list_claims","args":{"claims":[1]}},{"tool":"b"}]}`, nil,
			`"You wait." call_001=a{} call_003=b{} +{"claims":[1]}`},
		{"a call without a list", `{"text":"You wait.","tool_calls":[{"tool":"list_claims"},{"tool":"list_claims","args":{"claims":[1]}}]}`, nil, `"You wait." +{"claims":[1]}`},
		{"native calls", "You wait.", native("a", "list_claims", "b"),
			`"You wait." n0=a{"claims":[{"kind":"map"}]} n2=b{"claims":[{"kind":"map"}]} +{"claims":[{"kind":"map"}]}`},
		{"alone", "", native("list_claims"), `"" +{"claims":[{"kind":"map"}]}`},
	} {
		out := Read(c.raw, c.native).WithClaims()
		if got := summary(out); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for i, n := range out.Native {
			if out.Calls[len(out.Calls)-len(out.Native)+i].ID != n.ID {
				t.Errorf("%s: the calls of the provider are not the last ones: %v %v", c.name, out.Calls, out.Native)
			}
		}
	}
}

// TestGrowthOfClaims: removing lists takes time linear in the text.
func TestGrowthOfClaims(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "WithClaims", Atoms: []testkit.Atom{
		testkit.Repeat("<claims>"), testkit.Repeat("</claims>"), testkit.Repeat("<claims>[1]</claims>"), testkit.Repeat("<claims"),
		testkit.Repeat("<claims>[</claims>a"), {Head: "<claims>", Open: "[", Tail: "</claims>"},
		{Head: "a<claims>[", Open: `{"kind":"map"},`, Tail: "1]</claims>"},
	}, Read: func(text string) { Answer{Text: text}.WithClaims() }})
}
