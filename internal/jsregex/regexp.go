package jsregex

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/talewright/talewright/internal/keyindex"
)

// ErrLimit is returned when a match was given up: it needed more backtracking
// stack than allowed, or it ran into the fuse of one second. It never contains
// the text.
var ErrLimit = errors.New("jsregex: match given up")

// fuse stops a match that nothing else stops.
const fuse = time.Second

// Flags are the flags of a JavaScript regular expression that matter here.
type Flags struct {
	IgnoreCase, Multiline, DotAll, Unicode, Sticky bool
}

// ParseFlags reads flags from the letters g i m s u y, each at most once.
func ParseFlags(s string) (f Flags, err error) {
	for i := range len(s) {
		if strings.IndexByte(s[:i], s[i]) >= 0 {
			return Flags{}, fmt.Errorf("repeated flag %q", s[i])
		}
		switch s[i] {
		case 'g':
		case 'i':
			f.IgnoreCase = true
		case 'm':
			f.Multiline = true
		case 's':
			f.DotAll = true
		case 'u':
			f.Unicode = true
		case 'y':
			f.Sticky = true
		default:
			return Flags{}, fmt.Errorf("unknown flag %q", s[i])
		}
	}
	return f, nil
}

// Regexp is a compiled regular expression. It is immutable to its users and safe
// for concurrent use. Engines are built on the first match.
type Regexp struct {
	flags Flags
	root  *node
	plan  Plan
	terms []*term // all must hold

	once sync.Once
}

// Plan is what is known about a regex without running it.
type Plan struct {
	// Literals is set for a regex that is only an alternation of texts. A text
	// matches if one of these keys occurs in it: folded keys in the folded text
	// if Folded, else as they are. Where folding turned a character outside ASCII
	// into one inside, the engine must decide.
	Literals []keyindex.Key
	Folded   bool
	// Guard and each of Needs is a choice of folded texts: a text that lacks all
	// of one choice in its folded form has no match. Guard is the most telling
	// one, nil if there is none.
	Needs [][]string
	Guard []string
	// Locality says which part of a window decides.
	Locality Locality
	// Never is set by [CompileMarked] for a regex that matches no such text.
	Never bool
	// Linear regexes run on the standard package's engine. RunAway ones are
	// bounded by limits only, see [ErrLimit].
	Linear, RunAway bool
}

// term is one engine run: the whole regex, or one look-ahead of the AND idiom.
type term struct {
	root   *node
	negate bool
	std    *regexp.Regexp
	v2     *regexp2.Regexp
	broken bool
}

// Compile reads a JavaScript pattern. It refuses what JavaScript refuses.
func Compile(pattern string, flags Flags) (*Regexp, error) {
	root, err := parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	return newRegexp(root, flags), nil
}

// newRegexp plans a regex. Nothing is compiled yet: most regexes of a book
// never run.
func newRegexp(root *node, flags Flags) *Regexp {
	r := &Regexp{flags: flags, root: root}
	r.terms = conjunction(root, flags)
	r.makePlan()
	return r
}

// makePlan reads the plan off the tree. The needs of all positive terms hold
// together; the most telling one becomes the guard. Only terms that can run away
// get the linear engine, which is slower on ordinary patterns; where it cannot
// express one, the fuse is all there is.
func (r *Regexp) makePlan() {
	p := &r.plan
	p.Literals = literalKeys(r.root, r.flags)
	p.Folded = r.flags.IgnoreCase
	for _, t := range r.terms {
		if t.negate {
			continue
		}
		for _, ch := range needs(t.root, r.flags) {
			p.Needs = append(p.Needs, ch)
		}
	}
	var all []choice
	for _, ch := range p.Needs {
		all = append(all, ch)
	}
	if p.Guard = bestChoice(all); p.Guard != nil {
		p.Needs = slices.DeleteFunc(p.Needs, func(ch []string) bool { return slices.Equal(ch, p.Guard) })
	}
	p.Locality = localityOf(r.root, r.flags)
	for _, t := range r.terms {
		if !canRunAway(t.root) {
			continue
		}
		if t.std = compileLinear(t.root, r.flags); t.std != nil {
			p.Linear = true
		} else {
			p.RunAway = true
		}
	}
}

// Plan returns what is known about the regex. Its slices must not be changed.
func (r *Regexp) Plan() Plan { return r.plan }

// Match reports whether the regex matches anywhere in text.
func (r *Regexp) Match(text string) (bool, error) {
	r.once.Do(r.build)
	if !r.flags.Unicode {
		text = textUnits(text)
	}
	for _, t := range r.terms {
		ok, err := t.match(text)
		if err != nil || ok == t.negate {
			return false, err
		}
	}
	return true, nil
}

// build makes the backtracking engines.
func (r *Regexp) build() {
	for _, t := range r.terms {
		if t.std != nil {
			continue
		}
		re, err := regexp2.Compile(emit(t.root, r.flags), engineOptions(r.flags))
		if err != nil {
			t.broken = true
			continue
		}
		if r.plan.RunAway {
			re.MatchTimeout = fuse
		}
		t.v2 = re
	}
}

// engineOptions translates the flags. Flag s is spelled out in the pattern.
func engineOptions(f Flags) regexp2.RegexOptions {
	options := regexp2.ECMAScript
	if f.IgnoreCase {
		options |= regexp2.IgnoreCase
	}
	if f.Multiline {
		options |= regexp2.Multiline
	}
	if f.Unicode {
		options |= regexp2.Unicode
	}
	return options
}

// match runs one engine. What an engine says went wrong quotes the text, and is
// dropped.
func (t *term) match(text string) (bool, error) {
	switch {
	case t.std != nil:
		return t.std.MatchString(text), nil
	case t.broken:
		return false, ErrLimit
	}
	ok, err := t.v2.MatchString(text)
	if err != nil {
		return false, ErrLimit
	}
	return ok, nil
}

// conjunction splits the AND idiom, a pattern of nothing but look-aheads that
// each begin with "anything": whether they hold at offset 0 decides, each by
// itself. Tried at every offset they would take quadratic time. Negative ones
// are split only behind ^. Other patterns are one term.
func conjunction(root *node, flags Flags) []*term {
	whole := []*term{{root: root}}
	subs := root.subs
	if root.op == opLook {
		subs = []*node{root}
	} else if root.op != opConcat {
		return whole
	}
	anchored := subs[0].op == opStart && !flags.Multiline
	if anchored {
		subs = subs[1:]
	}
	var terms []*term
	for _, s := range subs {
		if s.op != opLook || s.behind || s.negate && !anchored || flags.Sticky || hasBackref(s) {
			return whole
		}
		rest := afterAnything(s.subs[0], flags)
		if rest == nil {
			return whole
		}
		terms = append(terms, &term{root: rest, negate: s.negate})
	}
	if len(terms) == 0 {
		return whole
	}
	return terms
}

// hasBackref reports whether n refers to a group, which splitting would cut off
// from it.
func hasBackref(n *node) bool {
	return !n.walk(func(n *node) bool { return n.op != opBackref })
}

// afterAnything returns what follows a leading [^]*, [\s\S]* or .* under s.
func afterAnything(n *node, flags Flags) *node {
	if n.op != opConcat || n.subs[0].op != opRepeat {
		return nil
	}
	loop := n.subs[0]
	if loop.min != 0 || loop.max != unbounded || !isAnything(loop.subs[0], flags) {
		return nil
	}
	return &node{op: opConcat, subs: n.subs[1:]}
}

// isAnything reports whether n takes every character: [^], a dot under s, or a
// class with an escape and its opposite, like [\s\S].
func isAnything(n *node, flags Flags) bool {
	switch n.op {
	case opDot:
		return flags.DotAll
	case opClass:
		if len(n.set.ranges)+len(n.set.props) > 0 {
			return false
		}
		if len(n.set.kinds) == 0 {
			return n.set.negate
		}
		for _, k := range n.set.kinds {
			if !n.set.negate && slices.Contains(n.set.kinds, k^0x20) {
				return true
			}
		}
	}
	return false
}

// validProperty asks the engine whether it knows a property escape.
func validProperty(escape string) bool {
	_, err := regexp2.Compile(escape, regexp2.ECMAScript|regexp2.Unicode)
	return err == nil
}
