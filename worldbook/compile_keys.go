package worldbook

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// keyRulesOf returns the rules for an entry's plain keys. Only null and a missing
// member fall back to the settings: false, 0 and the empty text are a no.
func (b *builder) keyRulesOf(s *Entry) keyRules {
	rules := keyRules{
		caseSensitive: b.c.settings.CaseSensitive,
		wholeWords:    b.c.settings.MatchWholeWords,
	}
	if s.CaseSensitive != nil {
		rules.caseSensitive = *s.CaseSensitive
	}
	if s.MatchWholeWords != nil {
		rules.wholeWords = *s.MatchWholeWords
	}
	return rules
}

// compileKeys compiles the keys of those entries that have none yet. Equal keys under
// equal rules are one atom, however many entries have them. Primary keys come first,
// in list order, and so do their atoms: a scan that walks the list walks their marks.
func (b *builder) compileKeys(list []*entry) {
	var added []*entry
	size := 0
	for _, e := range list {
		if !e.keyed {
			e.keyed = true
			added = append(added, e)
			size += len(e.src.Keys) + len(e.src.SecondaryKeys)
		}
	}
	b.refs = make([]keyRef, 0, size)
	b.keys.expect(size)
	for _, e := range added {
		b.primaryKeys(e)
	}
	for _, e := range added {
		b.otherKeys(e)
	}
}

// primaryKeys compiles the keys that activate.
func (b *builder) primaryKeys(e *entry) {
	if e.hasKeys {
		rules, kind := b.reading(e)
		e.keys = b.keyList(e, e.src.Keys, "key", rules, kind)
		b.findRun(e)
	}
	e.late = slices.ContainsFunc(e.keys, b.keys.decidedLate)
	e.always = e.late || e.constant || e.activate || e.v3 != nil
}

// otherKeys compiles the keys that narrow, and for grouped entries those that
// scores count.
func (b *builder) otherKeys(e *entry) {
	rules, kind := b.reading(e)
	if kind == keyPattern {
		e.selective = false
	}
	if e.v3 != nil {
		e.v3.keys(b, rules, kind)
	}
	if kind != keyLiteral {
		kind = keyUsual
	}
	e.secondary = b.keyList(e, e.src.SecondaryKeys, "keysecondary", rules, kind)
	switch {
	case e.group == nil:
	case b.c.quirk[quirkRawGroupKeys]:
		b.scoredKeys(e, rules)
	default:
		e.group.keys, e.group.secondary = e.keys, e.secondary
	}
}

// reading says how the primary keys of an entry are read.
func (b *builder) reading(e *entry) (keyRules, keyKind) {
	rules := b.keyRulesOf(e.src)
	if e.v3 != nil && e.v3.wholeWords != nil {
		rules.wholeWords = *e.v3.wholeWords
	}
	switch {
	case e.src.Literal:
		return rules, keyLiteral
	case b.usesPatterns(e.src):
		return rules, keyPattern
	}
	return rules, keyUsual
}

// usesPatterns reports whether every key of an entry is a regex: Card V3's member
// use_regex, which only its own reading knows.
func (b *builder) usesPatterns(s *Entry) bool {
	return b.c.settings.Decorators == DecoratorsCardV3 && loose.Parse(s.Extra["use_regex"]).Truthy()
}

// findRun recognises the usual case that the primary keys are atoms in a row, which
// no other entry has used before. A scan then needs to know the first one only, and
// the keys as they are written stand in the list of all.
func (b *builder) findRun(e *entry) {
	if len(e.keys) == 0 || e.keys[0] < 0 || e.keys[0] >= refDynamic {
		return
	}
	first := int(e.keys[0])
	for i, ref := range e.keys {
		if int(ref) != first+i || b.keys.texts[ref] != e.src.Keys[i] {
			return
		}
	}
	e.run, e.firstKey = true, e.keys[0]
}

// keyList compiles a list of keys and reports the bad ones.
func (b *builder) keyList(e *entry, keys []string, member string, rules keyRules, kind keyKind) []keyRef {
	from := len(b.refs)
	for i, k := range keys {
		k = valid(k)
		ref, err := b.keys.add(k, rules, kind)
		if err != nil {
			b.problem(e, CodeBadRegex, fmt.Sprintf(".%s[%d]", member, i),
				"%q is no JavaScript regex (%v): mend it or remove its slashes", k, err)
			if kind == keyPattern {
				return nil // the entry never matches
			}
		}
		b.refs = append(b.refs, ref)
	}
	return b.refs[from:len(b.refs):len(b.refs)]
}

// scoredKeys compiles the keys that count in group scores: as they are written
// with Q4, without macros and trimming.
func (b *builder) scoredKeys(e *entry, rules keyRules) {
	kind := keyUsual
	switch {
	case e.src.Literal:
		kind = keyLiteral
	case b.usesPatterns(e.src):
		kind = keyPattern
	case b.c.quirk[quirkRawGroupKeys]:
		kind = keyRaw
	}
	refs := func(keys []string) []keyRef {
		list := make([]keyRef, len(keys))
		for i, k := range keys {
			list[i], _ = b.keys.add(valid(k), rules, kind)
		}
		return list
	}
	e.group.keys, e.group.secondary = refs(e.src.Keys), refs(e.src.SecondaryKeys)
}
