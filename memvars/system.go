package memvars

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// System is a compiled set of [Options]: it reads commands, runs them and runs the passes. It is
// immutable and safe for concurrent use by any number of campaigns.
type System struct {
	options *Options // a copy, with the defaults
	profile Profile
	gate    Gate          // nil: nothing is declared
	words   wording.Table // of hints
	rules   []rule

	derives  bool // derived fields are computed
	formulas []compiledFormula
	byTarget map[string][]int // indexes of formulas by the places that they may write; see unpaired

	// Places of the profile, as paths from the root.
	inventory  tree.Path
	frame      []tree.Path // branches that must stay containers of their kind
	automatic  []tree.Path // fields that the clock maintains
	closedAI   []tree.Path // parts of config that the model may not write
	closedUser []tree.Path // parts of config that the player may not write
}

// rule is a compiled [Rule].
type rule struct {
	Rule
	prefix tree.Path // Rule.Path; empty for every path
}

// The codes of the problems of [Compile] and of [System.RunPass].
const (
	codeBadOption   talewright.Code = "bad_option"   // an unknown mode, or a number out of its bounds
	codeBadFormula  talewright.Code = "bad_formula"  // a derived field that cannot be computed
	codeBadRule     talewright.Code = "bad_rule"     // a permission with an invalid path, command or actor
	codeUnknownPass talewright.Code = "unknown_pass" // a name that is not in [Passes]
)

// Compile checks the options and prepares them for use. The problems list every mistake. Each is
// fatal: a system with different rules than its author intended would do harm.
//
// A System has its own copies of the options. Compile it once per card and use it for all
// campaigns. Compiling costs about as much as a short message.
func Compile(o Options) (*System, talewright.Problems) {
	c := compiler{s: &System{options: &o}}
	c.compileReading()
	c.compileCommands()
	c.compileFormulas()
	c.compileTurn()
	c.compilePermissions()
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return c.s, nil
}

// With returns the system with declarations, or without for nil. It copies only the System value,
// so it is cheap enough to call for each message.
func (s *System) With(g Gate) *System {
	bound := *s
	bound.gate = g
	return &bound
}

// compiler compiles options and collects their mistakes.
type compiler struct {
	s        *System
	problems talewright.Problems
}

// problem adds a mistake. Compiling continues, so that all mistakes are reported together.
func (c *compiler) problem(code talewright.Code, path, format string, args ...any) {
	c.problems = append(c.problems, talewright.Problem{
		Path: path, Code: code, Severity: talewright.Fatal, Text: fmt.Sprintf(format, args...),
	})
}

// choice checks a named mode; "" becomes the first mode.
func (c *compiler) choice(path string, mode *string, modes ...string) {
	if *mode = cmp.Or(*mode, modes[0]); !slices.Contains(modes, *mode) {
		c.problem(codeBadOption, path, "%q is unknown; write one of %s", *mode, strings.Join(modes, ", "))
	}
}

// setDefault replaces a pointer by a pointer to a copy of its value, or to the default for nil.
func setDefault[T any](option **T, def T) {
	if *option != nil {
		def = **option
	}
	*option = &def
}

// setTags replaces a list of tags by a copy in lower case, because their letter case is ignored, or by
// the default for nil. An empty list stays empty.
func setTags(option *[]string, def ...string) {
	if *option == nil {
		*option = def
	}
	*option = slices.Clone(*option)
	for i, tag := range *option {
		(*option)[i] = strings.ToLower(tag)
	}
}

// compileReading compiles the options for finding and reading commands.
func (c *compiler) compileReading() {
	s, o := c.s, c.s.options
	setDefault(&o.Profile, DefaultProfile())
	s.profile = o.Profile.Sorted()
	o.Dialects = slices.Clone(o.Dialects)
	c.choice("on_error", &o.OnError, "skip", "abort")
	setTags(&o.IgnoreTags, "think", "thinking", "reasoning")
	c.choice("blocks", &o.Blocks, "anywhere", "blocks_only")
	setTags(&o.BlockTags, "updatememory", "updatevariable")
	if o.Prefixes = slices.Clone(o.Prefixes); o.Prefixes == nil {
		o.Prefixes = []string{"*", "game", "worldHelper"}
	}
	c.choice("hints", &o.Hints, "en", "zh")
	s.words = wording.In(o.Hints, chinese())
	setDefault(&o.Repair, true)
	c.choice("json_fallback", &o.JSONFallback, "error", "string")
	for i, name := range []string{s.profile.Character, s.profile.Status, s.profile.Assets} {
		if name == "" {
			c.problem(codeBadOption, "profile."+[]string{"character", "status", "assets"}[i], "has no module; name one")
		}
	}
}

// compileCommands compiles the options for running commands, and for the passes after them.
func (c *compiler) compileCommands() {
	o := c.s.options
	c.choice("coerce", &o.Coerce, "by_current_type", "none", "numeric_strings")
	setDefault(&o.StrictTypes, true)
	c.choice("check_old", &o.CheckOld, "ignore", "warn", "reject")
	c.choice("merge", &o.Merge, "deep", "shallow", "replace")
	c.choice("scalar_parent", &o.ScalarParent, "error", "wrap")
	c.choice("protect_depth", &o.ProtectDepth, "deep", "children")
	c.choice("derived_lock", &o.DerivedLock, "formulas", "segment", "off")
	setDefault(&o.InventoryRecursive, true)
	setDefault(&o.InventoryRemoveNegative, true)
	c.choice("difficulty", &o.Difficulty, "clamp", "off")
	setDefault(&o.StripMeta, true)
	c.choice("derived", &o.Derived.Preset, "default", "origin", "off")
}

// compileFormulas compiles the formulas. The author's formulas replace the preset. The legendary
// parts of attributes are computed in both cases, because no formula can name them all.
func (c *compiler) compileFormulas() {
	s, list := c.s, c.s.options.Derived.Formulas
	if list == nil {
		if s.options.Derived.Preset == "off" {
			return
		}
		list = presetFormulas(&s.profile, s.options.Derived.Preset)
	}
	s.derives, s.byTarget = true, map[string][]int{}
	for i, f := range list {
		compiled, err := compileFormula(f, &s.profile)
		if err != nil {
			c.problem(codeBadFormula, fmt.Sprintf("derived[%d]", i), "%v", err)
			continue
		}
		for _, target := range compiled.targets {
			key := unpaired(target)
			s.byTarget[key] = append(s.byTarget[key], len(s.formulas))
		}
		s.formulas = append(s.formulas, compiled)
	}
}

// compileTurn compiles the options for the end of a turn.
func (c *compiler) compileTurn() {
	o := c.s.options
	months := slices.Clone(o.Calendar.Months)
	for i, n := range months {
		if n < 1 || n > 10_000 {
			c.problem(codeBadOption, fmt.Sprintf("calendar[%d]", i), "a month has 1 to 10000 days, not %d", n)
		}
	}
	if months != nil && (len(months) == 0 || len(months) > 1000) {
		c.problem(codeBadOption, "calendar", "a year has 1 to 1000 months, not %d", len(months))
	}
	o.Calendar.Months = months
	c.atLeastZero("wrap_window_days", &o.WrapWindowDays, 31)
	c.atLeastZero("rollover_min_minutes", &o.RolloverMinMinutes, 360)
	setDefault(&o.TimeLeftFloor, true)
	setDefault(&o.ResourceFloor, true)
	c.choice("big_update", &o.BigUpdate, "changed", "count")
	c.atLeastZero("keep_big", &o.KeepBig, 1)
	if o.GreenWindow != nil {
		o.GreenWindow = new(*o.GreenWindow)
	}
}

// atLeastZero checks a count, after setDefault.
func (c *compiler) atLeastZero(path string, count **int, def int) {
	if setDefault(count, def); **count < 0 {
		c.problem(codeBadOption, path, "must not be negative, but is %d", **count)
	}
}

// compilePermissions compiles the rules and the guarded places. An empty path is the prefix of
// every path.
func (c *compiler) compilePermissions() {
	p := &c.s.profile
	c.s.inventory = withinModule(p.Assets, p.Inventory)
	for _, branch := range p.Structural {
		c.s.frame = append(c.s.frame, withinModule(p.Assets, branch))
	}
	c.s.automatic = []tree.Path{withinModule(p.Status, p.TimeLeft), withinModule(p.Status, p.StartDate)}
	config := withinModule(p.Assets, p.Config)
	c.s.closedAI, c.s.closedUser = []tree.Path{config}, []tree.Path{config.Child("flags"), config.Child("counters")}
	for i, r := range c.s.options.Rules {
		compiled := rule{Rule: r}
		if r.Path != "" {
			prefix, err := tree.ParsePath(r.Path)
			if err != nil {
				c.problem(codeBadRule, fmt.Sprintf("rules[%d].path", i), "%v", err)
			}
			if slices.Contains(prefix, "*") {
				c.problem(codeBadRule, fmt.Sprintf("rules[%d].path", i),
					"* is a key and not a wildcard; write the path of the node above it")
			}
			compiled.prefix = prefix
		}
		if r.Op != "" && !isCommand(r.Op) {
			c.problem(codeBadRule, fmt.Sprintf("rules[%d].op", i),
				"%q must be set_attribute, set_status, memory or delete", r.Op)
		}
		switch r.Actor {
		case "", AI, User, Host:
		default:
			c.problem(codeBadRule, fmt.Sprintf("rules[%d].actor", i), "%q must be ai, user or system", r.Actor)
		}
		c.s.rules = append(c.s.rules, compiled)
	}
}

// Read returns a variable by its path from the root, with the profile of the system, as
// [tree.Document.Get] does. It is absent if it does not exist.
func (s *System) Read(d tree.Document, path tree.Path) tree.Value {
	return s.profile.Content(d.Root(), path)
}

// find follows a path from the root. If it leads nowhere, the code is path_not_found, or
// index_out_of_range on a list.
func (s *System) find(root tree.Value, path tree.Path) (tree.Place, Code) {
	at, err := s.profile.Find(root, path)
	switch {
	case errors.Is(err, tree.ErrIndex):
		return tree.Place{}, IndexOutOfRange
	case err != nil:
		return tree.Place{}, PathNotFound
	}
	return at, ""
}

// hintsInChinese has the Chinese translations of the hints, in the form of [wording.ReadTable].
//
//go:embed hints.zh.txt
var hintsInChinese string

var chinese = sync.OnceValue(func() wording.Table { return wording.ReadTable(hintsInChinese) })
