package worldbook

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// keyRulesOf returns the rules for an entry's plain keys. Only null and a missing member fall back
// to the settings. The values false, 0 and the empty text mean no.
func (b *builder) keyRulesOf(s *Entry) match.KeyRules {
	rules := match.KeyRules{
		CaseSensitive: b.set.CaseSensitive,
		WholeWords:    b.set.MatchWholeWords,
	}
	rules.Form, _ = match.FormOf(b.set.Fold)
	if s.Options != nil && len(s.Options.Fold) > 0 {
		own, _ := match.FormOf(s.Options.Fold)
		rules.Form |= own
	}
	if s.CaseSensitive != nil {
		rules.CaseSensitive = *s.CaseSensitive
	}
	if s.MatchWholeWords != nil {
		rules.WholeWords = *s.MatchWholeWords
	}
	return rules
}

// compileKeys compiles the keys of the entries whose keys are not compiled yet. Equal keys with
// equal rules share one atom, however many entries have them. Primary keys come first, in list
// order, and so do their atoms. A scan that walks the list then reads their marks in order.
func (b *builder) compileKeys(list []*entry) {
	size := 0
	for _, e := range list {
		if !e.keysCompiled {
			size += len(e.src.Keys) + len(e.src.SecondaryKeys)
		}
	}
	b.refs = make([]match.Ref, 0, size)
	b.keys.Expect(size)
	for _, e := range list {
		if !e.keysCompiled {
			b.primaryKeys(e)
		}
	}
	for _, e := range list {
		if !e.keysCompiled {
			b.otherKeys(e)
			e.keysCompiled = true
		}
	}
}

// primaryKeys compiles the keys that activate the entry.
func (b *builder) primaryKeys(e *entry) {
	if e.hasKeys {
		rules, kind := b.keyRules(e)
		e.keys = match.NewKeys(b.keyList(e, e.src.Keys, "key", rules, kind))
	}
	e.decidedLate = slices.ContainsFunc(e.keys.List, b.keys.DecidedLate)
	e.alwaysExamined = e.decidedLate || e.constant || e.activate || e.v3 != nil
}

// otherKeys compiles the secondary keys and, for grouped entries, the keys that scores count.
func (b *builder) otherKeys(e *entry) {
	rules, kind := b.keyRules(e)
	if kind == match.Pattern {
		e.selective = false
	}
	if e.v3 != nil {
		b.decoratorKeys(e.v3, rules, kind)
	}
	if kind != match.Literal {
		kind = match.Usual
	}
	e.secondary = b.keyList(e, e.src.SecondaryKeys, "keysecondary", rules, kind)
	b.expressionKeys(e, rules)
	switch {
	case e.group == nil:
	case b.set.hasQuirk(quirkRawGroupKeys):
		b.scoredKeys(e, rules)
	default:
		e.group.keys, e.group.secondary = e.keys.List, e.secondary
	}
}

// keyRules returns how the primary keys of an entry are read.
func (b *builder) keyRules(e *entry) (match.KeyRules, match.Kind) {
	rules := b.keyRulesOf(e.src)
	if e.v3 != nil && e.v3.WholeWords != nil {
		rules.WholeWords = *e.v3.WholeWords
	}
	switch {
	case e.src.Literal:
		return rules, match.Literal
	case b.usesPatterns(e.src):
		return rules, match.Pattern
	}
	return rules, match.Usual
}

// usesPatterns reports whether every key of an entry is a regex. This is the member use_regex of
// Card V3, which only the decorator syntax of Card V3 reads.
func (b *builder) usesPatterns(s *Entry) bool {
	return b.set.Decorators == DecoratorsCardV3 && loose.Parse(s.Extra["use_regex"]).Truthy()
}

// keyList compiles a list of keys and reports the invalid ones.
func (b *builder) keyList(e *entry, keys []string, member string, rules match.KeyRules, kind match.Kind) []match.Ref {
	from := len(b.refs)
	for i, k := range keys {
		k = match.Valid(k)
		ref, err := b.keys.Add(k, rules, kind)
		if err != nil {
			b.problem(e, CodeBadRegex, fmt.Sprintf(".%s[%d]", member, i),
				"%q is not a JavaScript regex (%v): correct it or remove its slashes", k, err)
			if kind == match.Pattern {
				return nil // the entry never matches
			}
		}
		b.refs = append(b.refs, ref)
	}
	return b.refs[from:len(b.refs):len(b.refs)]
}

// scoredKeys compiles the keys that group scores count. With the quirk raw-group-keys they are used
// as written, without macro expansion and trimming.
func (b *builder) scoredKeys(e *entry, rules match.KeyRules) {
	kind := match.Usual
	switch {
	case e.src.Literal:
		kind = match.Literal
	case b.usesPatterns(e.src):
		kind = match.Pattern
	case b.set.hasQuirk(quirkRawGroupKeys):
		kind = match.Raw
	}
	e.group.keys = b.plainRefs(e.src.Keys, rules, kind)
	e.group.secondary = b.plainRefs(e.src.SecondaryKeys, rules, kind)
}

// decoratorKeys compiles the keys that decorators add. The member use_regex switches the exclusions
// off.
func (b *builder) decoratorKeys(v *cardRules, rules match.KeyRules, kind match.Kind) {
	for _, list := range v.Additional {
		v.additional = append(v.additional, b.plainRefs(list, rules, kind))
	}
	if kind != match.Pattern {
		v.exclude, v.excludeAll = b.plainRefs(v.Exclude, rules, kind), b.plainRefs(v.ExcludeAll, rules, kind)
	}
}

// plainRefs compiles keys and does not report invalid ones.
func (b *builder) plainRefs(keys []string, rules match.KeyRules, kind match.Kind) []match.Ref {
	list := make([]match.Ref, len(keys))
	for i, k := range keys {
		list[i], _ = b.keys.Add(match.Valid(k), rules, kind)
	}
	return list
}

// expressionKeys compiles the keys of an entry's expression. Without primary keys the keys of the
// expression announce the entry. If they cannot, every loop examines it: because the expression
// holds without any key, or because a key is decided late.
func (b *builder) expressionKeys(e *entry, rules match.KeyRules) {
	if !e.hasExpression || e.own.when.err != nil {
		return
	}
	x := e.own.when
	for i, k := range x.keys {
		ref, err := b.keys.Add(k.text, rules, k.kind(e.src.Literal))
		if err != nil {
			b.problem(e, CodeBadRegex, optionsPath+".when",
				"key %d, %q, is not a JavaScript regex (%v): correct it or put it into quotation marks", i+1, k.text, err)
		}
		x.refs = append(x.refs, ref)
	}
	if !e.hasKeys {
		holdsWithoutKeys := x.root.holds(func(int) bool { return false })
		e.alwaysExamined = e.alwaysExamined || holdsWithoutKeys || slices.ContainsFunc(x.refs, b.keys.DecidedLate)
	}
}
