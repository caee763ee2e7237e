package rules

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/chinese"
	"github.com/talewright/talewright/rules/internal/report"
)

// The codes of [Compile]. Package vet has more.
const (
	Unreadable    talewright.Code = "unreadable"   // not an object, or a member of the wrong type
	BadTrigger    talewright.Code = "trigger"      // missing or unknown trigger: the rule is inert
	BadConditions talewright.Code = "conditions"   // missing or unreadable conditions
	BadActions    talewright.Code = "actions"      // missing or unreadable actions or effects
	BadPattern    talewright.Code = "pattern"      // an event pattern that can never match
	DuplicateID   talewright.Code = "duplicate-id" // two of one id share counters and switches
	MissingID     talewright.Code = "missing-id"   // nothing can switch or count it
	UnknownID     talewright.Code = "unknown-id"   // names something that is not declared
	BadFormula    talewright.Code = "formula"      // unreadable, or part of a cycle
	Ignored       talewright.Code = "ignored"      // an option that this library does not have
	NeverFires    talewright.Code = "never-fires"  // no event can get it past its gates
)

// Compiling goes over the content once and never stops at a mistake. Its steps:
//
//  1. the schema: variables, defaults, formulas in the order of their dependence
//  2. modules, and what activates them and variables
//  3. units: rules and then reactions, each with its conditions as slots and constants, its
//     WHEN as a matcher, and its effects with what they need done
//  4. the order of evaluation, in which units are numbered
//  5. the index
//
// Nothing of the content is kept by reference that play could change.

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
	leaf    func(path tree.Path, v tree.Value) bool
	words   wording.Table // of refusals; nil: English
	index   index
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

// compiler collects what a program will consist of. The order of its steps matters: slots
// know the defaults of variables, and units the modules that they belong to.
type compiler struct {
	set      *Program
	slots    map[string]int32 // by the text that a condition reads
	moduleAt map[string]int32 // by id
	problems report.Findings
	keywords [2]keywordBuilder
}

// Compile builds a Program. It never fails: each mistake is a [talewright.Problem], and what it
// concerns is inert while everything else works. Problems come in the order of
// their places: variables, modules, rules, reactions.
func Compile(content Content) (*Program, talewright.Problems) {
	c := &compiler{
		set: &Program{byID: make(map[string][]int32), leaf: content.Leaf,
			words: wording.In(content.Hints, chinese.Table)},
		slots: make(map[string]int32), moduleAt: make(map[string]int32),
	}
	// Slots look up defaults and units look up modules, so that these come first. Units are
	// filed last, when their numbers are those of the order of evaluation.
	if !wording.Known(content.Hints) {
		c.problems.Add("hints", "", Ignored, strconv.Quote(content.Hints)+" is no language that hints are "+
			"written in; they are in English. "+report.Hint(content.Hints, wording.Languages...))
	}
	c.set.schema = c.schema(content.Variables)
	c.modules(content.Modules)
	c.activations()
	for i, r := range content.Rules {
		c.unit("rules["+strconv.Itoa(i)+"]", r.Handler())
	}
	for i, h := range content.Handlers {
		c.unit("reactions["+strconv.Itoa(i)+"]", h)
	}
	c.arrange()
	c.buildIndex()
	c.problems.SortByPlace()
	return c.set, talewright.Problems(c.problems)
}

// misread notes the members of the wrong type.
func (c *compiler) misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) {
	c.problems = append(c.problems, authorjson.Misread(path, id, extra, want, members...)...)
}

// variables returns the schema, nil for a nil Program.
func (s *Program) variables() *schema {
	if s == nil {
		return nil
	}
	return s.schema
}

// unit compiles one rule or reaction. Whatever its mistakes are it gets a unit, so that
// places and switches stay what the author sees.
func (c *compiler) unit(path string, h Handler) {
	for _, p := range h.Problems {
		p.Path = path + p.Path
		c.problems = append(c.problems, p)
	}
	u := unit{
		id:        h.ID,
		path:      path,
		on:        h.Enabled == nil || *h.Enabled,
		tests:     c.tests(h.Conditions),
		any:       h.ConditionLogic == condition.Any,
		stops:     c.tests(h.StopConditions),
		otherwise: strings.TrimSpace(h.ElseMessage),
		priority:  h.Priority,
		most:      -1,
		chance:    100,
		module:    c.moduleOf(h.BookID),
	}
	// Limits that make no sense are what is nearest to sense; Vet names those that keep a
	// unit from ever firing.
	if math.IsNaN(u.priority) {
		u.priority = 0
	}
	u.when = c.matcher(path, h)
	if h.CooldownTurns != nil {
		u.cooldown = min(max(*h.CooldownTurns, 0), maxCooldown)
	}
	if h.MaxFireCount != nil {
		u.most = max(*h.MaxFireCount, 0)
	}
	if h.Chance != nil {
		u.chance = *h.Chance
	}
	if h.MaxChainDepth != nil {
		u.depth = min(max(*h.MaxChainDepth, 0), maxHops)
	}
	for i, e := range h.Then {
		c.plan(&u, path, i, e)
	}
	c.set.units = append(c.set.units, u)
}

// plan prepares one effect, or says why it is left out; the others of the list stay. What can
// be known now, whether it has tokens to fill or numbers to draw, is not asked again when the
// unit fires.
func (c *compiler) plan(u *unit, path string, i int, e effect.Effect) {
	if mistake := effect.Mistake(e); mistake != "" {
		c.problems.Add(path+report.ActionPath(path, i), u.id, BadActions, mistake)
		return
	}
	e, why := effect.Enter(e)
	if why.Reason != "" {
		c.problems.Add(path+report.ActionPath(path, i), u.id, BadActions, why.In(nil))
		return
	}
	p := plan{effect: e, tokens: effect.HasTokens(e)}
	if set, ok := e.(effect.SetVariable); ok && set.Random != nil {
		p.dynamic = true
	}
	u.then = append(u.then, p)
}

// arrange puts the units into the order of evaluation, priority first and then
// place, and numbers their ids.
func (c *compiler) arrange() {
	s := c.set
	// Stable: of one priority, rules come before reactions and each in the order written.
	slices.SortStableFunc(s.units, func(a, b unit) int { return cmp.Compare(b.priority, a.priority) })
	numbers := make(map[string]int32)
	first := make(map[string]string)
	for i := range s.units {
		u := &s.units[i]
		number, twice := numbers[u.id]
		if !twice {
			number = int32(len(numbers))
			numbers[u.id] = number
			first[u.id] = u.path
		} else if u.id != "" {
			c.problems.Add(u.path+".id", u.id, DuplicateID, "the id of "+first[u.id]+
				" too; they share one count and one switch, and one firing retires both; rename one")
		}
		s.numbers = append(s.numbers, number)
		s.byID[u.id] = append(s.byID[u.id], int32(i))
	}
	s.ids = len(numbers)
	for _, units := range s.byID { // each marks its own
		for _, i := range units {
			s.units[i].twin = len(units) > 1
		}
	}
}
