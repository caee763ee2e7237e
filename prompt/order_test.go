package prompt_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestOrders checks orders without a recorded case: PR-02, PR-05.
func TestOrders(t *testing.T) {
	t.Parallel()
	env := prompt.Env{User: "Mara", Char: "Orin"}
	history := []prompt.Line{{Role: llm.User, Text: "hi"}, {Role: llm.User, Text: "ho"}}
	deep := func(key string, kind prompt.Kind) prompt.Block {
		return prompt.Block{Key: key, Source: prompt.Source{Kind: kind}, Depth: new(0), Text: key}
	}
	for _, c := range []struct {
		reason string
		pieces prompt.Scene
		blocks []prompt.Block
		want   string
	}{
		{"lore at depths is expanded in the given order, not in that of its places",
			prompt.Scene{Lore: []prompt.Lore{
				{Text: "A{{setvar::x::1}}", Position: "at_depth", Depth: new(0)},
				{Text: "B{{getvar::x}}", Position: "at_depth", Depth: new(2)},
			}}, nil, "s:B1 u:hi u:ho s:A"},
		{"injections of all kinds stand in the order of their keys, behind the directives",
			prompt.Scene{}, []prompt.Block{
				deep("z", prompt.KindHook), deep("y", ""), deep("c", "injection"),
				deep("b", prompt.KindHook), deep("x", prompt.KindDirective),
				deep("a", prompt.KindHost),
			}, "u:hi u:ho s:x/a/b/c/y/z"},
		{"an injection at a depth has the order that it names, else 100; its key decides among equals",
			prompt.Scene{
				Directives: []prompt.Directive{{ID: "d", Position: "depth", Depth: new(0), Text: "D"}},
				Injections: []prompt.Injection{
					{Key: "z", Text: "late", Order: new(101)}, {Key: "b", Text: "hundred"},
					{Key: "y", Text: "first", Order: new(-1)}, {Key: "a", Text: "named", Order: new(100)},
				},
			}, nil, "u:hi u:ho s:first s:D/named/hundred s:late"},
		{"groups by order come before roles",
			prompt.Scene{Injections: []prompt.Injection{
				{Key: "a", Text: "A", Role: llm.Assistant, Order: new(2)}, {Key: "s", Text: "S", Order: new(1)},
				{Key: "u", Text: "U", Role: llm.User, Order: new(2)},
			}}, nil, "u:hi u:ho s:S a:A u:U"},
		{"texts without a key do not replace one another",
			prompt.Scene{
				Directives: []prompt.Directive{{Text: "D1"}, {Text: "D2"}},
				Hooks:      []prompt.HookPlace{{Text: "H1"}, {Text: "H2"}},
				Injections: []prompt.Injection{{Text: "I1"}, {Text: "I2"}},
			}, nil, "s:D1//D2 u:hi u:ho s:I1/I2 s:H1//H2"},
	} {
		layout := prompt.Default()
		layout.ChatMarker = ""
		got, err := prompt.Assemble(layout, prompt.Input{
			Blocks: append(c.pieces.Blocks(env, history), c.blocks...), History: history,
		}, env, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if text := texts(got); text != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.reason, text, c.want)
		}
	}
}

// TestNamesInFront: an existing name is not repeated. The colon may be ASCII or full-width.
func TestNamesInFront(t *testing.T) {
	t.Parallel()
	layout := plain()
	layout.Names = prompt.NamesContent
	for text, want := range map[string]string{
		"hi": "Mara: hi", "Mara: hi": "Mara: hi", "Mara：你好": "Mara：你好",
		"Mara said: hi": "Mara: Mara said: hi",
	} {
		got := assemble(t, layout, prompt.Input{
			History: []prompt.Line{{Role: llm.User, Text: text}},
		}, prompt.Budget{})
		if got.Messages[0].Text != want {
			t.Errorf("%q became %q, want %q", text, got.Messages[0].Text, want)
		}
	}
}

// TestNoteInterval: with the interval 0 the note is never due.
func TestNoteInterval(t *testing.T) {
	t.Parallel()
	line := prompt.Line{Role: llm.User, Text: "x"}
	for _, c := range []struct {
		interval *int
		users    int
		want     bool
	}{
		{nil, 0, true}, {new(1), 0, true}, {new(0), 3, false}, {new(-2), 2, false},
		{new(2), 0, false}, {new(2), 1, false}, {new(2), 2, true}, {new(2), 4, true},
		{new(3), 4, false},
	} {
		history := make([]prompt.Line, c.users)
		for i := range history {
			history[i] = line
		}
		history = append(history, prompt.Line{Role: llm.User, Hidden: true},
			prompt.Line{Role: llm.Assistant})
		note := prompt.AuthorNote{Text: "N", Interval: c.interval}
		if got := note.Due(history); got != c.want {
			t.Errorf("interval %v with %d user lines: due %v", c.interval, c.users, got)
		}
	}
}

// TestReportWords checks remarks of the report that the example does not have: PR-06.
func TestReportWords(t *testing.T) {
	t.Parallel()
	layout := prompt.Default()
	in := prompt.Input{
		Blocks: []prompt.Block{
			block("twice", "main", "A"), block("twice", "main", "B"), block("lost", "nowhere", "A"),
			{Key: "outlet", Outlet: "o", Text: "A"},
			{Key: "capped", Slot: "settings", Text: strings.Repeat("x", 60)},
			{Key: "cut", Slot: "summary", Text: "a\nb\nc\n" + strings.Repeat("d", 20),
				Truncate: prompt.CutEnd},
			{Key: "deep", Depth: new(3), Text: "A"},
			{Key: "swipes", Slot: "main", Text: "A", Withheld: prompt.Trigger},
			block("odd", "main", "{{roll::d}}{{random::1::2}}{{setvar::v::{{getvar::w}}}}{{$g}}"),
		},
		History: []prompt.Line{
			{Role: llm.User, Text: "hi"}, {Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "c"}}},
			{Role: llm.User, Text: "ho"},
		},
		HistoryStart: 1, Previous: []llm.Message{{Role: llm.User, Text: "x"}},
	}
	got := assemble(t, layout, in, prompt.Budget{
		Context: 66, Caps: []prompt.Cap{{Slot: "settings", Max: 20}}})
	wantText(t, got.Report.String(),
		"dropped", "capped", "beyond the cap of its group",
		"truncated", "cut", "26 -> 5, last line removed",
		"kept", "deep", "depth 3",
		"before_start history.0", "- tok", "older than the history start",
		"disabled", "twice", "a later block has the same key",
		"unlisted", "lost", `the layout has no slot "nowhere"`,
		"unused", "outlet", "no text shows the outlet",
		"trigger", "swipes", "for a different kind of generation",
		"disabled", "tools.0", "the request has no tools",
		"\n\nused: ", "\nslots: ", "\nsources: ",
		"shared:    0 messages, 0 tokens as in the previous request",
		"problem:   odd@0 (roll): not a dice formula",
		"problem:   odd@11 (random): the environment has no random source",
		"variables: w (read), v (written), global g (read)")
}

// TestUnknownRoles: no provider accepts an author's own role. It becomes system, or user for a
// line, and the report shows this.
func TestUnknownRoles(t *testing.T) {
	t.Parallel()
	odd := block("a", "head", "x")
	odd.Role = "narrator"
	deep := prompt.Block{Key: "b", Depth: new(0), Role: llm.Tool, Text: "y"}
	got := assemble(t, plain(), prompt.Input{Blocks: []prompt.Block{odd, deep},
		History: []prompt.Line{{Role: "player", Text: "z"}, {Text: "w"}}}, prompt.Budget{})
	if want := "s:x u:z u:w s:y"; texts(got) != want {
		t.Errorf("%q, want %q", texts(got), want)
	}
	if line, _ := got.Report.Line("a"); line.Reason != "unknown_role narrator" {
		t.Errorf("reason %q", line.Reason)
	}
}
