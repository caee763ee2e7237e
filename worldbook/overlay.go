package worldbook

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// dynamicKeyIndex are the keys of a scan that have macros. Their index is cached under the expanded keys,
// so chats with the same names of user and character share one index.
type dynamicKeyIndex struct {
	names keyNames    // the names of the last scan; they nearly never change
	keys  match.Extra // the index of the last scan
}

// keyNames holds the values that the keys of a scan depend on, if the host has no macro expansion of
// its own.
type keyNames struct {
	user, char string
	keys       int
}

func (o *dynamicKeyIndex) compile(c *Compiled, in *Input, specs []match.Spec) match.Extra {
	of := keyNames{in.User, in.Char, len(specs)}
	usual := in.Expand == nil && (in.ExpandKey == nil || !c.keyMacros) && len(specs) == len(c.dynamic)
	if usual && of == o.names {
		return o.keys
	}
	texts := make([]string, len(specs))
	for i, spec := range specs {
		texts[i] = spec.Text
		if spec.Kind.Expands() && match.In(spec.Text) {
			texts[i] = match.Valid(in.expandKey(spec.Text))
		}
	}
	x := c.extras.Get(match.ExtraName(specs, texts), func() match.Extra {
		return match.NewExtra(keyRules(&c.settings), specs, texts)
	})
	if usual {
		o.names, o.keys = of, x
	}
	return x
}

// withAdded returns the books with the entries of the overlay. The result is cached by the content
// of the entries, so that a host may build an equal overlay again on every turn.
func (c *Compiled) withAdded(add []Attachment, without []string) *Compiled {
	name := string(signatureOf(add))
	if len(without) > 0 {
		name += "\x00" + string(signatureOf(without))
	}
	return c.derived.Get(name, func() *Compiled { return c.derive(add, without) })
}

// derive compiles more entries over the same index. Their keys become the extra keys of every scan.
func (c *Compiled) derive(add []Attachment, without []string) *Compiled {
	d := &Compiled{settings: c.settings, match: c.match, cache: c.cache}
	s := &bookList{builder: newBuilder(&d.settings)}
	s.builder.keys.Late, s.builder.filters = true, slices.Clip(c.filters)
	s.builder.limits = slices.Clip(c.limits)
	s.builder.keys.Dynamic = slices.Clone(c.dynamic)
	removed := make(map[string]bool, len(without))
	for _, name := range without {
		removed[name] = true
	}
	s.lists, s.places = map[Source][]*entry{}, map[Source]map[string]int{}
	for i, l := range c.lists {
		s.lists[i], s.places[i] = slices.Clone(l), map[string]int{}
		for j, e := range l {
			if e == nil || !removed[e.name()] {
				continue
			}
			s.lists[i][j] = nil
			if _, known := s.places[i][e.name()]; !known {
				s.places[i][e.name()] = j
			}
		}
	}
	d.compileList(s, add)
	d.filters, d.limits = s.builder.filters, s.builder.limits
	d.buildShared(s.builder.keys.Dynamic)
	return d
}

// overrides holds the switched and forced entries of one scan.
type overrides struct {
	switches []switchState // by entry, empty without any
	depth    int           // the greatest scan depth of a forced copy
	forced   map[ID]*entry // the copies that replace forced entries
}

func (o *overrides) release() { o.forced = nil }

// isForced reports whether an entry is forced.
func (o *overrides) isForced(id ID) bool { return len(o.forced) > 0 && o.forced[id] != nil }

// resolve resolves the overlay's switches and the forced entries. It returns the keys of this scan
// that have macros. Every loop examines a forced entry, even if no key of it was found. Of two
// copies of one entry the later one counts.
func (o *overrides) resolve(c *Compiled, in *Input, touched match.Set) (dynamic []match.Spec) {
	o.switches, o.forced, o.depth = o.switches[:0], nil, 0
	o.resolveSwitches(c, &in.Overlay)
	dynamic = c.dynamic
	for _, f := range in.Forced {
		at, ok := c.find(f.ID)
		if !ok {
			continue
		}
		copied, keys := c.forcedCopy(c.entries[at], f.Override, dynamic)
		put(&o.forced, f.ID, copied)
		dynamic = keys
		o.depth = max(o.depth, reachOf(&c.settings, int(copied.scanDepth)))
		touched.Put(int(at))
	}
	if c.homes != nil && len(o.forced) > 0 { // entries of the same id
		for i, first := range c.homes {
			if touched.Has(int(first)) && o.isForced(c.entries[i].id) {
				touched.Put(i)
			}
		}
	}
	return dynamic
}

// resolveSwitches resolves the switches: first uids, then full names, which take precedence. Then it
// applies the closed books and the hidden entries, which no switch can turn on.
func (o *overrides) resolveSwitches(c *Compiled, overlay *Overlay) {
	if len(overlay.Switch)+len(overlay.Closed)+len(overlay.Hidden) == 0 {
		return
	}
	names := c.names()
	o.switches = match.Resized(o.switches, len(c.entries))
	set := func(places []int32, to switchState) {
		for _, i := range places {
			o.switches[i] = to
		}
	}
	for name, on := range overlay.Switch {
		set(names.uids[name], stateOf(on))
	}
	for name, on := range overlay.Switch {
		set(names.ids[name], stateOf(on))
	}
	for _, book := range overlay.Closed {
		set(names.books[book], switchedClosed)
	}
	for _, name := range overlay.Hidden {
		set(names.uids[name], switchedClosed)
		set(names.ids[name], switchedClosed)
	}
}

// switchState is the state that an overlay gives an entry.
type switchState uint8

const (
	switchedNot switchState = iota
	switchedOn
	switchedOff
	switchedClosed // the whole book is closed
)

func stateOf(on bool) switchState {
	if on {
		return switchedOn
	}
	return switchedOff
}

// forcedCopy returns a copy of an entry with members replaced. The copy keeps the hash and the
// decorators of the original. A content of its own is used as it is. The copy needs no key to be
// activated, but inclusion groups count its new keys.
func (c *Compiled) forcedCopy(e *entry, override json.RawMessage, dynamic []match.Spec) (*entry, []match.Spec) {
	patch, src, ok := e.src.patched(override)
	if !ok {
		out := *e
		return &out, dynamic
	}
	return c.overlaid(e, src, patch, dynamic)
}

// patched returns a copy of an entry with members replaced, and the replaced members. It returns
// false if override is not a JSON object.
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

// overlaid compiles the changed fields of a forced copy. The copy exists only during one scan. Its
// keys, if a group counts them, become dynamic keys of this scan.
func (c *Compiled) overlaid(
	e *entry, src *Entry, patch map[string]json.RawMessage, dynamic []match.Spec,
) (*entry, []match.Spec) {
	out := &entry{
		id: e.id, origin: e.origin, v3: e.v3, keys: e.keys, secondary: e.secondary,
		content: e.content, contentWeight: e.contentWeight, contentKeys: e.contentKeys,
	}
	out.src, out.serial = src, 0
	out.activate, out.dontActivate = e.activate, e.dontActivate
	out.own, out.inSet = e.own, e.inSet
	out.dynamicContent, out.contentNeedsSearch = e.dynamicContent, e.contentNeedsSearch
	b := newBuilder(&c.settings)
	b.keys.Late, b.keys.Dynamic = true, slices.Clip(dynamic)
	b.flags(out)
	b.numbers(out)
	if e.v3 != nil {
		out.applyDecorators(e.v3.decoratorRules)
		out.v3 = e.v3 // with its keys
	}
	b.placement(out)
	if _, ok := patch["content"]; ok {
		out.content = match.Valid(src.Content)
		out.dynamicContent, out.contentNeedsSearch = !src.Literal, true // the keys in the new content are not known
		out.contentWeight = int32(min(tokens.Weight(out.content), math.MaxInt32))
	}
	out.dynamicContent = out.dynamicContent && !out.literal || out.limitsText()
	b.setSummaryFlags(out)
	out.decidedLate = e.decidedLate
	if e.hasTimedEffects || out.hasTimedEffects {
		own := *out.effects
		if own.hash = e.hash; !e.hasTimedEffects {
			own.hash = hashEntry(e)
		}
		out.effects = &own
	}
	if out.group != nil {
		b.scoredKeys(out, b.keyRulesOf(src))
		dynamic = b.keys.Dynamic
	}
	return out, dynamic
}
