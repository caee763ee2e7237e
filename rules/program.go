package rules

import (
	"encoding/json"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// The codes of [Compile]. Package vet has more.
const (
	Unreadable    talewright.Code = "unreadable"   // not an object, or a member of the wrong type
	BadTrigger    talewright.Code = "trigger"      // missing or unknown trigger: the rule is inert
	BadConditions talewright.Code = "conditions"   // unreadable conditions, or none in what has nothing of a rule
	BadActions    talewright.Code = "actions"      // missing or unreadable actions or effects
	BadPattern    talewright.Code = "pattern"      // an event pattern that can never match
	DuplicateID   talewright.Code = "duplicate-id" // two of one id share counters and switches
	MissingID     talewright.Code = "missing-id"   // nothing can switch or count it
	UnknownID     talewright.Code = "unknown-id"   // names something that is not declared
	BadFormula    talewright.Code = "formula"      // unreadable, or part of a cycle
	Ignored       talewright.Code = "ignored"      // an option that this library does not have
	NeverFires    talewright.Code = "never-fires"  // no event can get it past its gates
)

// Program is compiled content: an index from events to the rules and reactions that
// they can concern. It is immutable and safe for concurrent use by any number of
// games. A nil Program has no content.
type Program struct {
	units []unit // in order of evaluation
	byID  map[string][]int32
	// Ids are numbered, so that "has it fired in this chain" is a look into a list. The
	// numbers stand apart from the units: they are asked of every unit that is found, and
	// most units are not asked anything else.
	ids     int
	numbers []int32 // by unit
	slots   []slot
	schema  *schema // nil: none
	modules []module
	seen    leaves        // paths lead through them
	words   wording.Table // of refusals; nil: English
	index   *index
	scratch sync.Pool // of *run; memory only, nothing that is remembered
}

// unit is one compiled rule or reaction. What the gates ask comes first, and what only the
// index or an explanation wants comes last: with thousands of rules, how much of each has
// to be fetched is most of the cost.
type unit struct {
	on     bool // authored; the ledger may say otherwise
	any    bool // one of the tests is enough
	twin   bool // there are others of this id
	module int32
	tests  []test // conditions
	stops  []test // conditions that suppress
	most   int    // firings; -1: no maximum
	id     string

	// What firing asks.
	chance    float64 // percent; 100: certain
	then      []plan
	otherwise string // the message where the tests fail
	cooldown  int    // turns
	depth     int    // hops from the one in which it fires; 0: no bound of its own

	// What arranging, indexing and explaining ask.
	priority float64
	path     string
	when     matcher
}

// plan is one effect of a unit, with what has to be done when the unit fires.
type plan struct {
	effect  effect.Effect
	tokens  bool // holds parameters of the event
	dynamic bool // has a random operand
}

// maxCooldown is for ever, and maxHops more than any chain; both can be added to where numbers
// have 32 bits.
const (
	maxCooldown = 1 << 30
	maxHops     = 1 << 20
)

// test is a compiled [Condition]: slots instead of names, a typed constant
// instead of a value.
type test struct {
	op     Operator
	left   int32 // slot
	right  int32 // slot of ValueRef, -1 for the constant
	tokens bool  // the constant holds parameters of the event
	isNum  bool
	num    float64
	value  tree.Value
	param  string // ValueRef names a parameter of the event
}

// slot is a variable or path that some condition reads.
type slot struct {
	text string
	path tree.Path  // nil where the text is an id only
	back tree.Value // default of a declared variable, or the node in it
	// place is where a declared variable lives, or a node in it, if not under its id.
	place tree.Path
	whole tree.Path // the place of the variable
}

// schema is the compiled list of declared variables; nil where there is none.
type schema struct {
	vars     []variable
	byID     map[string]int
	byName   map[string]int // display names; the last declared wins
	formulas []int          // in order of dependence
	places   *placeTree
	// idAt names the variables by their places, where any lives elsewhere than under its
	// id; nil: none does.
	idAt map[string]string
}

type variable struct {
	Variable
	path       tree.Path // its place in the document
	remote     bool      // the place is another one than the id at the root
	fallback   tree.Value
	formula    *Formula
	conditions []test // of its activation
	module     int32
}

// A declared variable is a view on one place of the document. Mostly that is its id at the
// root; elsewhere it shares its value with whoever reads and writes there in another language.
// No two variables share a place, nor does one lie within another: each value has one
// declaration that answers for it.

// Modules gate their members at every hop. Their state is never stored: it follows from
// the switches in the ledger and from the variables, so that a snapshot that brings those
// back brings the modules back as well. The one exception is keyword modules, whose latch
// is a switch in the ledger.

// Which switch beats what:
//
//	always      nothing
//	manual      the switch; on without one
//	conditions  nothing; a switch is kept and ignored
//	keywords    the switch, which words set; off without one
//	greeting    nothing
//
// Variables have the same modes for what a model sees of them, a switch of their own, and no
// keywords.

// module is a compiled [Module].
type module struct {
	Module
	tests []test    // of the mode conditions
	enter []keyword // of the mode keywords
	leave []keyword
}

// variables returns the schema, nil for a nil Program.
func (s *Program) variables() *schema {
	if s == nil {
		return nil
	}
	return s.schema
}

// leaves are those that paths lead through.
func (s *Program) leaves() *leaves {
	if s == nil {
		return &leaves{}
	}
	return &s.seen
}

// language is the one in which refusals are told, English for a nil Program.
func (s *Program) language() wording.Table {
	if s == nil {
		return nil
	}
	return s.words
}

// compiler collects what a program will consist of. The order of its steps matters: slots
// know the defaults of variables, and units the modules that they belong to.
type compiler struct {
	set      *Program
	slots    map[string]int32 // by the text that a condition reads
	moduleAt map[string]int32 // by id
	problems report.Findings
	keywords [2]matchKeywords
	walk     func(v tree.Value, path tree.Path, n int) tree.Value // the program's, made once
}

// misread notes the members of the wrong type.
func (c *compiler) misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) {
	c.problems = append(c.problems, authorjson.Misread(path, id, extra, want, members...)...)
}
