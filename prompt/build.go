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
)

// Values for what layouts, blocks and budgets leave open. The keeps stand
// between those of the slots of [Default]: texts at a depth outlive the summary,
// recent lines outlive lore, lore outlives older lines.
const (
	defaultOrder     = 100
	defaultOverhead  = 4 // tokens of a message beside its text, as chat formats have it
	defaultDepthKeep = 860
	defaultRecent    = 4 // lines
	recentKeep       = 800
	olderKeep        = 400
)

// build is one assembly: collect, expand, measure and choose, emit.
type build struct {
	layout   Layout
	in       *Input
	budget   Budget
	run      *macro.Run // variables, fields and draws of all texts
	counter  Counter
	overhead int // of a message
	room     int // -1: no limit

	env      *Env
	history  int            // slot of the history, -1 if the layout has none
	places   map[string]int // slots by name
	items    []item
	apart    []*item // blocks that are only reported, in input order
	examples int
	tail     tail
	formats  []string // of the slots, expanded
	marks    marks
	frames   []int // their tokens without what they hold

	said     int            // visible elements of the history
	last     int            // place of the newest of them
	replaced *Line          // stands behind them, see [Input.Replacement]
	visible  int            // number of lines, the replacement included
	absent   int            // lines that are gone but still counted by depth
	depths   int            // number of elements that depth counts
	rounds   int            // tool rounds that are left out
	runs     [2]run         // recent and older lines
	lines    []*line        // special lines; after the choice all that were taken up
	expanded map[int]string // texts of lines that a full expansion has changed

	problems talewright.Problems
	seen     int // problems of the run that are already attributed
}

// item is a block, or a part of an example, on its way into the prompt.
type item struct {
	block *Block
	key   string // of the report: that of the block, or of the part
	slot  int    // index in the layout; that of the history for a depth
	depth int    // -1: in a slot
	order int
	seq   int           // place in the input
	group int           // number of the joined text at a depth
	size                // of the text as it stands
	whole *size         // before it was cut to the room
	turns []ExampleTurn // of an example
	keep  int

	required bool
	status   Status // empty as long as nothing is decided
	reason   string
	left     int // room when it was dropped
	message  int // index of the message that holds it, -1 if none
}

// size is a text and what is known of it.
type size struct {
	text    string // expanded
	tokens  int    // of the text, or of all messages of an example
	before  int    // tokens before the text was cut, 0 if it is whole
	removed int    // lines cut off
}

// role is that of the message. A block is the system's unless it is the user's or the
// assistant's: no provider takes another word.
func (it *item) role() llm.Role {
	if r := it.block.Role; r == llm.User || r == llm.Assistant {
		return r
	}
	return llm.System
}

// role is that of the message of a line.
func (l *Line) role() llm.Role {
	switch l.Role {
	case llm.System, llm.Assistant:
		return l.Role
	}
	return llm.User
}

// kind is that of the source.
func (it *item) kind() Kind { return cmp.Or(it.block.Source.Kind, KindHost) }

// line is a visible element of the history that somebody has looked at.
type line struct {
	src    *Line
	index  int    // among the visible lines, the number in its key
	key    string // see id
	text   string // expanded, with the name in front where it belongs there
	name   string // name field of the message
	ready  bool   // expanded
	tokens int    // whole cost; 0 as long as it is not measured
	keep   int

	required bool
	status   Status
	reason   string
	left     int
	message  int
}

// marks are the markers of the layout, expanded.
type marks struct{ chat, example string }

// tail is what stands behind the last slot and the follow-ups.
type tail struct {
	continued *line // the line that a Continue goes on with
	control   string
	prefill   string
	begun     bool // the prefill is the begin of a line that goes on
}

// blank reports whether a text leaves nothing in the prompt.
func (b *build) blank(text string) bool {
	return text == "" || !b.layout.SendBlank && keyindex.TrimSpace(text) == ""
}

// newBuild prepares a build; nothing is expanded or counted yet.
func newBuild(layout Layout, in *Input, env Env, budget Budget) *build {
	b := &build{layout: layout, in: in, env: &env, budget: budget, room: -1}
	b.counter, b.overhead = budget.counting()
	if budget.Context > 0 {
		b.room = max(budget.Context-budget.Response-budget.TurnReserve-priming, 0)
	}
	b.history, b.places = layout.historySlot(), layout.places()
	if env.Chat == nil {
		env.Chat = linesChat(in.History)
	}
	return b
}

// collect turns blocks into items, in the order of the layout.
func (b *build) collect() {
	index := make(map[string]int, len(b.in.Blocks))
	b.items = make([]item, 0, len(b.in.Blocks))
	for i := range b.in.Blocks {
		index[b.in.Blocks[i].Key] = i
	}
	outlets := false
	for i := range b.in.Blocks {
		block := &b.in.Blocks[i]
		it := item{block: block, key: block.Key, seq: i, slot: -1, depth: -1,
			order: defaultOrder, reason: cmp.Or(block.Reason, oddRole(block.Role)), message: -1}
		if block.Order != nil {
			it.order = *block.Order
		}
		b.place(&it)
		switch {
		case index[block.Key] != i:
			it.status, it.reason = Disabled, ReasonDuplicate
		case block.Withheld != "":
			it.status = block.Withheld
		case block.Outlet != "":
			outlets = true
			it.status = Unused
		case it.slot < 0:
			it.status = Unlisted
		}
		if it.status != "" {
			apart := it
			b.apart = append(b.apart, &apart)
			continue
		}
		b.items = append(b.items, it)
	}
	if outlets {
		b.collectOutlets()
	}
	slices.SortStableFunc(b.items, compareItems)
}

// lastChatMessage is the macro of the line that a [Continue] goes on with.
const lastChatMessage = "lastChatMessage"

// name gives a text to a macro, if the host has none of that name.
func (b *build) name(macro, text string) {
	for taken := range b.env.Call {
		if strings.EqualFold(taken, macro) {
			return
		}
	}
	call := make(map[string]string, len(b.env.Call)+1)
	maps.Copy(call, b.env.Call)
	call[macro] = keyindex.TrimSpace(text)
	b.env.Call = call
}

// oddRole is a remark for the report on a role that a block cannot have.
func oddRole(role llm.Role) string {
	switch role {
	case "", llm.System, llm.User, llm.Assistant:
		return ""
	}
	return "unknown_role " + string(role)
}

// place finds the slot of an item, its keep, and whether it is required.
func (b *build) place(it *item) {
	block := it.block
	switch {
	case block.Depth != nil:
		it.slot, it.depth = b.history, max(*block.Depth, 0)
		it.keep = cmp.Or(b.layout.DepthKeep, defaultDepthKeep)
		it.required = b.layout.DepthRequired
	case block.Slot != "" || block.Outlet == "":
		at, listed := b.places[block.Slot]
		if !listed || at == b.history { // whose blocks have a depth
			at = -1
		}
		it.slot = at
		if it.slot >= 0 {
			it.keep = b.layout.Slots[it.slot].Keep
			it.required = b.layout.Slots[it.slot].Required
		}
	}
	if block.Keep != nil {
		it.keep, it.required = *block.Keep, false
	}
	it.required = it.required || block.Required
}

// collectOutlets adds the outlet blocks to those of the environment.
func (b *build) collectOutlets() {
	all := make(map[string][]macro.Piece, len(b.env.Outlets)+1)
	for name, pieces := range b.env.Outlets {
		all[name] = slices.Clone(pieces)
	}
	for _, it := range b.apart {
		if it.status == Unused {
			name := it.block.Outlet
			all[name] = append(all[name],
				macro.Piece{Text: it.block.Text, Literal: it.block.Literal})
		}
	}
	b.env.Outlets = all
}

// compareItems is the order of the layout. At a depth: deeper first, groups by
// order, then assistant, user and system, then the sources.
func compareItems(x, y item) int {
	c := cmp.Or(cmp.Compare(x.slot, y.slot), cmp.Compare(y.depth, x.depth),
		cmp.Compare(x.order, y.order))
	if c != 0 || x.depth < 0 {
		return cmp.Or(c, cmp.Compare(x.seq, y.seq))
	}
	c = cmp.Or(cmp.Compare(roleRank(x.role()), roleRank(y.role())),
		cmp.Compare(sourceRank(x.kind()), sourceRank(y.kind())))
	if c == 0 && sourceRank(x.kind()) == rankInjection {
		c = strings.Compare(x.key, y.key)
	}
	return cmp.Or(c, cmp.Compare(x.seq, y.seq))
}

// roleRank puts system texts nearest to the end.
func roleRank(role llm.Role) int {
	switch role {
	case llm.Assistant:
		return 0
	case llm.User:
		return 1
	}
	return 2
}

// sourceRank is the order of the sources in one text at a depth.
func sourceRank(kind Kind) int {
	switch kind {
	case KindPrompt:
		return rankPrompt
	case KindNote:
		return 1
	case KindCard:
		return 2
	case KindPersona:
		return 3
	case KindWorld:
		return rankWorld
	case KindDirective:
		return 5
	}
	return rankInjection
}

// The texts of a list of prompts, and those of lore, are one at a depth.
const (
	rankPrompt = 0
	rankWorld  = 4
)

// rankInjection is the rank of all that comes from outside: it stands in the order
// of its keys, since several parts of a host put it there in no order at all.
const rankInjection = 6
