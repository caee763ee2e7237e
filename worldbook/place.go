package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/quirk"
)

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
	length   int  // of the chat
	reversed bool // the quirk
	inOrder  bool // so far
	order    []int32
	depths   keyed[depthAndRole] // of out.Depth
	outlets  keyed[string]       // of out.Outlets
}

func (p *placer) begin(c *Compiled, out *Result, length int) {
	p.out, p.length, p.reversed = out, length, c.quirk.Has(quirk.ReversedTies)
	p.inOrder = c.settings.Decorators != DecoratorsCardV3 // theirs may merge texts first
}

func (p *placer) release() {
	p.out = nil
	p.depths.reset()
	p.outlets.reset()
}

// fits reports whether the newest of the active entries can be placed at once.
func (p *placer) fits(activated []Activation) bool {
	if n := len(activated) - 1; n > 0 && p.inOrder && p.compare(activated[n-1].Order, activated[n].Order) > 0 {
		p.inOrder = false
	}
	return p.inOrder
}

// place sorts the activated entries into the result.
func (s *scan) place() {
	if !s.placer.inOrder {
		s.out.mergeInjected(&s.roster, &s.contents)
		s.placer.placeAll(s.roster.activated)
	}
	if s.placer.reversed {
		s.out.reverse()
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

// show writes an activated entry into the result, field by field: books are
// large, and an [Activation] made on the stack first would be copied.
func (c *candidate) show(to *Activation, content string, loop int) {
	e := c.entry
	to.ID, to.Comment, to.AutomationID = e.id, e.comment, ""
	if e.automated {
		to.AutomationID = e.automationID
	}
	to.Order, to.Text, to.Loop = e.order, content, loop
	to.Reason.Kind = reasonKinds[c.why]
	to.Reason.Key, to.Reason.Place = "", Place{}
	if c.why == whyKey {
		to.Reason.Key, to.Reason.Place = c.text, publicPlace(c.place)
	}
	to.Hides, to.Inject, to.Literal = nil, nil, e.literal
	if e.gated && e.v3 != nil {
		to.Hides = slices.Clone(e.v3.hides)
	}
}

// place puts the text of an active entry where it belongs.
func (p *placer) place(e *entry, a *Activation) {
	if a.Text == "" || e.injected() {
		return
	}
	r := p.out
	var to *Placed
	switch at := Position(e.position); at {
	case BeforeCharacter:
		to = another(&r.Before)
	case AfterCharacter:
		to = another(&r.After)
	case NoteTop:
		to = another(&r.NoteTop)
	case NoteBottom:
		to = another(&r.NoteBottom)
	case AtDepth:
		to = another(p.atDepth(depthAndRole{e.depthIn(p.length), e.depthText, e.role, e.missingDepth}))
	case BeforeExamples, AfterExamples:
		example := another(&r.Examples)
		example.After = at == AfterExamples
		to = &example.Placed
	case InOutlet:
		if e.src.OutletName != "" {
			to = another(p.outlet(e.src.OutletName))
		}
	}
	if to != nil {
		to.ID, to.Text, to.Order, to.Constant, to.Literal = a.ID, a.Text, a.Order, e.constant, a.Literal
	}
}

// defaultDepth is where a missing depth is looked up.
const defaultDepth = 4

// atDepth returns the list of a depth and a role. A missing depth joins a group at
// depth 4, else opens one that nothing joins (quirk missing-depth).
func (p *placer) atDepth(at depthAndRole) *[]Placed {
	r := p.out
	depth, missing := at.depth, at.missing
	at.missing = false
	if i := p.depths.find(at); i >= 0 {
		return &r.Depth[i].Entries
	}
	at.missing = missing
	p.depths.add(at)
	g := another(&r.Depth)
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
	depth   int
	text    string // of a depth that is no number
	role    Role
	missing bool
}

// outlet returns the list of a named outlet, opening it on first use.
func (p *placer) outlet(name string) *[]Placed {
	r := p.out
	if i := p.outlets.find(name); i >= 0 {
		return &r.Outlets[i].Entries
	}
	p.outlets.add(name)
	o := another(&r.Outlets)
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
	p.depths.reset()
	p.outlets.reset()
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
		Rolls: r.Rolls[:0], loops: r.loops[:0], Fuses: r.Fuses[:0],
	}
}

// InjectHow says how a text joins the text that it is injected into.
type InjectHow string

// The ways. Texts that are joined have a newline between them.
const (
	InjectAppend  InjectHow = "append"
	InjectPrepend InjectHow = "prepend"
	InjectReplace InjectHow = "replace"
)

// Injection asks the host to put a text into a part of its own prompt
// (decorator inject_at of RisuAI).
type Injection struct {
	// Into names the part, in the host's words.
	Into string    `json:"into"`
	How  InjectHow `json:"how"`
	// Old is the text inside the part that InjectReplace replaces.
	Old string `json:"old,omitempty"`
}

// Apply returns target with text injected. A target without Old stays as it is.
func (in Injection) Apply(target, text string) string {
	switch in.How {
	case InjectReplace:
		if in.Old == "" {
			return text
		}
		return strings.ReplaceAll(target, in.Old, text)
	case InjectPrepend:
		return text + "\n" + target
	}
	return target + "\n" + text
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
		case e.v3.injectLore != "":
			if titled == nil {
				titled = r.titled()
			}
			r.injectInto(titled[e.v3.injectLore], int(i), e, texts.of(e))
		case e.v3.inject.Into != "":
			in := e.v3.inject
			r.Activated[i].Inject = &in
		}
	}
}

// injected reports whether the entry's text stands inside another text.
func (e *entry) injected() bool {
	return e.gated && e.v3 != nil && (e.v3.injectLore != "" || e.v3.inject.Into != "")
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
			to.Text = e.v3.inject.Apply(to.Text, content)
			return
		}
	}
}

// another makes a list longer by one, which is what it held there before.
func another[T any](list *[]T) *T {
	n := len(*list)
	*list = slices.Grow(*list, 1)[:n+1]
	return &(*list)[n]
}

// keyed finds the places of keys in a list: by looking as long as they are few.
type keyed[K comparable] struct {
	keys   []K
	places map[K]int
}

// fewKeys are found faster by looking.
const fewKeys = 16

// find returns the place of a key, or -1.
func (k *keyed[K]) find(key K) int {
	if len(k.keys) <= fewKeys {
		return slices.Index(k.keys, key)
	}
	if at, ok := k.places[key]; ok {
		return at
	}
	return -1
}

// add puts a key that is not there at the end.
func (k *keyed[K]) add(key K) {
	k.keys = append(k.keys, key)
	if len(k.keys) <= fewKeys {
		return
	}
	if k.places == nil {
		k.places = map[K]int{}
	}
	if len(k.places) == 0 {
		for i, key := range k.keys {
			k.places[key] = i
		}
	}
	k.places[key] = len(k.keys) - 1
}

// reset forgets all keys.
func (k *keyed[K]) reset() {
	clear(k.keys)
	k.keys = k.keys[:0]
	clear(k.places)
}
