package prompt_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/prompt/token"
)

// nasty are pieces of text that readers of a prompt could trip over.
var nasty = []growthtest.Atom{
	growthtest.Repeat("a"), growthtest.Repeat(" "), growthtest.Repeat("\n"), growthtest.Repeat("x\n"),
	growthtest.Repeat("雨"), growthtest.Repeat("\xff"), growthtest.Repeat("\r"), growthtest.Repeat("\ufeff"),
	growthtest.Repeat("{"), growthtest.Repeat("{{"), growthtest.Repeat("}}"), growthtest.Repeat("{{user}}"),
	growthtest.Repeat("{{trim}}\n"), growthtest.Repeat("{{setvar::v::1}}"), growthtest.Repeat("{{original}}"),
	growthtest.Repeat("{{outlet::o}}"), growthtest.Repeat("{{lastMessage"), growthtest.Repeat("{0}"),
	growthtest.Repeat("<START>"), growthtest.Repeat("<START>\n"), growthtest.Repeat("<START>Mara:"),
	growthtest.Repeat("Mara:"), growthtest.Repeat("Mara: x\n"), growthtest.Repeat("Mara"), growthtest.Repeat("Orin：\n"),
	growthtest.Repeat("1"), growthtest.Repeat(".,"), growthtest.Repeat("\t\t "),
	growthtest.Nest("{{if 1}}", "x", "{{/if}}"), growthtest.Nest("{{reverse::", "x", "}}"), growthtest.Nest("{{", "user", "}}"),
}

// TestGrowth holds every way of a text, and every list, into a prompt to linear work.
func TestGrowth(t *testing.T) {
	env := prompt.Env{User: "Mara", Char: "Orin"}
	build := func(layout prompt.Layout, in prompt.Input, env prompt.Env, budget prompt.Budget) {
		r, err := prompt.Assemble(layout, in, env, budget)
		if err == nil {
			_ = r.Report.String()
		}
	}
	text := func(name string, block func(text string) prompt.Block) growthtest.Reader {
		return growthtest.Reader{Name: "text " + name, Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{Blocks: []prompt.Block{block(text)}}, env, prompt.Budget{})
		}}
	}
	// A list of as many elements as the text has words of eight bytes.
	list := func(name string, read func(n int)) growthtest.Reader {
		return growthtest.Reader{Name: "list " + name, Size: 2 << 10, Atoms: []growthtest.Atom{growthtest.Repeat("x")},
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
	growthtest.Run(t,
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
		growthtest.Reader{Name: "text cut to the room", Atoms: nasty, Read: func(text string) {
			b := block("a", "settings", text)
			b.Literal, b.Truncate = true, prompt.CutEnd
			build(prompt.Default(), prompt.Input{Blocks: []prompt.Block{b}}, env, prompt.Budget{Context: 300})
		}},
		growthtest.Reader{Name: "text of a line", Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{History: []prompt.Line{{Role: llm.User, Name: text, Text: text}}}, env, prompt.Budget{})
		}},
		growthtest.Reader{Name: "text of a line, expanded", Atoms: nasty, Read: func(text string) {
			build(squashed, prompt.Input{History: []prompt.Line{{Role: llm.User, Text: text}}}, env, prompt.Budget{})
		}},
		growthtest.Reader{Name: "text that goes on", Atoms: nasty, Read: func(text string) {
			build(prompt.Default(), prompt.Input{Generation: prompt.Continue, Control: "{{lastChatMessage}}",
				History: []prompt.Line{{Role: llm.Assistant, Text: text}}}, env, prompt.Budget{})
		}},
		growthtest.Reader{Name: "markers and controls", Atoms: nasty, Read: func(text string) {
			layout := prompt.Default()
			layout.ChatMarker, layout.ExampleMarker = text, text
			build(layout, prompt.Input{History: lines(1), Control: text, Prefill: text}, env, prompt.Budget{})
		}},
		growthtest.Reader{Name: "examples", Atoms: nasty, Read: func(text string) { prompt.ParseExamples(text, "Mara", "Orin") }},
		growthtest.Reader{Name: "examples of a group", Atoms: nasty,
			Read: func(text string) { prompt.ParseExamples(text, "Mara", "Orin", "Bo", "B", "Orin: B") }},
		growthtest.Reader{Name: "estimate", Atoms: nasty, Read: func(text string) { token.Estimate(text) }},
		growthtest.Reader{Name: "scan texts", Atoms: nasty, Read: func(text string) {
			scene.Scene{Note: scene.Note{Text: text, Scan: true}}.ScanTexts(env, nil)
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
			pieces := scene.Scene{}
			for i := range n {
				pieces.Lore = append(pieces.Lore, scene.Lore{Text: "l", Position: [...]scene.LorePosition{
					"before", "after", "an_top", "an_bottom", "at_depth", "em_top", "em_bottom", "outlet"}[i%8], Outlet: "o"})
				pieces.Injections = append(pieces.Injections, scene.Injection{Text: "i", Scan: true})
				pieces.Directives = append(pieces.Directives, scene.Directive{Text: "d"})
				pieces.Hooks = append(pieces.Hooks, scene.Hook{Text: "h"})
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

// slicesOf makes n elements.
func slicesOf[T any](n int, element func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = element(i)
	}
	return list
}
