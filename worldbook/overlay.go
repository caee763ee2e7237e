package worldbook

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/bitset"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// derivedCache remembers what is made per set of names and per overlay. It is
// small: chats of one book mostly share them.
type derivedCache struct {
	mu     sync.Mutex
	extras map[string]match.Extra
	books  map[string]*Compiled
}

// maxDerived bounds each of the maps; a full one is emptied.
const maxDerived = 64

// newDerivedCache returns an empty cache.
func newDerivedCache() *derivedCache {
	return &derivedCache{extras: map[string]match.Extra{}, books: map[string]*Compiled{}}
}

// ownKeys are the keys with macros in them, for the names of a scan. What they
// expand to is the name under which their index is remembered: chats whose user
// and character have the same names share one.
type ownKeys struct {
	of   namesOf // nearly always the names are those of the last scan
	keys match.Extra
}

// namesOf is what the keys of a scan depend on, where the host expands no macros of
// its own.
type namesOf struct {
	user, char string
	keys       int
}

func (o *ownKeys) compile(c *Compiled, in *Input, specs []match.Spec) match.Extra {
	of := namesOf{in.User, in.Char, len(specs)}
	usual := in.Expand == nil && len(specs) == len(c.dynamic)
	if usual && of == o.of {
		return o.keys
	}
	texts := make([]string, len(specs))
	for i, spec := range specs {
		texts[i] = spec.Text
		if spec.Kind.Expands() && match.HasMacro(spec.Text) {
			texts[i] = match.Valid(in.expand(spec.Text))
		}
	}
	x := c.derived.extra(c.keyRules(), specs, texts)
	if usual {
		o.of, o.keys = of, x
	}
	return x
}

// extra returns the index of keys as they read with their macros expanded.
func (d *derivedCache) extra(rules match.Rules, specs []match.Spec, texts []string) match.Extra {
	var sig strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&sig, "%q %t %t %d ", texts[i], spec.Rules.CaseSensitive, spec.Rules.WholeWords, spec.Kind)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if x, ok := d.extras[sig.String()]; ok {
		return x
	}
	b := match.NewBuilder(rules)
	refs := make([]match.Ref, len(texts))
	for i, text := range texts {
		refs[i], _ = b.AddKind(text, specs[i])
	}
	if len(d.extras) >= maxDerived {
		clear(d.extras)
	}
	x := match.Extra{Index: b.Build(), Refs: refs}
	d.extras[sig.String()] = x
	return x
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

// derive compiles more entries over the same index: their keys are the extra
// keys of every scan.
func (c *Compiled) derive(add []Attachment) *Compiled {
	d := &Compiled{
		settings: c.settings, quirk: c.quirk, match: c.match,
		cache: c.cache, derived: newDerivedCache(),
	}
	b := newBuilder(d)
	b.keys.Late = true
	b.keys.Dynamic = slices.Clone(c.dynamic)
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

// overrides switch and force entries for one scan.
type overrides struct {
	switches []switched // by entry, empty without any
	forced   map[ID]*entry
}

func (o *overrides) release() { o.forced = nil }

// forces reports whether an entry is forced.
func (o *overrides) forces(id ID) bool { return len(o.forced) > 0 && o.forced[id] != nil }

// gate says what of the switches, or of the entry's own, keeps an entry out.
func (o *overrides) gate(i int, disabled bool) gate {
	if len(o.switches) > 0 {
		switch o.switches[i] {
		case switchedClosed:
			return gateClosed
		case switchedOff:
			return gateDisabled
		case switchedOn:
			return gateNone
		}
	}
	if disabled {
		return gateDisabled
	}
	return gateNone
}

// read resolves the overlay's switches and the forced entries, and returns the keys with
// macros of this scan. A forced entry is looked at in every loop, though no key of it was
// found. Of two copies of one entry the later counts.
func (o *overrides) read(c *Compiled, in *Input, touched bitset.Set) (dynamic []match.Spec) {
	o.switches, o.forced = o.switches[:0], nil
	o.readSwitches(c, &in.Overlay)
	dynamic = c.dynamic
	for _, f := range in.Forced {
		at, ok := c.byID[f.ID]
		if !ok {
			continue
		}
		if o.forced == nil {
			o.forced = map[ID]*entry{}
		}
		o.forced[f.ID], dynamic = c.forcedCopy(c.entries[at], f.Override, dynamic)
		touched.Put(int(at))
	}
	if c.ident != nil && len(o.forced) > 0 { // entries of the same id
		for i, first := range c.ident {
			if touched.Has(int(first)) && o.forces(c.entries[i].id) {
				touched.Put(i)
			}
		}
	}
	return dynamic
}

// readSwitches resolves the switches: a uid first, then the full names, which win, then
// the closed books, whose entries are off for good.
func (o *overrides) readSwitches(c *Compiled, overlay *Overlay) {
	if len(overlay.Switch)+len(overlay.Closed) == 0 {
		return
	}
	names := c.names()
	o.switches = bitset.Resized(o.switches, len(c.entries))
	set := func(places []int32, to switched) {
		for _, i := range places {
			o.switches[i] = to
		}
	}
	for name, on := range overlay.Switch {
		set(names.uids[name], switchTo(on))
	}
	for name, on := range overlay.Switch {
		set(names.ids[name], switchTo(on))
	}
	for _, book := range overlay.Closed {
		set(names.books[book], switchedClosed)
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
func (c *Compiled) forcedCopy(e *entry, override json.RawMessage, dynamic []match.Spec) (*entry, []match.Spec) {
	patch, src, ok := e.src.patched(override)
	if !ok {
		out := *e
		return &out, dynamic
	}
	return c.overlaid(e, src, patch, dynamic)
}

// patched returns a copy of an entry with members replaced, and those that are; false if
// the members are no JSON object.
func (e *Entry) patched(override json.RawMessage) (patch map[string]json.RawMessage, src *Entry, ok bool) {
	if len(override) == 0 || json.Unmarshal(override, &patch) != nil {
		return nil, nil, false
	}
	var members map[string]json.RawMessage
	base, err := openjson.Marshal(e)
	if err != nil || json.Unmarshal(base, &members) != nil {
		return nil, nil, false
	}
	maps.Copy(members, patch)
	merged, err := openjson.Marshal(members)
	src = new(Entry)
	return patch, src, err == nil && json.Unmarshal(merged, src) == nil
}

// overlaid compiles the changed fields of a forced copy. It is made per scan and
// gone afterwards, so that its keys, where a group counts them, become dynamic ones
// of this scan.
func (c *Compiled) overlaid(
	e *entry, src *Entry, patch map[string]json.RawMessage, dynamic []match.Spec,
) (*entry, []match.Spec) {
	out := &entry{
		src: src, id: e.id, name: e.name, hash: e.hash, book: e.book, at: e.at,
		activate: e.activate, dontActivate: e.dontActivate, v3: e.v3,
		keys: e.keys, secondary: e.secondary,
		content: e.content, dynamicContent: e.dynamicContent, contentEngine: e.contentEngine,
		contentWeight: e.contentWeight, contentKeys: e.contentKeys,
	}
	b := newBuilder(c)
	b.keys.Late, b.keys.Dynamic = true, slices.Clip(dynamic)
	b.flags(out)
	b.numbers(out)
	if e.v3 != nil && e.v3.placed {
		out.position, out.depth, out.role = e.position, e.depth, e.role
	}
	b.placement(out)
	if _, ok := patch["content"]; ok {
		out.content = match.Valid(src.Content)
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
		dynamic = b.keys.Dynamic
	}
	return out, dynamic
}

// appendSignature appends bytes that are equal for equal values only: what they hold,
// not where. Unexported fields and what pointers point to count as well.
func appendSignature(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendSignature(append(b, 1), v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendSignature(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendSignature(b, v.Field(i))
		}
	case reflect.Map:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Len() == 0 {
			return b
		}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			b = appendSignature(appendSignature(b, name), v.MapIndex(name))
		}
	default:
		panic("worldbook: no signature for a " + v.Kind().String())
	}
	return b
}
