package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

type plan struct {
	Goal  string   `json:"goal"`
	Steps []string `json:"steps"`
	Risk  *int     `json:"risk"`
}

func planShape() llm.Shape[plan] {
	return llm.Shape[plan]{Name: "plan", Schema: json.RawMessage(`{"type":"object"}`)}
}

// LL-06: texts that models write instead of JSON, and the results.
func TestAskReadsWhatModelsWrite(t *testing.T) {
	t.Parallel()
	const want = "flee [run hide]"
	for reason, text := range map[string]string{
		"plain":                 `{"goal":"flee","steps":["run","hide"]}`,
		"blanks around":         "\n {\"goal\":\"flee\",\"steps\":[\"run\",\"hide\"]} \n",
		"fence":                 "```json\n{\"goal\":\"flee\",\"steps\":[\"run\",\"hide\"]}\n```",
		"fence in prose":        "Sure! Here is {the plan}:\n```\n{\"goal\":\"flee\",\"steps\":[\"run\",\"hide\"]}\n```\nGood luck.",
		"fence not closed":      "```json\n{\"goal\":\"flee\",\"steps\":[\"run\",\"hide\"]}",
		"prose around":          `The plan: {"goal":"flee","steps":["run","hide"]} - as you wished.`,
		"brackets before it":    `Let me think [1] of {a plan} or [two]: {"goal":"flee","steps":["run","hide"]} {"goal":"stay"}`,
		"Chinese brackets":      "我想想{不是这个}，答案是 {\"goal\":\"flee\",\"steps\":[\"run\",\"hide\"]}",
		"trailing commas":       `{"goal":"flee","steps":["run","hide",],}`,
		"single quotes":         `{'goal':'flee','steps':['run','hide']}`,
		"names without quotes":  `{goal:"flee",steps:["run","hide"]}`,
		"comments":              "{\"goal\":\"flee\", // why not\n\"steps\":[\"run\",/* fast */\"hide\"]}",
		"cut in the list":       `{"goal":"flee","steps":["run","hide"`,
		"cut in a text":         `{"goal":"flee","steps":["run","hide`,
		"cut behind a comma":    `{"goal":"flee","steps":["run","hide"],`,
		"cut in a name":         `{"goal":"flee","steps":["run","hide"],"ri`,
		"cut behind a colon":    `{"goal":"flee","steps":["run","hide"],"risk":`,
		"brackets not closed":   `{"goal":"flee","steps":["run","hide"}`,
		"Python":                `{"goal":"flee","steps":["run","hide"],"risk":None}`,
		"words without a value": `{"goal":"flee","steps":["run","hide"],"risk":undefined}`,
	} {
		got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, planShape())
		if err != nil || fmt.Sprint(got.Goal, " ", got.Steps) != want {
			t.Errorf("%s: %+v, %v", reason, got, err)
		}
	}
	got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text("{\"goal\":\"a\nb\\'c\t\",\"steps\":[]}")), llm.Request{}, planShape())
	if err != nil || got.Goal != "a\nb'c\t" {
		t.Errorf("line ends within a text: %+v, %v", got, err)
	}
}

// Models write whole numbers with a fraction.
func TestAskReadsWholeNumbers(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"2.0": "2", "-2.000": "-2", "0.0": "0", "2.5": "", "2.05": "", "1.0e1": ""} {
		text := `{"goal":"1.0 \\\" 2.0","steps":["3.0"],"risk":` + number + `}`
		got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, llm.Shape[plan]{Attempts: 1})
		if (err != nil) != (want == "") {
			t.Errorf("%s: %v", number, err)
		} else if err == nil && (fmt.Sprint(*got.Risk) != want || got.Goal != `1.0 \" 2.0` || got.Steps[0] != "3.0") {
			t.Errorf("%s: %+v, risk %d", number, got, *got.Risk)
		}
	}
}

// LL-06: an empty reply is not an answer, and required members must exist.
func TestAskWantsWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["goal","steps"],"properties":{"goal":{"type":"string","enum":["flee","fight"]},
		"steps":{"type":"array","items":{"type":"string"}},"risk":{"type":["integer","null"]}}}`
	for text, want := range map[string]string{
		"null": "write a value of type object", "{}": "goal: missing", "I open a brace { and go on.": "no JSON", `{"goal":"flee"}`: "steps: missing",
		`{"goal":"run","steps":[]}`: `goal: write one of ["flee","fight"]`, `{"goal":"flee","steps":["a",1]}`: "steps[1]: write a value of type string",
		`{"goal":"flee","steps":[],"risk":1.5}`: "risk: write a value of type integer or null", `{"goal":"flee","steps":["a"],"risk":null}`: "",
	} {
		shape := llm.Shape[plan]{Schema: json.RawMessage(schema), Attempts: 1}
		if _, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, shape); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"null", "{}", "[]", "3", "I open a brace { and go on.", "so { }"} {
		if got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, llm.Shape[plan]{Attempts: 1}); err == nil {
			t.Errorf("without a schema, %s: %+v", text, got)
		}
	}
	open := llm.Shape[map[string]int]{Schema: json.RawMessage(`{"type":"object"}`), Attempts: 1}
	if got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text("{}")), llm.Request{}, open); err != nil || len(got) > 0 {
		t.Errorf("an empty object that the schema allows: %v, %v", got, err)
	}
	if got, _, err := llm.Ask(t.Context(), llmtest.NewScripted(llmtest.Text("Well {")), llm.Request{}, open); err == nil {
		t.Errorf("prose with a brace: %v", got)
	}
}

// A reply that does not fit is sent back with the reason, for a number of attempts.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	reply := func(text string) llmtest.Reply {
		return llmtest.Reply{Text: text, Usage: &llm.Usage{PromptTokens: 10, CompletionTokens: 1}}
	}
	inner := llmtest.NewScripted(reply("I cannot."), reply("\n"), reply(`{"goal":7}`), reply(`{"goal":"flee"}`))
	req := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "s"}, {Role: llm.User, Text: "Plan."}}}
	patient := planShape()
	patient.Attempts = 4
	got, resp, err := llm.Ask(t.Context(), inner, req, patient)
	if err != nil || got.Goal != "flee" || resp.Usage.PromptTokens != 40 {
		t.Errorf("%+v, %+v, %v", got, resp.Usage, err)
	}
	if len(req.Messages) != 2 || req.Messages[1].Text != "Plan." {
		t.Errorf("the request was changed: %+v", req)
	}
	last := inner.Requests()[3]
	if n := len(last.Messages); n != 8 || last.Options.Format.Name != "plan" || !strings.Contains(last.Messages[1].Text, `{"type":"object"}`) ||
		last.Messages[2].Text != "I cannot." || !strings.Contains(last.Messages[3].Text, "no JSON") || last.Messages[4].Text != "(empty)" || !strings.Contains(last.Messages[7].Text, "goal") {
		t.Errorf("the last request is %+v", last)
	}

	refuse := planShape()
	cause := errors.New("no plan is good enough")
	refuse.Decode = func([]byte) (plan, error) { return plan{}, cause }
	refuse.Attempts = 2
	inner = llmtest.NewScripted(reply("{}"), reply("{}"), reply("{}"))
	_, resp, err = llm.Ask(t.Context(), inner, req, refuse)
	wantCode(t, err, llm.CodeMalformed)
	if !errors.Is(err, cause) || inner.Remaining() != 1 || resp.Message.Text != "{}" {
		t.Errorf("%v, %d left, %+v", err, inner.Remaining(), resp)
	}

	failing := llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeAuth}))
	_, _, err = llm.Ask(t.Context(), failing, req, planShape())
	wantCode(t, err, llm.CodeAuth)
}

// A long wrong reply is not sent back as a whole.
func TestAskSendsBackABoundedPart(t *testing.T) {
	t.Parallel()
	shape := planShape()
	shape.Decode = func(data []byte) (plan, error) { return plan{}, errors.New(string(data)) }
	long := `"` + strings.Repeat("龙", 1<<20) + `"`
	inner := llmtest.NewScripted(llmtest.Text(long), llmtest.Text(long), llmtest.Text(long))
	_, _, err := llm.Ask(t.Context(), inner, llm.Request{}, shape)
	wantCode(t, err, llm.CodeMalformed)
	size := 0
	for _, m := range inner.Requests()[2].Messages {
		size += len(m.Text)
	}
	if size > 32<<10 {
		t.Errorf("%d bytes were sent", size)
	}
}

// FuzzAsk reads replies of all kinds: it returns a value or a typed error, and reads JSON as
// encoding/json does.
func FuzzAsk(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, "```json\n[1,]\n```", `{'a':"b`, `{a:{b:[1,{`, `{"a":1]}`, "/*", "//", `"\`, `x{"a":}`, `{,}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape := llm.Shape[any]{Attempts: 1, Decode: func(data []byte) (any, error) {
			var v json.RawMessage // a number may be beyond float64
			return v, json.Unmarshal(data, &v)
		}}
		_, _, err := llm.Ask(context.Background(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, shape)
		if failure, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || failure.Code != llm.CodeMalformed) {
			t.Errorf("the error is %v", err)
		}
		if json.Valid([]byte(strings.TrimSpace(text))) && err != nil {
			t.Errorf("%q is JSON: %v", text, err)
		}
	})
}

func wantCode(t *testing.T, err error, code llm.ErrorCode) {
	t.Helper()
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != code {
		t.Errorf("the error is %v, want one with the code %s", err, code)
	}
}
