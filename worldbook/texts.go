package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// contents are the texts of entries in one scan, with their macros expanded.
type contents struct {
	in       *Input
	expanded map[*entry]string
}

// of returns the content of an entry. Macros are expanded once per scan.
func (t *contents) of(e *entry) string {
	if !e.dynamicContent {
		return e.content
	}
	return t.expand(e)
}

// expand expands the macros of a content that has some.
func (t *contents) expand(e *entry) string {
	text, ok := t.expanded[e]
	if !ok {
		text = match.Valid(t.in.expand(e.content))
		if t.expanded == nil {
			t.expanded = map[*entry]string{}
		}
		t.expanded[e] = text
	}
	return text
}

// soFar returns the content as far as it has been expanded.
func (t *contents) soFar(e *entry) string {
	if text, ok := t.expanded[e]; ok {
		return text
	}
	return e.content
}

func (t *contents) release() {
	t.in = nil
	clear(t.expanded)
}

// weightOf is the weight of an entry's text.
func weightOf(e *entry, content string) int {
	if e.dynamicContent {
		return tokens.Weight(content)
	}
	return int(e.contentWeight)
}

// recursion is what the loops of a scan have made searchable.
type recursion struct {
	contents *contents
	fresh    []*entry // the feeders of this loop: their texts may start another one
	feeders  []*entry // of all texts, one after the other
	texts    []recursionText
}

// recursionText is the text that one loop made searchable: the contents of its
// feeders, joined by newlines.
type recursionText struct {
	from, to int    // the feeders
	weight   int    // of the contents as far as they are known
	text     string // once it was asked for; at once if a macro is in it
}

func (r *recursion) release(ofCaller bool) {
	if ofCaller {
		clear(r.fresh[:cap(r.fresh)])
	}
	clear(r.feeders)
	clear(r.texts)
	r.fresh, r.feeders, r.texts = r.fresh[:0], r.feeders[:0], r.texts[:0]
}

// add makes the text of this loop; false if there is none.
func (r *recursion) add() (*recursionText, bool) {
	size, weight := len(r.fresh)-1, 0
	for _, e := range r.fresh {
		size += len(r.contents.soFar(e))
		weight += int(e.contentWeight)
	}
	if size <= 0 { // no feeder, or a single one without a text
		return nil, false
	}
	text := recursionText{from: len(r.feeders), weight: weight}
	r.feeders = append(r.feeders, r.fresh...)
	text.to = len(r.feeders)
	r.texts = append(r.texts, text)
	return &r.texts[len(r.texts)-1], true
}

// RecursionText implements [match.Recursion].
func (r *recursion) RecursionText(i int) string {
	text := &r.texts[i]
	if text.text == "" {
		text.text = r.join(text)
	}
	return text.text
}

// join builds the text of one loop: the contents, as far as their macros
// have been expanded, joined by newlines. Nothing is trimmed.
func (r *recursion) join(text *recursionText) string {
	var b strings.Builder
	for i, e := range r.feeders[text.from:text.to] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.contents.soFar(e))
	}
	return b.String()
}

// prematched reports whether the lists made at compile time say everything about
// the feeders' texts.
func (r *recursion) prematched() bool {
	return !slices.ContainsFunc(r.fresh, func(e *entry) bool { return e.dynamicContent || e.contentEngine })
}

// placer puts the texts of active entries into the result.
//
// They are walked by descending order; each stands in front of the earlier ones
// of its list, so that lists ascend and equal orders stand in reverse activation
// order. Outlets are appended to and descend (quirk reversed-ties).
//
// As long as entries are activated in that order, each is placed at once. Placing all of
// them at the end costs 7 % of a scan (BenchmarkScanPeer, 10,000 entries, window 100,
// incremental).
type placer struct {
	out      *Result
	length   int     // of the chat
	reversed bool    // the quirk
	inOrder  bool    // so far
	some     bool    // are active
	last     float64 // the order of the newest
	order    []int32
	depths   places[depthAndRole] // of out.Depth
	outlets  places[string]       // of out.Outlets
}

func (p *placer) begin(c *Compiled, out *Result, length int) {
	p.out, p.length, p.reversed, p.some = out, length, c.quirk.Has(QuirkReversedTies), false
	p.inOrder = c.settings.Decorators != DecoratorsCardV3 // theirs may merge texts first
}

func (p *placer) release() {
	p.out = nil
	p.depths.Reset()
	p.outlets.Reset()
}

// fits reports whether the newest of the active entries can be placed at once.
func (p *placer) fits(order float64) bool {
	if p.inOrder && p.some && p.compare(p.last, order) > 0 {
		p.inOrder = false
	}
	p.last, p.some = order, true
	return p.inOrder
}

// finish places the texts that are not placed yet.
func (p *placer) finish(active *roster, texts *contents) {
	if !p.inOrder {
		p.out.mergeInjected(active, texts)
		p.placeAll(active.activated)
	}
	if p.reversed {
		p.out.reverse()
	}
}

// placeAll places all entries, by their orders.
func (p *placer) placeAll(activated []*entry) {
	p.unplace()
	p.order = p.order[:0]
	for i := range int32(len(activated)) {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(i, k int32) int {
		return p.compare(p.out.Activated[i].Order, p.out.Activated[k].Order)
	})
	for _, i := range p.order {
		p.place(activated[i], &p.out.Activated[i])
	}
}

// compare ranks orders for placing. A missing order equals every other.
func (p *placer) compare(a, b float64) int {
	switch {
	case a != a || b != b:
		return 0
	case p.reversed:
		a, b = b, a
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// place puts the text of an active entry where it belongs.
func (p *placer) place(e *entry, a *Activation) {
	if a.Text == "" || e.injected() {
		return
	}
	r := p.out
	var to *Placed
	switch at := Position(e.position); at {
	case PositionBeforeCharacter:
		to = next(&r.Before)
	case PositionAfterCharacter:
		to = next(&r.After)
	case PositionNoteTop:
		to = next(&r.NoteTop)
	case PositionNoteBottom:
		to = next(&r.NoteBottom)
	case PositionAtDepth:
		to = next(p.atDepth(depthAndRole{e.depthIn(p.length), e.depthText, e.role, e.roleText, e.missingDepth}))
	case PositionBeforeExamples, PositionAfterExamples:
		example := next(&r.Examples)
		example.After = at == PositionAfterExamples
		to = &example.Placed
	case PositionInOutlet:
		if e.src.OutletName != "" {
			to = next(p.outlet(e.src.OutletName))
		}
	}
	if to != nil {
		to.ID, to.Text, to.Order, to.Constant, to.Literal = a.ID, a.Text, a.Order, e.constant, a.Literal
	}
}

// atDepth returns the list of a depth and a role. A missing depth joins a group at
// depth 4, else opens one that nothing joins (quirk missing-depth).
func (p *placer) atDepth(at depthAndRole) *[]Placed {
	r := p.out
	depth, missing := at.depth, at.missing
	at.missing = false
	if i := p.depths.Find(at); i >= 0 {
		return &r.Depth[i].Entries
	}
	at.missing = missing
	p.depths.Add(at)
	g := next(&r.Depth)
	g.Role, g.Entries = at.role, g.Entries[:0]
	switch {
	case missing:
		g.Depth = nil
	case g.Depth == nil:
		g.Depth = new(depth)
	default:
		*g.Depth = depth
	}
	return &g.Entries
}

// depthAndRole tells the groups inside the chat apart.
type depthAndRole struct {
	depth    int
	text     string // of a depth that is no number
	role     Role
	roleText string // of a role that is no number
	missing  bool
}

// outlet returns the list of a named outlet, opening it on first use.
func (p *placer) outlet(name string) *[]Placed {
	r := p.out
	if i := p.outlets.Find(name); i >= 0 {
		return &r.Outlets[i].Entries
	}
	p.outlets.Add(name)
	o := next(&r.Outlets)
	o.Name, o.Entries = name, o.Entries[:0]
	return &o.Entries
}

// reverse turns the lists that were filled from their end.
func (r *Result) reverse() {
	slices.Reverse(r.Before)
	slices.Reverse(r.After)
	slices.Reverse(r.NoteTop)
	slices.Reverse(r.NoteBottom)
	slices.Reverse(r.Examples)
	for i := range r.Depth {
		slices.Reverse(r.Depth[i].Entries)
	}
}

// unplace empties the lists of texts.
func (p *placer) unplace() {
	r := p.out
	r.Before, r.After = r.Before[:0], r.After[:0]
	r.NoteTop, r.NoteBottom = r.NoteTop[:0], r.NoteBottom[:0]
	r.Depth, r.Examples, r.Outlets = r.Depth[:0], r.Examples[:0], r.Outlets[:0]
	p.depths.Reset()
	p.outlets.Reset()
}

// emptied returns a result without content that keeps the memory of its slices.
func (r *Result) emptied() Result {
	if r.Activated == nil {
		r.Activated = []Activation{} // an empty list in JSON too
	}
	return Result{
		Activated: r.Activated[:0],
		Before:    r.Before[:0], After: r.After[:0], Depth: r.Depth[:0],
		NoteTop: r.NoteTop[:0], NoteBottom: r.NoteBottom[:0],
		Examples: r.Examples[:0], Outlets: r.Outlets[:0], Cut: r.Cut[:0],
		Rolls: r.Rolls[:0], Fuses: r.Fuses[:0],
	}
}

// mergeInjected puts the texts of entries that are to stand inside another one
// (decorator inject_lore) into it, in activation order. Where the other is not
// active they stand nowhere. Texts for a part of the host's prompt are handed
// over as [Activation.Inject] and stand nowhere else.
func (r *Result) mergeInjected(active *roster, texts *contents) {
	var titled map[string][]int // places in the list by comment
	for _, i := range active.special {
		e := active.activated[i]
		switch {
		case e.v3 == nil:
		case e.v3.InjectLore != "":
			if titled == nil {
				titled = r.titled()
			}
			r.injectInto(titled[e.v3.InjectLore], int(i), e, texts.of(e))
		case e.v3.InjectAt != "":
			r.Activated[i].Inject = new(e.v3.injection())
		}
	}
}

// injected reports whether the entry's text stands inside another text.
func (e *entry) injected() bool {
	return e.gated && e.v3 != nil && (e.v3.InjectLore != "" || e.v3.InjectAt != "")
}

// injection is what the decorators of an entry say about injecting its text.
func (v *cardRules) injection() Injection {
	return Injection{Into: v.InjectAt, How: ContentChange(v.Inject), Old: v.Replaced}
}

// titled lists the places of active entries by title.
func (r *Result) titled() map[string][]int {
	places := map[string][]int{}
	for i := range r.Activated {
		title := r.Activated[i].Comment
		places[title] = append(places[title], i)
	}
	return places
}

// injectInto puts the text of the entry at from into the first of some places other than
// its own.
func (r *Result) injectInto(places []int, from int, e *entry, content string) {
	for _, i := range places {
		if i != from {
			to := &r.Activated[i]
			to.Text = e.v3.injection().Apply(to.Text, content)
			return
		}
	}
}

// depthIn is the depth at which an entry stands in a chat of so many messages.
func (e *entry) depthIn(length int) int {
	if e.v3 != nil && e.v3.ReverseDepth != nil {
		return max(0, length-*e.v3.ReverseDepth)
	}
	return e.depth
}
