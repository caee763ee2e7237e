package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func variables() []rules.Variable {
	return []rules.Variable{
		{ID: "favor", Name: "好感", Type: rules.TypeNumber},
		{ID: "met", Type: rules.TypeBoolean},
		{ID: "mood", Type: rules.TypeString},
		{ID: "bag", Type: rules.TypeJSON},
	}
}

func Example_reply() {
	set, _ := rules.CompileReplies([]rules.ReplyRule{{
		ID: "status", Match: rules.ReplyMatch{Tag: "状态"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}},
	}}, variables())
	r := set.Apply("门关上了。\n【状态】好感：45分 | met=是；体力: 3【/状态】")
	fmt.Println(r.Text)
	for _, e := range r.Effects {
		fmt.Println(e.(effect.SetVariable).Path, e.(effect.SetVariable).Value)
	}
	// Output:
	// 门关上了。
	// favor 45
	// met true
}

func ExampleCompileReplies() {
	_, problems := rules.CompileReplies([]rules.ReplyRule{{
		ID: "mood", Match: rules.ReplyMatch{Tag: "mood"},
		To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "moood"}},
	}}, variables())
	fmt.Println(problems)
	// Output: replyRules[0].to[0] (mood): no variable "moood"; declare it, or correct the id
}

// The passage is removed from the player's text, and becomes an event for the rules.
func ExampleReplySet_Apply() {
	set, _ := rules.CompileReplies([]rules.ReplyRule{{
		ID: "omen", Match: rules.ReplyMatch{Tag: "omen"}, Hide: true,
		To: []rules.ReplyRoute{{Kind: rules.ReplyEvent}},
	}}, variables())
	r := set.Apply("The sky darkens. <omen>story:omen\nravens</omen>")
	fmt.Println(r.Text)
	fmt.Println(r.Effects[0].(effect.Emit).Event)
	// Output:
	// The sky darkens.
	// {"type":"story:omen","content":"ravens","ruleId":"omen"}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	text := "<mood>calm</mood> She smiles. [sign]omen\na raven[/sign] {ring} [sign]open"
	set, problems := rules.CompileReplies([]rules.ReplyRule{
		{ID: "m", Match: rules.ReplyMatch{Tag: "mood"}, Hide: true,
			To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "mood"}}},
		{ID: "s", Match: rules.ReplyMatch{Tag: "sign"}, To: []rules.ReplyRoute{{Kind: rules.ReplyEvent}}},
		{ID: "r", Name: "Loot", Match: rules.ReplyMatch{Pattern: `/\{(R\w+)\}/i`}, Hide: true,
			To: []rules.ReplyRoute{{Kind: rules.ReplyChannel, Channel: "loot"},
				{Kind: rules.ReplyVariable, VariableID: "bag", Operation: effect.Push}}},
		{ID: "off", Enabled: new(false), Match: rules.ReplyMatch{Pattern: "."}, Hide: true},
	}, variables())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := set.Apply(text)
	if want := "She smiles. [sign]omen\na raven[/sign]  [sign]open"; r.Text != want {
		t.Errorf("text %q, want %q", r.Text, want)
	}
	want := []effect.Effect{
		effect.SetVariable{Path: "mood", Operation: effect.Set, Value: tree.Text("calm")},
		effect.Emit{Event: event.New("omen", tree.Member{Key: "content",
			Value: tree.Text("a raven")},
			tree.Member{Key: "ruleId", Value: tree.Text("s")})},
		effect.System{Path: "@ui.loot", Value: tree.Object(
			tree.Member{Key: "rule", Value: tree.Text("Loot")},
			tree.Member{Key: "content", Value: tree.Text("ring")})},
		effect.SetVariable{Path: "bag", Operation: effect.Push, Value: tree.Text("ring")},
	}
	if d := cmp.Diff(want, r.Effects, cmp.Comparer(tree.Value.Equal)); d != "" {
		t.Error(d)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	set, _ := rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Tag: "s"},
		To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}, variables())
	for content, want := range map[string]string{
		"favor: -3.5 pts": "-3.5", "favor: 007": "7", "favor: －5": "-5", "favor: −5": "-5",
		"favor: 0": "0", "favor: none": "", "met: No": "false",
		"met: maybe": "", "bag: [1,2]": "[1,2]", "bag: rope": `"rope"`, "mood: a: b": `"a: b"`,
		"mood": "", "x: 1": "",
	} {
		got := ""
		for _, e := range set.Apply("<s>" + content + "</s>").Effects {
			got += e.(effect.SetVariable).Value.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	_, problems := rules.CompileReplies([]rules.ReplyRule{
		{Match: rules.ReplyMatch{}},
		{Match: rules.ReplyMatch{Pattern: "("}},
		{Match: rules.ReplyMatch{Tag: "a"}, To: []rules.ReplyRoute{{Kind: "magic"}, {Kind: rules.ReplyVariable,
			VariableID: "no"},
			{Kind: rules.ReplyVariable, VariableID: "mood", Operation: effect.Push},
			{Kind: rules.ReplyVariable, VariableID: "mood", Operation: "add"}, {Kind: rules.ReplyChannel}}},
	}, variables())
	if len(problems) != 7 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
}

// A model can raise events of the world, but no event of the engine.
func TestModelsRaiseNoEventsOfTheEngine(t *testing.T) {
	t.Parallel()
	set, _ := rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Tag: "e"},
		To: []rules.ReplyRoute{{Kind: rules.ReplyEvent}}}}, nil)
	for content, want := range map[string]int{
		"omen": 1, "quest:done\nthe key": 1, "": 0, "rule:trigger": 0, "turn:complete\n5": 0,
		"state:changed": 0, "ui:notification": 0, strings.Repeat("x", 101): 0,
	} {
		if got := len(set.Apply("<e>" + content + "</e>").Effects); got != want {
			t.Errorf("%q raises %d events, want %d", content, got, want)
		}
	}
}

// A hidden passage leaves its line break, and at most one empty line.
func TestHiddenPassagesLeaveLineBreaks(t *testing.T) {
	t.Parallel()
	set, _ := rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Tag: "s"}, Hide: true}}, nil)
	for text, want := range map[string]string{
		"a\n<s>x</s>\nb":           "a\n\nb",
		"a\n\n<s>x</s>\n\nb":       "a\n\nb",
		"a\n<s>x</s>\n[s]y[/s]\nb": "a\n\nb",
		"<s>x</s>\na":              "a",
		"a<s>x</s>b":               "ab",
		"a\n\n\nb, nothing hidden": "a\n\n\nb, nothing hidden",
		"<s>a 【s】b【/s】 c":          "<s>a  c",
	} {
		if got := set.Apply(text).Text; got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A rule is written back as it was read, with its unknown members, which are reported.
func TestRoundTripOfRules(t *testing.T) {
	t.Parallel()
	const data = `{"id":"a","name":"A","enabled":false,"match":{"pattern":"x","why":1},"hide":true,` +
		`"to":[{"kind":"variable","variableId":"v","op":"push","later":[1]},{"kind":"channel","channel":"c"}],"new":2}`
	var r rules.ReplyRule
	if err := json.Unmarshal([]byte(data), &r); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(r); err != nil || string(got) != data {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, data)
	}
	if err := json.Unmarshal([]byte(`{"id":1,"enabled":"no","match":{"tag":["s"],"pattern":"x"},"to":{}}`), &r); err != nil {
		t.Fatal(err)
	}
	_, problems := rules.CompileReplies([]rules.ReplyRule{r}, nil)
	if len(problems) != 4 {
		t.Errorf("problems %v", problems)
	}
}

// Without a schema a route may name any variable; a list of fields may not.
func TestRoutesWithoutSchema(t *testing.T) {
	t.Parallel()
	set, problems := rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Tag: "s"},
		To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "n"}, {Kind: rules.ReplyFields}}}}, nil)
	got := fmt.Sprint(set.Apply("<s>45</s><s>a: 1</s>").Effects, problems)
	if want := `[{n set 45  <nil> map[]} {n set "a: 1"  <nil> map[]}] `; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Reading a reply takes time linear in its length.
func TestGrowthReply(t *testing.T) {
	set, _ := rules.CompileReplies([]rules.ReplyRule{
		{ID: "t", Match: rules.ReplyMatch{Tag: "s"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}, {Kind: rules.ReplyEvent}}},
		{ID: "p", Match: rules.ReplyMatch{Pattern: `a(.*x)?`}, To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "mood"}}},
	}, variables())
	testkit.Growth(t, testkit.Reader{Name: "reply rules", Read: func(text string) { set.Apply(text) },
		Atoms: []testkit.Atom{
			testkit.Repeat("<s>"),
			testkit.Repeat("<s>【s】[s]"),
			testkit.Repeat("<s>【s】x【/s】"),
			{Open: "<s>【s】x【/s】", Tail: "</s>"},
			testkit.Repeat("<s>favor: 1</s>\n\n\n"),
			{Head: "<s>", Open: "favor: 1|", Tail: "</s>"},
			{Head: "<s>favor: ", Open: "9", Tail: "</s>"},
			testkit.Nest("<s>", "x", "</s>"),
			testkit.Repeat("a"),
			testkit.Repeat("\n"),
		}})
}

// The work for one reply is limited, for any length.
func TestRepliesAreBoundedReply(t *testing.T) {
	t.Parallel()
	set, _ := rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Tag: "s"},
		To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}, variables())
	cut := set.Apply(strings.Repeat("<s>favor: 1</s>", 300))
	if !cut.Cut || len(cut.Effects) != 200 {
		t.Errorf("%d effects, cut %v", len(cut.Effects), cut.Cut)
	}
	cut = set.Apply("<s>" + strings.Repeat("favor: 1|", 3000) + "</s>")
	if !cut.Cut || len(cut.Effects) != 1000 {
		t.Errorf("%d effects, cut %v", len(cut.Effects), cut.Cut)
	}
}

// Patterns are JavaScript patterns, on texts with characters of any size. Searches that take too
// many steps are stopped and reported.
func TestPatterns(t *testing.T) {
	t.Parallel()
	set, problems := rules.CompileReplies([]rules.ReplyRule{
		{ID: "a", Match: rules.ReplyMatch{Pattern: `/(?<=🐉 )(?<who>\S+)(?= 🐉)/`}, Hide: true,
			To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "mood"}}},
		{ID: "b", Match: rules.ReplyMatch{Pattern: `/.$/u`}, To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "mood"}}},
	}, variables())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := set.Apply("x🐉 a😀b 🐉 end 🐉")
	got := ""
	for _, e := range r.Effects {
		got += e.(effect.SetVariable).Value.String()
	}
	if want := `"a😀b""end""🐉"`; got != want || r.Text != "x🐉  🐉  🐉" {
		t.Errorf("took %s, left %q", got, r.Text)
	}
	_, problems = rules.CompileReplies([]rules.ReplyRule{{Match: rules.ReplyMatch{Pattern: `/a/xx`}}, {Match: rules.ReplyMatch{Pattern: `/a{2,1}/`}}}, nil)
	if len(problems) != 2 {
		t.Errorf("problems %v", problems)
	}
	slow := rules.ReplyRule{ID: "slow", Match: rules.ReplyMatch{Pattern: `(.+)(.+)(.+)[，。]\1\2\3x`}, Hide: true}
	set, _ = rules.CompileReplies([]rules.ReplyRule{slow, slow, {ID: "tag", Match: rules.ReplyMatch{Tag: "s"}, Hide: true}}, nil)
	text := strings.Repeat("山高月小", 1000)
	r = set.Apply(text + "<s>x</s>")
	if fmt.Sprint(r.GivenUp) != "[slow slow]" || r.Text != text {
		t.Errorf("given up %v, text of %d bytes", r.GivenUp, len(r.Text))
	}
}

// FuzzApply: with any rules and any reply, nothing panics, prose does not grow, and rules are
// written back as they were read.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`[{"id":"s","match":{"tag":"s"},"hide":true,"to":[{"kind":"fields"},{"kind":"event"}]}]`), "<s>favor: 1</s>【s】")
	f.Add([]byte(`[{"match":{"pattern":"/(a|b)*?/gi"},"hide":true,"to":[{"kind":"channel","channel":"c"}]}]`), "a🐉b")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		var list []rules.ReplyRule
		if json.Unmarshal(data, &list) != nil {
			return
		}
		set, _ := rules.CompileReplies(list, variables())
		if r := set.Apply(text); utf8.ValidString(text) && len(r.Text) > len(text) {
			t.Errorf("prose grew from %q to %q", text, r.Text)
		}
		first, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		var again []rules.ReplyRule
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatal(err)
		}
		if second, err := json.Marshal(again); err != nil || string(first) != string(second) {
			t.Errorf("not stable (%v):\n%s\n%s", err, first, second)
		}
	})
}

// Invalid UTF-8 is replaced by U+FFFD. The places of passages are within the resulting text.
func TestRepliesThatAreNoUTF8(t *testing.T) {
	for _, pattern := range []string{"/.+/u", "/.+/", "/b/u", "/$/u"} {
		set, problems := rules.CompileReplies([]rules.ReplyRule{{ID: "r", Match: rules.ReplyMatch{Pattern: pattern}, Hide: true}}, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, text := range []string{"\xff\xfe\xfd", "a\xff\nb\xff", "\xf0\x9f\x98b\xff"} {
			out := set.Apply(text)
			for _, p := range out.Passages {
				if p.From > p.To || p.To > len(strings.ToValidUTF8(text, "\uFFFD")) {
					t.Errorf("%s in %q: passage %+v", pattern, text, p)
				}
			}
		}
	}
}
