package worldbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// decoratorRules holds the decorators of a Card V3 or RisuAI entry.
type decoratorRules struct {
	Activate, DontActivate bool
	KeepAfterMatch         bool
	StopAfterMatch         bool
	OnlyAfter, Every       int // assistant messages
	Greeting               *int
	Icon                   string
	ScanDepth              *int

	Position     *Position
	Outlet       string // of PositionInOutlet
	Depth        int    // of PositionAtDepth
	ReverseDepth *int   // instead of Depth, counted from the oldest message
	Role         *Role
	Hides        []string

	WholeWords          *bool
	Probability         *int
	LastInLine          bool // removed first when the budget is short
	Priority            *int
	PreventRecursion    *bool
	ExcludeRecursion    bool
	Additional          [][]string
	Exclude, ExcludeAll []string

	InjectLore string // the title of the entry that receives the text
	InjectAt   string // the part of the host's prompt that receives the text
	Inject     ContentChange
	Replaced   string // the text that the injected text replaces

	depth *int // the value of @@depth, until resolvePlacement chooses the position
}

// apply stores the values of a decorator and reports whether they are valid.
type apply func(r *decoratorRules, values []string) bool

// withoutValues returns the function of a decorator without values.
func withoutValues(set func(r *decoratorRules)) apply {
	return func(r *decoratorRules, _ []string) bool {
		set(r)
		return true
	}
}

// decorators lists the decorators of Card V3 and RisuAI. Decorators that matter only in plain-text
// contexts are accepted and do nothing.
var decorators = map[string]apply{
	"activate":                  withoutValues(func(r *decoratorRules) { r.Activate = true }),
	"dont_activate":             withoutValues(func(r *decoratorRules) { r.DontActivate = true }),
	"activate_only_after":       func(r *decoratorRules, v []string) bool { return readWhole(v, 0, &r.OnlyAfter) },
	"activate_only_every":       func(r *decoratorRules, v []string) bool { return readWhole(v, 1, &r.Every) },
	"keep_activate_after_match": withoutValues(func(r *decoratorRules) { r.KeepAfterMatch = true }),
	"dont_activate_after_match": withoutValues(func(r *decoratorRules) { r.StopAfterMatch = true }),
	"depth":                     func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.depth) },
	"reverse_depth":             func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.ReverseDepth) },
	"instruct_depth":            ignoredNumber,
	"reverse_instruct_depth":    ignoredNumber,
	"instruct_scan_depth":       ignoredNumber,
	"role":                      readRole,
	"scan_depth":                func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, 0, &r.ScanDepth) },
	"is_greeting":               func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.Greeting) },
	"position":                  readPosition,
	"ignore_on_max_context":     withoutValues(func(r *decoratorRules) { r.LastInLine = true }),
	"additional_keys":           readAdditionalKeys,
	"exclude_keys":              func(r *decoratorRules, v []string) bool { r.Exclude = v; return len(v) > 0 },
	"exclude_keys_all":          func(r *decoratorRules, v []string) bool { r.ExcludeAll = v; return len(v) > 0 },
	"is_user_icon":              func(r *decoratorRules, v []string) bool { return readText(v, &r.Icon) },
	"disable_ui_prompt":         readHides,
	"end":                       withoutValues(func(r *decoratorRules) { r.depth = new(0) }),
	"inject_lore":               func(r *decoratorRules, v []string) bool { return readText(v, &r.InjectLore) },
	"inject_at":                 func(r *decoratorRules, v []string) bool { return readText(v, &r.InjectAt) },
	"inject_prepend":            withoutValues(func(r *decoratorRules) { r.Inject = Prepend }),
	"inject_replace":            func(r *decoratorRules, v []string) bool { r.Inject = Replace; return readText(v, &r.Replaced) },
	"priority":                  func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.Priority) },
	"match_full_word":           withoutValues(func(r *decoratorRules) { r.WholeWords = new(true) }),
	"match_partial_word":        withoutValues(func(r *decoratorRules) { r.WholeWords = new(false) }),
	"probability":               readProbability,
	"recursive":                 withoutValues(func(r *decoratorRules) { r.PreventRecursion = new(false) }),
	"unrecursive":               withoutValues(func(r *decoratorRules) { r.PreventRecursion = new(true) }),
	"no_recursive_search":       withoutValues(func(r *decoratorRules) { r.ExcludeRecursion = true }),
}

// ignoredDecorators lists the decorators of templates. They are accepted here and have no effect: package
// prompt/template applies them.
var ignoredDecorators = []string{
	"if", "preprocessing", "private", "always_enabled", "only_preload", "dont_preload", "generate_before", "generate_after",
	"initial_variables", "render_before", "render_after", "message_formatting", "iframe",
}

// ignoredNumber accepts a decorator with a whole number that has no effect here.
func ignoredNumber(_ *decoratorRules, values []string) bool {
	var n int
	return readWhole(values, anyNumber, &n)
}

// readWhole reads one whole number that is not less than least.
func readWhole(values []string, least int, to *int) bool {
	if len(values) != 1 {
		return false
	}
	n, ok := wholeNumber(values[0])
	if ok = ok && n >= least; ok {
		*to = n
	}
	return ok
}

// anyNumber is less than every number that decorators can mean.
const anyNumber = -1 << 31

// readOptionalWhole is readWhole for a field that is nil without the decorator.
func readOptionalWhole(values []string, least int, to **int) bool {
	var n int
	if !readWhole(values, least, &n) {
		return false
	}
	*to = &n
	return true
}

// readText reads a text. It joins the values again, because commas were read as separators.
func readText(values []string, to *string) bool {
	*to = strings.Join(values, ",")
	return *to != ""
}

// readRole reads a role by its name in chat formats.
func readRole(r *decoratorRules, values []string) bool {
	for role := RoleSystem; role <= RoleAssistant; role++ {
		if len(values) == 1 && values[0] == role.String() {
			r.Role = &role
			return true
		}
	}
	return false
}

// readPosition reads the places of Card V3. Sections of the card without a place of their own are
// placed after the definitions. RisuAI's pt_name is an outlet.
func readPosition(r *decoratorRules, values []string) bool {
	if len(values) != 1 {
		return false
	}
	outlet, isOutlet := strings.CutPrefix(values[0], "pt_")
	switch {
	case isOutlet && outlet != "":
		r.Position, r.Outlet = new(PositionInOutlet), outlet
	case values[0] == "before_desc":
		r.Position = new(PositionBeforeCharacter)
	case slices.Contains([]string{"after_desc", "personality", "scenario"}, values[0]):
		r.Position = new(PositionAfterCharacter)
	default:
		return false
	}
	return true
}

// readAdditionalKeys adds a list of keys. One key of the list must be found. Several lines are several
// lists, and each must be satisfied.
func readAdditionalKeys(r *decoratorRules, values []string) bool {
	if len(values) == 0 {
		return false
	}
	r.Additional = append(r.Additional, values)
	return true
}

// readHides reads the two parts of the prompt that Card V3 names.
func readHides(r *decoratorRules, values []string) bool {
	if len(values) != 1 || values[0] != "system_prompt" && values[0] != "post_history_instructions" {
		return false
	}
	r.Hides = values
	return true
}

// readProbability is in percent.
func readProbability(r *decoratorRules, values []string) bool {
	n := 0
	if !readWhole(values, 0, &n) || n > 100 {
		return false
	}
	r.Probability = &n
	return true
}

// ParseDecorators splits the decorators off the content of an entry, as a scan with
// [DecoratorsCardV3] does. It returns them in order, the content without them, and their problems.
// The known names are those of Card V3, RisuAI and package prompt/template.
//
// The rules, in the order of application:
//
//  1. Decorators are at the very top, one per line; empty lines between them are allowed. The first
//     other line ends them; @@ further below is text. Content without any decorator is returned
//     unchanged; otherwise all those lines are removed, and the rest is unchanged.
//  2. A line is @@name, then optionally blanks and values between commas. Names are exact and in
//     lower case. Decorators with one text as their value keep its commas.
//  3. @@@ starts a fallback of the decorator before it. A decorator and its fallbacks form a chain of
//     any length. The first one with a known name and valid values counts; the others are ignored.
//     Empty lines do not break a chain.
//  4. If a name is repeated, the first decorator counts. Only additional_keys may repeat.
//
// The rules of a host with decorators of its own override built-in rules of the same name.
//
// Problems: "unknown_decorator" (once per chain), "bad_value", "stray_fallback", "duplicate". The path
// is the line number in content. At most 100 are listed.
func ParseDecorators(content string, host ...DecoratorRule) (list []Decorator, rest string, problems talewright.Problems) {
	if !startsWithDecorator(content) {
		return nil, content, nil
	}
	own := make(map[string]DecoratorRule, len(host)) // for a repeated name the first rule
	for _, rule := range slices.Backward(host) {
		own[rule.Name] = rule
	}
	var rules decoratorRules
	r := decoratorReader{use: func(d Decorator) (known, repeats, valid bool) {
		if rule, ok := own[d.Name]; ok {
			return true, rule.Repeat, rule.Accepts == nil || rule.Accepts(d.Values)
		}
		return rules.use(d)
	}}
	rest = r.read(content)
	return r.list, rest, r.problems
}

// cutCard removes the decorators from the top of a content and returns their rules, nil if there are
// none. See [ParseDecorators].
func cutCard(content string, report func(talewright.Code, string)) (rules *decoratorRules, rest string) {
	if !startsWithDecorator(content) {
		return nil, content
	}
	list, rest, problems := ParseDecorators(content)
	for _, p := range problems {
		report(p.Code, p.Text)
	}
	rules = &decoratorRules{Inject: Append}
	for _, d := range list {
		rules.use(d)
	}
	rules.resolvePlacement()
	if rules.Inject != Append && rules.InjectLore == "" && rules.InjectAt == "" {
		report(codeBadValue, fmt.Sprintf("@@inject_%s needs @@inject_lore or @@inject_at in the same entry: ignored", rules.Inject))
	}
	return rules, rest
}

// use stores the values of a decorator.
func (r *decoratorRules) use(d Decorator) (known, repeats, valid bool) {
	if slices.Contains(ignoredDecorators, d.Name) {
		return true, false, true
	}
	set, known := decorators[d.Name]
	return known, d.Name == "additional_keys", known && set(r, d.Values)
}

// resolvePlacement decides the placement: a position takes precedence over a depth, and a depth over a
// reverse depth.
func (r *decoratorRules) resolvePlacement() {
	switch {
	case r.Position != nil:
		r.ReverseDepth = nil
	case r.depth != nil:
		r.Position, r.Depth, r.ReverseDepth = new(PositionAtDepth), max(0, *r.depth), nil
	case r.ReverseDepth != nil:
		r.Position = new(PositionAtDepth)
	}
}

// The two decorators of SillyTavern.
const (
	activate     = "@@activate"
	dontActivate = "@@dont_activate"
)

// cutSillyTavern removes the decorator lines from the top of a content, as SillyTavern does. A line @@@name is
// a fallback: it counts as @@name if the line before it was an unknown decorator, and is skipped otherwise. A
// line is known if it begins with a known name. Only a line that is exactly the name has an effect. If all
// lines are decorators, the content stays unchanged (quirk decorators-only) or becomes empty.
func cutSillyTavern(content string, keepWhole bool) (on, off bool, rest string) {
	lines, rest := cutLines(content, keepWhole)
	return slices.Contains(lines, activate), slices.Contains(lines, dontActivate), rest
}

// cutLines returns the lines with known decorators at the top of a content, and the rest of the content.
func cutLines(content string, keepWhole bool) (decorators []string, rest string) {
	needsFallback := false // the last decorator was unknown
	remaining, hasMore := content, true
	for hasMore {
		line, after, more := strings.Cut(remaining, "\n")
		if !strings.HasPrefix(line, "@@") {
			return decorators, remaining
		}
		isFallback := strings.HasPrefix(line, "@@@")
		if isFallback {
			line = line[len("@"):]
		}
		if needsFallback || !isFallback {
			isKnown := strings.HasPrefix(line, activate) || strings.HasPrefix(line, dontActivate)
			if needsFallback = !isKnown; isKnown {
				decorators = append(decorators, line)
			}
		}
		remaining, hasMore = after, more
	}
	if keepWhole {
		return decorators, content
	}
	return decorators, ""
}
