package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// contents holds the texts of entries in one scan, with macros expanded.
type contents struct {
	in       *Input
	expanded map[*entry]string
	rendered map[*entry]string
	trimmed  map[*entry]int // the tokens that entries' own limits removed
}

// text returns the content of an entry. Macros are expanded once per scan.
func (t *contents) text(e *entry) string {
	if !e.dynamicContent {
		return e.content
	}
	return t.expand(e)
}

// expand expands the macros of a content that has macros.
func (t *contents) expand(e *entry) string {
	text, ok := t.expanded[e]
	if !ok {
		text = e.content
		if !e.literal && match.In(text) {
			text = match.Valid(t.in.expand(text))
		}
		if e.limitsText() && (t.in.Rendered == nil || !strings.Contains(text, "<%")) { // code is not cut
			text = t.trim(e, text)
		}
		put(&t.expanded, e, text)
	}
	return text
}

// budgetText returns the text that the budget counts for an entry with a content, and its weight.
func (t *contents) budgetText(e *entry, content string) (text string, weight int) {
	if t.in.Rendered == nil {
		return content, weightOf(e, content)
	}
	if text = t.render(e, content); text == content {
		return content, weightOf(e, content)
	}
	return text, tokens.Weight(text)
}

// render calls Input.Rendered once per entry.
func (t *contents) render(e *entry, content string) string {
	text, ok := t.rendered[e]
	if !ok {
		if text = t.in.Rendered(e.id, content); e.limitsText() && text != content {
			text = t.trim(e, text)
		}
		put(&t.rendered, e, text)
	}
	return text
}

// trim shortens the text of an entry that limits it.
func (t *contents) trim(e *entry, text string) string {
	by := budgetCounter{Count: t.in.CountTokens}
	short := tokens.Trim(text, e.own.maxTokens, e.own.atStart, by.tokensOf)
	if less := by.tokensOf(text) - by.tokensOf(short); less > 0 {
		put(&t.trimmed, e, less)
	}
	return short
}

// searchText returns the text of an entry that recursion searches. Without SearchRendered it expands no macros:
// it returns the expanded content only if the budget has already expanded it.
func (t *contents) searchText(e *entry) string {
	if t.in.SearchRendered && t.in.Rendered != nil {
		return t.render(e, t.text(e))
	}
	if text, ok := t.expanded[e]; ok {
		return text
	}
	return e.content
}

func (t *contents) release() {
	t.in = nil
	clear(t.expanded)
	clear(t.rendered)
	clear(t.trimmed)
}

// weightOf returns the weight of an entry's text.
func weightOf(e *entry, content string) int {
	if e.dynamicContent {
		return tokens.Weight(content)
	}
	return int(e.contentWeight)
}

// recursion holds the texts that the loops of a scan made searchable.
type recursion struct {
	contents   *contents
	newFeeders []*entry // the feeders of this loop: their texts may start a further loop
	feeders    []*entry // the entries whose contents make up all texts, in order
	texts      []recursionText
}

// recursionText is the text that one loop made searchable: the contents of its
// feeders, joined by newlines.
type recursionText struct {
	from, to int    // the range of its entries in recursion.feeders
	weight   int    // the known weight of the contents
	text     string // built on request; at once if it contains a macro
}

func (r *recursion) release(ofCaller bool) {
	if ofCaller {
		clear(r.newFeeders[:cap(r.newFeeders)])
	}
	clear(r.feeders)
	clear(r.texts)
	r.newFeeders, r.feeders, r.texts = r.newFeeders[:0], r.feeders[:0], r.texts[:0]
}

// addText adds the text of this loop. It returns false if there is no text.
func (r *recursion) addText() (*recursionText, bool) {
	size, weight := len(r.newFeeders)-1, 0
	for _, e := range r.newFeeders {
		size += len(r.contents.searchText(e))
		weight += int(e.contentWeight)
	}
	if size <= 0 { // no feeder, or a single feeder with an empty text
		return nil, false
	}
	text := recursionText{from: len(r.feeders), weight: weight}
	r.feeders = append(r.feeders, r.newFeeders...)
	text.to = len(r.feeders)
	r.texts = append(r.texts, text)
	return &r.texts[len(r.texts)-1], true
}

// RecursionText implements [match.Recursion].
func (r *recursion) RecursionText(i int) string {
	text := &r.texts[i]
	if text.text == "" {
		text.text = r.join(text, r.contents.searchText)
	}
	return text.text
}

// join builds the text of one loop: the texts of its feeders, joined by newlines. Nothing is trimmed.
func (r *recursion) join(text *recursionText, of func(e *entry) string) string {
	var b strings.Builder
	for i, e := range r.feeders[text.from:text.to] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(of(e))
	}
	return b.String()
}

// prematched reports whether the lists made at compile time contain all keys of the feeders' texts.
func (r *recursion) prematched() bool {
	return !r.contents.in.SearchRendered && !slices.ContainsFunc(r.newFeeders, func(e *entry) bool {
		return e.dynamicContent || e.contentNeedsSearch
	})
}

// placer puts the texts of active entries into the result.
//
// It visits entries by descending order and inserts each text before the earlier texts of its list.
// So lists are ascending, and texts of equal order are in reverse activation order. Texts in
// outlets are appended, so outlets are descending (quirk reversed-ties).
//
// While entries are activated in that order, each is placed at once. Placing all of them at the end
// costs 7 % of a scan (BenchmarkScanPeer, 10,000 entries, window 100, incremental).
type placer struct {
	out        *Result
	chatLength int                  // the number of messages
	reversed   bool                 // the quirk is on
	inOrder    bool                 // so far entries were activated in the order of placing
	hasLast    bool                 // last is set
	last       float64              // the order of the newest active entry
	order      []int32              // scratch of placeAll
	depths     map[depthAndRole]int // indexes into out.Depth
	outlets    map[string]int       // indexes into out.Outlets
}

func (p *placer) begin(c *Compiled, out *Result, length int) {
	p.out, p.chatLength, p.reversed, p.hasLast = out, length, c.settings.hasQuirk(quirkReversedTies), false
	p.inOrder = c.settings.Decorators != DecoratorsCardV3 // its decorators may merge texts first
}

func (p *placer) release() {
	p.out = nil
	clear(p.depths)
	clear(p.outlets)
}

// fitsInOrder reports whether the newest active entry can be placed at once.
func (p *placer) fitsInOrder(order float64) bool {
	if p.inOrder && p.hasLast && p.compare(p.last, order) > 0 {
		p.inOrder = false
	}
	p.last, p.hasLast = order, true
	return p.inOrder
}

// finish places the texts that are not placed yet.
func (p *placer) finish(active *roster, texts *contents) {
	if !p.inOrder {
		p.out.mergeInjections(active, texts)
		p.placeAll(active.activated)
	}
	if p.reversed {
		p.out.reverse()
	}
}

// placeAll places all entries, by their orders.
func (p *placer) placeAll(activated []*entry) {
	p.removeTexts()
	p.order = p.order[:0]
	for i := range int32(len(activated)) {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(i, k int32) int {
		return p.compare(p.out.Activated[i].Order, p.out.Activated[k].Order)
	})
	for _, i := range p.order {
		p.placeText(activated[i], &p.out.Activated[i])
	}
}

// compare compares orders for placing. A missing order equals every other.
func (p *placer) compare(a, b float64) int {
	if p.reversed {
		a, b = b, a
	}
	return compareOrders(a, b)
}

// placeText puts the text of an active entry into its list.
func (p *placer) placeText(e *entry, a *Activation) {
	if a.Text == "" || e.injected() {
		return
	}
	r := p.out
	var to *Placed
	switch at := Position(e.position); at {
	case PositionBeforeCharacter:
		to = extend(&r.Before)
	case PositionAfterCharacter:
		to = extend(&r.After)
	case PositionNoteTop:
		to = extend(&r.NoteTop)
	case PositionNoteBottom:
		to = extend(&r.NoteBottom)
	case PositionAtDepth:
		to = extend(p.atDepth(e.depthAndRole(p.chatLength)))
	case PositionBeforeExamples, PositionAfterExamples:
		example := extend(&r.Examples)
		example.After = at == PositionAfterExamples
		to = &example.Placed
	case PositionInOutlet:
		if e.src.OutletName != "" {
			to = extend(p.outlet(e.src.OutletName))
		}
	}
	if to != nil {
		to.ID, to.Text, to.Order, to.Constant, to.Literal = a.ID, a.Text, a.Order, e.constant, a.Literal
	}
}

// atDepth returns the list of a depth and a role. A missing depth uses an existing group at depth
// 4. Otherwise it opens a group that no other entry joins (quirk missing-depth).
func (p *placer) atDepth(at depthAndRole) *[]Placed {
	r := p.out
	depth, missing := at.depth, at.missing
	at.missing = false
	if i, ok := p.depths[at]; ok {
		return &r.Depth[i].Entries
	}
	at.missing = missing
	put(&p.depths, at, len(r.Depth))
	g := extend(&r.Depth)
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

// depthAndRole identifies a group inside the chat.
type depthAndRole struct {
	depth    int
	text     string // of a depth that is not a number
	role     Role
	roleText string // of a role that is not a number
	missing  bool
}

// depthAndRole returns the group of an entry in a chat of so many messages.
func (e *entry) depthAndRole(length int) depthAndRole {
	at := depthAndRole{depth: e.depth, role: e.role, missing: e.missingDepth}
	if e.v3 != nil && e.v3.ReverseDepth != nil {
		at.depth = max(0, length-*e.v3.ReverseDepth)
	}
	if e.v3 != nil && e.v3.Position != nil {
		return at
	}
	if v, odd := e.src.odd(memberDepth); odd {
		at.text = v.String()
	}
	if v, odd := e.src.odd(memberRole); odd && !v.Missing() && (e.v3 == nil || e.v3.Role == nil) {
		at.roleText = v.String()
	}
	return at
}

// outlet returns the list of a named outlet. It creates the outlet on first use.
func (p *placer) outlet(name string) *[]Placed {
	r := p.out
	if i, ok := p.outlets[name]; ok {
		return &r.Outlets[i].Entries
	}
	put(&p.outlets, name, len(r.Outlets))
	o := extend(&r.Outlets)
	o.Name, o.Entries = name, o.Entries[:0]
	return &o.Entries
}

// reverse reverses the lists that were filled from their end.
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

// removeTexts empties the lists of texts.
func (p *placer) removeTexts() {
	r := p.out
	r.Before, r.After = r.Before[:0], r.After[:0]
	r.NoteTop, r.NoteBottom = r.NoteTop[:0], r.NoteBottom[:0]
	r.Depth, r.Examples, r.Outlets = r.Depth[:0], r.Examples[:0], r.Outlets[:0]
	clear(p.depths)
	clear(p.outlets)
}

// reset returns an empty result that reuses the memory of the slices.
func (r *Result) reset() Result {
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

// mergeInjections inserts the texts of entries with the decorator inject_lore into their target
// entries, in activation order. If the target is not active, the text is placed nowhere. A text for
// a part of the host's prompt is only stored in [Activation.Inject].
func (r *Result) mergeInjections(active *roster, texts *contents) {
	var titled map[string][]int // indexes into Activated by comment
	for _, i := range active.special {
		e := active.activated[i]
		switch {
		case e.v3 == nil:
		case e.v3.InjectLore != "":
			if titled == nil {
				titled = r.byTitle()
			}
			r.injectInto(titled[e.v3.InjectLore], int(i), e, texts.text(e))
		case e.v3.InjectAt != "":
			r.Activated[i].Inject = new(e.v3.injection())
		}
	}
}

// injected reports whether the entry's text is inserted into a different text.
func (e *entry) injected() bool {
	return e.hasGates && e.v3 != nil && (e.v3.InjectLore != "" || e.v3.InjectAt != "")
}

// injection returns the injection that the decorators describe.
func (v *cardRules) injection() Injection {
	return Injection{Into: v.InjectAt, How: v.Inject, Old: v.Replaced}
}

// byTitle returns the indexes of active entries by title.
func (r *Result) byTitle() map[string][]int {
	places := map[string][]int{}
	for i := range r.Activated {
		title := r.Activated[i].Comment
		places[title] = append(places[title], i)
	}
	return places
}

// injectInto inserts the text of the entry at from into the first of the places other than from.
func (r *Result) injectInto(places []int, from int, e *entry, content string) {
	for _, i := range places {
		if i != from {
			to := &r.Activated[i]
			to.Text = e.v3.injection().Apply(to.Text, content)
			return
		}
	}
}
