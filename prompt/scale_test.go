package prompt_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// feature is the input that a feature may change: n blocks in one slot, each with its own key.
type feature struct {
	layout prompt.Layout
	in     prompt.Input
	env    prompt.Env
	budget prompt.Budget
}

// scaleFeatures change the i-th of n blocks, or, with i 0, the input around them.
var scaleFeatures = []struct {
	name   string
	change func(s *feature, b *prompt.Block, i, n int)
}{
	{"one slot", func(*feature, *prompt.Block, int, int) {}},
	{"roles by turns", func(_ *feature, b *prompt.Block, i, _ int) {
		b.Role = [...]llm.Role{llm.System, llm.User}[i%2]
	}},
	{"names", func(_ *feature, b *prompt.Block, i, _ int) { b.Name = fmt.Sprint("name", i) }},
	{"orders", func(_ *feature, b *prompt.Block, i, n int) { b.Order = new(n - i) }},
	{"keeps, few fit", func(s *feature, b *prompt.Block, i, n int) {
		b.Keep, s.budget.Context = new(i*7919%n), 500
	}},
	{"keeps, half fit", func(s *feature, b *prompt.Block, i, n int) {
		b.Keep, s.budget.Context = new(i*7919%n), n*4
		b.Role = [...]llm.Role{llm.System, llm.User}[i%2]
	}},
	{"no room at all", func(s *feature, b *prompt.Block, i, n int) { s.budget.Context = 60 }},
	{"required, no room", func(s *feature, b *prompt.Block, i, n int) {
		b.Required, s.budget.Context = true, 60
	}},
	{"cut to lines", func(s *feature, b *prompt.Block, i, _ int) {
		b.Truncate, s.budget.Context = prompt.CutEnd, 60
		b.Text = "one line of it\nand\nanother\nand a third"
	}},
	{"caps", func(s *feature, b *prompt.Block, i, n int) {
		b.Source.Kind = prompt.KindWorld
		if i == 0 {
			s.budget.Context = 1 << 20
			s.budget.Caps = []prompt.Cap{{Slot: "settings", Max: n}, {Kind: prompt.KindWorld, Max: n / 2}}
		}
	}},
	{"one depth", func(_ *feature, b *prompt.Block, _, _ int) { b.Slot, b.Depth = "", new(4) }},
	{"depths", func(_ *feature, b *prompt.Block, i, _ int) { b.Slot, b.Depth = "", new(i) }},
	{"depths without room", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot, b.Depth, b.Order, s.budget.Context = "", new(i/2), new(i), 60
	}},
	{"depths in a long history", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot, b.Depth = "", new(i)
		s.in.History = append(s.in.History, chatLine(i))
	}},
	{"duplicates", func(_ *feature, b *prompt.Block, _, _ int) { b.Key = "twin" }},
	{"withheld", func(_ *feature, b *prompt.Block, _, _ int) { b.Withheld = prompt.Disabled }},
	{"outlets", func(_ *feature, b *prompt.Block, i, _ int) {
		if i%2 == 0 {
			b.Outlet, b.Slot = fmt.Sprint(i), ""
		} else {
			b.Text = fmt.Sprintf("{{outlet::%d}}", i-1)
		}
	}},
	{"one outlet", func(_ *feature, b *prompt.Block, i, _ int) {
		if i > 0 {
			b.Outlet, b.Slot = "all", ""
		} else {
			b.Text = "{{outlet::all}}"
		}
	}},
	{"pieces", func(s *feature, b *prompt.Block, i, _ int) {
		p := prompt.Block{Key: fmt.Sprint("p", i), Text: "{{user}}", Source: prompt.Source{Kind: prompt.KindWorld}}
		s.in.Blocks[0].Above = append(s.in.Blocks[0].Above, p)
		b.Below = []prompt.Block{p}
	}},
	{"originals", func(_ *feature, b *prompt.Block, _, _ int) {
		b.Original, b.Text = new("the host's"), "{{original}} and more"
	}},
	{"a slot each", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot = fmt.Sprint("slot", i)
		s.layout.Slots = append(s.layout.Slots, prompt.Slot{Name: b.Slot, Stability: prompt.Static})
	}},
	{"unlisted slots", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot = fmt.Sprint("none", i)
		s.layout.Slots = append(s.layout.Slots, prompt.Slot{Name: fmt.Sprint("slot", i)})
	}},
	{"sources", func(_ *feature, b *prompt.Block, i, _ int) {
		b.Source.Kind, b.Role = prompt.Kind(fmt.Sprint(i)), [...]llm.Role{llm.System, llm.User}[i%2]
	}},
	{"a format", func(s *feature, b *prompt.Block, i, n int) {
		if s.layout.Slots[8].Form = prompt.Separate; i == 0 {
			s.layout.Slots[8].Format = "<{0}>" + strings.Repeat(" word", n)
			s.budget.Context = 1000
		}
	}},
	{"squashed", func(s *feature, _ *prompt.Block, _, _ int) {
		s.layout.Slots[8].Form, s.layout.Squash = prompt.Separate, true
	}},
	{"squashed at depths", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot, b.Depth, s.layout.Squash = "", new(100+i), true
	}},
	{"examples", func(_ *feature, b *prompt.Block, i, _ int) {
		b.Slot, b.Text = "examples", fmt.Sprintf("<START>\nMara: %d\nOrin: yes", i)
	}},
	{"examples without room", func(s *feature, b *prompt.Block, i, _ int) {
		b.Slot, b.Text = "examples", fmt.Sprintf("<START>\nMara: %d\nOrin: yes", i)
		s.budget.Context = 80
	}},
	{"unknown macros", func(_ *feature, b *prompt.Block, _, _ int) { b.Text = "{{unheard}} {{of}}" }},
	{"variables", func(_ *feature, b *prompt.Block, i, _ int) {
		b.Text = fmt.Sprintf("{{setvar::v%d::%d}}{{getvar::v%d}}", i, i, i/2)
	}},
	{"the last line of a player, of whom there is none", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text = "{{lastUserMessage}}{{lastCharMessage}}{{idleDuration}}."
		l := chatLine(i)
		l.Role, s.env.Clock = llm.System, time.Unix(1e9, 0)
		s.in.History = append(s.in.History, l)
	}},
	{"a large group", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text = "."
		if i < 4 {
			b.Text = "{{groupNotMuted}}{{notChar}}"
		}
		s.env.Group = append(s.env.Group, fmt.Sprint("member ", i))
		s.env.Muted = append(s.env.Muted, fmt.Sprint("member ", 2*i))
	}},
	{"history", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text, s.in.Tools = ".", true
		s.in.History = append(s.in.History, chatLine(i))
	}},
	{"history with full macros", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text, s.layout.HistoryMacros, s.layout.Names = ".", "full", prompt.NamesContent
		l := chatLine(i)
		l.Text += " {{char}}"
		s.in.History = append(s.in.History, l)
	}},
	{"special lines", func(s *feature, b *prompt.Block, i, n int) {
		b.Text, s.budget.Context = ".", n*6
		l := chatLine(i)
		l.Keep, l.Required = new(i*7919%n), i%8 == 0
		s.in.History = append(s.in.History, l)
	}},
	{"a start that has to move", func(s *feature, b *prompt.Block, i, n int) {
		b.Text, s.budget.Context, s.in.TrimSlack, s.in.HistoryStart = ".", n*6, n, n/8
		s.in.History = append(s.in.History, chatLine(i))
	}},
	{"tool rounds", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text, s.in.Tools = ".", true
		l := chatLine(i)
		l.Calls = []llm.ToolCall{{ID: fmt.Sprint(i), Name: "roll"}, {ID: "x", Name: "roll"}}
		s.in.History = append(s.in.History, l)
	}},
	{"one tool round", func(s *feature, b *prompt.Block, i, _ int) {
		if b.Text, s.in.Tools = ".", true; i == 0 {
			s.in.History = []prompt.Line{{Role: llm.Assistant}}
		}
		l := &s.in.History[0]
		l.Calls = append(l.Calls, llm.ToolCall{ID: fmt.Sprint(i), Name: "roll"})
		l.Results = append(l.Results, "6")
	}},
	{"hidden lines", func(s *feature, b *prompt.Block, i, _ int) {
		b.Text = "."
		l := chatLine(i)
		l.Hidden = i%2 == 0
		s.in.History = append(s.in.History, l)
	}},
	{"follow-ups", func(s *feature, b *prompt.Block, _, _ int) {
		b.Text = "."
		s.in.FollowUps = append(s.in.FollowUps, llm.Message{Role: llm.Assistant, Text: "so"})
	}},
	{"a previous request", func(s *feature, b *prompt.Block, _, _ int) {
		b.Role = llm.User
		s.in.Previous = append(s.in.Previous, llm.Message{Role: llm.User, Text: b.Text})
	}},
}

func chatLine(i int) prompt.Line {
	return prompt.Line{Role: [...]llm.Role{llm.User, llm.Assistant}[i%2], Text: fmt.Sprintf("Line %d.", i),
		Name: fmt.Sprint("Speaker", i), Forced: true}
}

// featureScene has n blocks in the slot of the settings.
func featureScene(change func(*feature, *prompt.Block, int, int), n int) *feature {
	s := &feature{layout: prompt.Default(), env: prompt.Env{User: "Mara", Char: "Orin"}}
	s.layout.Slots = slices.Clone(s.layout.Slots)
	s.in.Blocks = make([]prompt.Block, n)
	for i := range s.in.Blocks {
		s.in.Blocks[i] = prompt.Block{Key: fmt.Sprint("b", i), Slot: "settings", Text: fmt.Sprintf("text %d.", i)}
	}
	for i := range s.in.Blocks {
		change(s, &s.in.Blocks[i], i, n)
	}
	return s
}

func (s *feature) assemble() (prompt.Result, error) {
	return prompt.Assemble(s.layout, s.in, s.env, s.budget)
}

// otherFeatures need more than a scene: each returns the work on n things.
var otherFeatures = []struct {
	name string
	work func(n int) func()
}{
	{"pieces of a scene", func(n int) func() {
		var s prompt.Scene
		for i := range n {
			id := fmt.Sprint(i)
			s.Lore = append(s.Lore, prompt.Lore{Text: id, Position: prompt.LorePosition(
				[...]string{"before", "an_top", "an_bottom", "at_depth", "em_top", "outlet"}[i%6])})
			s.Directives = append(s.Directives, prompt.Directive{Text: id})
			s.Hooks = append(s.Hooks, prompt.HookPlace{Text: id})
			s.Injections = append(s.Injections, prompt.Injection{Text: id})
			s.Context = append(s.Context, prompt.Context{Text: id})
		}
		return func() {
			env := prompt.Env{User: "Mara", Char: "Orin"}
			must(prompt.Assemble(prompt.Default(), prompt.Input{Blocks: s.Blocks(env, nil)}, env, prompt.Budget{}))
		}
	}},
	{"a long text cut to lines", func(n int) func() {
		s := featureScene(func(s *feature, b *prompt.Block, _, n int) {
			b.Text, b.Truncate, s.budget.Context = strings.Repeat("one more line\n", 50*n), prompt.CutStart, 20*n
		}, 1)
		s.in.Blocks[0].Text, s.budget.Context = strings.Repeat("one more line\n", 50*n), 20*n
		return func() { must(s.assemble()) }
	}},
	{"one long example", func(n int) func() {
		text := strings.Repeat("Mara: hello\nand more\nOrin: yes\n<START>\n", n)
		return func() { prompt.ParseExamples(text, "Mara", "Orin") }
	}},
	{"report", func(n int) func() {
		s := featureScene(func(*feature, *prompt.Block, int, int) {}, n)
		for i := range n {
			s.in.History = append(s.in.History, chatLine(i))
		}
		r := must(s.assemble())
		return func() {
			_ = r.Report.String()
			for range r.Report.All() {
			}
			must(json.Marshal(r.Report))
		}
	}},
	{"further follow-ups", func(n int) func() {
		s := featureScene(func(_ *feature, b *prompt.Block, i, _ int) {
			b.Role = [...]llm.Role{llm.System, llm.User}[i%2]
		}, n)
		r := must(s.assemble())
		more := make([]llm.Message, n)
		return func() { must(r.Extend(s.budget, more...)) }
	}},
	{"shape openai", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeOpenAI, Tools: true}, true)},
	{"shape strict", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeStrict, Tools: true}, true)},
	{"shape anthropic", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeAnthropic, Tools: true}, true)},
	{"shape gemini", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeGemini}, true)},
	{"shape mistral", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeMistral, Tools: true}, true)},
	{"shape single", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeSingle}, true)},
	{"shape merge, one role", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeMerge}, false)},
	{"shape anthropic, one role", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeAnthropic}, false)},
	{"shape gemini, one role", shapeWork(prompt.ShapeRules{Profile: prompt.ShapeGemini}, false)},
	{"preset", func(n int) func() {
		p := longPreset(n)
		return func() {
			must(p.Assemble(prompt.Scene{}, prompt.Input{}, prompt.Env{User: "Mara"}, prompt.Budget{}))
		}
	}},
	{"preset with a scene", func(n int) func() {
		p := longPreset(n)
		var s prompt.Scene
		for i := range n {
			s.Directives = append(s.Directives, prompt.Directive{ID: fmt.Sprint(i), Text: "x"})
			s.Lore = append(s.Lore, prompt.Lore{Text: "x", Position: "before"})
		}
		return func() { must(p.Assemble(s, prompt.Input{}, prompt.Env{User: "Mara"}, prompt.Budget{})) }
	}},
	{"preset file", func(n int) func() {
		p := longPreset(n)
		p.Extra = map[string]json.RawMessage{}
		for i := range n {
			p.Extra[fmt.Sprint("x", i)] = json.RawMessage("1")
		}
		data := must(json.Marshal(p))
		return func() { must(json.Marshal(must(readable(data)))) }
	}},
	{"wrong preset file", func(n int) func() {
		data := []byte(`{"prompts":[` + strings.Repeat(`{"identifier":[]},`, n) + `{}]}`)
		return func() {
			if _, err := readable(data); err == nil || err.Error() == "" {
				panic("no error")
			}
		}
	}},
	{"transcript", renderWork(nil, 0)},
	{"instruct", renderWork(new(tavern.ChatML()), 0)},
	{"instruct, names in prefixes", renderWork(&tavern.InstructTemplate{
		UserPrefix: "{{name}} says: ", AssistantPrefix: "{{name}} answers: ", Names: "always",
	}, 0)},
	{"instruct, half fits", renderWork(new(tavern.Alpaca()), 10)},
}

// shapeWork shapes n messages, of several roles with calls or all of one.
func shapeWork(rules prompt.ShapeRules, mixed bool) func(n int) func() {
	return func(n int) func() {
		list := make([]llm.Message, n)
		for i := range list {
			list[i] = llm.Message{Role: llm.User, Text: fmt.Sprintf("what number %d says", i)}
			if !mixed {
				continue
			}
			id := fmt.Sprint("call-", i/4)
			switch i % 8 {
			case 0, 4:
				list[i] = llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: id, Name: "roll"}}}
			case 1, 5:
				list[i] = llm.Message{Role: llm.Tool, ToolCallID: id, Text: "6"}
			case 2:
				list[i] = llm.Message{Role: llm.System, Text: "x", Name: "example_user"}
			case 3:
				list[i] = llm.Message{Role: llm.Tool, ToolCallID: "none", Text: "6"}
			}
		}
		return func() { prompt.CacheMarks(prompt.Shape(list, rules).Messages, n/4) }
	}
}

// longPreset has n prompts, every fourth in the chat, and an order with all of them.
func longPreset(n int) tavern.Preset {
	p := tavern.Default()
	p.Squash = true
	for i := range n {
		id := fmt.Sprint("p", i)
		p.Prompts = append(p.Prompts, tavern.Prompt{ID: id, Content: "text of " + id,
			Position: tavern.Position(i % 4 / 3)})
		p.Orders[0].Order = append(p.Orders[0].Order, tavern.Entry{ID: id, Enabled: i%3 > 0})
	}
	return p
}

// renderWork renders a chat of n speakers, with the given number of tokens for each line.
func renderWork(template *tavern.InstructTemplate, room int) func(n int) func() {
	return func(n int) func() {
		in := prompt.Input{}
		for i := range n {
			in.History = append(in.History, chatLine(i))
		}
		return func() {
			must(tavern.Render(prompt.Scene{System: "Play."}, in, prompt.Env{User: "Mara", Char: "Orin"},
				prompt.Budget{Context: room * n}, tavern.DefaultContext(), template))
		}
	}
}

// readable reads a preset, and returns the problems if the file was refused.
func readable(data []byte) (tavern.Preset, error) {
	p, problems := tavern.ParsePreset(data)
	return p, problems.Err()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestPerfFeatures: eight times the blocks, lines or messages take about eight times as long, with
// every feature. Quadratic work takes 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		few, many := featureScene(f.change, 1000), featureScene(f.change, 8000)
		// The only possible error is a budget that is too small; it is part of the work.
		linear(t, f.name, func() { _, _ = few.assemble() }, func() { _, _ = many.assemble() })
	}
	for _, f := range otherFeatures {
		linear(t, f.name, f.work(1000), f.work(8000))
	}
}

// linear compares the work on 1,000 things with that on 8,000.
func linear(t *testing.T, name string, few, many func()) {
	t.Helper()
	testkit.AtMost(t, name+", 8,000 against 1,000", 40, func() float64 {
		long, short := time.Hour, time.Hour
		for range 3 { // alternately, so that disturbances affect both
			long = min(long, testkit.Best(3, many))
			short = min(short, testkit.Best(4, few))
		}
		return testkit.Ratio(long, short)
	})
}
