package match

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// KeyRules are an entry's rules for its plain keys.
type KeyRules struct {
	CaseSensitive, WholeWords bool
}

// Ref points to what decides a key: an atom of the book's index, a key that
// is compiled per scan, or one of the constants.
type Ref int32

const (
	Never  Ref = -1 // never found
	Always Ref = -2 // found everywhere
	// Dynamic and above count the keys compiled per scan.
	Dynamic Ref = 1 << 30
)

// Kind says how the text of a key is read.
type Kind uint8

const (
	Usual   Kind = iota // macros expanded, trimmed, /…/ is a regex
	Raw                 // neither expanded nor trimmed
	Pattern             // macros expanded, a regex without slashes too
	Literal             // trimmed, and plain text whatever it looks like
)

// Expands reports whether macros are expanded in the text of a key.
func (k Kind) Expands() bool { return k == Usual || k == Pattern }

// Spec is a key and its rules.
type Spec struct {
	Text  string
	Rules KeyRules
	Kind  Kind
}

// atomKind says how an atom is decided.
type atomKind uint8

const (
	atomPlain  atomKind = iota // the index over folded texts
	atomExact                  // the index over texts as they are
	atomRegex                  // regexes[which]
	atomJoined                 // joined[which], searched for in the joined window
)

// atom is one distinct key.
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

// Rules are those of all keys.
type Rules struct {
	// BlankKeys are found everywhere; else nowhere.
	BlankKeys bool
	// SkipInvalidRegex drops keys /…/ that are no regex; else they are plain.
	SkipInvalidRegex bool
	// RegexIgnoreCase makes regexes ignore case unless the entry is case sensitive.
	RegexIgnoreCase bool
	// RegexPerMessage tests regexes against each bare message by itself.
	RegexPerMessage bool
	// IncludeNames makes speakers' names part of the text.
	IncludeNames bool
	// Words decides whole words; nil is the ASCII rule.
	Words Words
}

// Builder gives every distinct key an atom.
type Builder struct {
	rules   Rules
	known   map[Spec]known
	atoms   []atom
	texts   []string // of atoms, as they are written first
	folded  []keyindex.Key
	exact   []keyindex.Key
	regexes []regexKey
	joined  []joinedKey
	// Dynamic are the keys that are compiled per scan, by number from [Dynamic] on.
	Dynamic []Spec
	// Late makes all keys dynamic: the index exists already.
	Late bool

	foldedTo, exactTo []target
}

// known remembers the outcome for a key.
type known struct {
	ref Ref
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

// NewBuilder returns a builder without keys.
func NewBuilder(rules Rules) Builder {
	return Builder{rules: rules, known: map[Spec]known{}}
}

// Expect makes room for so many keys.
func (b *Builder) Expect(n int) {
	if b.Late {
		return
	}
	b.known = make(map[Spec]known, n)
	b.atoms, b.texts = make([]atom, 0, n), make([]string, 0, n)
	b.folded, b.foldedTo = make([]keyindex.Key, 0, n), make([]target, 0, n)
}

// Add returns the reference of a key, and why a regex is none.
func (b *Builder) Add(text string, rules KeyRules, kind Kind) (Ref, error) {
	spec := Spec{text, rules, kind}
	if k, ok := b.known[spec]; ok {
		return k.ref, k.err
	}
	var k known
	switch {
	case b.Late, kind.Expands() && In(text):
		k.ref = Dynamic + Ref(len(b.Dynamic))
		b.Dynamic = append(b.Dynamic, spec)
	default:
		k.ref, k.err = b.AddKind(text, spec)
		if len(b.atoms) > len(b.texts) {
			b.texts = append(b.texts, text)
		}
	}
	b.known[spec] = k
	return k.ref, k.err
}

// AddKind adds a key whose macros are expanded in text.
func (b *Builder) AddKind(text string, spec Spec) (Ref, error) {
	switch spec.Kind {
	case Raw:
		return b.addPrepared(text, spec.Rules)
	case Pattern:
		return b.addPattern(text, spec.Rules)
	case Literal:
		if text = keyindex.TrimSpace(text); text == "" {
			return Never, nil
		}
		return b.addPlain(text, spec.Rules)
	}
	return b.addTrimmed(text, spec.Rules)
}

// addPattern adds a key that is a regex whether it has slashes or not. One
// without them ignores case unless the entry is case sensitive.
func (b *Builder) addPattern(text string, rules KeyRules) (Ref, error) {
	if body, letters, ok := jsregex.SplitKey(text); ok {
		return b.addRegex(text, body, letters, rules)
	}
	if text == "" {
		return Never, nil
	}
	letters := "i"
	if rules.CaseSensitive {
		letters = ""
	}
	return b.addRegex(text, text, letters, rules)
}

// addTrimmed applies the rules about empty keys (quirk blank-key).
func (b *Builder) addTrimmed(text string, rules KeyRules) (Ref, error) {
	if text == "" {
		return Never, nil
	}
	if text = keyindex.TrimSpace(text); text == "" && !b.rules.BlankKeys {
		return Never, nil
	}
	return b.addPrepared(text, rules)
}

// addPrepared adds a key whose text is final. The empty text is found
// everywhere. A key that looks like a regex and is none is plain text, slashes
// included, unless the settings drop it.
func (b *Builder) addPrepared(text string, rules KeyRules) (Ref, error) {
	if text == "" {
		return Always, nil
	}
	if body, letters, ok := jsregex.SplitKey(text); ok {
		ref, err := b.addRegex(text, body, letters, rules)
		if err == nil || b.rules.SkipInvalidRegex {
			return ref, err
		}
		ref, _ = b.addPlain(text, rules)
		return ref, err
	}
	return b.addPlain(text, rules)
}

// newAtom adds an atom. Its number is its place in all lists of finds.
func (b *Builder) newAtom(kind atomKind, which int) int32 {
	b.atoms = append(b.atoms, atom{kind, int32(which)})
	return int32(len(b.atoms)) - 1
}

// addPlain adds a plain key. A key with white space in it has no word edges,
// whatever the entry says: SillyTavern looks at the edges of single words only. [ChineseWords] is
// not of SillyTavern and looks at the edges of several.
// A key that could reach over the joint of two parts (a newline, U+0001, or
// blanks at its ends, which raw keys can have) is searched for in the joined
// window; all others go into an index.
func (b *Builder) addPlain(text string, rules KeyRules) (Ref, error) {
	if !rules.CaseSensitive {
		text = keyindex.FoldString(text)
	}
	whole := rules.WholeWords && !keyindex.HasSpace(text)
	if strings.ContainsAny(text, "\n\x01") || keyindex.TrimSpace(text) != text {
		b.joined = append(b.joined, joinedKey{text, rules.CaseSensitive, whole})
		return Ref(b.newAtom(atomJoined, len(b.joined)-1)), nil
	}
	_, phrases := b.rules.Words.(ChineseWords)
	key := keyindex.Key{Text: text}
	if whole || rules.WholeWords && phrases {
		if b.rules.Words == nil {
			key.Left, key.Right = keyindex.NonWordEdge, keyindex.NonWordEdge
		} else {
			key.Check = true
		}
	}
	if rules.CaseSensitive {
		to := b.newAtom(atomExact, len(b.exact))
		b.addExact(key, target{targetAtom, to})
		return Ref(to), nil
	}
	to := b.newAtom(atomPlain, len(b.folded))
	b.addFolded(key, target{targetAtom, to})
	return Ref(to), nil
}

// addFolded puts a key into the index over folded texts.
func (b *Builder) addFolded(k keyindex.Key, t target) {
	b.folded = append(b.folded, k)
	b.foldedTo = append(b.foldedTo, t)
}

// addExact puts a key into the index over texts as they are.
func (b *Builder) addExact(k keyindex.Key, t target) {
	b.exact = append(b.exact, k)
	b.exactTo = append(b.exactTo, t)
}

// addRegex adds a regex. What its plan says decides what announces it: the
// literals that it consists of, or a guard without which it is never run. The
// entry being case sensitive counts in profiles only whose regexes ignore case.
func (b *Builder) addRegex(text, body, letters string, rules KeyRules) (Ref, error) {
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return Never, err
	}
	if b.rules.RegexIgnoreCase && !rules.CaseSensitive {
		flags.IgnoreCase = true
	}
	compile := jsregex.CompileMarked
	if b.rules.RegexPerMessage {
		compile = jsregex.Compile
	}
	re, err := compile(body, flags)
	if err != nil || re.Plan().Never {
		return Never, err
	}
	which := len(b.regexes)
	to := b.newAtom(atomRegex, which)
	key := regexKey{re: re, plan: re.Plan(), name: text, atom: to}
	if b.rules.RegexPerMessage {
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
	return Ref(to), nil
}

// DecidedLate reports whether no list of finds announces the key, so that its
// entries must be looked at in every loop.
func (b *Builder) DecidedLate(ref Ref) bool {
	switch {
	case ref == Always, ref >= Dynamic:
		return true
	case ref == Never:
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

// Keys are the primary keys of an entry. Nearly always they are atoms in a row; then Row is
// the first one, and the list need not be looked at. Else Row is [Never].
type Keys struct {
	Row  Ref
	List []Ref
}

// NewKeys makes the keys of a list.
func NewKeys(list []Ref) Keys {
	k := Keys{Never, list}
	for i, ref := range list {
		if ref < 0 || ref >= Dynamic || ref != list[0]+Ref(i) {
			return k
		}
	}
	if len(list) > 0 {
		k.Row = list[0]
	}
	return k
}

// At is the i-th key. To read it from the list takes a tenth of a scan of an unchanged chat
// (TestPerfTurn of package worldbook).
func (k *Keys) At(i int) Ref {
	if k.Row >= 0 {
		return k.Row + Ref(i)
	}
	return k.List[i]
}
