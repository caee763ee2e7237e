package prompt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// Phases of the expansion, in order. A text sees the variables that the phases
// before it have set: a card can set what the system prompt reads, although the
// system prompt stands above it.
const (
	phaseWorld = iota
	phaseNote
	phaseCardDepth
	phaseInjected
	phasePrompt   // the list of prompts
	phaseReplaced // what stands in the place of one of them
	phaseRest
)

// expand expands every text once, in the documented order: card fields,
// history, lore, author's note, card texts at a depth, injections and
// directives, the list of prompts, the rest in the order of the layout, control
// prompt, prefill, markers.
func (b *build) expand() {
	b.run.Prepare()
	b.attribute(func() string { return "card" })
	if b.layout.HistoryMacros == macro.Full {
		b.expandLines()
		if b.tail.continued != nil {
			b.prepare(b.tail.continued)
		}
	}
	pieces := b.expandLorePieces()
	var originals map[*Block]string
	for _, x := range b.steps() {
		it := &b.items[x.item]
		if x.original {
			if originals == nil {
				originals = map[*Block]string{}
			}
			originals[it.block] = b.expandOriginal(it.block)
			continue
		}
		it.text = b.expandBlock(it, pieces, originals)
	}
	b.expandFormats()
	b.expandTail()
}

// step is the expansion of an item, or of the text that it replaces.
type step struct {
	item     int
	phase    uint8
	original bool
}

// steps lists what is to be expanded, in order. The items are in the order of the
// layout, which is right within the phases of lore and of the rest, but for lore at
// depths: like the other phases it keeps the order of the input.
func (b *build) steps() []step {
	list := make([]step, 0, len(b.items))
	for i := range b.items {
		x := step{item: i, phase: phase(&b.items[i])}
		if x.phase == phaseReplaced {
			list = append(list, step{item: i, phase: phasePrompt, original: true})
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y step) int {
		c := cmp.Compare(x.phase, y.phase)
		if c != 0 || x.phase == phaseRest {
			return c
		}
		i, j := &b.items[x.item], &b.items[y.item]
		if x.phase == phaseWorld {
			if c = cmp.Compare(i.slot, j.slot); c != 0 || i.depth < 0 {
				return c
			}
		}
		return cmp.Compare(i.seq, j.seq)
	})
	return list
}

// expandFormats expands the formats of the slots that have something to hold, once
// for each slot: a format may stand around several messages, and each of them would
// draw its own numbers.
func (b *build) expandFormats() {
	b.formats = make([]string, len(b.layout.Slots))
	for i := range b.items {
		it := &b.items[i]
		slot := &b.layout.Slots[it.slot]
		if slot.Format == "" || b.formats[it.slot] != "" || b.blank(it.text) {
			continue
		}
		b.formats[it.slot] = b.run.Expand(slot.Format, macro.Full)
		b.attribute(func() string { return slot.Name })
	}
}

// phase is when the text of an item is expanded.
func phase(it *item) uint8 {
	switch it.kind() {
	case KindWorld:
		return phaseWorld
	case KindNote:
		return phaseNote
	case KindCard, KindPersona:
		if it.depth >= 0 {
			return phaseCardDepth
		}
	case KindDirective, KindHook, KindInjection:
		return phaseInjected
	case KindPrompt:
		if it.block.Original != nil {
			return phaseReplaced
		}
		return phasePrompt
	}
	return phaseRest
}

// expandLorePieces expands the lore around other texts, which belongs to the
// phase of lore.
func (b *build) expandLorePieces() map[*Block]string {
	var texts map[*Block]string
	for i := range b.items {
		block := b.items[i].block
		for _, list := range [...][]Block{block.Above, block.Below} {
			for j := range list {
				if list[j].Source.Kind != KindWorld {
					continue
				}
				if texts == nil {
					texts = map[*Block]string{}
				}
				texts[&list[j]] = b.expandText(&list[j], nil, false)
			}
		}
	}
	return texts
}

// expandBlock gives the text of an item with its pieces around it.
func (b *build) expandBlock(it *item, pieces, originals map[*Block]string) string {
	block := it.block
	text := ""
	if len(block.Above) == 0 && len(block.Below) == 0 {
		text = b.expandText(block, originals, it.trimsTemplate())
	} else {
		text = b.expandPieces(block, pieces, originals)
	}
	if block.Format == "" || b.blank(text) {
		return text
	}
	format := b.run.Expand(block.Format, macro.Full)
	b.attribute(func() string { return block.Key })
	return fillFormat(format, text)
}

// maxPlaces bounds how often a format may repeat what it holds.
const maxPlaces = 16

// fillFormat puts a text into the places of a format.
func fillFormat(format, text string) string {
	return strings.Replace(format, "{0}", text, maxPlaces)
}

// expandPieces gives the text of a block with the pieces above and below.
func (b *build) expandPieces(block *Block, pieces, originals map[*Block]string) string {
	var all []string
	add := func(list []Block) {
		for i := range list {
			text, done := pieces[&list[i]]
			if !done {
				text = b.expandText(&list[i], nil, false)
			}
			if keyindex.TrimSpace(text) != "" {
				all = append(all, text)
			}
		}
	}
	add(block.Above)
	all = append(all, b.expandText(block, originals, false))
	add(block.Below)
	text := strings.Join(all, "\n")
	return strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
}

// trimsTemplate reports whether white space around the template of an item goes
// before it is expanded, and not after: what a macro gives is meant to stay.
func (it *item) trimsTemplate() bool {
	return it.depth >= 0 && sourceRank(it.kind()) != rankPrompt && it.kind() != KindWorld
}

// expandText expands one block or piece.
func (b *build) expandText(block *Block, originals map[*Block]string, trim bool) string {
	text := block.Text
	if trim {
		text = keyindex.TrimSpace(text)
	}
	if block.Literal {
		return text
	}
	var locals macro.Locals
	if block.Original != nil {
		locals.Original = func() string {
			if original, done := originals[block]; done {
				return original
			}
			return b.expandOriginal(block)
		}
	}
	text = b.run.ExpandWith(text, macro.Full, locals)
	b.attribute(func() string { return block.Key })
	return text
}

// expandOriginal expands the text that a block replaces.
func (b *build) expandOriginal(block *Block) string {
	text := b.run.Expand(*block.Original, macro.Full)
	b.attribute(func() string { return block.Key })
	return text
}

// attribute gives the problems that the run has found since the last call to a
// block. The key is asked for only if there are any: most texts have none, and keys
// of lines are made when needed.
func (b *build) attribute(key func() string) {
	found := b.run.Trace().Problems
	for ; b.seen < len(found); b.seen++ {
		p := found[b.seen]
		p.Path = key() + p.Path
		b.problems = append(b.problems, p)
	}
}

// parseExampleItems replaces the blocks of example slots by their parts, each of
// which is kept or dropped as a whole.
func (b *build) parseExampleItems() {
	var out []item
	for i := range b.items {
		it := &b.items[i]
		form := b.layout.Slots[it.slot].Form
		if form != Examples && form != ExampleTexts {
			if out != nil {
				out = append(out, *it)
			}
			continue
		}
		if out == nil {
			out = append(make([]item, 0, len(b.items)+4), b.items[:i]...)
		}
		parts := b.exampleParts(it, form)
		if len(parts) == 0 {
			empty := *it
			empty.text = ""
			out = append(out, empty)
		}
		for _, turns := range parts {
			part := *it
			part.turns = turns
			part.key = "example." + itoa(b.examples)
			b.examples++
			out = append(out, part)
		}
	}
	if out != nil {
		b.items = out
	}
}

// exampleParts reads a text as the form of its slot says.
func (b *build) exampleParts(it *item, form Form) [][]ExampleTurn {
	if form == Examples {
		return ParseExamples(it.text, b.env.User, b.env.Char)
	}
	var parts [][]ExampleTurn
	for _, text := range macro.SplitExamples(it.text) {
		parts = append(parts, []ExampleTurn{{Text: text}})
	}
	return parts
}

// exampleMessages writes a part of the examples, marker first.
func (b *build) exampleMessages(it *item, out []llm.Message) []llm.Message {
	if b.layout.Slots[it.slot].Form == ExampleTexts {
		return append(out, llm.Message{Role: it.role(), Text: it.turns[0].Text})
	}
	if !b.blank(b.marks.example) {
		out = append(out, llm.Message{Role: it.role(), Text: b.marks.example})
	}
	for _, t := range it.turns {
		out = append(out, llm.Message{Role: it.role(), Name: t.name(), Text: t.Text})
	}
	return out
}
