package reply_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/reply"
)

func variables() []rules.Variable {
	return []rules.Variable{
		{ID: "favor", Name: "好感", Type: rules.NumberType},
		{ID: "met", Type: rules.BooleanType},
		{ID: "mood", Type: rules.StringType},
		{ID: "bag", Type: rules.JSONType},
	}
}

func Example() {
	set, _ := reply.Compile([]reply.Rule{{
		ID: "status", Match: reply.Match{Tag: "状态"}, Hide: true, To: []reply.Route{{Kind: reply.Fields}},
	}}, variables())
	r := set.Apply("门关上了。\n【状态】好感：45分 | met=是；体力: 3【/状态】")
	fmt.Println(r.Text)
	for _, e := range r.Effects {
		fmt.Println(e.(rules.SetVariable).Path, e.(rules.SetVariable).Value)
	}
	// Output:
	// 门关上了。
	// favor 45
	// met true
}

func ExampleCompile() {
	_, problems := reply.Compile([]reply.Rule{{
		ID: "mood", Match: reply.Match{Tag: "mood"},
		To: []reply.Route{{Kind: reply.Variable, VariableID: "moood"}},
	}}, variables())
	fmt.Println(problems)
	// Output: [replyRules[0].to[0]: no variable "moood"; declare it, or correct the id]
}

// The passage is taken out of what the player reads, and becomes an event for the rules.
func ExampleSet_Apply() {
	set, _ := reply.Compile([]reply.Rule{{
		ID: "omen", Match: reply.Match{Tag: "omen"}, Hide: true,
		To: []reply.Route{{Kind: reply.Event, EventType: "story:omen"}},
	}}, variables())
	r := set.Apply("The sky darkens. <omen>ravens</omen>")
	fmt.Println(r.Text)
	fmt.Println(r.Effects[0].(rules.Emit).Event)
	// Output:
	// The sky darkens.
	// {"type":"story:omen","content":"ravens","ruleId":"omen"}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	text := "<mood>calm</mood> She smiles. [sign]a raven[/sign] {ring} [sign]open"
	set, problems := reply.Compile([]reply.Rule{
		{ID: "m", Match: reply.Match{Tag: "mood"}, Hide: true,
			To: []reply.Route{{Kind: reply.Variable, VariableID: "mood"}}},
		{ID: "s", Match: reply.Match{Tag: "sign"}, To: []reply.Route{{Kind: reply.Event,
			EventType: "omen"}}},
		{ID: "r", Match: reply.Match{Regex: `/\{(R\w+)\}/i`}, Hide: true,
			To: []reply.Route{{Kind: reply.UI, Channel: "loot"}}},
	}, variables())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	r := set.Apply(text)
	if want := "She smiles. [sign]a raven[/sign]  [sign]open"; r.Text != want {
		t.Errorf("text %q, want %q", r.Text, want)
	}
	want := []rules.Effect{
		rules.SetVariable{Path: "mood", Operation: rules.Set, Value: memvars.Text("calm")},
		rules.Emit{Event: rules.NewEvent("omen", memvars.Member{Key: "content",
			Value: memvars.Text("a raven")},
			memvars.Member{Key: "ruleId", Value: memvars.Text("s")})},
		rules.System{Path: "@ui.loot", Value: memvars.Text("ring")},
	}
	if d := cmp.Diff(want, r.Effects, cmp.Comparer(memvars.Value.Equal)); d != "" {
		t.Error(d)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	set, _ := reply.Compile([]reply.Rule{{Match: reply.Match{Tag: "s"},
		To: []reply.Route{{Kind: reply.Fields}}}}, variables())
	for content, want := range map[string]string{
		"favor: -3.5 pts": "-3.5", "favor: 007": "7", "favor: －5": "-5", "favor: −5": "-5",
		"favor: 0": "0", "favor: none": "", "met: No": "false",
		"met: maybe": "", "bag: [1,2]": "[1,2]", "bag: rope": `"rope"`, "mood: a: b": `"a: b"`,
		"mood": "", "x: 1": "",
	} {
		got := ""
		for _, e := range set.Apply("<s>" + content + "</s>").Effects {
			got += e.(rules.SetVariable).Value.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	_, problems := reply.Compile([]reply.Rule{
		{Match: reply.Match{}},
		{Match: reply.Match{Regex: "("}},
		{Match: reply.Match{Tag: "a"}, To: []reply.Route{{Kind: "magic"}, {Kind: reply.Variable,
			VariableID: "no"},
			{Kind: reply.Event}, {Kind: reply.UI}}},
	}, variables())
	if len(problems) != 6 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
}
