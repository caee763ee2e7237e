package prompt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

const (
	defaultOrder     = 100
	defaultDepthKeep = 860 // texts at a depth outlive the summary
)

// draft is an unfinished prompt. Each stage of an assembly adds its part: the placed blocks, the
// history, the expanded texts, the status of each.
type draft struct {
	layout Layout
	in     *Input
	env    *Env

	items      []*item
	reportOnly []*item // blocks that are only reported, in input order
	chat       *chat
	run        *macro.Run // variables, fields and draws of all texts
	formats    []string   // of the slots, expanded
	markers    markerTexts
	tail       tailTexts
	problems   talewright.Problems
}

// item is a block, or a part of an example, that may go into the prompt.
type item struct {
	block      *Block
	key        string // key in the report: the key of the block, or of the part
	slot       int    // index in the layout; for a depth, the index of the history slot
	depth      int    // -1: in a slot
	order      int
	inputIndex int           // place in the input
	group      int           // number of the joined text at a depth
	sizedText                // of the current text
	uncut      *sizedText    // before it was cut to fit; nil if not cut
	turns      []ExampleTurn // of an example
	keep       int           // the priority, see [Block.Keep]

	required   bool
	status     Status // empty until decided
	reason     string
	freeTokens int // the number of free tokens when it was dropped
	message    int // index of the message that contains it, or -1 if no message does
}

// sizedText is a text with its token counts.
type sizedText struct {
	text            string // expanded
	tokens          int    // of the text, or of all messages of an example
	tokensBeforeCut int    // tokens before the text was cut, 0 if it is whole
	linesRemoved    int    // lines cut off
}

// sent reports whether the item is in the prompt.
func (it *item) sent() bool { return it.status == Kept || it.status == statusTruncated }

// markerTexts are the expanded markers of the layout.
type markerTexts struct{ chat, example string }

// Keys of the markers.
const (
	chatMarker    = "chat.marker"
	exampleMarker = "example.marker"
)

// tailTexts are the texts after the last slot and the follow-ups.
type tailTexts struct {
	continued     *line // the line that a Continue continues
	control       string
	prefill       string
	continuesLine bool   // the prefill is the beginning of a line that is being continued
	name          string // the name field of that line
}

// collect puts blocks and lines into their places. It does not expand or count anything yet.
func collect(layout Layout, in *Input, env Env) *draft {
	d := &draft{layout: layout, in: in, env: &env}
	d.chat = newChat(&d.layout, in, &env)
	if env.Chat == nil {
		env.Chat = linesChat(in.History)
	}
	d.collectBlocks()
	if l := d.chat.swiped; l != nil {
		d.reportOnly = append(d.reportOnly, &item{
			block: &Block{Key: l.id(), Role: l.src.Role, Source: Source{Kind: KindHistory}},
			key:   l.id(), slot: d.chat.slot, depth: -1,
			status: Disabled, reason: string(worldbook.Swipe), message: -1,
		})
	}
	if l := d.chat.continued; l != nil {
		d.tail.continued = l
		d.defineMacro(lastChatMessage, l.src.Text)
	}
	return d
}

// collectBlocks turns blocks into items, in the order of the layout.
func (d *draft) collectBlocks() {
	index := make(map[string]int, len(d.in.Blocks))
	all := make([]item, len(d.in.Blocks))
	d.items = make([]*item, 0, len(all))
	for i := range d.in.Blocks {
		index[d.in.Blocks[i].Key] = i
	}
	places := d.layout.places()
	outlets := false
	for i := range d.in.Blocks {
		block := &d.in.Blocks[i]
		it := &all[i]
		*it = item{block: block, key: block.Key, inputIndex: i, slot: -1, depth: -1,
			order: defaultOrder, reason: block.remark(), message: -1}
		if block.Order != nil {
			it.order = *block.Order
		}
		d.place(it, places)
		switch {
		case index[block.Key] != i:
			it.status, it.reason = Disabled, reasonDuplicate
		case block.Withheld != "":
			it.status = block.Withheld
		case block.Outlet != "":
			outlets = true
			it.status = statusUnused
		case it.slot < 0:
			it.status = Unlisted
		}
		if it.status != "" {
			d.reportOnly = append(d.reportOnly, it)
			continue
		}
		d.items = append(d.items, it)
	}
	if outlets {
		d.collectOutlets()
	}
	slices.SortFunc(d.items, compareItems)
}

// place sets the slot of an item, its keep, and whether it is required.
func (d *draft) place(it *item, places map[string]int) {
	block := it.block
	switch {
	case block.Depth != nil:
		it.slot, it.depth = d.chat.slot, max(*block.Depth, 0)
		it.keep = cmp.Or(d.layout.DepthKeep, defaultDepthKeep)
		it.required = d.layout.DepthRequired
	case block.Slot != "" || block.Outlet == "":
		at, listed := places[block.Slot]
		if !listed || at == d.chat.slot { // the history slot accepts only blocks with a depth
			at = -1
		}
		it.slot = at
		if it.slot >= 0 {
			it.keep = d.layout.Slots[it.slot].Keep
			it.required = d.layout.Slots[it.slot].Required
		}
	}
	if block.Keep != nil {
		it.keep, it.required = *block.Keep, false
	}
	it.required = it.required || block.Required
}

// collectOutlets adds the outlet blocks to the outlets of the environment.
func (d *draft) collectOutlets() {
	all := make(map[string][]macro.Piece, len(d.env.Outlets)+1)
	for name, pieces := range d.env.Outlets {
		all[name] = slices.Clone(pieces)
	}
	for _, it := range d.reportOnly {
		if it.status == statusUnused {
			name := it.block.Outlet
			all[name] = append(all[name],
				macro.Piece{Text: it.block.Text, Literal: it.block.Literal})
		}
	}
	d.env.Outlets = all
}

// lastChatMessage is the macro for the line that a [worldbook.Continue] continues.
const lastChatMessage = "lastChatMessage"

// defineMacro defines a macro with a text, unless the host has a macro of that name.
func (d *draft) defineMacro(macro, text string) {
	for taken := range d.env.Macros {
		if strings.EqualFold(taken, macro) {
			return
		}
	}
	call := make(map[string]string, len(d.env.Macros)+1)
	maps.Copy(call, d.env.Macros)
	call[macro] = keyindex.TrimSpace(text)
	d.env.Macros = call
}

// sendsMarker reports whether the chat marker is sent.
func (d *draft) sendsMarker() bool {
	return d.hasChat() && !d.layout.blank(d.markers.chat)
}

// hasChat reports whether there is a chat that the marker may precede.
func (d *draft) hasChat() bool {
	return d.chat.slot >= 0 && (d.layout.MarkerAlways || d.chat.depthCount() > 0)
}

// sendsPrefill reports whether the prefill is a message.
func (d *draft) sendsPrefill() bool {
	return !d.layout.blank(d.tail.prefill) && (!d.in.PrefillApart || d.tail.continuesLine)
}

// compareItems sorts by the order of the layout. At a depth: deeper first, then groups by order,
// then assistant, user and system, then the sources.
func compareItems(x, y *item) int {
	c := cmp.Or(cmp.Compare(x.slot, y.slot), cmp.Compare(y.depth, x.depth),
		cmp.Compare(x.order, y.order))
	if c != 0 || x.depth < 0 {
		return cmp.Or(c, cmp.Compare(x.inputIndex, y.inputIndex))
	}
	c = cmp.Or(cmp.Compare(roleRank(x.block.role()), roleRank(y.block.role())),
		cmp.Compare(sourceRank(x.block.kind()), sourceRank(y.block.kind())))
	if c == 0 && sourceRank(x.block.kind()) == rankInjection {
		c = strings.Compare(x.key, y.key)
	}
	return cmp.Or(c, cmp.Compare(x.inputIndex, y.inputIndex))
}

// sameGroup reports whether two neighbours at a depth are joined into one text.
func sameGroup(x, y *item) bool {
	return x.depth == y.depth && x.order == y.order && x.block.role() == y.block.role() &&
		x.block.Name == y.block.Name
}

// roleRank sorts system texts nearest to the end.
func roleRank(role llm.Role) int {
	switch role {
	case llm.Assistant:
		return 0
	case llm.User:
		return 1
	}
	return 2
}

// sourceRank returns the order of the sources in one text at a depth.
func sourceRank(kind Kind) int {
	switch kind {
	case KindPrompt:
		return rankPrompt
	case KindNote:
		return 1
	case KindCard:
		return 2
	case kindPersona:
		return 3
	case KindWorld:
		return rankWorld
	case KindDirective:
		return 5
	}
	return rankInjection
}

// Texts of a list of prompts are joined at a depth, and so are texts of lore.
const (
	rankPrompt = 0
	rankWorld  = 4
)

// rankInjection is the rank of all texts from outside. They are sorted by key, because several
// parts of a host insert them in no fixed order.
const rankInjection = 6
