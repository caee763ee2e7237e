package match

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// KeyRules are an entry's rules for its plain keys.
type KeyRules struct {
	CaseSensitive, WholeWords bool
	// Form is the form in which a key and the texts are compared. Regexes have no form.
	Form Form
}

// Ref refers to the rule that decides a key: an atom of the book's index, a key that is compiled
// per scan, or one of the constants.
type Ref int32

const (
	Never  Ref = -1 // never found
	Always Ref = -2 // found everywhere
	// Values from Dynamic on number the keys that are compiled per scan.
	Dynamic Ref = 1 << 30
)

// Kind is the way in which the text of a key is read.
type Kind uint8

const (
	Usual   Kind = iota // macros expanded, trimmed, /…/ is a regex
	Raw                 // neither expanded nor trimmed
	Pattern             // macros expanded; a regex even without slashes
	Literal             // trimmed, and always plain text
)

// Expands reports whether macros are expanded in the text of a key.
func (k Kind) Expands() bool { return k == Usual || k == Pattern }

// Spec is a key and its rules.
type Spec struct {
	Text  string
	Rules KeyRules
	Kind  Kind
}

// packed returns the rules and the kind in one byte: two flags, two bits of the kind, four of the form.
func (s *Spec) packed() uint8 {
	n := uint8(s.Kind)<<4 | uint8(s.Rules.Form)
	if s.Rules.CaseSensitive {
		n |= 1 << 7
	}
	if s.Rules.WholeWords {
		n |= 1 << 6
	}
	return n
}

// atomKind is the way in which an atom is decided.
type atomKind uint8

const (
	atomPlain  atomKind = iota // by an index
	atomRegex                  // by regexes[which]
	atomJoined                 // by joined[which], searched for in the joined window
)

// atom is one distinct key.
type atom struct {
	kind   atomKind
	packed uint8 // see [Spec.packed]
	which  int32
}

// joinedKey is a plain key that can span parts of a window.
type joinedKey struct {
	needle        string // folded unless caseSensitive
	caseSensitive bool
	wholeWords    bool
	form          Form
}

// regexKey is a regex and the atom it decides.
type regexKey struct {
	re   *jsregex.Regexp
	plan jsregex.Plan
	name string // the reported name when it is stopped
	atom int32
}

// Rules are the rules of all keys.
type Rules struct {
	// BlankKeys are found everywhere; otherwise nowhere.
	BlankKeys bool
	// SkipInvalidRegex drops keys /…/ that are not valid regexes; otherwise they are plain text.
	SkipInvalidRegex bool
	// RegexIgnoreCase makes regexes ignore case unless the entry is case sensitive.
	RegexIgnoreCase bool
	// RegexPerMessage tests regexes against each bare message alone.
	RegexPerMessage bool
	// IncludeNames makes speakers' names part of the text.
	IncludeNames bool
	// Words decides whole words; nil is the ASCII rule.
	Words Words
}

// Builder gives every distinct key an atom.
type Builder struct {
	rules   Rules
	results map[Spec]keyResult // keys that are not atoms or have an error
	atoms   []atom
	texts   keyTexts
	places  Table     // of the atoms, by their texts
	lists   []keyList // the first one is of folded texts
	regexes []regexKey
	joined  []joinedKey
	// Dynamic lists the keys that are compiled per scan, by number from [Dynamic] on.
	Dynamic []Spec
	// Late makes all keys dynamic, because the index already exists.
	Late bool
}

// keyTexts are the texts of atoms as written, one after the other.
type keyTexts struct {
	all  []byte
	ends []uint32
}

// averageKey is an estimate of the average size of a key, in bytes.
const averageKey = 10

func (t *keyTexts) add(text string) {
	t.all = append(t.all, text...)
	t.ends = append(t.ends, uint32(len(t.all)))
}

// start returns the offset of a text.
func (t *keyTexts) start(atom int32) uint32 {
	if atom == 0 {
		return 0
	}
	return t.ends[atom-1]
}

func (t *keyTexts) at(atom int32) []byte { return t.all[t.start(atom):t.ends[atom]] }

// keyList are the keys of one index. Texts are searched in the same form as its keys.
type keyList struct {
	form  Form
	exact bool // unchanged letter case; otherwise folded
	keys  []keyindex.Key
	to    []target // the meaning of each key
}

// keyResult is the cached result for a key.
type keyResult struct {
	ref Ref
	err error
}

// target is the meaning of a find in an index: an atom is found or, below 0, a regex may match.
type target int32

// guardOf is the target of the guards of a regex.
func guardOf(regex int) target { return ^target(regex) }

// guards returns the regex that may match.
func (t target) guards() (regex int32, ok bool) { return int32(^t), t < 0 }

// NewBuilder returns a builder without keys.
func NewBuilder(rules Rules) Builder {
	return Builder{rules: rules, results: map[Spec]keyResult{}, lists: make([]keyList, 1)}
}

// Expect reserves memory for n keys.
func (b *Builder) Expect(n int) {
	if b.Late {
		return
	}
	b.atoms, b.texts = make([]atom, 0, n), keyTexts{make([]byte, 0, averageKey*n), make([]uint32, 0, n)}
	b.places = NewTable(n)
	b.lists[0] = keyList{keys: make([]keyindex.Key, 0, n), to: make([]target, 0, n)}
}

// Add returns the reference of a key. The error says why a regex is not valid.
func (b *Builder) Add(text string, rules KeyRules, kind Kind) (Ref, error) {
	spec := Spec{text, rules, kind}
	if k, ok := b.results[spec]; ok {
		return k.ref, k.err
	}
	if b.Late || kind.Expands() && In(text) {
		ref := Dynamic + Ref(len(b.Dynamic))
		b.Dynamic, b.results[spec] = append(b.Dynamic, spec), keyResult{ref: ref}
		return ref, nil
	}
	place := b.place(&spec)
	if *place != Free {
		return Ref(*place), nil
	}
	ref, err := b.AddKind(text, spec)
	if ref >= 0 {
		b.texts.add(text)
		b.atoms[ref].packed = spec.packed()
	}
	if ref < 0 || err != nil {
		b.results[spec] = keyResult{ref, err}
	} else {
		*place = int32(ref)
	}
	return ref, err
}

// place returns the place of a key in the table. The place is free if the key is not an atom.
func (b *Builder) place(spec *Spec) *int32 {
	if n := len(b.atoms); !b.places.Fits(n + 1) {
		b.places = NewTable(2 * (n + 1))
		for atom := range int32(n) {
			*b.places.Find(string(b.texts.at(atom)), func(int32) bool { return false }) = atom
		}
	}
	how := spec.packed()
	return b.places.Find(spec.Text, func(atom int32) bool {
		return b.atoms[atom].packed == how && string(b.texts.at(atom)) == spec.Text
	})
}

// AddKind adds a key; text is the key with macros expanded.
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

// addPattern adds a key that is a regex with or without slashes. Without slashes it ignores case
// unless the entry is case sensitive.
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

// addPrepared adds a key whose text is final. The empty text is found everywhere. A key that looks
// like a regex but is not valid is plain text, including its slashes, unless the settings drop it.
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

// newAtom adds an atom. Its number is its index in all lists of finds.
func (b *Builder) newAtom(kind atomKind, which int) int32 {
	b.atoms = append(b.atoms, atom{kind: kind, which: int32(which)})
	return int32(len(b.atoms)) - 1
}

// addPlain adds a plain key. A key that contains white space never has word edges, because
// SillyTavern checks the edges of single words only. [ChineseWords] and [UnicodeWords] are not
// rules of SillyTavern and check the edges of several words.
//
// A key that can span the joint of two parts is searched for in the joined window. Such a key has a
// newline, U+0001, or blanks at its ends, which raw keys can have. All others go into an index.
func (b *Builder) addPlain(text string, rules KeyRules) (Ref, error) {
	text = rules.Form.reduce(text)
	if !rules.CaseSensitive {
		text = keyindex.FoldString(text)
	}
	whole := rules.WholeWords && !keyindex.HasSpace(text)
	if strings.ContainsAny(text, "\n\x01") || keyindex.TrimSpace(text) != text {
		b.joined = append(b.joined, joinedKey{text, rules.CaseSensitive, whole, rules.Form})
		return Ref(b.newAtom(atomJoined, len(b.joined)-1)), nil
	}
	_, phrases := b.rules.Words.(interface{ phrases() })
	key := keyindex.Key{Text: text}
	if whole || rules.WholeWords && phrases {
		if b.rules.Words == nil {
			key.Left, key.Right = keyindex.NonWordEdge, keyindex.NonWordEdge
		} else {
			key.Check = true
		}
	}
	to := b.newAtom(atomPlain, 0)
	b.index(rules.Form, rules.CaseSensitive, key, target(to))
	return Ref(to), nil
}

// index adds a key to the index over texts of a form and with folded or exact letter case.
func (b *Builder) index(form Form, exact bool, key keyindex.Key, to target) {
	n := slices.IndexFunc(b.lists, func(l keyList) bool { return l.form == form && l.exact == exact })
	if n < 0 {
		n = len(b.lists)
		b.lists = append(b.lists, keyList{form: form, exact: exact})
	}
	l := &b.lists[n]
	l.keys, l.to = append(l.keys, key), append(l.to, to)
}

// addRegex adds a regex. Its plan decides what announces it: the literals that it consists of, or a
// guard that must be found before it runs. Case sensitivity of the entry matters only in profiles
// whose regexes ignore case.
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
	for _, k := range key.plan.Literals {
		b.index(0, !key.plan.Folded, k, target(to))
	}
	if key.plan.Literals == nil {
		for _, g := range key.plan.Guard {
			b.index(0, false, keyindex.Key{Text: g}, guardOf(which))
		}
	}
	return Ref(to), nil
}

// DecidedLate reports whether no list of finds announces the key. Then every loop must examine its
// entries.
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

// unannounced reports whether a regex can match a window although no single part announces it: it
// spans parts, and no literal guards it.
func (k *regexKey) unannounced() bool {
	return k.plan.Literals == nil && k.plan.Guard == nil && k.plan.Locality == jsregex.Whole
}

// Keys are the primary keys of an entry. Nearly always they are consecutive atoms. Then Row is the
// first atom, and the list need not be read. Otherwise Row is [Never].
type Keys struct {
	Row  Ref
	List []Ref
}

// NewKeys returns the keys of a list.
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

// At returns the i-th key. If every key were read from the list, a scan of an unchanged chat would
// take a tenth longer.
func (k *Keys) At(i int) Ref {
	if k.Row >= 0 {
		return k.Row + Ref(i)
	}
	return k.List[i]
}
