package prompt_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// TestScene shows the place of each piece of a scene in the prompt of the default layout. The chat
// is "a" by the assistant, "b" by the user.
func TestScene(t *testing.T) {
	t.Parallel()
	lore := func(text string, at prompt.LorePosition) prompt.Lore {
		return prompt.Lore{Text: text, Position: at}
	}
	deep := lore("L", "at_depth")
	deep.Depth, deep.Role = new(1), llm.User
	literal := lore("{{user}}", "before")
	literal.Literal = true
	outlet := lore("OUT {{user}}", "outlet")
	outlet.Outlet = "o"
	around := []prompt.Lore{lore("TOP", "an_top"), lore("BOTTOM", "an_bottom")}
	for _, c := range []struct {
		name, reason string
		pieces       prompt.Scene
		card         macro.Card
		in           prompt.Input
		want         string
	}{
		{
			name: "the depth prompt of a card", reason: "it has a depth and a role of its own",
			card:   macro.Card{DepthPrompt: "remember {{user}}"},
			pieces: prompt.Scene{CardDepth: prompt.CardDepth{Depth: new(1), Role: llm.User}},
			want:   "a:a u:remember Mara u:b",
		},
		{
			name: "the depth prompt without a place", reason: "depth 4, of the system",
			card: macro.Card{DepthPrompt: "remember"}, want: "s:remember a:a u:b",
		},
		{
			name: "the system prompt of a card", reason: "{{original}} is that of the host, once",
			card:   macro.Card{SystemPrompt: "<{{original}}><{{original}}>"},
			pieces: prompt.Scene{System: "for {{char}}"}, want: "s:<for Orin><> a:a u:b",
		},
		{
			name: "the post-history text of a card", reason: "{{original}} is that of the host, once",
			card:   macro.Card{PostHistory: "PHI {{original}}"},
			pieces: prompt.Scene{PostHistory: "for {{char}}"}, want: "a:a u:b s:PHI for Orin",
		},
		{
			name: "the post-history text of a card alone", reason: "it works without one of the host",
			card: macro.Card{PostHistory: "PHI[{{original}}]"}, want: "a:a u:b s:PHI[]",
		},
		{
			name: "greetings", reason: "texts may quote the first message and its alternatives",
			card:   macro.Card{FirstMessage: "G0 {{user}}", Greetings: []string{"G1", "G2"}},
			pieces: prompt.Scene{System: "{{greeting}} {{greeting::2}} {{greeting::3}}"},
			want:   "s:G0 Mara G2  a:a u:b",
		},
		{
			name: "a note at a depth", reason: "with the depth and the role that it says",
			pieces: prompt.Scene{Note: prompt.AuthorNote{Text: "N", Depth: new(1), Role: llm.Assistant}},
			want:   "a:a a:N u:b",
		},
		{
			name: "a note that is not due", reason: "the lore and the persona around it go with it",
			pieces: prompt.Scene{Note: prompt.AuthorNote{Text: "N", Interval: new(2)}, Lore: around,
				Persona: prompt.Persona{Position: "top_an"}},
			want: "a:a u:b",
		},
		{
			name: "a note with an interval that is due", reason: "the second user message is a multiple of two",
			pieces: prompt.Scene{Note: prompt.AuthorNote{Text: "N", Interval: new(2), Depth: new(0)}, Lore: around},
			in:     prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "x"}, {Role: llm.User, Text: "b"}}},
			want:   "u:x u:b s:TOP/N/BOTTOM",
		},
		{
			name: "lore around a note that says nothing", reason: "the empty note leaves an empty line",
			pieces: prompt.Scene{Note: prompt.AuthorNote{Depth: new(0)}, Lore: around}, want: "a:a u:b s:TOP//BOTTOM",
		},
		{
			name: "lore before and after the character", reason: "entries of a place are one text, in the given order",
			card: macro.Card{Description: "D"},
			pieces: prompt.Scene{Lore: []prompt.Lore{lore("B2", "before"),
				lore("A1", "after"), lore("B1", "before")}},
			want: "s:B2/B1 s:D s:A1 a:a u:b",
		},
		{
			name: "lore at a depth", reason: "with its depth and role",
			pieces: prompt.Scene{Lore: []prompt.Lore{deep}}, want: "a:a u:L u:b",
		},
		{
			name: "lore in which nobody speaks", reason: "beside the examples it is a text of the system, as other lore is",
			pieces: prompt.Scene{Lore: []prompt.Lore{lore("It rains.", "em_top"), lore("It is {{char}}'s night.", "em_bottom")}},
			card:   macro.Card{Examples: "<START>\nMara: q"},
			want:   "s:It rains. s:[Example Chat] s:q s:It is Orin's night. a:a u:b",
		},
		{
			name: "examples of unknown speakers", reason: "they are sent as they stand",
			card: macro.Card{Examples: "<START>\n用户：你好\n角色：嗯"},
			want: "s:[Example Chat] s:用户：你好/角色：嗯 a:a u:b",
		},
		{
			name: "lore around the examples", reason: "it is read as examples, too",
			card: macro.Card{Examples: "<START>\nOrin: e"},
			pieces: prompt.Scene{Lore: []prompt.Lore{lore("Mara: t", "em_top"),
				lore("Orin: u", "em_bottom")}},
			want: "s:[Example Chat] s:t s:[Example Chat] s:e s:[Example Chat] s:u a:a u:b",
		},
		{
			name: "lore in an outlet", reason: "it stands where a text shows it, and nowhere else",
			card:   macro.Card{Description: "D {{outlet::o}}"},
			pieces: prompt.Scene{Lore: []prompt.Lore{outlet}}, want: "s:D OUT Mara a:a u:b",
		},
		{
			name: "literal lore", reason: "text that is data is never expanded",
			pieces: prompt.Scene{Lore: []prompt.Lore{literal}}, want: "s:{{user}} a:a u:b",
		},
		{
			name: "follow-ups", reason: "they come behind everything, as they are",
			pieces: prompt.Scene{PostHistory: "PHI"},
			in: prompt.Input{History: said(), FollowUps: []llm.Message{
				{Role: llm.Assistant, Text: "{{char}} calls"}, {Role: llm.Tool, Text: "{{user}}"}}},
			want: "a:a u:b s:PHI a:{{char}} calls t:{{user}}",
		},
		{
			name: "injections with an order", reason: "at one depth smaller orders come first",
			pieces: prompt.Scene{Injections: []prompt.Injection{
				{Key: "a", Text: "late", Order: new(101)}, {Key: "b", Text: "early", Order: new(99)},
				{Key: "c", Text: "middle"}}},
			want: "a:a u:b s:early s:middle s:late",
		},
		{
			name: "state and summary", reason: "they are data",
			pieces: prompt.Scene{State: "{{user}}: hp 3", Summary: "{{setvar::x::1}}"},
			want:   "s:{{setvar::x::1}} a:a u:b s:{{user}}: hp 3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := prompt.Env{User: "Mara", Char: "Orin", Persona: "P", Card: c.card}
			if c.pieces.Persona.Position == "" {
				c.pieces.Persona.Position = "none"
			}
			if c.in.History == nil {
				c.in.History = said()
			}
			c.in.Blocks = c.pieces.Blocks(env, c.in.History)
			layout := prompt.Default()
			layout.ChatMarker = ""
			got, err := prompt.Assemble(layout, c.in, env, prompt.Budget{})
			if err != nil {
				t.Fatal(err)
			}
			if texts(got) != c.want {
				t.Errorf("got  %q\nwant %q: %s\n%s", texts(got), c.want, c.reason, got.Report)
			}
		})
	}
}

// TestBlankCardFields: a field of blanks leaves no text, and the report says so. Absent fields have no
// line.
func TestBlankCardFields(t *testing.T) {
	t.Parallel()
	env := prompt.Env{Card: macro.Card{Description: " \n"}}
	got, err := prompt.Assemble(prompt.Default(), prompt.Input{Blocks: prompt.Scene{}.Blocks(env, said()), History: said()}, env, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if line, found := got.Report.Line("char.description"); !found || line.Status != "empty" {
		t.Errorf("the line of the description is %+v", line)
	}
	if _, found := got.Report.Line("char.scenario"); found {
		t.Error("the absent scenario has a line")
	}
}

func said() []prompt.Line {
	return []prompt.Line{{Role: llm.Assistant, Text: "a"}, {Role: llm.User, Text: "b"}}
}

// TestStablePrefix plays turns in which lore, state and directives change. The text before the
// history stays the same, the marks are at its end and at the end of the history, and follow-ups
// only append.
func TestStablePrefix(t *testing.T) {
	t.Parallel()
	env := prompt.Env{User: "Mara", Char: "Orin", Card: macro.Card{Description: "tall",
		DepthPrompt: "remember", Examples: "<START>\nOrin: e"}}
	var history []prompt.Line
	var before prompt.Result
	for turn := range 6 {
		history = append(history, prompt.Line{Role: llm.User, Text: "line"})
		word := strings.Repeat("x", turn+1)
		pieces := prompt.Scene{System: "SYS", State: "state " + word, PostHistory: "PHI", Cache: true,
			Lore:       []prompt.Lore{{Text: "always", Position: "before", Constant: true}, {Text: word, Position: "before"}},
			Directives: []prompt.Directive{{ID: "d", Text: word, Position: "depth", Depth: new(0)}}}
		got, err := prompt.Assemble(prompt.Default(), prompt.Input{History: slices.Clone(history),
			Blocks: pieces.Blocks(env, history), Previous: before.Messages}, env, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Breakpoints) == 0 {
			t.Fatalf("turn %d: no mark\n%s", turn, got.Report)
		}
		head := got.Breakpoints[0] + 1
		if turn > 0 && got.Report.Shared.Messages < head {
			t.Errorf("turn %d: %d messages as before, the mark stands behind %d", turn, got.Report.Shared.Messages, head)
		}
		longer, err := got.Extend(prompt.Budget{}, llm.Message{Role: llm.Assistant, Text: "call"})
		if err != nil || !cmp.Equal(longer.Messages[:len(got.Messages)], got.Messages) {
			t.Errorf("turn %d: the request before the call has changed: %v", turn, err)
		}
		history = append(history, prompt.Line{Role: llm.Assistant, Text: "reply"})
		before = got
	}
}

// TestScanTexts: a note is searched for keys of a world book only on the turns on which it is due.
func TestScanTexts(t *testing.T) {
	t.Parallel()
	users := func(n int) []prompt.Line {
		return slices.Repeat([]prompt.Line{{Role: llm.User, Text: "hi"}}, n)
	}
	note := prompt.AuthorNote{Text: " the cat of {{user}}\n", Interval: new(2), Scan: true}
	silent := note
	silent.Scan = false
	nowhere := note
	nowhere.Placement = prompt.InjectionNotPlaced
	for _, c := range []struct {
		name   string
		pieces prompt.Scene
		users  int
		want   []string
	}{
		{"due", prompt.Scene{Note: note}, 2, []string{"the cat of Mara"}},
		{"not due", prompt.Scene{Note: note}, 1, nil},
		{"never asked for", prompt.Scene{Note: silent}, 2, nil},
		{"placed nowhere", prompt.Scene{Note: nowhere}, 2, nil},
		{"injections", prompt.Scene{Injections: []prompt.Injection{{Text: "one", Scan: true}, {Text: "two"},
			{Text: "{{roll::d6}}{{setvar::x::1}}{{getvar::x}}", Scan: true}, {Text: "{{noop}}", Scan: true}}}, 0,
			[]string{"one", "{{roll::d6}}1"}},
		{"hidden keys are shown", prompt.Scene{Injections: []prompt.Injection{
			{Text: "a {{hidden_key: black cat}}", Scan: true}}}, 0, []string{"a black cat"}},
	} {
		drawn := 0
		env := prompt.Env{User: "Mara", Random: func() float64 { drawn++; return 0 }}
		got := c.pieces.ScanTexts(env, users(c.users))
		if diff := cmp.Diff(c.want, got); diff != "" || drawn > 0 {
			t.Errorf("%s: %d draws (-want +got):\n%s", c.name, drawn, diff)
		}
	}
	compiled, problems := worldbook.Compile([]worldbook.Attachment{{Book: worldbook.Book{
		Entries: []worldbook.Entry{{UID: "1", Keys: []string{"cat"}, Content: "lore"}}}}}, worldbook.Exact())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for n, want := range []int{0, 0, 1} {
		in := worldbook.Input{ContextSize: 1000, Messages: []worldbook.Message{{Text: "hi"}},
			Injections: prompt.Scene{Note: note}.ScanTexts(prompt.Env{}, users(n))}
		result, _ := compiled.Scan(in, worldbook.State{})
		if got := len(result.Before); got != want {
			t.Errorf("%d user messages: %d entries, want %d", n, got, want)
		}
	}
}

// TestMaxTokens limits texts that a model or a player can enlarge: such a block may be required and
// never fills the prompt.
func TestMaxTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		cut        prompt.Cut
		bound      int
		want       string
		remark     string
	}{
		{"short", "one\ntwo", "", 7, "s:one/two", ""},
		{"at the end", "one\ntwo\nthree", "", 10, "s:one/two", "13 -> 7, last line removed"},
		{"at the start", "one\ntwo\nthree", prompt.CutStart, 10, "s:two/three", "13 -> 9, first line removed"},
		{"one long line", "abcdefgh", "", 3, "s:abc", "8 -> 3, part of the last line removed"},
		{"one long line at the start", "abcdefgh", prompt.CutStart, 3, "s:fgh", "8 -> 3, part of the first line removed"},
		{"whole characters", "雨雨雨雨", "", 3, "s:雨雨雨", "4 -> 3, part of the last line removed"},
		{"a long line and others", "abcdefgh\nx\ny", "", 3, "s:abc", "12 -> 3, last 2 lines removed"},
	} {
		b := prompt.Block{Key: "a", Slot: "head", Text: c.text, Required: true, Truncate: c.cut,
			MaxTokens: c.bound, Literal: true}
		got := assemble(t, plain(), prompt.Input{Blocks: []prompt.Block{b}}, prompt.Budget{Context: 16})
		if texts(got) != c.want || !strings.Contains(got.Report.String(), c.remark) {
			t.Errorf("%s: %q, want %q, %q\n%s", c.name, texts(got), c.want, c.remark, got.Report)
		}
		if line, _ := got.Report.Line("a"); (line.Status == "truncated") != (c.remark != "") {
			t.Errorf("%s: status %s", c.name, line.Status)
		}
	}
}

// TestHostileRequiredText: with a required text of 36 KB a prompt can still be built.
func TestHostileRequiredText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("*.foo(1);\n", 4000), strings.Repeat("x", 40_000),
		strings.Repeat("雨", 20_000), strings.Repeat("\n", 40_000) + "x", strings.Repeat("\xff", 9000)} {
		b := prompt.Block{Key: "feedback", Slot: "state", Text: text, Literal: true, MaxTokens: 500}
		in := prompt.Input{Blocks: []prompt.Block{b}, History: []prompt.Line{{Role: llm.User, Text: "hi"}}}
		got, err := prompt.Assemble(prompt.Default(), in, prompt.Env{}, prompt.Budget{Context: 1000})
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		if line, _ := got.Report.Line("feedback"); line.Tokens > 500 {
			t.Errorf("%.20q: %d tokens, the bound is 500", text, line.Tokens)
		}
	}
}

// canary is a text that changes a variable, draws numbers and shows a name, if it is expanded.
const canary = "{{setvar::owned::1}}{{roll::d6}}{{random::x::y}}"

// TestUntrustedTextIsData passes one text through every place of a prompt. Where a player, a model
// or a server writes, it must have no effect.
func TestUntrustedTextIsData(t *testing.T) {
	t.Parallel()
	user := func(text string) prompt.Line { return prompt.Line{Role: llm.User, Text: text} }
	in := func(blocks ...prompt.Block) prompt.Input {
		return prompt.Input{Blocks: blocks, History: []prompt.Line{user("hi")}}
	}
	pieces := func(s prompt.Scene) prompt.Input { return in(s.Blocks(prompt.Env{}, nil)...) }
	call := []llm.ToolCall{{ID: "1", Name: "look", Arguments: canary}}
	for _, c := range []struct {
		name   string
		in     prompt.Input
		author bool // an author's text is expanded
	}{
		{name: "a line of the player", in: prompt.Input{History: []prompt.Line{user(canary)}}},
		{name: "a line of the model", in: prompt.Input{History: []prompt.Line{{Role: llm.Assistant, Text: canary}, user("x")}}},
		{name: "a narrator's line", in: prompt.Input{History: []prompt.Line{{Role: llm.System, Text: canary}, user("x")}}},
		{name: "a speaker", in: prompt.Input{History: []prompt.Line{{Role: llm.Assistant, Name: canary, Forced: true, Text: "x"}, user("y")}}},
		{name: "a call and its result", in: prompt.Input{Tools: true, History: []prompt.Line{
			{Role: llm.Assistant, Text: canary, Calls: call, Results: []string{canary}}, user("x")}}},
		{name: "a line that goes on", in: prompt.Input{Generation: worldbook.Continue, Control: "[{{lastChatMessage}}]",
			History: []prompt.Line{{Role: llm.Assistant, Text: canary}}}},
		{name: "a line that goes on by prefill", in: prompt.Input{Generation: worldbook.Continue, ContinueByPrefill: true,
			History: []prompt.Line{{Role: llm.Assistant, Text: canary}}}},
		{name: "the last message in a template", in: prompt.Input{
			Blocks: []prompt.Block{block("main", "main", "{{lastMessage}}{{lastUserMessage}}")}, History: []prompt.Line{user(canary)}}},
		{name: "the replacement", in: prompt.Input{Replacement: canary, History: []prompt.Line{{Role: llm.Assistant, Text: "x"}}}},
		{name: "a follow-up", in: prompt.Input{FollowUps: []llm.Message{{Role: llm.Tool, Text: canary}}}},
		{name: "a literal block", in: in(prompt.Block{Key: "b", Slot: "state", Literal: true, Text: canary})},
		{name: "a literal block at a depth", in: in(prompt.Block{Key: "b", Depth: new(0), Literal: true, Text: canary})},
		{name: "a literal outlet", in: in(prompt.Block{Key: "b", Outlet: "o", Literal: true, Text: canary},
			block("main", "main", "{{outlet::o}}"))},
		{name: "a literal piece", in: in(prompt.Block{Key: "b", Slot: "main", Text: "x",
			Above: []prompt.Block{{Key: "p", Literal: true, Text: canary}}})},
		{name: "the summary", in: pieces(prompt.Scene{Summary: canary})},
		{name: "the state", in: pieces(prompt.Scene{State: canary})},
		{name: "literal lore", in: pieces(prompt.Scene{Lore: []prompt.Lore{{Text: canary, Literal: true, Position: "before"}}})},
		{name: "literal lore at the note", in: pieces(prompt.Scene{Note: prompt.AuthorNote{Text: "n"},
			Lore: []prompt.Lore{{Text: canary, Literal: true, Position: "an_top"}}})},
		{name: "literal lore in the examples", in: pieces(prompt.Scene{
			Lore: []prompt.Lore{{Text: "Mara: " + canary, Literal: true, Position: "em_top"}}})},
		{name: "a value of a variable", in: in(block("main", "main", "{{getvar::told}}"))},

		{name: "the system prompt", in: pieces(prompt.Scene{System: canary}), author: true},
		{name: "the note", in: pieces(prompt.Scene{Note: prompt.AuthorNote{Text: canary}}), author: true},
		{name: "lore", in: pieces(prompt.Scene{Lore: []prompt.Lore{{Text: canary, Position: "before"}}}), author: true},
		{name: "a directive", in: pieces(prompt.Scene{Directives: []prompt.Directive{{ID: "d", Text: canary}}}), author: true},
		{name: "the control prompt", in: prompt.Input{Control: canary}, author: true},
	} {
		drawn := 0
		env := prompt.Env{User: "Mara", Char: "Orin", Vars: map[string]any{"told": canary},
			Random: func() float64 { drawn++; return 0 }}
		got, err := prompt.Assemble(prompt.Default(), c.in, env, prompt.Budget{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		whole := strings.Contains(strings.Join(messageTexts(got.Messages), "\n"), canary)
		if expanded := drawn > 0 || got.Vars != nil || !whole; expanded != c.author {
			t.Errorf("%s: expanded %v (%d draws, variables %v), want %v\n%s", c.name, expanded, drawn, got.Vars, c.author, texts(got))
		}
	}
}

// messageTexts returns all texts that a provider receives.
func messageTexts(messages []llm.Message) []string {
	var list []string
	for _, m := range messages {
		list = append(list, m.Text)
		for _, c := range m.ToolCalls {
			list = append(list, c.Arguments)
		}
	}
	return list
}

// TestBlankMessagesReachNoProvider: a layout may send white space, but [prompt.Shape] never does.
func TestBlankMessagesReachNoProvider(t *testing.T) {
	t.Parallel()
	layout := plain()
	layout.SendBlank = true
	in := prompt.Input{Blocks: []prompt.Block{block("a", "head", " \n"), block("b", "tail", "x")}}
	got := assemble(t, layout, in, prompt.Budget{})
	if len(got.Messages) != 2 {
		t.Fatalf("%q, want two messages", texts(got))
	}
	for _, profile := range []prompt.ShapeProfile{prompt.ShapeOpenAI, prompt.ShapeAnthropic, prompt.ShapeGemini, prompt.ShapeMistral} {
		shaped := prompt.Shape(got.Messages, prompt.ShapeRules{Profile: profile})
		for _, m := range shaped.Messages {
			for _, p := range m.Parts {
				if strings.TrimSpace(p.Text) == "" {
					t.Errorf("%s: a blank part", profile)
				}
			}
		}
		if slices.ContainsFunc(shaped.System, func(s string) bool { return strings.TrimSpace(s) == "" }) {
			t.Errorf("%s: a blank system text", profile)
		}
	}
}
