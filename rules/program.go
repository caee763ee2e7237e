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
	Unreadable     talewright.Code = "unreadable"   // not an object, or a member of the wrong type
	BadTrigger     talewright.Code = "trigger"      // missing or unknown trigger: the rule is inert
	BadConditions  talewright.Code = "conditions"   // unreadable conditions, or missing conditions in an element without any member of a rule
	BadActions     talewright.Code = "actions"      // missing or unreadable actions or effects
	BadPattern     talewright.Code = "pattern"      // an event pattern that can never match
	DuplicateID    talewright.Code = "duplicate-id" // two elements with one id share counters and switches
	MissingID      talewright.Code = "missing-id"   // nothing can switch or count it
	UnknownID      talewright.Code = "unknown-id"   // names something that is not declared
	codeBadFormula talewright.Code = "formula"      // unreadable, or part of a cycle
	Ignored        talewright.Code = "ignored"      // an option that this library does not have
	NeverFires     talewright.Code = "never-fires"  // no event can get it past its gates
)

// Program is compiled content: an index from events to the rules and reactions that they can
// concern. It is immutable and safe for concurrent use by any number of games. A nil Program has no
// content.
type Program struct {
	units []unit // in order of evaluation
	byID  map[string][]int32
	// An id has the number of its first unit, so that "has it fired in this chain" is an index into
	// a list. The numbers are stored apart from the units: they are read for every found unit, and
	// most units need nothing else.
	numbers []int32 // by unit
	slots   []slot
	schema  *schema // nil: none
	modules []module
	seen    leaves        // the leaves that paths lead through
	words   wording.Table // of refusals; nil: English
	index   *index
	scratch sync.Pool // of *run; only reusable memory
}

// unit is one compiled rule or reaction. Fields of the gates come first, and fields only for the
// index or explanations come last. With thousands of rules, the amount of memory to fetch for each
// is most of the cost.
type unit struct {
	on         bool // authored; the ledger may override it
	anyTest    bool // one of the tests is enough
	sharesID   bool // there are other units with this id
	module     int32
	tests      []test // conditions
	stopTests  []test // conditions that suppress
	maxFirings int    // firings; -1: no maximum
	id         string

	// Fields for firing.
	chance    float64 // percent; 100: certain
	effects   []plan
	otherwise string // the message if the tests fail
	cooldown  int    // turns
	depth     int    // hops from the one in which it fires; 0: no limit of its own

	// Fields for arranging, indexing and explaining.
	priority float64
	path     string
	when     matcher
}

// plan is one effect of a unit, prepared for firing.
type plan struct {
	effect  effect.Effect
	tokens  bool // contains parameters of the event
	dynamic bool // has a random operand
}

// maxCooldown is practically endless, and maxHops is longer than any chain. Turns and hops can be
// added to both without overflow if int has 32 bits.
const (
	maxCooldown = 1 << 30
	maxHops     = 1 << 20
)

// test is a compiled [Condition]: slots instead of names, a typed constant
// instead of a value.
type test struct {
	op       Operator
	left     int32 // slot
	right    int32 // slot of ValueRef, -1 for the constant
	tokens   bool  // the constant contains parameters of the event
	constant operand
	param    string // ValueRef names a parameter of the event
}

// slot is a variable or path that some condition reads.
type slot struct {
	text     string
	path     tree.Path  // nil if the text is only an id
	fallback tree.Value // default of a declared variable, or the node in it
	// place is the place of a declared variable or of a node in it, if it is not under its id.
	place         tree.Path
	variablePlace tree.Path // the place of the variable
}

// schema is the compiled list of declared variables; nil means no schema.
type schema struct {
	vars     []variable
	byID     map[string]int
	byName   map[string]int // display names; the last declared one counts
	formulas []int          // in dependency order
	places   *placeTree
	// at maps places to variables. It is nil if all variables are stored under their ids.
	at map[string]int
}

// variable is a compiled [Variable].
type variable struct {
	Variable
	path       tree.Path // its place in the document
	remote     bool      // the place is not the id at the root
	fallback   tree.Value
	formula    *Formula
	conditions []test // of its activation
	module     int32
}

// A declared variable is one place of the document, usually its id at the root. At any other place
// it shares its value with code that reads and writes there in other languages. No two variables
// share a place, and no place is within a different place. So each value has exactly one
// declaration.

// Modules gate their members at every hop. Their state is never stored: it follows from the
// switches in the ledger and from the variables. So restoring a snapshot also restores the modules.
// The only exception is keyword modules, whose state is a switch in the ledger.

// The effect of switches by mode:
//
//	always      nothing
//	manual      the switch; on without one
//	conditions  nothing; a switch is kept and ignored
//	keywords    the switch, which words set; off without one
//	greeting    nothing
//
// Variables have the same modes, except keywords, for their visibility to a model. They have a
// switch of their own.

// module is a compiled [Module].
type module struct {
	Module
	tests []test    // of the mode conditions
	enter []keyword // of the mode keywords
	leave []keyword
}

// variables returns the schema, or nil for a nil Program.
func (s *Program) variables() *schema { return s.orNone().schema }

// noContent is the program that a nil Program stands for.
var noContent = &Program{index: &index{}}

// orNone returns the program, or for nil a program without content.
func (s *Program) orNone() *Program {
	if s == nil {
		return noContent
	}
	return s
}

// compiler collects the parts of a program. The order of its steps matters: slots need the defaults
// of variables, and units need their modules.
type compiler struct {
	set      *Program
	slots    map[string]int32 // by the text that a condition reads
	moduleAt map[string]int32 // by id
	problems report.Findings
	keywords [2]matchKeywords
}

// misread reports the members of the wrong type.
func (c *compiler) misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) {
	c.problems = append(c.problems, authorjson.Misread(path, id, extra, want, members...)...)
}
