package worldbook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
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

	Place        place
	Outlet       string // of InOutlet
	Depth        int    // of AtDepth
	ReverseDepth *int   // instead of Depth, counted from the oldest message
	Role         string // system, user, assistant; "" if there is none
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
	Inject     string // how the text is inserted: decoratorAppend, prepend or replace
	Replaced   string // the text that the injected text replaces

	depth *int // the value of @@depth, until resolvePlacement chooses the place
}

// place is where a text goes.
type place int8

// The places that decorators can name.
const (
	unsetPlace place = iota
	beforeCharacter
	afterCharacter
	atDepth
	inOutlet
)

// The ways of injecting a text.
const (
	decoratorAppend = "append"
	prepend         = "prepend"
	replace         = "replace"
)

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
// contexts are accepted and do nothing. The decorators of templates are also accepted and ignored here:
// package prompt/template applies them.
var decorators = map[string]apply{
	"activate":                  withoutValues(func(r *decoratorRules) { r.Activate = true }),
	"dont_activate":             withoutValues(func(r *decoratorRules) { r.DontActivate = true }),
	"activate_only_after":       func(r *decoratorRules, v []string) bool { return readWhole(v, 0, &r.OnlyAfter) },
	"activate_only_every":       func(r *decoratorRules, v []string) bool { return readWhole(v, 1, &r.Every) },
	"keep_activate_after_match": withoutValues(func(r *decoratorRules) { r.KeepAfterMatch = true }),
	"dont_activate_after_match": withoutValues(func(r *decoratorRules) { r.StopAfterMatch = true }),
	"depth":                     func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.depth) },
	"reverse_depth":             func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.ReverseDepth) },
	"instruct_depth":            ignored,
	"reverse_instruct_depth":    ignored,
	"instruct_scan_depth":       ignored,
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
	"inject_prepend":            withoutValues(func(r *decoratorRules) { r.Inject = prepend }),
	"inject_replace":            func(r *decoratorRules, v []string) bool { r.Inject = replace; return readText(v, &r.Replaced) },
	"priority":                  func(r *decoratorRules, v []string) bool { return readOptionalWhole(v, anyNumber, &r.Priority) },
	"match_full_word":           withoutValues(func(r *decoratorRules) { r.WholeWords = new(true) }),
	"match_partial_word":        withoutValues(func(r *decoratorRules) { r.WholeWords = new(false) }),
	"probability":               readProbability,
	"recursive":                 withoutValues(func(r *decoratorRules) { r.PreventRecursion = new(false) }),
	"unrecursive":               withoutValues(func(r *decoratorRules) { r.PreventRecursion = new(true) }),
	"no_recursive_search":       withoutValues(func(r *decoratorRules) { r.ExcludeRecursion = true }),
	"if":                        ignored,
	"preprocessing":             ignored,
	"private":                   ignored,
	"always_enabled":            ignored,
	"only_preload":              ignored,
	"dont_preload":              ignored,
	"generate_before":           ignored,
	"generate_after":            ignored,
	"initial_variables":         ignored,
	"render_before":             ignored,
	"render_after":              ignored,
	"message_formatting":        ignored,
	"iframe":                    ignored,
}

// ignored accepts a decorator that has no effect here.
func ignored(*decoratorRules, []string) bool { return true }

// readWhole reads one whole number that is not less than least.
func readWhole(values []string, least int, to *int) bool {
	if len(values) != 1 {
		return false
	}
	n, err := strconv.Atoi(values[0])
	if err != nil || n < least {
		return false
	}
	*to = n
	return true
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
	if len(values) != 1 || !slices.Contains([]string{"system", "user", "assistant"}, values[0]) {
		return false
	}
	r.Role = values[0]
	return true
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
		r.Place, r.Outlet = inOutlet, outlet
	case values[0] == "before_desc":
		r.Place = beforeCharacter
	case slices.Contains([]string{"after_desc", "personality", "scenario"}, values[0]):
		r.Place = afterCharacter
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

// The following reads the lines @@name at the top of a content, as Card V3 and RisuAI define them.

// Codes of problems with the decorators of Card V3.
const (
	codeUnknown       talewright.Code = "unknown_decorator"
	codeBadValue      talewright.Code = "bad_value"
	codeStrayFallback talewright.Code = "stray_fallback" // @@@ after no decorator
	codeDuplicate     talewright.Code = "duplicate"      // a decorator that occurs twice
)

// decoratorLine is one decorator line: @@name values.
type decoratorLine struct {
	name     string
	values   []string
	fallback bool // @@@name
}

// cutCard removes the decorators of Card V3 and RisuAI, and the empty lines around them, from the
// top of a content. A content without decorators stays unchanged and has no rules. Mistakes in
// decorators are reported.
//
// A fallback replaces the decorator before it, if that is unknown or has an invalid value. The
// first valid decorator of a chain counts. Of several decorators with one name the first counts,
// except additional_keys.
func cutCard(content string, report func(talewright.Code, string)) (rules *decoratorRules, rest string) {
	lines, rest := cutDecorators(content)
	if lines == nil {
		return nil, content
	}
	r := decoratorReader{decoratorRules: &decoratorRules{Inject: decoratorAppend}, report: report}
	for i := 0; i < len(lines); {
		if lines[i].fallback {
			report(codeStrayFallback, fmt.Sprintf("@@@%s is a fallback without a decorator before it: ignored", lines[i].name))
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end].fallback {
			end++
		}
		r.chain(lines[i:end])
		i = end
	}
	r.resolvePlacement()
	if r.Inject != decoratorAppend && r.InjectLore == "" && r.InjectAt == "" {
		report(codeBadValue, fmt.Sprintf("@@inject_%s needs @@inject_lore or @@inject_at in the same entry: ignored", r.Inject))
	}
	return r.decoratorRules, rest
}

// cutDecorators removes the decorator lines from the top of a content.
func cutDecorators(content string) (list []decoratorLine, rest string) {
	remaining := content
	for remaining != "" {
		first, after, _ := strings.Cut(remaining, "\n")
		if text := keyindex.TrimSpace(first); text != "" {
			d, ok := parseDecorator(text)
			if !ok {
				break
			}
			list = append(list, d)
		}
		remaining = after
	}
	return list, remaining
}

// takesWholeText lists the decorators with one value that may contain commas.
var takesWholeText = [...]string{"inject_lore", "inject_at", "inject_replace", "is_user_icon"}

// parseDecorator reads a line @@name value, value. Blanks around values are removed, and blank values are
// dropped.
func parseDecorator(text string) (d decoratorLine, ok bool) {
	name, values, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(name, "@@@"):
		d.name, d.fallback = name[3:], true
	case strings.HasPrefix(name, "@@"):
		d.name = name[2:]
	default:
		return d, false
	}
	list := []string{values}
	if !slices.Contains(takesWholeText[:], d.name) {
		list = strings.Split(values, ",")
	}
	for _, v := range list {
		if v = keyindex.TrimSpace(v); v != "" {
			d.values = append(d.values, v)
		}
	}
	return d, d.name != "" && strings.Trim(d.name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// decoratorReader applies decorators in order.
type decoratorReader struct {
	*decoratorRules
	report func(talewright.Code, string)
	seen   []string
}

// chain applies the first valid decorator of a chain.
func (r *decoratorReader) chain(chain []decoratorLine) {
	var unknown, bad []string
	for _, d := range chain {
		apply, ok := decorators[d.name]
		switch {
		case !ok:
			unknown = append(unknown, d.name)
			continue
		case slices.Contains(r.seen, d.name) && d.name != "additional_keys":
			r.report(codeDuplicate, fmt.Sprintf("@@%s is given twice: the first one is used", d.name))
			return
		case !apply(r.decoratorRules, d.values):
			bad = append(bad, d.name)
			continue
		}
		r.seen = append(r.seen, d.name)
		return
	}
	if len(unknown) > 0 {
		r.report(codeUnknown, fmt.Sprintf("@@%s is unknown and is ignored: correct the name, or remove it", strings.Join(unknown, ", @@@")))
	}
	if len(bad) > 0 {
		r.report(codeBadValue, fmt.Sprintf("@@%s has no valid value and is ignored: correct it", strings.Join(bad, ", @@@")))
	}
}

// resolvePlacement decides the placement: a position takes precedence over a depth, and a depth over a
// reverse depth.
func (r *decoratorRules) resolvePlacement() {
	switch {
	case r.Place != unsetPlace:
		r.ReverseDepth = nil
	case r.depth != nil:
		r.Place, r.Depth, r.ReverseDepth = atDepth, max(0, *r.depth), nil
	case r.ReverseDepth != nil:
		r.Place = atDepth
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

func cutLines(content string, keepWhole bool) (decorators []string, rest string) {
	if !strings.HasPrefix(content, "@@") {
		return nil, content
	}
	unknown := false
	remaining := content
	for {
		line, after, more := strings.Cut(remaining, "\n")
		if !strings.HasPrefix(line, "@@") {
			return decorators, remaining
		}
		if d := strings.TrimPrefix(line, "@"); strings.HasPrefix(line, "@@@") && !unknown {
			// It is a fallback of a known decorator.
		} else {
			if !strings.HasPrefix(line, "@@@") {
				d = line
			}
			if unknown = !isKnown(d); !unknown {
				decorators = append(decorators, d)
			}
		}
		if !more {
			break
		}
		remaining = after
	}
	if keepWhole {
		return decorators, content
	}
	return decorators, ""
}

func isKnown(line string) bool {
	return strings.HasPrefix(line, activate) || strings.HasPrefix(line, dontActivate)
}
