package jsregex

import (
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/keyindex"
)

// Regexp is a compiled regular expression. It is immutable to its users and safe
// for concurrent use. Its code is made by the first search: most regexes of a book
// never run.
type Regexp struct {
	pattern string
	flags   Flags
	marked  bool
	plan    Plan

	bare, full lazyCode
}

// lazyCode is code that is made when it is needed.
type lazyCode struct {
	once sync.Once
	code *code
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
}

// Compile reads a JavaScript pattern. It refuses what JavaScript refuses.
func Compile(pattern string, flags Flags) (*Regexp, error) {
	root, err := parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	return newRegexp(pattern, root, flags), nil
}

// newRegexp plans a regex. The tree is not kept: it takes a hundred times the memory
// of the pattern.
func newRegexp(pattern string, root *node, flags Flags) *Regexp {
	return &Regexp{pattern: pattern, flags: flags, plan: makePlan(pattern, root, flags)}
}

// makePlan reads the plan off the tree. The most telling need becomes the guard.
func makePlan(pattern string, root *node, flags Flags) Plan {
	p := Plan{Folded: flags.IgnoreCase, Locality: localityOf(root, flags)}
	room := maxPlan + planPerByte*len(pattern)
	if keys := literalKeys(root, flags); room >= weightOf(keys) {
		p.Literals = keys
	}
	var all []choice
	for _, ch := range needs(root, flags) {
		if room -= ch.size(); room < 0 {
			break
		}
		all = append(all, ch)
	}
	guard := bestChoice(all)
	for _, ch := range all {
		if !slices.Equal(ch, guard) {
			p.Needs = append(p.Needs, ch)
		}
	}
	p.Guard = guard
	return p
}

// A plan may take so many bytes, and so many more for each byte of the pattern. What
// a literal takes in an index counts.
const (
	maxPlan     = 2048
	planPerByte = 32
	perLiteral  = 48
)

// weightOf is the memory that keys take.
func weightOf(keys []keyindex.Key) (size int) {
	for _, k := range keys {
		size += len(k.Text) + perLiteral
	}
	return size
}

// size is the memory that a choice takes.
func (ch choice) size() (size int) {
	for _, s := range ch {
		size += len(s) + perLiteral
	}
	return size
}

// Plan returns what is known about the regex. Its slices must not be changed.
func (r *Regexp) Plan() Plan { return r.plan }

// RunAway reports whether only [Limit] bounds the steps of a search. All other regexes
// take a number of steps that is proportional to the text; they are given up only
// where their own length and the text's multiply beyond the limit. Those that can run
// away have back references behind repeats, or repeats that are too many to be written
// out, or empty turns of loops nested too deeply.
func (r *Regexp) RunAway() bool { return r.matcher().runAway }

// matcher is the code that keeps no groups.
func (r *Regexp) matcher() *code { return r.bare.make(r, false) }

// finder is the code that keeps groups.
func (r *Regexp) finder() *code { return r.full.make(r, true) }

// make reads the pattern again, which was accepted once.
func (l *lazyCode) make(r *Regexp, keep bool) *code {
	l.once.Do(func() {
		root, err := parse(r.pattern, r.flags)
		if err != nil {
			panic("jsregex: " + err.Error())
		}
		if r.marked {
			if pruned := pruneMarked(root, r.flags); pruned != nil {
				root = pruned
			}
		}
		l.code = assemble(root, r.flags, keep)
	})
	return l.code
}
