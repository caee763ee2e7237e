package worldbook

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/tokens"
)

// derivedCache remembers what is made per set of names and per overlay. It is
// small: chats of one book mostly share them.
type derivedCache struct {
	mu       sync.Mutex
	matchers map[string]extraKeys
	books    map[string]*Compiled
}

// extraKeys is the matcher of a scan's own keys.
type extraKeys struct {
	match *matcher
	refs  []keyRef
}

// maxDerived bounds each of the maps; a full one is emptied.
const maxDerived = 64

// newDerivedCache returns an empty cache.
func newDerivedCache() *derivedCache {
	return &derivedCache{matchers: map[string]extraKeys{}, books: map[string]*Compiled{}}
}

// compileExtra prepares the keys with macros for the names of this scan. What they
// expand to is the name under which their matcher is remembered: chats whose user
// and character have the same names share one.
func (s *scan) compileExtra() {
	s.extraRefs = nil
	if len(s.dynamic) == 0 {
		return
	}
	// Nearly always the names are those of the last scan.
	of := namesOf{s.in.User, s.in.Char, len(s.dynamic)}
	usual := s.in.Expand == nil && len(s.dynamic) == len(s.c.dynamic)
	if usual && of == s.namesOf {
		s.extra.reset(s.extraKeys.match, nil)
		s.extraRefs = s.extraKeys.refs
		return
	}
	var sig strings.Builder
	texts := make([]string, len(s.dynamic))
	for i, spec := range s.dynamic {
		texts[i] = spec.text
		if spec.kind.expands() && hasMacro(spec.text) {
			texts[i] = valid(s.expand(spec.text))
		}
		fmt.Fprintf(&sig, "%q %t %t %d ", texts[i], spec.rules.caseSensitive, spec.rules.wholeWords, spec.kind)
	}
	d := s.c.derived
	d.mu.Lock()
	defer d.mu.Unlock()
	x, ok := d.matchers[sig.String()]
	if !ok {
		x = s.c.buildExtra(s.dynamic, texts)
		if len(d.matchers) >= maxDerived {
			clear(d.matchers)
		}
		d.matchers[sig.String()] = x
	}
	if usual {
		s.namesOf, s.extraKeys = of, x
	}
	s.extra.reset(x.match, nil)
	s.extraRefs = x.refs
}

// namesOf is what the keys of a scan depend on, where the host expands no macros of
// its own.
type namesOf struct {
	user, char string
	keys       int
}

// buildExtra compiles keys as they read with their macros expanded.
func (c *Compiled) buildExtra(specs []keySpec, texts []string) extraKeys {
	b := newKeyBuilder(c.settings, c.quirk)
	refs := make([]keyRef, len(texts))
	for i, text := range texts {
		refs[i], _ = b.addKind(text, specs[i])
	}
	return extraKeys{b.build(c.settings), refs}
}

// withAdded returns the books with the overlay's entries among them. Its signature is
// the name under which the outcome is remembered, so that a host may build an equal
// overlay anew on every turn.
func (c *Compiled) withAdded(add []Attachment) *Compiled {
	sig := appendSignature(nil, reflect.ValueOf(add))
	c.derived.mu.Lock()
	d, ok := c.derived.books[string(sig)]
	c.derived.mu.Unlock()
	if ok {
		return d
	}
	d = c.derive(add)
	c.derived.mu.Lock()
	defer c.derived.mu.Unlock()
	if len(c.derived.books) >= maxDerived {
		clear(c.derived.books)
	}
	c.derived.books[string(sig)] = d
	return d
}

// derive compiles more entries over the same matcher: their keys are the extra
// keys of every scan.
func (c *Compiled) derive(add []Attachment) *Compiled {
	d := &Compiled{
		settings: c.settings, quirk: c.quirk, match: c.match,
		cache: c.cache, derived: newDerivedCache(),
	}
	b := newBuilder(d)
	b.keys.late = true
	b.keys.dynamic = slices.Clone(c.dynamic)
	for i, l := range c.lists {
		b.lists[i] = slices.Clone(l)
	}
	b.attachAll(add)
	d.list(b)
	b.compileKeys(d.entries)
	d.finish(b)
	d.prematch()
	return d
}

// readSwitches resolves the overlay's switches and the forced entries. A forced
// entry is looked at in every loop, though no key of it was found. Of two copies of
// one entry the later counts.
func (s *scan) readSwitches() {
	s.switches, s.forced = s.switches[:0], nil
	if len(s.in.Overlay.Switch) > 0 {
		s.switches = resized(s.switches, len(s.c.entries))
		names := s.c.names()
		for name, on := range s.in.Overlay.Switch {
			for _, i := range names.uids[name] {
				if _, ok := s.in.Overlay.Switch[s.c.entries[i].name]; !ok {
					s.switches[i] = switchTo(on)
				}
			}
			for _, i := range names.ids[name] {
				s.switches[i] = switchTo(on)
			}
		}
	}
	s.readClosed()
	for _, f := range s.in.Forced {
		at, ok := s.c.byID[f.ID]
		if !ok {
			continue
		}
		if s.forced == nil {
			s.forced = map[ID]*entry{}
		}
		s.forced[f.ID] = s.forcedCopy(s.c.entries[at], f.Override)
		s.touched.set(int(at))
	}
	if s.c.ident != nil && len(s.forced) > 0 { // entries of the same id
		for i, first := range s.c.ident {
			if s.touched.has(int(first)) && s.forced[s.c.entries[i].id] != nil {
				s.touched.set(i)
			}
		}
	}
}

// readClosed switches off the entries of closed books, for good.
func (s *scan) readClosed() {
	for _, book := range s.in.Overlay.Closed {
		in := s.c.names().books[book]
		if len(in) > 0 && len(s.switches) == 0 {
			s.switches = resized(s.switches, len(s.c.entries))
		}
		for _, i := range in {
			s.switches[i] = switchedClosed
		}
	}
}

// switched is what an overlay's switches say of an entry.
type switched uint8

const (
	switchedNot switched = iota
	switchedOn
	switchedOff
	switchedClosed // the whole book is
)

func switchTo(on bool) switched {
	if on {
		return switchedOn
	}
	return switchedOff
}

// names find entries by what the switches of an overlay call them.
type names struct {
	ids, uids, books map[string][]int32
}

// listNames is called once, by the first scan with switches.
func (c *Compiled) listNames() names {
	n := names{ids: map[string][]int32{}, uids: map[string][]int32{}, books: map[string][]int32{}}
	for i, e := range c.entries {
		n.ids[e.name] = append(n.ids[e.name], int32(i))
		n.uids[e.id.UID] = append(n.uids[e.id.UID], int32(i))
		n.books[e.id.Book] = append(n.books[e.id.Book], int32(i))
	}
	return n
}

// forcedCopy overlays members over an entry. The copy keeps the hash and the
// decorators of the original; a content of its own is taken as it is. It needs no
// key to be activated, but inclusion groups count the keys that it has now.
func (s *scan) forcedCopy(e *entry, override json.RawMessage) *entry {
	if len(override) == 0 {
		out := *e
		return &out
	}
	var members map[string]json.RawMessage
	base, err := openjson.Marshal(e.src)
	if err == nil {
		err = json.Unmarshal(base, &members)
	}
	var patch map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(override, &patch)
	}
	if err != nil {
		out := *e
		return &out
	}
	for name, value := range patch {
		members[name] = value
	}
	merged, _ := openjson.Marshal(members)
	var src Entry
	if json.Unmarshal(merged, &src) != nil {
		out := *e
		return &out
	}
	return s.overlaid(e, &src, patch)
}

// overlaid compiles the changed fields of a forced copy. It is made per scan and
// gone afterwards, so that its keys, where a group counts them, become dynamic ones
// of this scan.
func (s *scan) overlaid(e *entry, src *Entry, patch map[string]json.RawMessage) *entry {
	out := &entry{
		src: src, id: e.id, name: e.name, hash: e.hash, book: e.book, at: e.at,
		activate: e.activate, dontActivate: e.dontActivate, v3: e.v3,
		keys: e.keys, secondary: e.secondary,
		content: e.content, dynamicContent: e.dynamicContent, contentEngine: e.contentEngine,
		contentWeight: e.contentWeight, contentKeys: e.contentKeys,
	}
	b := newBuilder(s.c)
	b.keys.late, b.keys.dynamic = true, slices.Clip(s.dynamic)
	b.flags(out)
	b.numbers(out)
	if e.v3 != nil && e.v3.placed {
		out.position, out.depth, out.role = e.position, e.depth, e.role
	}
	b.placement(out)
	if _, ok := patch["content"]; ok {
		out.content = valid(src.Content)
		out.dynamicContent, out.contentEngine = !src.Literal, true // nothing is known about it
		out.contentWeight = int32(min(tokens.Weight(out.content), math.MaxInt32))
	}
	out.dynamicContent = out.dynamicContent && !out.literal
	b.shown(out)
	out.late = e.late
	if out.timed && out.hash == "" {
		out.hash = hashEntry(e) // the effect comes from the override alone
	}
	if out.group != nil {
		b.scoredKeys(out, b.keyRulesOf(src))
		s.dynamic = b.keys.dynamic
	}
	return out
}
