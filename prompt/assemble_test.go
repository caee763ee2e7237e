package prompt_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

func assemble(t *testing.T, layout prompt.Layout, in prompt.Input,
	budget prompt.Budget) prompt.Result {
	t.Helper()
	if budget.Counter == nil {
		budget.Counter, budget.PerMessage = runeCounter{}, new(0)
	}
	got, err := prompt.Assemble(layout, in, prompt.Env{User: "Mara", Char: "Orin"}, budget)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// texts joins the messages of a result: first letter of the role, then the text.
func texts(r prompt.Result) string {
	var list []string
	for _, m := range r.Messages {
		list = append(list, string(m.Role[0])+":"+strings.ReplaceAll(m.Text, "\n", "/"))
	}
	return strings.Join(list, " ")
}

func block(key, slot, text string) prompt.Block {
	return prompt.Block{Key: key, Slot: slot, Text: text}
}

// plain is a layout without markers: two slots around the chat.
func plain() prompt.Layout {
	return prompt.Layout{Slots: []prompt.Slot{
		{Name: "head"}, {Name: "chat", Form: prompt.History}, {Name: "tail", Form: prompt.Separate},
	}}
}

// TestPlacing shows how blocks become messages: PR-01, PR-02.
func TestPlacing(t *testing.T) {
	t.Parallel()
	user := func(b prompt.Block) prompt.Block { b.Role = llm.User; return b }
	named := func(b prompt.Block, name string) prompt.Block { b.Name = name; return b }
	ordered := func(b prompt.Block, order int) prompt.Block { b.Order = &order; return b }
	for _, c := range []struct {
		name   string
		blocks []prompt.Block
		want   string
	}{
		{"neighbours of a role join", []prompt.Block{block("a", "head", "A"),
			block("b", "head", "B")}, "s:A//B"},
		{"names do not join", []prompt.Block{block("a", "head", "A"),
			named(block("b", "head", "B"), "x")}, "s:A s:B"},
		{"separate blocks stay alone", []prompt.Block{block("a", "tail", "A"),
			block("b", "tail", "B")}, "s:A s:B"},
		{"smaller orders first, ties in input order", []prompt.Block{
			block("a", "head", "A"), ordered(block("b", "head", "B"), 5),
			ordered(block("c", "head", "C"), 100),
		}, "s:B//A//C"},
		{"blank blocks do not split", []prompt.Block{
			block("a", "head", "A"), user(block("b", "head", "{{noop}} ")), block("c", "head", "C"),
		}, "s:A//C"},
		{"the later of two keys", []prompt.Block{block("a", "head", "A"),
			block("a", "head", "B")}, "s:B"},
		{"no such slot", []prompt.Block{block("a", "nowhere", "A")}, ""},
		{"the slot of the history takes depths only", []prompt.Block{block("a", "chat", "A")}, ""},
		{"outlets are shown by macros only", []prompt.Block{
			block("a", "head", "[{{outlet::o}}]"), {Key: "o1", Outlet: "o", Text: "{{user}}"},
			{Key: "o2", Outlet: "o", Text: "{{user}}", Literal: true},
		}, "s:[Mara/{{user}}]"},
		{"an original is expanded on use", []prompt.Block{
			{Key: "a", Slot: "head", Text: "{{original}}|{{original}}",
				Original: new("for {{user}}")},
		}, "s:for Mara|"},
		{"pieces around a text", []prompt.Block{{
			Key: "a", Slot: "head", Text: "T", Above: []prompt.Block{block("x", "", "X"),
				block("y", "", " ")},
			Below: []prompt.Block{block("z", "", "Z")},
		}}, "s:X/T/Z"},
	} {
		got := assemble(t, plain(), prompt.Input{Blocks: c.blocks}, prompt.Budget{})
		if text := texts(got); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// TestStatuses checks statuses without a recorded case: PR-06.
func TestStatuses(t *testing.T) {
	t.Parallel()
	in := prompt.Input{
		Blocks: []prompt.Block{
			block("dup", "head", "A"), block("dup", "head", "B"), block("lost", "nowhere", "A"),
			{Key: "off", Slot: "head", Text: "A", Withheld: prompt.Disabled,
				Reason: "switched off"},
			{Key: "used", Outlet: "used", Text: "A"}, {Key: "unused", Outlet: "unused", Text: "A"},
			block("shows", "head", "{{outlet::used}}"), block("blank", "head", " "),
			{Key: "whole", Slot: "head", Text: "T", Above: []prompt.Block{block("piece", "", "P")}},
			{Key: "capped", Slot: "head", Text: strings.Repeat("x", 30), Keep: new(1)},
		},
		History: []prompt.Line{
			{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1"}}}, {Role: llm.User, Text: "hi"},
			{Role: llm.Assistant, Text: "old reply"},
		},
		Generation: worldbook.Swipe,
	}
	got := assemble(t, plain(), in, prompt.Budget{Caps: []prompt.Cap{{Slot: "head", Max: 20}}})
	for key, want := range map[string]string{
		"lost": "unlisted ", "off": "disabled switched off", "used": "kept ", "unused": "unused ",
		"blank": "empty ", "piece": "kept part of whole", "capped": "dropped group_cap",
		"tools.0": "disabled no_tools", "history.1": "disabled swipe", "history.0": "kept ",
	} {
		line, ok := got.Report.Line(key)
		if status := string(line.Status) + " " + line.Reason; !ok || status != want {
			t.Errorf("%s is %q, want %q", key, status, want)
		}
	}
	var dup []prompt.Status
	for _, l := range got.Report.Lines {
		if l.Key == "dup" {
			dup = append(dup, l.Status)
		}
	}
	if diff := cmp.Diff([]prompt.Status{prompt.Kept, prompt.Disabled}, dup); diff != "" {
		t.Errorf("duplicates (-want +got):\n%s", diff)
	}
}

// TestBudgetError names every required part, the newest line last.
func TestBudgetError(t *testing.T) {
	t.Parallel()
	layout := prompt.Default()
	_, err := prompt.Assemble(layout, prompt.Input{
		Blocks: []prompt.Block{
			block("post_history", "post_history", "PHI"), block("main", "main", "SYS"),
			{Key: "host", Slot: "settings", Text: "H", Required: true},
			block("lore", "world_before", "L"),
		},
		History:   []prompt.Line{{Role: llm.User, Text: "old"}, {Role: llm.User, Text: "new"}},
		FollowUps: []llm.Message{{Role: llm.System, Text: "again"}}, Control: "CTL", Prefill: "PRE",
	}, prompt.Env{}, prompt.Budget{Context: 10, Counter: runeCounter{}, PerMessage: new(1)})
	tooSmall, ok := errors.AsType[*prompt.BudgetError](err)
	if !ok {
		t.Fatal(err)
	}
	want := &prompt.BudgetError{
		Required: []prompt.Part{
			{Key: "main", Kind: prompt.KindHost, Tokens: 3},
			{Key: "host", Kind: prompt.KindHost, Tokens: 1},
			{Key: "post_history", Kind: prompt.KindHost, Tokens: 3},
			{Key: "chat.marker", Kind: "control", Tokens: 19},
			{Key: "follow_up.0", Kind: "follow_up", Tokens: 6},
			{Key: "control", Kind: "control", Tokens: 4},
			{Key: "prefill", Kind: "control", Tokens: 4},
			{Key: "history.1", Kind: prompt.KindHistory, Tokens: 4},
		},
		Tokens: 47, Room: 7,
	}
	if diff := cmp.Diff(want, tooSmall); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	longer, err := prompt.Simple("SYS", []prompt.Line{{Role: llm.User, Text: "hi"}},
		runeCounter{}, 50)
	if err != nil {
		t.Fatal(err)
	}
	_, err = longer.Extend(prompt.Budget{Context: 53, Counter: runeCounter{}},
		llm.Message{Text: strings.Repeat("x", 50)})
	if !errors.Is(err, prompt.ErrBudget) {
		t.Errorf("an extension beyond the room: %v", err)
	}
}

// TestJoinedTextsCanGrow uses a counter that counts more for the whole than for its parts. The
// latest choices are dropped again, also with squashed messages.
func TestJoinedTextsCanGrow(t *testing.T) {
	t.Parallel()
	counter := counterFunc(func(text string) int {
		return len(text) + 20*strings.Count(text, "\n")
	})
	layout := plain()
	layout.Squash = true
	layout.Slots[0].Joiner = "\n"
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "hi"}}}
	for i := range 12 {
		slot := []string{"head", "tail"}[i%2]
		in.Blocks = append(in.Blocks, block(string(rune('a'+i)), slot, "text"))
	}
	sizes := map[int]bool{}
	for context := 8; context < 400; context += 3 {
		got := assemble(t, layout, in, prompt.Budget{Context: context, Counter: counter,
			PerMessage: new(1)})
		if got.Tokens > context-3 {
			t.Errorf("%d tokens in a room of %d", got.Tokens, context-3)
		}
		sizes[len(got.Messages)] = true
	}
	if len(sizes) < 3 {
		t.Errorf("numbers of messages: %v", sizes)
	}
}

// TestCaps checks groups by kind, by share, and of the history.
func TestCaps(t *testing.T) {
	t.Parallel()
	lore := func(key, text string, keep int) prompt.Block {
		b := block(key, "head", text)
		b.Source.Kind, b.Keep = prompt.KindWorld, &keep
		return b
	}
	in := prompt.Input{
		Blocks: []prompt.Block{lore("a", "aaaa", 1), lore("b", "bbbbbbb", 9), lore("c", "cc", 5),
			block("d", "head", "dddd")},
		History: []prompt.Line{
			{Role: llm.User, Text: "1111"}, {Role: llm.User, Text: "2222"},
			{Role: llm.User, Text: "3333"},
		},
	}
	got := assemble(t, plain(), in, prompt.Budget{Context: 100, Caps: []prompt.Cap{
		{Kind: prompt.KindWorld, Percent: 10}, {Kind: prompt.KindHistory, Max: 9}, {Max: 1},
	}})
	if want := "s:bbbbbbb//cc//dddd u:2222 u:3333"; texts(got) != want {
		t.Errorf("%q, want %q\n%s", texts(got), want, got.Report)
	}
}

func TestTruncation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cut  prompt.Cut
		text string
		room int
		want string
	}{
		{prompt.CutEnd, "one\ntwo\nthree", 10, "s:one/two"},
		{prompt.CutStart, "one\ntwo\nthree", 11, "s:two/three"},
		{prompt.CutStart, "one\ntwo\nthree", 7, "s:three"},
		{prompt.CutEnd, "one\ntwo", 2, ""},
		{prompt.CutEnd, "\n\n\nlast", 4, ""},
		{"", "one\ntwo", 6, ""},
	} {
		b := block("a", "head", c.text)
		b.Truncate = c.cut
		got := assemble(t, plain(), prompt.Input{Blocks: []prompt.Block{b}},
			prompt.Budget{Context: c.room + 3})
		if texts(got) != c.want {
			t.Errorf("%q cut at the %q to %d: %q, want %q",
				c.text, c.cut, c.room, texts(got), c.want)
		}
	}
}

func TestLayoutProblems(t *testing.T) {
	t.Parallel()
	_, err := prompt.Assemble(prompt.Layout{
		Slots: []prompt.Slot{
			{}, {Name: "a", Form: "odd"}, {Name: "h", Form: prompt.History},
			{Name: "i", Form: prompt.History},
			{Name: "prefill"}, {Name: "a", Stability: "odd"},
		},
		Names: "odd", HistoryMacros: "odd",
	}, prompt.Input{}, prompt.Env{}, prompt.Budget{})
	bad, ok := errors.AsType[talewright.Problems](err)
	if !ok || len(bad) != 8 {
		t.Fatalf("problems %v", err)
	}
	for _, path := range []string{"slots[0].name", "slots[1].form", "slots[3].form",
		"slots[5].name", "names"} {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name %s", err, path)
		}
	}
}

// TestHistoryStart plays turns with a start that stays as long as possible: PR-13.
func TestHistoryStart(t *testing.T) {
	t.Parallel()
	in := prompt.Input{Blocks: []prompt.Block{block("main", "head", "SYS")}, TrimSlack: 40}
	moved, last := 0, 0
	for range 40 {
		in.History = append(in.History, prompt.Line{Role: llm.User, Text: strings.Repeat("x", 10)})
		got := assemble(t, plain(), in, prompt.Budget{Context: 123})
		if got.HistoryStart != last {
			moved++
		}
		if got.HistoryStart < last {
			t.Fatalf("the start went back from %d to %d", last, got.HistoryStart)
		}
		last, in.HistoryStart = got.HistoryStart, got.HistoryStart
	}
	if moved < 4 || moved > 8 {
		t.Errorf("the start moved %d times in 40 turns", moved)
	}
}

// TestJSON checks that input, result and report survive JSON.
func TestJSON(t *testing.T) {
	t.Parallel()
	in := largeInput()
	in.History, in.Previous = in.History[:30], []llm.Message{{Role: llm.System, Text: "x"}}
	got := assemble(t, prompt.Default(), in, prompt.Budget{Context: 2000})
	var result prompt.Result
	roundTrip(t, got, &result)
	if diff := cmp.Diff(got, result); diff != "" {
		t.Errorf("result (-before +after):\n%s", diff)
	}
	if got.Report.String() != result.Report.String() {
		t.Error("the report prints differently after JSON")
	}
	var input prompt.Input
	roundTrip(t, in, &input)
	if diff := cmp.Diff(in, input); diff != "" {
		t.Errorf("input (-before +after):\n%s", diff)
	}
	var layout prompt.Layout
	roundTrip(t, prompt.Default(), &layout)
	if diff := cmp.Diff(prompt.Default(), layout); diff != "" {
		t.Errorf("layout (-before +after):\n%s", diff)
	}
}

func roundTrip(t *testing.T, from, to any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, "round trip", data, to)
}

// TestLoreOf places the lore that a scan of a world book activated.
func TestLoreOf(t *testing.T) {
	t.Parallel()
	placed := func(uid, text string) []worldbook.Placed {
		return []worldbook.Placed{{ID: worldbook.ID{Book: "b", UID: uid}, Text: text}}
	}
	lore := prompt.LoreOf(worldbook.Result{
		Before: placed("1", "BEFORE {{user}}"), After: placed("2", "AFTER"),
		NoteTop: placed("3", "TOP"), NoteBottom: placed("4", "BOTTOM"),
		Depth: []worldbook.DepthGroup{{Depth: new(1), Role: worldbook.RoleUser,
			Entries: placed("5", "DEPTH")}, {
			Role: worldbook.RoleAssistant, Entries: placed("6", "DEEP"),
		}},
		Examples: []worldbook.Example{{Placed: placed("7", "Mara: q")[0]},
			{Placed: placed("8", "Orin: a")[0], After: true}},
		Outlets: []worldbook.Outlet{{Name: "o", Entries: placed("9", "OUT")}},
	}, true)
	env := prompt.Env{User: "Mara", Char: "Orin"}
	history := []prompt.Line{{Role: llm.User, Text: "hi"}}
	pieces := prompt.Scene{System: "{{outlet::o}}", Lore: lore,
		Note: prompt.AuthorNote{Text: "NOTE", Depth: new(0)}}
	got, err := prompt.Assemble(prompt.Default(), prompt.Input{
		Blocks: pieces.Blocks(env, history), History: history,
	}, env, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	want := "s:OUT s:BEFORE {{user}} s:AFTER s:[Example Chat] s:q s:[Example Chat] s:a s:[Start a new Chat] " +
		"a:DEEP u:DEPTH u:hi s:TOP/NOTE/BOTTOM"
	if texts(got) != want {
		t.Errorf("got  %q\nwant %q", texts(got), want)
	}
	if _, ok := got.Report.Line("world.b.9"); !ok {
		t.Error("the outlet has no line")
	}
}

// TestHistoryIsData checks that macros in players' texts do not run: PR-08.
func TestHistoryIsData(t *testing.T) {
	t.Parallel()
	in := prompt.Input{
		History:   []prompt.Line{{Role: llm.User, Text: `{{setvar::x::1}}\{ <user> {{trim}}`}},
		FollowUps: []llm.Message{{Role: llm.System, Text: "{{user}}"}},
	}
	got := assemble(t, plain(), in, prompt.Budget{})
	if want := `u:{{setvar::x::1}}\{ Mara {{trim}} s:{{user}}`; texts(got) != want || got.Vars != nil {
		t.Errorf("%q with %v, want %q", texts(got), got.Vars, want)
	}
}

func TestCountCache(t *testing.T) {
	t.Parallel()
	calls := 0
	cache := prompt.NewTokenCache(counterFunc(func(text string) int { calls++; return len(text) }), 2)
	for range 3 {
		for _, text := range []string{"a", "bb"} {
			if n := cache.Count(text); n != len(text) {
				t.Errorf("Count(%q) = %d", text, n)
			}
		}
	}
	if calls != 2 {
		t.Errorf("%d calls for two texts", calls)
	}
	for _, text := range []string{"c", "d", "e", "f", "g", "a"} {
		cache.Count(text)
	}
	if calls != 8 { // the first text was evicted
		t.Errorf("%d calls", calls)
	}
	if prompt.NewTokenCache(nil, 0).Count("hello") != 1 {
		t.Error("the estimator is not the default")
	}
}

type counterFunc func(string) int

func (f counterFunc) Count(text string) int { return f(text) }

func TestEstimatorScale(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 10)
	for scale, want := range map[float64]int{
		0: 10, 1: 10, 1.25: 13, 0.5: 5, 1.1: 11, 0.001: 1, -1: 10,
	} {
		if got := (prompt.TokenEstimator{Scale: scale}).Count(text); got != want {
			t.Errorf("scale %v: %d, want %d", scale, got, want)
		}
	}
}

// FuzzAssemble passes any text through every input.
func FuzzAssemble(f *testing.F) {
	f.Add("{{user}}", "<START>\nMara: {{.a++}}", 100)
	f.Add("{{outlet::o}}{{description}}", "{{description}}\r\n", 40)
	f.Fuzz(func(t *testing.T, a, b string, context int) {
		env := prompt.Env{User: "Mara", Char: "Orin", Persona: b,
			Card: macro.Card{Description: a, Examples: b}}
		history := []prompt.Line{{Role: llm.Assistant, Text: a}, {Role: llm.User, Text: b}}
		pieces := prompt.Scene{System: a, Note: prompt.AuthorNote{Text: b}, Lore: []prompt.Lore{
			{Text: a, Position: "outlet", Outlet: "o"},
			{Text: b, Position: "an_top"},
		}, Directives: []prompt.Directive{{ID: a, Text: b, Position: prompt.DirectivePosition(a)}}, State: b}
		budget := prompt.Budget{Context: max(context, 0) % 2000}
		layout := prompt.Default()
		layout.Squash, layout.SendBlank = context%2 == 0, context%3 == 0
		layout.ChatMarker, layout.ExampleMarker = a, b
		blocks := append(pieces.Blocks(env, history),
			prompt.Block{Key: "bound", Slot: "state", Text: b, MaxTokens: 5, Truncate: prompt.CutStart, Required: true},
			prompt.Block{Key: "framed", Depth: new(0), Text: a, Format: b, Role: "user"},
			prompt.Block{Key: "list", Slot: "main", Text: a, Original: &b, Source: prompt.Source{Kind: prompt.KindPrompt}})
		got, err := prompt.Assemble(layout, prompt.Input{
			Blocks: blocks, History: history, Prefill: a, Control: b, Replacement: a,
		}, env, budget)
		if err != nil {
			if !errors.Is(err, prompt.ErrBudget) {
				t.Fatal(err)
			}
			return
		}
		if err := withinRoom(got, prompt.Budget{Context: budget.Context}); err != nil {
			t.Error(err)
		}
		if got.Report.String() == "" {
			t.Error("no report")
		}
	})
}
