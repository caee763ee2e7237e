package script

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/prompt/macro"
)

// Source is the origin of scripts. Scripts run in the order of their sources.
type Source int

// The sources.
const (
	Global Source = iota
	Preset
	Character
)

// sources are the names of the sources.
var sources = [...]string{Global: "global", Preset: "preset", Character: "character"}

// String returns the name of the source.
func (s Source) String() string {
	if s < 0 || int(s) >= len(sources) {
		return fmt.Sprintf("source(%d)", int(s))
	}
	return sources[s]
}

// MarshalText writes the name of the source.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a source.
func (s *Source) UnmarshalText(text []byte) error {
	i := slices.Index(sources[:], string(text))
	if i < 0 {
		return fmt.Errorf("script: %q is not a source: use global, preset or character", text)
	}
	*s = Source(i)
	return nil
}

// List has the scripts of one settings file, preset or card.
type List struct {
	Source  Source
	Owner   string // name of the preset or card, for reports
	Scripts []Script
	// Denied marks a list that the user has not allowed: its scripts do not run.
	Denied bool
}

// MatchText says how the macros of a replacement treat matched text.
type MatchText string

// The values; the empty one is [Data].
const (
	Data   MatchText = "data"   // plain text
	Expand MatchText = "expand" // part of the template, as in SillyTavern: macros of players and models run
)

// Options change how a set works. The zero value is the default.
type Options struct {
	MatchText MatchText
	MaxResult int // bytes of the result of one script; 0 is 8 MiB
}

const defaultMaxResult = 8 << 20

// Set is a compiled list of scripts. It is immutable and safe for concurrent use.
type Set struct {
	scripts []compiledScript
	expand  bool
	limit   int
	cache   *patternCache
}

// Without returns a set without some scripts, for example scripts that repeatedly reach a limit.
// Names and IDs in refs are ignored, and so are refs to scripts that the set does not have. The new
// set shares the compiled patterns.
func (s *Set) Without(refs ...Ref) *Set {
	if s == nil || len(refs) == 0 {
		return s
	}
	type place struct {
		source Source
		owner  string
		index  int
	}
	excludedPlaces := map[place]bool{}
	for _, r := range refs {
		excludedPlaces[place{r.Source, r.Owner, r.Index}] = true
	}
	remaining := *s
	remaining.scripts = slices.Clone(s.scripts)
	for i := range remaining.scripts {
		c := &remaining.scripts[i]
		c.excluded = c.excluded || excludedPlaces[place{c.source, c.owner, c.index}]
	}
	return &remaining
}

// compiledScript is one compiled script.
type compiledScript struct {
	Script
	source       Source
	owner        string
	index        int // in its list
	denied       bool
	excluded     bool    // see [Set.Without]
	finder       *finder // nil: none, or the pattern has macros
	patternError string  // why there is no finder
	pieces       []piece
	inserts      bool // the replacement inserts a group
	macros       bool // the text of the replacement may have macros
	// varies says that the result may differ each time, because the pattern, the replacement or a
	// trim string has macros.
	varies bool
}

// Compile compiles the scripts and reports all mistakes, in order, by the name of the script or
// else its ID. No mistake is fatal: a script with a mistake does nothing, or only its valid part.
func Compile(lists []List, o Options) (*Set, talewright.Problems) {
	s := &Set{expand: o.MatchText == Expand, limit: o.MaxResult, cache: &patternCache{}}
	if s.limit <= 0 {
		s.limit = defaultMaxResult
	}
	var problems talewright.Problems
	if o.MatchText != "" && o.MatchText != Data && o.MatchText != Expand {
		problems = append(problems, talewright.Problem{Path: "options.matchText", Code: codeBadType, Severity: talewright.Error,
			Text: fmt.Sprintf("%q is unknown: use data or expand", o.MatchText)})
	}
	for source := range sources {
		for _, l := range lists {
			if int(l.Source) == source {
				problems = append(problems, s.add(l)...)
			}
		}
	}
	for i, l := range lists {
		if l.Source < Global || l.Source > Character {
			problems = append(problems, talewright.Problem{Path: fmt.Sprintf("lists[%d].source", i), Code: codeBadType, Severity: talewright.Error,
				Text: fmt.Sprintf("%d is unknown: use Global, Preset or Character", int(l.Source))})
		}
	}
	return s, problems
}

// add compiles a list.
func (s *Set) add(l List) talewright.Problems {
	var problems talewright.Problems
	if l.Denied && len(l.Scripts) > 0 {
		problems = append(problems, talewright.Problem{Path: l.place(), Code: codeNotAllowed, Severity: talewright.Warning,
			Text: fmt.Sprintf("its %d scripts are not allowed and do not run: allow them or leave them out", len(l.Scripts))})
	}
	for i := range l.Scripts {
		c := compiledScript{
			Script: l.Scripts[i].clone(), source: l.Source, owner: l.Owner,
			index: i, denied: l.Denied,
		}
		path := fmt.Sprintf("%s[%d]", l.place(), i)
		c.check(func(member string, code talewright.Code, severity talewright.Severity, format string, args ...any) {
			problems = append(problems, talewright.Problem{
				Path: path + "." + member, ID: c.label(),
				Code: code, Severity: severity,
				Text: fmt.Sprintf(format, args...),
			})
		})
		s.scripts = append(s.scripts, c)
	}
	return problems
}

// place returns the beginning of the path of a problem with the list.
func (l List) place() string {
	if l.Owner == "" {
		return l.Source.String()
	}
	return l.Source.String() + "(" + l.Owner + ")"
}

func (c *compiledScript) ref() Ref { return Ref{c.source, c.owner, c.index, c.ID, c.Name} }

// label returns the name of a script, or else its ID.
func (s Script) label() string {
	if strings.TrimSpace(s.Name) != "" {
		return s.Name
	}
	return s.ID
}

// clone copies the parts that a caller could change.
func (s Script) clone() Script {
	s.Trim = append([]string(nil), s.Trim...)
	s.Placement = append([]Placement(nil), s.Placement...)
	for _, depth := range [...]**float64{&s.MinDepth, &s.MaxDepth} {
		if *depth != nil {
			d := **depth
			*depth = &d
		}
	}
	s.Extra = openjson.Extra(nil) // not needed to run
	return s
}

// reporter reports a problem of a member.
type reporter func(member string, code talewright.Code, severity talewright.Severity, format string, args ...any)

// check compiles the script and checks all of it.
func (c *compiledScript) check(report reporter) {
	c.pieces = readReplacement(c.Replace)
	for _, p := range c.pieces {
		c.inserts = c.inserts || p.inserts()
		c.macros = c.macros || mayExpand(p.text)
	}
	c.varies = c.Find != "" && (c.Macros == RawMacros || c.Macros == EscapedMacros) || c.hasMacros()
	if strings.TrimSpace(c.Name) == "" {
		report("scriptName", codeNoName, talewright.Warning, "is empty: give the script a name, because reports use it")
	}
	if !c.fitsAny() {
		report("placement", codeNoPlacement, talewright.Warning, "fits no text, so it never runs: list 1, 2, 3, 5 or 6")
	}
	c.readDepths(report)
	switch {
	case c.Find == "":
		report("findRegex", codeEmptyFind, talewright.Warning, "is empty, so it does nothing: give a pattern")
	case c.Macros == RawMacros || c.Macros == EscapedMacros:
	default:
		f, err := newFinder(c.Find)
		if err != nil {
			c.patternError = err.Error()
			report("findRegex", codeBadPattern, talewright.Error, "is not a pattern, so it does nothing: %s", c.patternError)
			return
		}
		c.finder = f
		c.readGroups(report)
		if f.re.RunAway() {
			report("findRegex", codeSlowPattern, talewright.Warning, "may take very many steps on some texts, "+
				"and is then stopped: avoid references to groups and long counts within repeats")
		}
	}
}

// hasMacros reports whether the replacement or the trim strings have macros. A brace may become a
// macro together with a text that is inserted next to it.
func (c *compiledScript) hasMacros() bool {
	var text strings.Builder
	for _, p := range c.pieces {
		text.WriteString(p.text)
	}
	plain := func(text string) bool { return !strings.ContainsAny(text, `{\`) && macro.Plain(text) }
	return !plain(text.String()) || slices.ContainsFunc(c.Trim, func(cut string) bool { return !plain(cut) })
}

// fitsAny reports whether the script lists a known kind of text.
func (c *compiledScript) fitsAny() bool {
	for _, p := range c.Placement {
		switch p {
		case UserInput, AIOutput, SlashCommand, WorldInfo, Reasoning:
			return true
		}
	}
	return false
}

// readDepths reports depth bounds that cannot be intended.
func (c *compiledScript) readDepths(report reporter) {
	for _, b := range [...]struct {
		member string
		depth  *float64
	}{{"minDepth", c.MinDepth}, {"maxDepth", c.MaxDepth}} {
		if b.depth != nil && (math.IsNaN(*b.depth) || math.IsInf(*b.depth, 0)) {
			report(b.member, codeBadDepth, talewright.Warning, "is not a number, so it is not a bound: give a number or null")
		}
	}
	lo, hasLow := c.low()
	hi, hasHigh := c.high()
	if hasLow && hasHigh && lo > hi {
		report("minDepth", codeBadDepth, talewright.Warning, "is above maxDepth, so it never runs where a depth is known: swap them")
	}
}

// readGroups reports groups that the pattern does not have.
func (c *compiledScript) readGroups(report reporter) {
	for _, p := range c.pieces {
		switch _, known := c.finder.names[p.name]; {
		case p.group >= len(c.finder.groups):
			report("replaceString", codeUnknownGroup, talewright.Warning,
				"inserts a group that the pattern does not have, so nothing is inserted: the number of its groups is %d", len(c.finder.groups)-1)
		case p.name != "" && !known:
			report("replaceString", codeUnknownGroup, talewright.Warning,
				"inserts $<%.40s>, but the pattern has no group of this name, so nothing is inserted: give a group this name", p.name)
		}
	}
}

// mayExpand reports whether the text has a byte that any expansion needs.
func mayExpand(text string) bool { return strings.ContainsAny(text, `{<\`) }
