package jsregex

import (
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/keyindex"
)

// Regexp is a compiled regular expression. It is immutable and safe for concurrent use. The first
// search makes its code, because most regexes of a book never run.
type Regexp struct {
	pattern string
	flags   Flags
	marked  bool // compiled by CompileMarked
	plan    Plan

	withoutGroups, withGroups lazyCode // the second one also stores where groups are
}

// lazyCode is code that is made on first use.
type lazyCode struct {
	once sync.Once
	code *code
}

// Plan is the information about a regex that is available without running it.
type Plan struct {
	// Literals is set for a regex that is only an alternation of texts. A text matches if one of
	// these keys occurs in it. If Folded is set, the keys are folded and must be searched in the
	// folded text. If folding changed a character outside ASCII to an ASCII character, the engine
	// must decide.
	Literals []keyindex.Key
	Folded   bool
	// Guard and each of Needs is a choice of folded texts. A text matches only if its folded form
	// contains at least one text of each choice. Guard is the most selective choice, or nil.
	Needs [][]string
	Guard []string
	// Locality says which part of a window decides.
	Locality Locality
	// Never is set by [CompileMarked] for a regex that cannot match such a text.
	Never bool
}

// Compile compiles a JavaScript pattern. It refuses every pattern that JavaScript refuses.
func Compile(pattern string, flags Flags) (*Regexp, error) {
	root, err := parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	return newRegexp(pattern, root, flags), nil
}

// newRegexp plans a regex. It does not keep the tree, which needs a hundred times the memory of the
// pattern.
func newRegexp(pattern string, root *node, flags Flags) *Regexp {
	return &Regexp{pattern: pattern, flags: flags, plan: makePlan(pattern, root, flags)}
}

// makePlan makes the plan from the tree. The most selective need becomes the guard.
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

// A plan may use maxPlan bytes, and planPerByte for each byte of the pattern. The memory of a
// literal in an index is included.
const (
	maxPlan     = 2048
	planPerByte = 32
	perLiteral  = 48
)

// weightOf returns the memory of keys, in bytes.
func weightOf(keys []keyindex.Key) (size int) {
	for _, k := range keys {
		size += len(k.Text) + perLiteral
	}
	return size
}

// size returns the memory of a choice, in bytes.
func (ch choice) size() (size int) {
	for _, s := range ch {
		size += len(s) + perLiteral
	}
	return size
}

// Plan returns the plan of the regex. Do not modify its slices.
func (r *Regexp) Plan() Plan { return r.plan }

// RunAway reports whether only [Limit] bounds the steps of a search. For all other regexes the
// number of steps is proportional to the text. They are stopped only if the product of their length
// and the text's length exceeds the limit. Three constructs can run away: a back reference after a
// repeat, a repeat that is too long to be unrolled, and empty iterations in loops that are nested
// too deeply.
func (r *Regexp) RunAway() bool { return r.matcher().runAway }

// matcher returns the code that does not keep groups.
func (r *Regexp) matcher() *code { return r.withoutGroups.get(r, false) }

// finder returns the code that keeps groups.
func (r *Regexp) finder() *code { return r.withGroups.get(r, true) }

// get parses the pattern again, which Compile has already accepted.
func (l *lazyCode) get(r *Regexp, keep bool) *code {
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
