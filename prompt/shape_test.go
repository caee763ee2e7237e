package prompt_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

var profiles = []prompt.ShapeProfile{
	"", prompt.ShapeOpenAI, prompt.ShapeMerge, prompt.ShapeSemi, prompt.ShapeStrict, prompt.ShapeSingle,
	prompt.ShapeAnthropic, prompt.ShapeGemini, prompt.ShapeMistral,
}

func sys(text string) llm.Message  { return llm.Message{Role: llm.System, Text: text} }
func user(text string) llm.Message { return llm.Message{Role: llm.User, Text: text} }
func bot(text string) llm.Message  { return llm.Message{Role: llm.Assistant, Text: text} }

// describe writes messages briefly: the first letter of the role and the parts.
func describe(s prompt.Shaped) string {
	var b strings.Builder
	for _, text := range s.System {
		fmt.Fprintf(&b, "[%s] ", text)
	}
	for _, m := range s.Messages {
		fmt.Fprintf(&b, "%c(", m.Role[0])
		for i, p := range m.Parts {
			if i > 0 {
				b.WriteString(" + ")
			}
			switch {
			case p.Call != nil:
				b.WriteString("call " + p.Call.ID)
			case p.Result != nil:
				b.WriteString(p.Result.ID + "=" + p.Result.Content)
			default:
				b.WriteString(strings.ReplaceAll(p.Text, "\n", "/"))
			}
		}
		b.WriteString(") ")
	}
	return strings.TrimSpace(b.String())
}

// TestShape shows what each profile does: PR-12.
func TestShape(t *testing.T) {
	t.Parallel()
	round := []llm.Message{
		user("u"),
		{Role: llm.Assistant, Text: "hm", ToolCalls: []llm.ToolCall{{ID: "c1"}, {ID: "c2"}}},
		{Role: llm.Tool, ToolCallID: "c1", Text: "4"},
		user("go"),
	}
	for _, c := range []struct {
		name     string
		rules    prompt.ShapeRules
		messages []llm.Message
		want     string
	}{
		{"a prefill joins the assistant's last message", prompt.ShapeRules{
			Profile: prompt.ShapeAnthropic, Prefill: "So ", AcceptsPrefill: true,
		}, []llm.Message{user("u"), bot("a")}, "u(u) a(a + So)"},
		{"a prefill for a model that takes none", prompt.ShapeRules{Profile: prompt.ShapeMerge, Prefill: "So "},
			[]llm.Message{user("u")}, "u(u) s(Begin your reply exactly with this text: So)"},
		{"of what a model is to begin with, only the end is trimmed",
			prompt.ShapeRules{Profile: prompt.ShapeAnthropic, Prefill: " *So \n"},
			[]llm.Message{user("u")}, "u(u + Begin your reply exactly with this text:  *So)"},
		{"a blank prefill asks for nothing", prompt.ShapeRules{Profile: prompt.ShapeMerge, Prefill: " \n"},
			[]llm.Message{user("u")}, "u(u)"},
		{"the user first", prompt.ShapeRules{Profile: prompt.ShapeAnthropic, FirstUser: true},
			[]llm.Message{sys("s"), bot("a"), user("u")}, "[s] u([Start a new chat]) a(a) u(u)"},
		{"nothing left", prompt.ShapeRules{Profile: prompt.ShapeAnthropic}, []llm.Message{sys("s")},
			"[s] u([Start a new chat])"},
		{"a missing result", prompt.ShapeRules{Profile: prompt.ShapeGemini, Tools: true}, round,
			"u(u) a(hm + call c1 + call c2) u(c1=4 + c2=[No content] + go)"},
		{"tools off", prompt.ShapeRules{Profile: prompt.ShapeMerge}, round, "u(u) a(hm) u(4//go)"},
		{"a result in one message was said by nobody",
			prompt.ShapeRules{Profile: prompt.ShapeSingle, Tools: true, User: "Mara", Char: "Orin"}, round,
			"u(Mara: u//Orin: hm//4//Mara: go)"},
		{"between a result and the user", prompt.ShapeRules{Profile: prompt.ShapeMistral, Tools: true},
			round[:3:3], "u(u) a(hm + call " + id("c1") + " + call " + id("c2") + ") t(" +
				id("c1") + "=4) t(" + id("c2") + "=[No content])"},
		{"strict with a system block alone", prompt.ShapeRules{Profile: prompt.ShapeStrict},
			[]llm.Message{sys("s")}, "s(s) u([Start a new chat])"},
		{"names in front are not doubled, be the colon plain or full-width",
			prompt.ShapeRules{Profile: prompt.ShapeMerge}, []llm.Message{
				{Role: llm.User, Name: "Mara", Text: "Mara: hi"},
				{Role: llm.Assistant, Name: "Orin", Text: "Orin：你好"},
				{Role: llm.User, Name: "Mara", Text: "Maranatha"},
			}, "u(Mara: hi) a(Orin：你好) u(Mara: Maranatha)"},
		{"names of narrators are dropped", prompt.ShapeRules{Profile: prompt.ShapeMerge},
			[]llm.Message{{Role: llm.System, Name: "Narrator", Text: "Rain."}}, "s(Rain.)"},
	} {
		if got := describe(prompt.Shape(c.messages, c.rules)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// id returns the short form of a call ID.
func id(long string) string {
	s := prompt.Shape([]llm.Message{
		{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: long}}},
	}, prompt.ShapeRules{Profile: prompt.ShapeMistral, Tools: true})
	return s.Messages[0].Parts[0].Call.ID
}

func TestShortIDs(t *testing.T) {
	t.Parallel()
	if got := id("a1b2c3d4e"); got != "a1b2c3d4e" {
		t.Errorf("a valid id became %q", got)
	}
	seen := map[string]bool{}
	for i := range 200 {
		short := id(fmt.Sprint("call_", i))
		if len(short) != 9 || seen[short] {
			t.Fatalf("id %q for call %d", short, i)
		}
		seen[short] = true
	}
}

func TestMistralPlaceholder(t *testing.T) {
	t.Parallel()
	got := prompt.Shape([]llm.Message{
		{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "123456789"}}},
		{Role: llm.Tool, ToolCallID: "123456789", Text: "4"}, user("go"), bot("ok"), sys("late"),
	}, prompt.ShapeRules{Profile: prompt.ShapeMistral, Tools: true})
	want := "a(call 123456789) t(123456789=4) a([Continue]) u(go) a(ok) u(late)"
	if text := describe(got); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// messagesOf reads messages from fuzz data: one byte for the role, the rest text.
func messagesOf(data []byte) []llm.Message {
	var list []llm.Message
	for line := range strings.SplitSeq(string(data), "\n") {
		if line == "" {
			continue
		}
		m := llm.Message{Text: line[1:]}
		switch line[0] {
		case 's':
			m.Role = llm.System
		case 'a':
			m.Role = llm.Assistant
		case 'c':
			m.Role = llm.Assistant
			m.ToolCalls = []llm.ToolCall{{ID: line[1:]}}
		case 't':
			m.Role, m.ToolCallID = llm.Tool, line[1:]
		default:
			m.Role = llm.User
		}
		if strings.HasSuffix(line, "!") {
			m.Name = "Guest"
		}
		list = append(list, m)
	}
	return list
}

// FuzzShape checks the requirements of providers for every list of messages.
func FuzzShape(f *testing.F) {
	for _, text := range []string{
		"smain\na0\nu1\nsnote", "uu\ncx\ntx\nuy", "tx\ncx\ncx\ntx\ntx", "s\n\na \nu!",
		"cx\nty\nsz\na",
	} {
		f.Add([]byte(text), "So ")
	}
	f.Fuzz(func(t *testing.T, data []byte, prefill string) {
		messages := messagesOf(data)
		before, err := json.Marshal(messages)
		if err != nil {
			t.Fatal(err) // messages of plain texts always encode
		}
		for i, profile := range profiles {
			got := prompt.Shape(messages, prompt.ShapeRules{
				Profile: profile, Tools: i%2 == 0, User: "Mara", Char: "Orin",
				Prefill: prefill, AcceptsPrefill: len(data)%2 == 0, FirstUser: len(data)%3 == 0,
			})
			checkShape(t, profile, got)
			if n := len(got.Flat()); n == 0 && len(got.Messages) > 0 {
				t.Errorf("%s: %d messages, none of them flat", profile, len(got.Messages))
			}
			again := prompt.Shape(messages, prompt.ShapeRules{
				Profile: profile, Tools: i%2 == 0, User: "Mara", Char: "Orin",
				Prefill: prefill, AcceptsPrefill: len(data)%2 == 0, FirstUser: len(data)%3 == 0,
			})
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("%s: a second result differs:\n%s", profile, diff)
			}
		}
		if after, err := json.Marshal(messages); err != nil || string(after) != string(before) {
			t.Error("the input changed")
		}
	})
}

func checkShape(t *testing.T, profile prompt.ShapeProfile, got prompt.Shaped) {
	t.Helper()
	alternating := slices.Contains([]prompt.ShapeProfile{
		prompt.ShapeStrict, prompt.ShapeSingle, prompt.ShapeAnthropic, prompt.ShapeGemini,
	}, profile)
	var open []string
	for i, m := range got.Messages {
		if len(m.Parts) == 0 {
			t.Errorf("%s: message %d is empty", profile, i)
		}
		if alternating && i > 0 && m.Role == got.Messages[i-1].Role && m.Role != llm.Tool {
			t.Errorf("%s: messages %d and %d are both the %s's", profile, i-1, i, m.Role)
		}
		for _, p := range m.Parts {
			if p.Result != nil {
				if len(open) == 0 || open[0] != p.Result.ID {
					t.Fatalf("%s: result %q out of order, open %q", profile, p.Result.ID, open)
				}
				open = open[1:]
				continue
			}
			if len(open) > 0 && p.Call == nil {
				t.Errorf("%s: text between call and result", profile)
			}
			if p.Call != nil {
				open = append(open, p.Call.ID)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: calls %q have no result", profile, open)
	}
	if len(got.Messages) == 0 && profile != "" && profile != prompt.ShapeOpenAI && profile != prompt.ShapeMistral {
		t.Errorf("%s: no message at all", profile)
	}
}

func BenchmarkShape(b *testing.B) {
	var messages []llm.Message
	for i := range 100 {
		messages = append(messages, sys(fmt.Sprint("note ", i)), user("I go on."),
			bot("The road is long."))
	}
	b.ReportAllocs()
	for b.Loop() {
		got := prompt.Shape(messages, prompt.ShapeRules{Profile: prompt.ShapeAnthropic})
		if len(got.Messages) != 200 || len(got.System) != 1 {
			b.Fatal(len(got.Messages), len(got.System))
		}
	}
}

// Thoughts that a provider needs back come before the call that they led to, with the signature of
// the call, in every shape with calls.
func TestThoughtsStayWithTheirCalls(t *testing.T) {
	t.Parallel()
	thoughts := []llm.Thought{{Provider: "p", Text: "Hm.", Signature: "1"}, {Provider: "p", Redacted: "2"}}
	asked := []llm.Message{
		{Role: llm.User, Text: "Roll."},
		{Role: llm.Assistant, Text: "I roll.", Thoughts: thoughts, ToolCalls: []llm.ToolCall{{ID: "call00001", Name: "roll", Arguments: "{}", Signature: "3"}}},
		{Role: llm.Tool, ToolCallID: "call00001", Text: "6"},
	}
	for _, profile := range []prompt.ShapeProfile{prompt.ShapeOpenAI, prompt.ShapeMerge, prompt.ShapeSemi, prompt.ShapeStrict, prompt.ShapeAnthropic, prompt.ShapeGemini, prompt.ShapeMistral} {
		shaped := prompt.Shape(asked, prompt.ShapeRules{Profile: profile, Tools: true})
		found := false
		for _, m := range shaped.Flat() {
			if len(m.ToolCalls) > 0 {
				found = cmp.Equal(m.Thoughts, thoughts) && m.ToolCalls[0].Signature == "3" && m.Text == "I roll."
			}
		}
		if !found {
			t.Errorf("%s: %+v", profile, shaped.Flat())
		}
	}
}
