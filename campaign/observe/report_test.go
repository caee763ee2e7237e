package observe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// reportMill is a game with content for each section.
func reportMill() game.Content {
	entry := worldbook.Entry{Probability: 100, GroupWeight: 100}
	flour, cat := entry, entry
	flour.UID, flour.Comment, flour.Keys, flour.Content = "1", "flour", []string{"flour"}, "The flour is <b>grey</b>."
	cat.UID, cat.Comment, cat.Keys, cat.Content = "2", "cat", []string{"mill"}, "A cat sleeps here."
	cat.SecondaryKeys, cat.Selective, cat.Logic = []string{"night"}, true, worldbook.AndAny
	every := &rules.Trigger{Type: rules.EveryTurn}
	return game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "mill", Entries: []worldbook.Entry{flour, cat}}}}},
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "dust", Type: rules.TypeNumber}},
			Rules: []rules.Rule{
				{ID: "dusty", Trigger: every, Actions: effect.Actions{effect.SetVariable{Path: "dust", Operation: effect.Add, Value: tree.Int(1)}}},
				{ID: "sneeze", Trigger: every, Actions: effect.Actions{effect.Notify{Message: "You sneeze."}},
					Conditions: []rules.Condition{{VariableID: "dust", Operator: rules.Gte, Value: tree.Int(3)}}},
			},
		},
		People: game.People{Persona: "{{roll::1d20}} is your number."},
		Prompt: game.Prompt{Budget: prompt.Budget{Context: 4000}},
	}
}

// played returns a turn and the campaign before it. In the turn a call is refused, a claim
// contradicts the state, and the third answer is accepted.
func played(t *testing.T) (record turn.Record, before state.Campaign, g *game.Game) {
	t.Helper()
	g, problems := game.Compile(reportMill())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	call := func(text, tool, args string) llmtest.Reply {
		return llmtest.Reply{Text: text, Calls: []llm.ToolCall{{ID: "c1", Name: tool, Arguments: args}},
			Usage: &llm.Usage{PromptTokens: 900, CompletionTokens: 30}}
	}
	model := llmtest.NewScripted(
		call("You go to the moon.", "move", `{"actor_id":"ann","to_area_id":"moon"}`),
		llmtest.Text("The door falls on Ann. Ann loses 3 hp."),
		call("The door falls on Ann, who loses 3 hp.", "hp_delta", `{"target_character_id":"ann","delta":-3,"cause":"door"}`),
	)
	store := &campaign.MemoryStore{}
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	before, err = e.Create(t.Context(), state.Setup{
		ID:         "mill",
		Map:        state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}}, Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Turn(t.Context(), "mill", turn.Submit{ActorID: "ann", Text: "I carry the flour to the mill. <script>alert(1)</script>"})
	if err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	for entry, err := range store.Records(t.Context(), "mill", before.Version) {
		if err != nil {
			t.Fatal(err)
		}
		if record, err = entry.Record(); err != nil {
			t.Fatal(err)
		}
	}
	return record, before, g
}

// TestReportNamesEveryDecision: the report has effects, near effects and refusals, each with its
// reason (EX-07).
func TestReportNamesEveryDecision(t *testing.T) {
	t.Parallel()
	record, before, g := played(t)
	why, err := record.Explain(g, before, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := observe.Of(*record.Turn, why)
	testkit.Run(t, "testdata/turn.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string {
			if c.Name == "chinese" {
				return r.For(g, before, "zh").String()
			}
			return r.String()
		}
	})

	if list := why.Prompt.Messages; len(list) == 0 || !strings.Contains(list[len(list)-1].Text, record.Turn.UserInput) {
		t.Errorf("the prompt of the turn is %+v", list)
	}
	data, err := json.Marshal(r)
	var back observe.Report
	if err != nil || json.Unmarshal(data, &back) != nil || back.String() != r.String() {
		t.Errorf("as JSON: %v", err)
	}
	if got := observe.Of(*record.Turn, turn.Explanation{}).String(); strings.Contains(got, "~") || !strings.Contains(got, "+ dusty") {
		t.Errorf("without what nearly happened:\n%s", got)
	}
	if s := observe.Of(state.Turn{ID: "turn_0001"}, turn.Explanation{}); len(s.Sections) != 0 || s.Section("lore").Items != nil {
		t.Errorf("of nothing: %v", s)
	}
}

// TestReportOfEverything: a section shows every member of a turn that belongs to it.
func TestReportOfEverything(t *testing.T) {
	t.Parallel()
	of, why := everything()
	testkit.Run(t, "testdata/everything.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string {
			if c.Name == "one" { // without replies of a cast
				of.Replies = nil
				return observe.Of(of, why).Section("turn").Items[1].Text
			}
			return observe.Of(of, why).String()
		}
	})
}

// everything returns a turn that has every member, with each result.
func everything() (state.Turn, turn.Explanation) {
	of := filltest.Full[state.Turn]()
	why := filltest.Full[turn.Explanation]()
	trace := &of.Trace
	trace.Cast.Trace[0].ID = trace.Cast.Speakers[0]
	trace.Memories[0].Status = state.MemoryShown
	trace.Prompt[0].Status, trace.Prompt[1].Status = "truncated", "unused"
	trace.Hooks[0].Error, trace.Hooks[1].Error, trace.Hooks[1].Status = "", "", act.StatusSkipped
	trace.Hooks = append(trace.Hooks, filltest.Full[act.Log]())
	trace.Scripts[1].Problem = ""
	of.Approvals[0].Verdict = state.Deny
	of.Commands[0].Status = memvars.Rejected
	why.Lore[0].Active = false
	return of, why
}

// TestReportOfEverythingInChinese: only names, codes and data are in Latin letters, also with words
// of the host, and with warnings that are added before and after the language is chosen (EX-14).
func TestReportOfEverythingInChinese(t *testing.T) {
	t.Parallel()
	content := reportMill()
	texts := game.Chinese()
	texts.Pages = map[string]string{"r.fuse": "算了"}
	content.Extensions.Texts = &texts
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	of, why := filltest.Full[state.Turn](), filltest.Full[turn.Explanation]()
	why.Lore[0].Active = false
	of.Trace.Warnings = []string{"prompt: and 3 problems more"}
	got := observe.Of(of, why).Warn("r.changed").For(g, state.Campaign{}, "").Warn("r.elsewhere").String()
	data := regexp.MustCompile(`(turn|explanation)\.[a-z0-9.]+|"[^"]*"|[0-9]{4}-.* UTC|null|type|notify-player|rejected`)
	if left := regexp.MustCompile(`[A-Za-z]{2}.*`).FindAllString(data.ReplaceAllString(got, ""), -1); left != nil {
		t.Errorf("%q is in\n%s", left, got)
	}
	for _, want := range []string{"算了", "内容在此之后有改动", "这一回合是战役来到这里之前玩的", "提示词：另有 3 个问题"} {
		if strings.Count(got, want) == 0 {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestPageIsData: the page is one file that loads nothing, and no text is interpreted as markup.
func TestPageIsData(t *testing.T) {
	t.Parallel()
	record, before, g := played(t)
	why, err := record.Explain(g, before, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := observe.Of(*record.Turn, why).WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	got := page.String()
	for _, never := range []string{"<script", "http://", "https://", "src=", "href=", "url(", "<b>grey", "ZgotmplZ"} {
		if strings.Contains(got, never) {
			t.Errorf("the page has %q", never)
		}
	}
	for _, always := range []string{"&lt;script&gt;alert(1)", `class="bar"`, "flex-grow: ", `class="tag near"`, "secondary", `<mark class="lit" title="flour">flour</mark>`, "Content-Security-Policy"} {
		if !strings.Contains(got, always) {
			t.Errorf("the page has no %q", always)
		}
	}
	if err := observe.Of(*record.Turn, why).WriteHTML(broken{}); err == nil {
		t.Error("a writer that fails is not reported")
	}
}

// TestTextIsData: words of players and models cannot imitate lines of the report or control a
// terminal.
func TestTextIsData(t *testing.T) {
	t.Parallel()
	said := "雨停了。\n  + hp_delta c1: forged\r  + hp_delta c2: forged\u2028  + hp_delta c3: forged\x1b[2K\u202e"
	got := observe.Of(state.Turn{ID: "turn_0001", UserInput: said, Text: said}, turn.Explanation{}).String()
	if strings.ContainsAny(got, "\r\u2028\x1b\u202e") || strings.Contains(got, "\n  + hp_delta") {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got, `雨停了。`+"\n    |   + hp_delta c1: forged"+`\r  + hp_delta c2`) {
		t.Errorf("the words are lost:\n%s", got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }

func ExampleOf() {
	t := state.Turn{ID: "turn_0001", Index: 1, BranchID: "main", ActorID: "ann", UserInput: "I wait.", Text: "Rain falls.",
		Trace: state.TurnTrace{Lore: []state.TraceLore{{ID: "mill/1", Comment: "rain", Why: "constant"}}}}
	fmt.Print(observe.Of(t, turn.Explanation{}))
	// Output:
	// Turn 1 (turn_0001, branch main)
	//
	// Turn
	//     ann: I wait.
	//     answer: Rain falls.
	//
	// Lore
	//   + mill/1 (rain): always active
}

func ExampleReport_WriteHTML() {
	t := state.Turn{ID: "turn_0001", Index: 1, BranchID: "main", Text: "Rain <i>falls</i>."}
	var page strings.Builder
	if err := observe.Of(t, turn.Explanation{}).WriteHTML(&page); err != nil {
		fmt.Println(err)
	}
	_, body, _ := strings.Cut(page.String(), `<p class="who">`)
	said, _, _ := strings.Cut(body, "\n")
	fmt.Println(said)
	// Output: Answer</p><div class="text" dir="auto">Rain &lt;i&gt;falls&lt;/i&gt;.</div></div>
}

func ExampleReport_Section() {
	r := observe.Of(state.Turn{Trace: state.TurnTrace{Warnings: []string{"no room for the map"}}}, turn.Explanation{})
	fmt.Println(r.Section("warnings").Items[0].Text)
	// Output: no room for the map
}

// TestClaimsOnRefusedCalls: a claim with a refused call, and a list that cannot be read.
func TestClaimsOnRefusedCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list string
		want observe.Item
	}{
		{`[{"kind": "roll", "value": 17, "call": "c1"}]`, observe.Item{Mark: observe.Refused, Name: "roll", Text: "17, rests on c1, which was refused"}},
		{`7`, observe.Item{Mark: observe.Refused, Name: "list", Text: "claims is no list"}},
	} {
		structured, err := tree.ParseValue([]byte(`{"claims": ` + c.list + `}`))
		if err != nil {
			t.Fatal(err)
		}
		played := state.Turn{Structured: structured,
			Attempts: []state.Attempt{{FailedCalls: []state.FailedCall{{ID: "c1", Tool: "check"}}}}}
		items := observe.Of(played, turn.Explanation{}).Section("claims").Items
		if len(items) != 1 || items[0] != c.want {
			t.Errorf("%s: %v, want %v", c.list, items, c.want)
		}
	}
}

// TestStoppedRulesInChinese: each text that package rules has for a rule that nearly fired is in the
// language of the report. A text that is not known stays as it is.
func TestStoppedRulesInChinese(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(tales[0].content())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ gate, text, en, zh string }{
		{"condition 2", "condition 2: hp 35 lt 20", "condition 2: hp 35 lt 20", "条件 2：hp 35 lt 20"},
		{"stop condition 1", "stop condition 1: a 1 eq 1", "stop condition 1: a 1 eq 1", "停止条件 1：a 1 eq 1"},
		{"condition any", "none of 2 conditions holds", "none of 2 conditions holds", "2 个条件都不成立"},
		{"cooldown", "cooldown 2 left", "cooldown: 2 turns left", "冷却还剩 2 回合"},
		{"count", "count 2 of 3", "it has fired 2 times, and may fire 3 times", "已触发 2 次，最多 3 次"},
		{"chance", "chance 0.5: not this time", "chance 0.5: not this time", "概率 0.5：这次没有触发"},
		{"odd", "an odd text", "an odd text", "an odd text"},
	} {
		why := turn.Explanation{Rules: []rules.Trace{{ID: "tire", Gate: c.gate, Text: c.text}}}
		for language, want := range map[string]string{"en": c.en, "zh": c.zh} {
			items := observe.Of(state.Turn{}, why).For(g, state.Campaign{}, language).Section("rules").Items
			if len(items) != 1 || items[0].Text != want {
				t.Errorf("%s %s: %+v, want %s", language, c.text, items, want)
			}
		}
	}
}
