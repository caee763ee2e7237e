package worldbook

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// keyRules are an entry's rules for its plain keys.
type keyRules struct {
	caseSensitive, wholeWords bool
}

// keyRef points to what decides a key: an atom of the book's matcher, a key that
// is compiled per scan, or one of the constants.
type keyRef int32

const (
	refNever  keyRef = -1 // never found
	refAlways keyRef = -2 // found everywhere
	// refDynamic and above count the keys compiled per scan.
	refDynamic keyRef = 1 << 30
)

// keyKind says how the text of a key is read.
type keyKind uint8

const (
	keyUsual   keyKind = iota // macros expanded, trimmed, /…/ is a regex
	keyRaw                    // neither expanded nor trimmed
	keyPattern                // macros expanded, a regex without slashes too
	keyLiteral                // trimmed, and plain text whatever it looks like
)

// expands reports whether macros are expanded in the text of a key.
func (k keyKind) expands() bool { return k == keyUsual || k == keyPattern }

// keySpec is a key and its rules.
type keySpec struct {
	text  string
	rules keyRules
	kind  keyKind
}

// atomKind says how an atom is decided.
type atomKind uint8

const (
	atomPlain  atomKind = iota // the index over folded texts
	atomExact                  // the index over texts as they are
	atomRegex                  // regexes[which]
	atomJoined                 // joined[which], searched for in the joined window
)

// atom is one distinct matcher.
type atom struct {
	kind  atomKind
	which int32
}

// joinedKey is a plain key that can reach over the parts of a window.
type joinedKey struct {
	needle        string // folded unless caseSensitive
	caseSensitive bool
	wholeWords    bool
}

// regexKey is a regex and the atom it decides.
type regexKey struct {
	re   *jsregex.Regexp
	plan jsregex.Plan
	name string // as reported when it is given up
	atom int32
}

// keyBuilder gives every distinct key an atom.
type keyBuilder struct {
	settings Settings
	quirk    quirkSet
	known    map[keySpec]known
	atoms    []atom
	texts    []string // of atoms, as they are written first
	folded   []keyindex.Key
	exact    []keyindex.Key
	regexes  []regexKey
	joined   []joinedKey
	dynamic  []keySpec
	late     bool // all keys become dynamic: the matcher exists already

	foldedTo, exactTo []target
}

// known remembers the outcome for a key.
type known struct {
	ref keyRef
	err error
}

// target is what a find in an index means.
type target struct {
	kind targetKind
	to   int32
}

type targetKind uint8

const (
	targetAtom    targetKind = iota // atom to is found
	targetLiteral                   // atom to, a regex made of literals, is found
	targetGuard                     // regex to may match
)

// newKeyBuilder returns a builder without keys.
func newKeyBuilder(s Settings, q quirkSet) keyBuilder {
	return keyBuilder{settings: s, quirk: q, known: map[keySpec]known{}}
}

// expect makes room for so many keys.
func (b *keyBuilder) expect(n int) {
	if b.late {
		return
	}
	b.known = make(map[keySpec]known, n)
	b.atoms, b.texts = make([]atom, 0, n), make([]string, 0, n)
	b.folded, b.foldedTo = make([]keyindex.Key, 0, n), make([]target, 0, n)
}

// add returns the reference of a key, and why a regex is none.
func (b *keyBuilder) add(text string, rules keyRules, kind keyKind) (keyRef, error) {
	spec := keySpec{text, rules, kind}
	if k, ok := b.known[spec]; ok {
		return k.ref, k.err
	}
	var k known
	switch {
	case b.late, kind.expands() && hasMacro(text):
		k.ref = refDynamic + keyRef(len(b.dynamic))
		b.dynamic = append(b.dynamic, spec)
	default:
		k.ref, k.err = b.addKind(text, spec)
		if len(b.atoms) > len(b.texts) {
			b.texts = append(b.texts, text)
		}
	}
	b.known[spec] = k
	return k.ref, k.err
}

// addKind adds a key whose macros are expanded in text.
func (b *keyBuilder) addKind(text string, spec keySpec) (keyRef, error) {
	switch spec.kind {
	case keyRaw:
		return b.addPrepared(text, spec.rules)
	case keyPattern:
		return b.addPattern(text, spec.rules)
	case keyLiteral:
		if text = keyindex.TrimSpace(text); text == "" {
			return refNever, nil
		}
		return b.addPlain(text, spec.rules)
	}
	return b.addTrimmed(text, spec.rules)
}

// addPattern adds a key that is a regex whether it has slashes or not. One
// without them ignores case unless the entry is case sensitive.
func (b *keyBuilder) addPattern(text string, rules keyRules) (keyRef, error) {
	if body, letters, ok := jsregex.SplitKey(text); ok {
		return b.addRegex(text, body, letters, rules)
	}
	if text == "" {
		return refNever, nil
	}
	letters := "i"
	if rules.caseSensitive {
		letters = ""
	}
	return b.addRegex(text, text, letters, rules)
}

// addTrimmed applies the rules about empty keys (Q1).
func (b *keyBuilder) addTrimmed(text string, rules keyRules) (keyRef, error) {
	if text == "" {
		return refNever, nil
	}
	if text = keyindex.TrimSpace(text); text == "" && !b.quirk[quirkBlankKey] {
		return refNever, nil
	}
	return b.addPrepared(text, rules)
}

// addPrepared adds a key whose text is final. The empty text is found
// everywhere. A key that looks like a regex and is none is plain text, slashes
// included, unless the settings drop it.
func (b *keyBuilder) addPrepared(text string, rules keyRules) (keyRef, error) {
	if text == "" {
		return refAlways, nil
	}
	if body, letters, ok := jsregex.SplitKey(text); ok {
		ref, err := b.addRegex(text, body, letters, rules)
		if err == nil || b.settings.SkipInvalidRegex {
			return ref, err
		}
		ref, _ = b.addPlain(text, rules)
		return ref, err
	}
	return b.addPlain(text, rules)
}

// newAtom adds an atom. Its number is its place in all lists of finds.
func (b *keyBuilder) newAtom(kind atomKind, which int) int32 {
	b.atoms = append(b.atoms, atom{kind, int32(which)})
	return int32(len(b.atoms)) - 1
}

// addPlain adds a plain key. A key with white space in it has no word edges,
// whatever the entry says: SillyTavern looks at the edges of single words only.
// A key that could reach over the joint of two parts (a newline, U+0001, or
// blanks at its ends, which raw keys can have) is searched for in the joined
// window; all others go into an index.
func (b *keyBuilder) addPlain(text string, rules keyRules) (keyRef, error) {
	if !rules.caseSensitive {
		text = keyindex.FoldString(text)
	}
	whole := rules.wholeWords && !keyindex.HasSpace(text)
	if strings.ContainsAny(text, "\n\x01") || keyindex.TrimSpace(text) != text {
		b.joined = append(b.joined, joinedKey{text, rules.caseSensitive, whole})
		return keyRef(b.newAtom(atomJoined, len(b.joined)-1)), nil
	}
	key := keyindex.Key{Text: text}
	if whole {
		if b.settings.words() == nil {
			key.Left, key.Right = keyindex.NonWordEdge, keyindex.NonWordEdge
		} else {
			key.Check = true
		}
	}
	if rules.caseSensitive {
		to := b.newAtom(atomExact, len(b.exact))
		b.addExact(key, target{targetAtom, to})
		return keyRef(to), nil
	}
	to := b.newAtom(atomPlain, len(b.folded))
	b.addFolded(key, target{targetAtom, to})
	return keyRef(to), nil
}

// addFolded puts a key into the index over folded texts.
func (b *keyBuilder) addFolded(k keyindex.Key, t target) {
	b.folded = append(b.folded, k)
	b.foldedTo = append(b.foldedTo, t)
}

// addExact puts a key into the index over texts as they are.
func (b *keyBuilder) addExact(k keyindex.Key, t target) {
	b.exact = append(b.exact, k)
	b.exactTo = append(b.exactTo, t)
}

// addRegex adds a regex. What its plan says decides what announces it: the
// literals that it consists of, or a guard without which it is never run. The
// entry being case sensitive counts in profiles only whose regexes ignore case.
func (b *keyBuilder) addRegex(text, body, letters string, rules keyRules) (keyRef, error) {
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return refNever, err
	}
	if b.settings.RegexIgnoreCase && !rules.caseSensitive {
		flags.IgnoreCase = true
	}
	compile := jsregex.CompileMarked
	if b.settings.RegexPerMessage {
		compile = jsregex.Compile
	}
	re, err := compile(body, flags)
	if err != nil || re.Plan().Never {
		return refNever, err
	}
	which := len(b.regexes)
	to := b.newAtom(atomRegex, which)
	key := regexKey{re: re, plan: re.Plan(), name: text, atom: to}
	if b.settings.RegexPerMessage {
		key.plan.Locality = jsregex.PerPart
	}
	b.regexes = append(b.regexes, key)
	switch {
	case key.plan.Literals != nil && key.plan.Folded:
		for _, k := range key.plan.Literals {
			b.addFolded(k, target{targetLiteral, to})
		}
	case key.plan.Literals != nil:
		for _, k := range key.plan.Literals {
			b.addExact(k, target{targetLiteral, to})
		}
	default:
		for _, g := range key.plan.Guard {
			b.addFolded(keyindex.Key{Text: g}, target{targetGuard, int32(which)})
		}
	}
	return keyRef(to), nil
}

// decidedLate reports whether no list of finds announces the key, so that its
// entries must be looked at in every loop.
func (b *keyBuilder) decidedLate(ref keyRef) bool {
	switch {
	case ref == refAlways, ref >= refDynamic:
		return true
	case ref == refNever:
		return false
	}
	switch a := b.atoms[ref]; a.kind {
	case atomJoined:
		return true
	case atomRegex:
		return b.regexes[a.which].unannounced()
	}
	return false
}

// unannounced reports whether a regex can match a window although none of its
// parts says so: it reaches over parts, and no literal guards it.
func (k *regexKey) unannounced() bool {
	return k.plan.Literals == nil && k.plan.Guard == nil && k.plan.Locality == jsregex.Whole
}
