package rules

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// Content is the input of [Compile].
type Content struct {
	// Variables is the author's schema. Nil means no schema: any path of the document may be read
	// and written, and missing nodes are created. An empty list declares that there are no
	// variables.
	Variables []Variable
	// Modules gate the variables, rules and reactions that name them.
	Modules []Module
	// Rules are evaluated before handlers of the same priority.
	Rules []Rule
	// Handlers are consequences in the general form, such as reactions converted by package
	// reactions. They come after the rules.
	Handlers []Handler
	// Leaf reports, for a document without a schema, whether the value at a path is a leaf: a pair
	// of a value and its description. It is called only for pairs whose second element is a text.
	// It must be pure, and may be called concurrently. Nil accepts pairs in the modules
	// play_character_data and stat_data.
	Leaf func(path tree.Path, v tree.Value) bool
	// Actions are the types of actions that the host applies itself, in addition to the actions of
	// campaigns. [Vet] accepts them and suggests them for misspelt types.
	Actions []string
	// Hints is the language of [effect.Refusal.Text] and of the refusals of [Program.Gate]: "en"
	// (also "") or "zh". Models read these texts.
	Hints string
}

// Compile builds a Program. It never fails: each mistake is a [talewright.Problem]. The part with
// the mistake has no effect, and everything else works. Problems are in the order of their places:
// variables, modules, rules, reactions. The program keeps no reference to content that a caller could
// change.
func Compile(content Content) (*Program, talewright.Problems) {
	c := &compiler{
		set: &Program{byID: make(map[string][]int32), seen: leaves{Is: content.Leaf},
			words: wording.In(content.Hints, report.Table)},
		slots: make(map[string]int32), moduleAt: make(map[string]int32),
	}
	if !wording.Known(content.Hints) {
		c.problems.Add("hints", "", Ignored,
			"there are no hints in the language %q; they are in English; %s",
			content.Hints, report.Hint(content.Hints, wording.Languages...))
	}
	// Units need the defaults of variables and the modules, so these come first. The index needs the
	// numbers of the units, so it comes last.
	c.set.schema = c.schema(content.Variables)
	c.set.seen.Declared = c.set.schema.declared()
	c.modules(content.Modules)
	c.activations()
	for i, r := range content.Rules {
		c.unit("rules["+strconv.Itoa(i)+"]", r.Handler())
	}
	for i, h := range content.Handlers {
		c.unit("reactions["+strconv.Itoa(i)+"]", h)
	}
	c.arrange()
	c.set.index = buildIndex(len(c.set.units), func(i int32) *matcher { return &c.set.units[i].when }, &c.keywords)
	c.problems.SortByPlace()
	return c.set, talewright.Problems(c.problems)
}

// unit compiles one rule or reaction: its conditions to slots and constants, its WHEN to a matcher,
// and its effects to plans. It creates a unit even if there are mistakes. So each unit has the index and
// the switch of its place in the author's list.
func (c *compiler) unit(path string, h Handler) {
	for _, p := range h.Problems {
		p.Path = path + p.Path
		c.problems = append(c.problems, p)
	}
	u := unit{
		id:         h.ID,
		path:       path,
		on:         h.Enabled == nil || *h.Enabled,
		tests:      c.tests(h.Conditions),
		anyTest:    h.ConditionLogic == Any,
		stopTests:  c.tests(h.StopConditions),
		otherwise:  strings.TrimSpace(h.ElseMessage),
		priority:   h.Priority,
		maxFirings: -1,
		chance:     100,
		module:     c.moduleOf(h.BookID),
	}
	// Limits without a meaning become the nearest valid value. Vet reports limits that keep a unit
	// from ever firing.
	if math.IsNaN(u.priority) {
		u.priority = 0
	}
	u.when = c.matcher(path, h)
	if h.CooldownTurns != nil {
		u.cooldown = min(max(*h.CooldownTurns, 0), maxCooldown)
	}
	if h.MaxFireCount != nil {
		u.maxFirings = max(*h.MaxFireCount, 0)
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

// plan prepares one effect, or reports why it is left out; the other effects of the list are kept.
// It decides here whether the effect has tokens to fill or numbers to draw, so that firing does not
// need to check again.
func (c *compiler) plan(u *unit, path string, i int, e effect.Effect) {
	if mistake := effect.Mistake(e); mistake != "" {
		c.problems.Add(path+report.ActionPath(path, i), u.id, BadActions, "%s", mistake)
		return
	}
	e, why := effect.Enter(e)
	if why.Reason != "" {
		c.problems.Add(path+report.ActionPath(path, i), u.id, BadActions, "%s", why.In(nil))
		return
	}
	p := plan{effect: e, tokens: effect.HasTokens(e)}
	if set, ok := e.(effect.SetVariable); ok && set.Random != nil {
		p.dynamic = true
	}
	u.effects = append(u.effects, p)
}

// arrange sorts the units into the order of evaluation, by priority and then place, and numbers
// their ids.
func (c *compiler) arrange() {
	s := c.set
	// A stable sort: with equal priority, rules come before reactions, each in the written order.
	slices.SortStableFunc(s.units, func(a, b unit) int { return cmp.Compare(b.priority, a.priority) })
	for i := range s.units {
		u := &s.units[i]
		if same := s.byID[u.id]; len(same) > 0 && u.id != "" {
			c.problems.Add(u.path+".id", u.id, DuplicateID,
				"the id of %s too; they share one count and one switch; rename one", s.units[same[0]].path)
		}
		s.byID[u.id] = append(s.byID[u.id], int32(i))
		s.numbers = append(s.numbers, s.byID[u.id][0])
	}
	for i := range s.units {
		s.units[i].sharesID = len(s.byID[s.units[i].id]) > 1
	}
}
