package jsregex

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2/syntax"
)

// charSet is the set of characters that one item of a pattern matches: a class, a dot, or a
// character with case variants. Flag i is already applied.
type charSet struct {
	ascii       [2]uint64 // a bit for each ASCII character that matches
	class       *class
	props       []*syntax.CharSet
	ignoreCase  bool // flag i
	unicodeFlag bool // flag u
	matchesAll  bool // matches every character
	// weight is the additional cost, in steps, of checking a character outside ASCII.
	weight int
}

func newCharSet(c *class, flags Flags) *charSet {
	c = c.sorted()
	s := &charSet{class: c, ignoreCase: flags.IgnoreCase, unicodeFlag: flags.Unicode, weight: len(c.props)}
	for _, p := range c.props {
		s.props = append(s.props, property(p))
	}
	s.matchesAll = c.negate && len(c.ranges)+len(c.kinds)+len(c.props) == 0 || c.opposites()
	for r := range rune(utf8.RuneSelf) {
		if s.matches(r) {
			s.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return s
}

// single returns the escape letter of a class that consists only of that escape.
func (c *class) single() (byte, bool) {
	if len(c.kinds) != 1 || len(c.ranges)+len(c.props) > 0 {
		return 0, false
	}
	k := c.kinds[0]
	if c.negate {
		k ^= 0x20
	}
	return k, true
}

// kindSets caches the sets of \d \D \s \S \w \W, which are the same for all patterns.
var kindSets sync.Map // kindUnder to *charSet

type kindKey struct {
	kind  byte
	flags Flags
}

// kindSet returns the set of one escape.
func kindSet(kind byte, flags Flags) *charSet {
	key := kindKey{kind, Flags{IgnoreCase: flags.IgnoreCase, Unicode: flags.Unicode}}
	if set, ok := kindSets.Load(key); ok {
		return set.(*charSet)
	}
	set := newCharSet(&class{kinds: []byte{kind}}, flags)
	kindSets.Store(key, set)
	return set
}

// sorted returns the class with its ranges sorted and merged, without duplicates.
func (c *class) sorted() *class {
	out := class{negate: c.negate, ranges: slices.Clone(c.ranges), kinds: slices.Clone(c.kinds), props: slices.Clone(c.props)}
	slices.Sort(out.kinds)
	slices.Sort(out.props)
	out.kinds, out.props = slices.Compact(out.kinds), slices.Compact(out.props)
	slices.SortFunc(out.ranges, func(a, b charRange) int { return int(a.lo - b.lo) })
	kept := out.ranges[:0]
	for _, x := range out.ranges {
		if n := len(kept); n > 0 && x.lo <= kept[n-1].hi+1 {
			kept[n-1].hi = max(kept[n-1].hi, x.hi)
			continue
		}
		kept = append(kept, x)
	}
	out.ranges = slices.Clip(kept)
	return &out
}

// opposites reports whether the class contains an escape and its opposite, as [\s\S] does.
func (c *class) opposites() bool {
	seen := [256]bool{}
	for _, k := range c.kinds {
		if seen[k^0x20] {
			return !c.negate
		}
		seen[k] = true
	}
	return false
}

func (s *charSet) has(r rune) bool {
	if r < utf8.RuneSelf {
		return s.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return s.matchesAll || s.matches(r)
}

// matches decides without the table. With flag i a class matches a character that equals one of its
// characters, and its negation matches a character that equals none.
func (s *charSet) matches(r rune) bool {
	in := s.contains(r)
	if !in && s.ignoreCase && !caseless(r) {
		for x := unicode.SimpleFold(r); x != r && !in; x = unicode.SimpleFold(x) {
			in = (s.unicodeFlag || canonical(x) == canonical(r)) && s.contains(x)
		}
	}
	return in != s.class.negate
}

// contains reports whether the class contains r itself, ignoring negation.
func (s *charSet) contains(r rune) bool {
	if s.class.inRanges(r) {
		return true
	}
	for _, k := range s.class.kinds {
		if k|0x20 == 'w' {
			if isLetter(r, s.ignoreCase && s.unicodeFlag) == (k == 'w') {
				return true
			}
		} else if kindContains(k, r) {
			return true
		}
	}
	for _, p := range s.props {
		if p.Contains(r) {
			return true
		}
	}
	return false
}

// inRanges searches for r in the sorted ranges.
func (c *class) inRanges(r rune) bool {
	lo, hi := 0, len(c.ranges)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.ranges[mid].hi < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(c.ranges) && c.ranges[lo].lo <= r
}

// caseless reports whether r is known to have no case: ideographs, kana, Hangul syllables, and
// placeholders for half of a pair.
func caseless(r rune) bool { return caselessRange(charRange{r, r}) }

func caselessRange(x charRange) bool {
	return x.lo >= 0x3040 && x.hi <= 0xa000 || x.lo >= 0xac00 && x.hi <= 0xd7a3 || x.lo >= unitBase
}

// properties caches the sets of property escapes. The number of names is finite.
var properties sync.Map // string to *syntax.CharSet

// property returns the set of an escape \p{…} or \P{…}, nil for an unknown name.
func property(escape string) *syntax.CharSet {
	if set, ok := properties.Load(escape); ok {
		return set.(*syntax.CharSet)
	}
	tree, err := syntax.Parse(escape, syntax.ParseOptions{RegexOptions: syntax.ECMAScript | syntax.Unicode})
	if err != nil {
		return nil
	}
	n := tree.Root
	for n.Set == nil && len(n.Children) == 1 {
		n = n.Children[0]
	}
	if n.Set != nil {
		properties.Store(escape, n.Set)
	}
	return n.Set
}

// byteSet is a set of first bytes of characters; nil means all bytes, and the end of the text.
type byteSet [4]uint64

func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *byteSet) add(b byte) { s[b>>6] |= 1 << (b & 63) }

// single returns the only byte of a set as a text, "" if there is not exactly one.
func (s *byteSet) single() string {
	var all []byte
	for b := 0; s != nil && b < 256 && len(all) < 2; b++ {
		if s.has(byte(b)) {
			all = append(all, byte(b))
		}
	}
	if len(all) != 1 {
		return ""
	}
	return string(all)
}

// firstBytes adds the first bytes of the characters in the set. Bytes that do not begin a character
// are read as U+FFFD.
func (s *charSet) firstBytes(out *byteSet) {
	out[0] |= s.ascii[0]
	out[1] |= s.ascii[1]
	lo, hi := byte(utf8.RuneSelf), byte(0xff)
	if c := s.class; !c.negate && len(c.kinds)+len(c.props) == 0 {
		if len(c.ranges) == 0 {
			return
		}
		first, last := c.ranges[0], c.ranges[len(c.ranges)-1]
		switch {
		case !s.ignoreCase && last.hi < utf8.RuneSelf:
			return
		case last.hi < 0xfffd && (!s.ignoreCase || caselessRange(charRange{first.lo, last.hi})):
			lo, hi = leadByte(max(first.lo, utf8.RuneSelf)), leadByte(last.hi)
		}
	}
	for b := int(lo); b <= int(hi); b++ {
		out.add(byte(b))
	}
}

// leadByte returns the first byte of a character.
func leadByte(r rune) byte {
	var b [utf8.UTFMax]byte
	utf8.EncodeRune(b[:], r)
	return b[0]
}
