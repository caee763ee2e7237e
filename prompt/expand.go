package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Phases of the expansion, in order. A text sees the variables that texts of earlier phases set. So a card can
// set a variable for the system prompt, although the system prompt is before the card in the prompt.
const (
	phaseWorld = iota
	phaseNote
	phaseCardDepth
	phasePromptFirst // with [Layout.PromptsFirst]: the list of prompts, then the note
	phaseNoteLater
	phaseInjected
	phasePrompt   // the list of prompts
	phaseReplaced // texts that replace an entry of the list
	phaseRest
)

// expander expands the texts of a draft.
type expander struct {
	draft *draft
	// pieces are the expanded texts around other texts. originals are the expanded texts that other
	// texts replace.
	pieces, originals  map[*Block]string
	attributedProblems int // the number of problems of the run that already have the key of their block
}

// expand expands every text once, in the order that the package doc gives.
func (d *draft) expand() {
	d.run = macro.NewRun(*d.env)
	e := &expander{draft: d, pieces: map[*Block]string{}, originals: map[*Block]string{}}
	d.chat.expand = e.expandLine
	d.run.Prepare()
	e.attribute(func() string { return "card" })
	if d.layout.HistoryMacros == macro.Full {
		d.chat.expandAll()
		if d.chat.continued != nil {
			d.chat.prepare(d.chat.continued)
		}
	}
	e.expandLorePieces()
	for _, x := range d.expansionSteps() {
		it := d.items[x.item]
		if x.original {
			e.originals[it.block] = e.expandOriginal(it.block)
			continue
		}
		it.text = e.expandItem(it)
	}
	e.expandFormats()
	e.expandTail()
	e.expandMarkers(d.splitExamples() > 0)
}

// step is the expansion of an item, or of the text that it replaces.
type step struct {
	item     int
	phase    uint8
	original bool
}

// expansionSteps lists the expansions, in order. The items have the order of the layout. That is right
// within the phases of lore and of the rest, except lore at depths. Lore at depths and the other
// phases keep the order of the input.
func (d *draft) expansionSteps() []step {
	list := make([]step, 0, len(d.items))
	for i := range d.items {
		x := step{item: i, phase: d.phase(d.items[i])}
		if x.phase == phaseReplaced {
			list = append(list, step{item: i, phase: d.listPhase(), original: true})
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y step) int {
		c := cmp.Compare(x.phase, y.phase)
		if c != 0 || x.phase == phaseRest {
			return c
		}
		i, j := d.items[x.item], d.items[y.item]
		if x.phase == phaseWorld {
			if c = cmp.Compare(i.slot, j.slot); c != 0 || i.depth < 0 {
				return c
			}
		}
		return cmp.Compare(i.inputIndex, j.inputIndex)
	})
	return list
}

// listPhase returns the phase of the list of prompts.
func (d *draft) listPhase() uint8 {
	if d.layout.PromptsFirst {
		return phasePromptFirst
	}
	return phasePrompt
}

// phase returns the phase in which the text of an item is expanded.
func (d *draft) phase(it *item) uint8 {
	switch it.block.kind() {
	case KindWorld:
		return phaseWorld
	case KindNote:
		if d.layout.PromptsFirst {
			return phaseNoteLater
		}
		return phaseNote
	case KindCard, kindPersona:
		if it.depth >= 0 {
			return phaseCardDepth
		}
	case KindDirective, KindHook, kindInjection:
		return phaseInjected
	case KindPrompt:
		if it.block.Original != nil {
			return phaseReplaced
		}
		return d.listPhase()
	}
	return phaseRest
}

// expandTemplate expands a text of an author. It calls key only if there are problems: most texts have no
// problem.
func (e *expander) expandTemplate(template string, key func() string) string {
	text := e.draft.run.Expand(template, macro.Full)
	e.attribute(key)
	return text
}

// attribute assigns the problems found since the last call to a block.
func (e *expander) attribute(key func() string) {
	found := e.draft.run.Trace().Problems
	for ; e.attributedProblems < len(found); e.attributedProblems++ {
		p := found[e.attributedProblems]
		p.Path = key() + p.Path
		e.draft.problems = append(e.draft.problems, p)
	}
}

// expandLine returns the text of a line, without carriage returns.
func (e *expander) expandLine(src *Line, index int) string {
	text := src.Text
	if src == e.draft.chat.replacement { // a text of the host, sent unchanged
		return text
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r", "")
	}
	if src.Literal {
		return text
	}
	text = e.draft.run.Expand(text, cmp.Or(e.draft.layout.HistoryMacros, macro.Names))
	e.attribute(func() string { return lineKey(index) })
	return text
}

// expandLorePieces expands the lore around other texts. It belongs to the phase of lore.
func (e *expander) expandLorePieces() {
	for i := range e.draft.items {
		block := e.draft.items[i].block
		for _, list := range [...][]Block{block.Above, block.Below} {
			for j := range list {
				if list[j].Source.Kind == KindWorld {
					e.pieces[&list[j]] = e.expandBlock(&list[j], false)
				}
			}
		}
	}
}

// expandItem returns the text of an item with its pieces and its format around it.
func (e *expander) expandItem(it *item) string {
	block := it.block
	text := ""
	if len(block.Above) == 0 && len(block.Below) == 0 {
		text = e.expandBlock(block, it.trimsTemplate())
	} else {
		text = e.withPieces(block)
	}
	if block.Format == "" || e.draft.layout.blank(text) {
		return text
	}
	return fillFormat(e.expandTemplate(block.Format, func() string { return block.Key }), text)
}

// trimsTemplate reports whether the template of an item is trimmed before expansion, not after it:
// white space that a macro returns is intended.
func (it *item) trimsTemplate() bool {
	return it.depth >= 0 && sourceRank(it.block.kind()) != rankPrompt && it.block.kind() != KindWorld
}

// withPieces returns the text of a block with the pieces above and below.
func (e *expander) withPieces(block *Block) string {
	var all []string
	add := func(list []Block) {
		for i := range list {
			text, done := e.pieces[&list[i]]
			if !done {
				text = e.expandBlock(&list[i], false)
			}
			if keyindex.TrimSpace(text) != "" {
				all = append(all, text)
			}
		}
	}
	note := block.kind() == KindNote // an empty note still adds a line
	add(block.Above)
	if note || block.Text != "" {
		all = append(all, e.expandBlock(block, false))
	}
	add(block.Below)
	text := strings.Join(all, "\n")
	if !note {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
}

// expandBlock expands one block or piece.
func (e *expander) expandBlock(block *Block, trim bool) string {
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
			if original, done := e.originals[block]; done {
				return original
			}
			return e.expandOriginal(block)
		}
	}
	text = e.draft.run.ExpandWith(text, macro.Full, locals)
	e.attribute(func() string { return block.Key })
	return text
}

// expandOriginal expands the text that a block replaces.
func (e *expander) expandOriginal(block *Block) string {
	return e.expandTemplate(*block.Original, func() string { return block.Key })
}

// expandFormats expands the formats of the slots that have items, once for each slot. A format may be
// used around several messages, and each expansion would draw its own random numbers.
func (e *expander) expandFormats() {
	d := e.draft
	d.formats = make([]string, len(d.layout.Slots))
	for i := range d.items {
		it := d.items[i]
		slot := &d.layout.Slots[it.slot]
		if slot.Format != "" && d.formats[it.slot] == "" && !d.layout.blank(it.text) {
			d.formats[it.slot] = e.expandTemplate(slot.Format, func() string { return slot.Name })
		}
	}
}

// maxPlaces limits how often a format may repeat its content.
const maxPlaces = 16

// fillFormat inserts a text into the places of a format.
func fillFormat(format, text string) string {
	return strings.Replace(format, "{0}", text, maxPlaces)
}

// expandTail expands the texts after the last slot: control prompt, prefill and the line that is continued.
func (e *expander) expandTail() {
	d, in, tail := e.draft, e.draft.in, &e.draft.tail
	if in.Generation != worldbook.Continue || !in.ContinueByPrefill && tail.continued != nil {
		tail.control = e.expandTemplate(in.Control, func() string { return slotControl })
	}
	tail.prefill = e.expandTemplate(in.Prefill, func() string { return slotPrefill })
	l := tail.continued
	if l == nil {
		return
	}
	d.chat.prepare(l)
	// A line of a different speaker stays a separate message.
	if in.ContinueByPrefill && l.src.spoken() {
		tail.continued, tail.continuesLine, tail.name = nil, true, l.name
		tail.prefill = joinBlank(tail.prefill, l.text)
	}
}

// joinBlank joins two texts by an empty line, if both are not blank.
func joinBlank(a, b string) string {
	if keyindex.TrimSpace(a) == "" {
		return b
	}
	if keyindex.TrimSpace(b) == "" {
		return a
	}
	return a + "\n\n" + b
}

// expandMarkers expands the markers that are sent.
func (e *expander) expandMarkers(examples bool) {
	d := e.draft
	if d.hasChat() {
		d.markers.chat = e.expandTemplate(d.layout.ChatMarker, func() string { return chatMarker })
	}
	if examples {
		d.markers.example = e.expandTemplate(d.layout.ExampleMarker, func() string { return exampleMarker })
	}
}

// splitExamples replaces the blocks of example slots by their parts and counts them. Each part is
// kept or dropped as a whole.
func (d *draft) splitExamples() (examples int) {
	var out []*item
	for i := range d.items {
		it := d.items[i]
		form := d.layout.Slots[it.slot].Form
		if form != Examples && form != ExampleTexts {
			if out != nil {
				out = append(out, it)
			}
			continue
		}
		if out == nil {
			out = append(make([]*item, 0, len(d.items)+4), d.items[:i]...)
		}
		parts := d.exampleParts(it, form)
		if len(parts) == 0 {
			it.text = ""
			out = append(out, it)
		}
		for _, turns := range parts {
			part := *it
			part.key = "example." + strconv.Itoa(examples)
			examples++
			d.setPart(&part, turns)
			out = append(out, &part)
		}
	}
	if out != nil {
		d.items = out
	}
	return examples
}

// setPart makes an item one part of the examples. Lore without a speaker is treated as other lore.
// A card's part without a speaker is left out where the slot accepts only dialogues.
func (d *draft) setPart(it *item, turns []ExampleTurn) {
	slot := &d.layout.Slots[it.slot]
	prose := turns[0].Prose && slot.Form == Examples
	switch {
	case prose && it.block.kind() == KindWorld:
		it.text = turns[0].Text
		if it.block.Keep == nil && !slot.Required {
			it.keep = max(it.keep, loreKeep)
		}
	case prose && slot.SpokenOnly:
		it.text, it.reason = "", reasonNoSpeaker
		d.problems = append(d.problems, talewright.Problem{
			Path: it.key, ID: it.block.Key, Code: codeNoSpeaker,
			Text: fmt.Sprintf("this part of the examples is left out: begin its lines with %q or %q",
				d.env.User+":", d.env.Char+":")})
	default:
		it.turns = turns
	}
}

// exampleParts reads a text in the form of its slot.
func (d *draft) exampleParts(it *item, form Form) [][]ExampleTurn {
	if form == Examples {
		return ParseExamples(it.text, d.env.User, d.env.Char, d.env.Group...)
	}
	var parts [][]ExampleTurn
	for _, text := range macro.SplitExamples(it.text) {
		parts = append(parts, []ExampleTurn{{Text: text}})
	}
	return parts
}

// exampleMessages writes a part of the examples, marker first.
func (d *draft) exampleMessages(it *item) (out []llm.Message) {
	role := it.block.role()
	if d.layout.Slots[it.slot].Form == ExampleTexts {
		return []llm.Message{{Role: role, Text: it.turns[0].Text}}
	}
	if !d.layout.blank(d.markers.example) {
		out = append(out, llm.Message{Role: role, Text: d.markers.example})
	}
	for _, t := range it.turns {
		out = append(out, llm.Message{Role: role, Name: t.name(), Text: t.Text})
	}
	return out
}
