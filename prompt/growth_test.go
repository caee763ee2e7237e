package prompt_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// nasty are pieces of text that are difficult for readers of a prompt.
var nasty = []testkit.Atom{
	testkit.Repeat("a"), testkit.Repeat(" "), testkit.Repeat("\n"), testkit.Repeat("x\n"),
	testkit.Repeat("雨"), testkit.Repeat("\xff"), testkit.Repeat("\r"), testkit.Repeat("\ufeff"),
	testkit.Repeat("{"), testkit.Repeat("{{"), testkit.Repeat("}}"), testkit.Repeat("{{user}}"),
	testkit.Repeat("{{trim}}\n"), testkit.Repeat("{{setvar::v::1}}"), testkit.Repeat("{{original}}"),
	testkit.Repeat("{{outlet::o}}"), testkit.Repeat("{{lastMessage"), testkit.Repeat("{0}"),
	testkit.Repeat("<START>"), testkit.Repeat("<START>\n"), testkit.Repeat("<START>Mara:"),
	testkit.Repeat("Mara:"), testkit.Repeat("Mara: x\n"), testkit.Repeat("Mara"), testkit.Repeat("Orin：\n"),
	testkit.Repeat("1"), testkit.Repeat(".,"), testkit.Repeat("\t\t "),
	testkit.Nest("{{if 1}}", "x", "{{/if}}"), testkit.Nest("{{reverse::", "x", "}}"), testkit.Nest("{{", "user", "}}"),
}

// TestGrowth checks that every text and every list in a prompt takes linear work.
func TestGrowth(t *testing.T) {
	env := prompt.Env{User: "Mara", Char: "Orin"}
	build := func(layout prompt.Layout, in prompt.Input, env prompt.Env, budget prompt.Budget) {
		r, err := prompt.Assemble(layout, in, env, budget)
		if err == nil {
			_ = r.Report.String()
		}
	}
	text := func(name string, block func(text string) prompt.Block) testkit.Reader {
		return testkit.Reader{Name: "text " + name, Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{Blocks: []prompt.Block{block(text)}}, env, prompt.Budget{})
		}}
	}
	// A list with one element for every eight bytes of the text.
	list := func(name string, read func(n int)) testkit.Reader {
		return testkit.Reader{Name: "list " + name, Size: 2 << 10, Atoms: []testkit.Atom{testkit.Repeat("x")},
			Read: func(text string) { read(len(text) / 8) }}
	}
	blocks := func(n int, at func(i int, b *prompt.Block)) prompt.Input {
		in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "hi"}}}
		for i := range n {
			b := prompt.Block{Key: "b" + strings.Repeat("i", i%7) + string(rune('a'+i%26)) + strconv.Itoa(i), Text: "some words of it"}
			at(i, &b)
			in.Blocks = append(in.Blocks, b)
		}
		return in
	}
	lines := func(n int) []prompt.Line {
		history := make([]prompt.Line, n)
		for i := range history {
			history[i] = chatLine(i)
		}
		return history
	}
	squashed := prompt.Default()
	squashed.Squash, squashed.SendBlank, squashed.HistoryMacros = true, true, macro.Full
	testkit.Growth(t,
		text("in a slot", func(text string) prompt.Block { return block("a", "main", text) }),
		text("at a depth", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Depth: new(0), Text: text}
		}),
		text("of examples", func(text string) prompt.Block { return block("a", "examples", text) }),
		text("with a bound", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Slot: "state", Text: text, Literal: true, MaxTokens: 100}
		}),
		text("with a bound at the start", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Slot: "state", Text: text, Literal: true, MaxTokens: 100, Truncate: prompt.CutStart}
		}),
		text("that replaces another", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Slot: "main", Text: text, Original: new("o")}
		}),
		text("with a format", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Slot: "main", Text: "x", Format: text}
		}),
		text("with pieces", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Depth: new(1), Text: "x", Above: []prompt.Block{{Key: "p", Text: text}}}
		}),
		text("in an outlet", func(text string) prompt.Block {
			return prompt.Block{Key: "a", Outlet: "o", Text: text}
		}),
		testkit.Reader{Name: "text cut to the room", Atoms: nasty, Read: func(text string) {
			b := block("a", "settings", text)
			b.Literal, b.Truncate = true, prompt.CutEnd
			build(prompt.Default(), prompt.Input{Blocks: []prompt.Block{b}}, env, prompt.Budget{Context: 300})
		}},
		testkit.Reader{Name: "text of a line", Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{History: []prompt.Line{{Role: llm.User, Name: text, Text: text}}}, env, prompt.Budget{})
		}},
		testkit.Reader{Name: "text of a line, expanded", Atoms: nasty, Read: func(text string) {
			build(squashed, prompt.Input{History: []prompt.Line{{Role: llm.User, Text: text}}}, env, prompt.Budget{})
		}},
		testkit.Reader{Name: "text that goes on", Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{Generation: worldbook.Continue, Control: "{{lastChatMessage}}",
				History: []prompt.Line{{Role: llm.Assistant, Text: text}}}, env, prompt.Budget{})
		}},
		testkit.Reader{Name: "markers and controls", Atoms: nasty, Read: func(text string) {
			layout := prompt.Default()
			layout.ChatMarker, layout.ExampleMarker = text, text
			build(layout, prompt.Input{History: lines(1), Control: text, Prefill: text}, env, prompt.Budget{})
		}},
		testkit.Reader{Name: "examples", Atoms: nasty, Read: func(text string) { prompt.ParseExamples(text, "Mara", "Orin") }},
		testkit.Reader{Name: "examples of a group", Atoms: nasty,
			Read: func(text string) { prompt.ParseExamples(text, "Mara", "Orin", "Bo", "B", "Orin: B") }},
		testkit.Reader{Name: "estimate", Atoms: nasty, Read: func(text string) { prompt.EstimateTokens(text) }},
		testkit.Reader{Name: "scan texts", Atoms: nasty, Read: func(text string) {
			prompt.Scene{Note: prompt.AuthorNote{Text: text, Scan: true}}.ScanTexts(env, nil)
		}},
		list("blocks of a slot", func(n int) {
			build(prompt.Default(), blocks(n, func(_ int, b *prompt.Block) { b.Slot = "settings" }), env, prompt.Budget{})
		}),
		list("blocks at depths", func(n int) {
			build(squashed, blocks(n, func(i int, b *prompt.Block) { b.Depth, b.Order = new(i%5), new(i%3) }), env, prompt.Budget{})
		}),
		list("blocks at one depth", func(n int) {
			build(squashed, blocks(n, func(i int, b *prompt.Block) {
				b.Depth, b.Source.Kind = new(0), [...]prompt.Kind{prompt.KindPrompt, prompt.KindWorld, prompt.KindHost}[i%3]
			}), env, prompt.Budget{})
		}),
		list("replaced prompts", func(n int) {
			build(prompt.Default(), blocks(n, func(_ int, b *prompt.Block) {
				b.Slot, b.Source.Kind, b.Original = "main", prompt.KindPrompt, new("{{setvar::v::1}}")
			}), env, prompt.Budget{})
		}),
		list("squashed messages", func(n int) {
			build(squashed, prompt.Input{History: slicesOf(n, func(i int) prompt.Line {
				return prompt.Line{Role: [...]llm.Role{llm.System, llm.System, llm.User}[i%3],
					Text: [...]string{"x", "y", ""}[i%3]}
			})}, env, prompt.Budget{})
		}),
		list("lines", func(n int) {
			build(prompt.Default(), prompt.Input{History: lines(n)}, env, prompt.Budget{Context: 500})
		}),
		list("lines without a limit", func(n int) {
			build(prompt.Default(), prompt.Input{History: lines(n)}, env, prompt.Budget{})
		}),
		list("follow-ups", func(n int) {
			r, _ := prompt.Assemble(prompt.Default(), prompt.Input{}, env, prompt.Budget{})
			more := slicesOf(n, func(int) llm.Message { return llm.Message{Role: llm.User, Text: "x"} })
			_, _ = r.Extend(prompt.Budget{}, more...)
		}),
		list("pieces of a scene", func(n int) {
			pieces := prompt.Scene{}
			for i := range n {
				pieces.Lore = append(pieces.Lore, prompt.Lore{Text: "l", Position: [...]prompt.LorePosition{
					"before", "after", "an_top", "an_bottom", "at_depth", "em_top", "em_bottom", "outlet"}[i%8], Outlet: "o"})
				pieces.Injections = append(pieces.Injections, prompt.Injection{Text: "i", Scan: true})
				pieces.Directives = append(pieces.Directives, prompt.Directive{Text: "d"})
				pieces.Hooks = append(pieces.Hooks, prompt.HookPlace{Text: "h"})
			}
			in := prompt.Input{Blocks: pieces.Blocks(env, nil)}
			pieces.ScanTexts(env, nil)
			build(prompt.Default(), in, env, prompt.Budget{Context: 400})
		}),
		list("slots", func(n int) {
			_ = prompt.Layout{Slots: slicesOf(n, func(int) prompt.Slot { return prompt.Slot{Name: "twin", Form: "odd"} })}.Check()
		}),
	)
}

// slicesOf returns n elements.
func slicesOf[T any](n int, element func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = element(i)
	}
	return list
}
