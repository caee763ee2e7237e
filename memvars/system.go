package memvars

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// System is a compiled set of [Options]: it reads commands, runs them and runs the passes. It is
// immutable and safe for concurrent use by any number of campaigns.
type System struct {
	profile Profile
	gate    Gate // nil: nothing is declared
	readOptions
	commandOptions
	derivation  derivation
	bag         bagSweeper // initial value for every run
	clamp       bool
	turnOptions turnOptions
	stripMeta   bool
}

// readOptions has the compiled options for finding and reading commands.
type readOptions struct {
	dialects []Dialect
	reader   reader
	words    wording.Table // of hints
	language string        // language of words
}

// commandOptions has the compiled options for the effects of commands. A field without a comment
// has the meaning of the field of [Options] with the same name.
type commandOptions struct {
	abort         bool // a rejected command rolls the message back
	coerce        string
	strict        bool
	signedDelta   bool
	checkOld      string
	autoCreate    bool
	merge         string
	wrapScalar    bool
	moveOverwrite bool

	protectDeep     bool
	protectChildren bool
	rules           []rule
	// The guarded places of the profile, as paths from the root.
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
	c := compiler{o: o, s: &System{}}
	c.compileReading()
	c.compileCommands()
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
	o        Options
	s        *System
	problems talewright.Problems
}

// problem adds a mistake. Compiling continues, so that all mistakes are reported together.
func (c *compiler) problem(code talewright.Code, path, format string, args ...any) {
	c.problems = append(c.problems, talewright.Problem{
		Path: path, Code: code, Severity: talewright.Fatal, Text: fmt.Sprintf(format, args...),
	})
}

// choice checks a named mode and returns it; "" means the first mode.
func (c *compiler) choice(path, got string, modes ...string) string {
	if got == "" {
		return modes[0]
	}
	if !slices.Contains(modes, got) {
		c.problem(codeBadOption, path, "%q is unknown; write one of %s", got, strings.Join(modes, ", "))
	}
	return got
}

// orElse returns the value of a pointer, or the default for nil.
func orElse[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

// orList returns a copy of a list, or the default for nil. An empty list stays empty: no tags, no
// prefixes.
func orList(list []string, def ...string) []string {
	if list == nil {
		return def
	}
	return slices.Clone(list)
}

// compileReading compiles the options for finding and reading commands.
func (c *compiler) compileReading() {
	s, o := c.s, &c.o
	s.profile = orElse(o.Profile, DefaultProfile()).Sorted()
	s.dialects = slices.Clone(o.Dialects)
	s.abort = c.choice("on_error", o.OnError, "skip", "abort") == "abort"
	s.reader.ignoreTags = lower(orList(o.IgnoreTags, "think", "thinking", "reasoning"))
	s.reader.blocksOnly = c.choice("blocks", o.Blocks, "anywhere", "blocks_only") == "blocks_only"
	s.reader.blockTags = lower(orList(o.BlockTags, "updatememory", "updatevariable"))
	s.reader.prefixes = orList(o.Prefixes, "*", "game", "worldHelper")
	s.language = c.choice("hints", o.Hints, "en", "zh")
	s.words = wording.In(s.language, chinese())
	s.reader.repair = orElse(o.Repair, true)
	s.reader.jsonAsText = c.choice("json_fallback", o.JSONFallback, "error", "string") == "string"
	for i, name := range []string{s.profile.Character, s.profile.Status, s.profile.Assets} {
		if name == "" {
			c.problem(codeBadOption, "profile."+[]string{"character", "status", "assets"}[i], "has no module; name one")
		}
	}
}

// compileCommands compiles the options for running commands, and for the passes after them.
func (c *compiler) compileCommands() {
	s, o := c.s, &c.o
	s.coerce = c.choice("coerce", o.Coerce, "by_current_type", "none", "numeric_strings")
	s.strict = orElse(o.StrictTypes, true)
	s.signedDelta = o.SignedDelta
	s.checkOld = c.choice("check_old", o.CheckOld, "ignore", "warn", "reject")
	s.autoCreate = o.AutoCreate
	s.merge = c.choice("merge", o.Merge, "deep", "shallow", "replace")
	s.wrapScalar = c.choice("scalar_parent", o.ScalarParent, "error", "wrap") == "wrap"
	s.moveOverwrite = o.MoveOverwrite
	s.protectDeep = c.choice("protect_depth", o.ProtectDepth, "deep", "children") == "deep"
	s.protectChildren = o.ProtectChildren
	lock := c.choice("derived_lock", o.DerivedLock, "formulas", "segment", "off")
	s.bag = bagSweeper{
		path:      withinModule(s.profile.Assets, s.profile.Inventory),
		Recursive: orElse(o.InventoryRecursive, true), Negative: orElse(o.InventoryRemoveNegative, true),
		ProtectDeep: s.protectDeep,
	}
	s.clamp = c.choice("difficulty", o.Difficulty, "clamp", "off") == "clamp"
	s.stripMeta = orElse(o.StripMeta, true)
	c.compileDerivation(lock)
}

// compileDerivation compiles the formulas. The author's formulas replace the preset. The legendary
// parts of attributes are computed in both cases, because no formula can name them all.
func (c *compiler) compileDerivation(lock string) {
	preset := c.choice("derived", c.o.Derived.Preset, "default", "origin", "off")
	list := presetFormulas(&c.s.profile, preset)
	switch formulas := c.o.Derived.Formulas; {
	case formulas != nil:
		list = nil
		for _, f := range formulas {
			list = append(list, formula(f))
		}
	case preset == "off":
		c.s.derivation = lockOnly(lock)
		return
	}
	c.s.derivation = newDerivation(list, lock, &c.s.profile, func(i int, err error) {
		c.problem(codeBadFormula, fmt.Sprintf("derived[%d]", i), "%v", err)
	})
}

// compileTurn compiles the options for the end of a turn.
func (c *compiler) compileTurn() {
	o := &c.o
	months := slices.Clone(o.Calendar.Months)
	for i, n := range months {
		if n < 1 || n > 10_000 {
			c.problem(codeBadOption, fmt.Sprintf("calendar[%d]", i), "a month has 1 to 10000 days, not %d", n)
		}
	}
	if months != nil && (len(months) == 0 || len(months) > 1000) {
		c.problem(codeBadOption, "calendar", "a year has 1 to 1000 months, not %d", len(months))
	}
	c.s.turnOptions = turnOptions{
		Calendar:         Calendar{Months: months},
		WrapWindow:       c.atLeastZero("wrap_window_days", orElse(o.WrapWindowDays, 31)),
		Rollover:         c.atLeastZero("rollover_min_minutes", orElse(o.RolloverMinMinutes, 360)),
		TimeLeftFloor:    orElse(o.TimeLeftFloor, true),
		ResourceFloor:    orElse(o.ResourceFloor, true),
		BigByCount:       c.choice("big_update", o.BigUpdate, "changed", "count") == "count",
		KeepBig:          c.atLeastZero("keep_big", orElse(o.KeepBig, 1)),
		KeepUnsummarised: o.KeepUnsummarised,
		ScanUser:         o.ScanUser,
		ProtectDeep:      c.s.protectDeep,
	}
	if o.GreenWindow != nil {
		c.s.turnOptions.GreenWindow = new(*o.GreenWindow)
	}
}

// atLeastZero checks a count.
func (c *compiler) atLeastZero(path string, n int) int {
	if n < 0 {
		c.problem(codeBadOption, path, "must not be negative, but is %d", n)
	}
	return n
}

// compilePermissions compiles the rules and the guarded places. An empty path is the prefix of
// every path.
func (c *compiler) compilePermissions() {
	p := &c.s.profile
	for _, branch := range p.Structural {
		c.s.frame = append(c.s.frame, withinModule(p.Assets, branch))
	}
	c.s.automatic = []tree.Path{withinModule(p.Status, p.TimeLeft), withinModule(p.Status, p.StartDate)}
	config := withinModule(p.Assets, p.Config)
	c.s.closedAI, c.s.closedUser = []tree.Path{config}, []tree.Path{config.Child("flags"), config.Child("counters")}
	for i, r := range c.o.Rules {
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

// lower converts names of tags to lower case; their letter case is ignored.
func lower(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(n)
	}
	return out
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
