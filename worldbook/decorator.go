package worldbook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// decorator is one line @@name values.
type decorator struct {
	name     string
	values   []string
	fallback bool // @@@name
}

// parseDecorators cuts the decorator lines, and the empty lines around them,
// from the top of a content. A content without any is left byte for byte.
func parseDecorators(content string) (list []decorator, rest string) {
	remaining := content
	for remaining != "" {
		line, after, _ := strings.Cut(remaining, "\n")
		if text := keyindex.TrimSpace(line); text != "" {
			d, ok := parseDecorator(text)
			if !ok {
				break
			}
			list = append(list, d)
		}
		remaining = after
	}
	if len(list) == 0 {
		return nil, content
	}
	return list, remaining
}

// textDecorators have one value that may hold commas.
var textDecorators = [...]string{"inject_lore", "inject_at", "inject_replace", "is_user_icon"}

// parseDecorator reads a line @@name value, value. Blanks around values do not
// count, and values that are nothing but blanks are none.
func parseDecorator(line string) (d decorator, ok bool) {
	name, values, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(name, "@@@"):
		d.name, d.fallback = name[3:], true
	case strings.HasPrefix(name, "@@"):
		d.name = name[2:]
	default:
		return d, false
	}
	list := []string{values}
	if !slices.Contains(textDecorators[:], d.name) {
		list = strings.Split(values, ",")
	}
	for _, v := range list {
		if v = keyindex.TrimSpace(v); v != "" {
			d.values = append(d.values, v)
		}
	}
	return d, d.name != "" && strings.Trim(d.name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// cardDecorators reads the decorators of Card V3 and RisuAI.
//
// A fallback stands in for the decorator before it, if that is unknown or its
// value is not valid; the first good one of a chain counts. Of several with one
// name the first counts, except additional_keys.
func (b *builder) cardDecorators(e *entry) {
	list, rest := parseDecorators(e.content)
	if list == nil {
		return
	}
	e.content = rest
	e.v3 = &cardRules{inject: Injection{How: InjectAppend}}
	var seen []string
	for i := 0; i < len(list); {
		if list[i].fallback {
			b.problem(e, CodeStrayFallback, ".content",
				"@@@%s stands behind no decorator: ignored", list[i].name)
			i++
			continue
		}
		end := i + 1
		for end < len(list) && list[end].fallback {
			end++
		}
		seen = b.decoratorChain(e, list[i:end], seen)
		i = end
	}
	e.v3.settle(e)
	if v := e.v3; v.inject.How != InjectAppend && v.injectLore == "" && v.inject.Into == "" {
		b.problem(e, CodeBadValue, ".content",
			"@@inject_%s needs @@inject_lore or @@inject_at beside it: ignored", v.inject.How)
	}
}

// decoratorChain applies the first good decorator of a chain.
func (b *builder) decoratorChain(e *entry, chain []decorator, seen []string) []string {
	var unknown, bad []string
	for _, d := range chain {
		apply, ok := decorators[d.name]
		switch {
		case !ok:
			unknown = append(unknown, d.name)
			continue
		case slices.Contains(seen, d.name) && d.name != "additional_keys":
			b.problem(e, CodeDuplicate, ".content", "@@%s is there twice: the first counts", d.name)
			return seen
		case !apply(e, d.values):
			bad = append(bad, d.name)
			continue
		}
		return append(seen, d.name)
	}
	if len(unknown) > 0 {
		b.problem(e, CodeUnknownDecorator, ".content",
			"@@%s is not known: ignored", strings.Join(unknown, ", @@@"))
	}
	if len(bad) > 0 {
		b.problem(e, CodeBadValue, ".content",
			"@@%s has no valid value: ignored", strings.Join(bad, ", @@@"))
	}
	return seen
}

// settle makes the placement of what the decorators say.
func (v *cardRules) settle(e *entry) {
	if v.role != nil {
		e.role = *v.role
	}
	switch {
	case v.placed:
		v.depth, v.reverseDepth = nil, nil
	case v.depth != nil:
		e.position, e.depth, v.placed = int8(AtDepth), max(0, *v.depth), true
		v.reverseDepth = nil
	case v.reverseDepth != nil:
		e.position, v.placed = int8(AtDepth), true
	}
}

// decoratorFunc applies a decorator to an entry and reports whether its values
// are valid.
type decoratorFunc func(e *entry, values []string) bool

// flag makes a decorator without values.
func flag(set func(e *entry)) decoratorFunc {
	return func(e *entry, _ []string) bool {
		set(e)
		return true
	}
}

// decorators lists those of Card V3 and RisuAI. Those that only plain-text
// contexts know are known and do nothing.
var decorators = map[string]decoratorFunc{
	"activate":                  flag(func(e *entry) { e.activate = true }),
	"dont_activate":             flag(func(e *entry) { e.dontActivate = true }),
	"activate_only_after":       func(e *entry, v []string) bool { return whole(v, 0, &e.v3.onlyAfter) },
	"activate_only_every":       func(e *entry, v []string) bool { return whole(v, 1, &e.v3.every) },
	"keep_activate_after_match": flag(func(e *entry) { e.v3.keepAfterMatch = true }),
	"dont_activate_after_match": flag(func(e *entry) { e.v3.stopAfterMatch = true }),
	"depth":                     func(e *entry, v []string) bool { return wholeAt(v, &e.v3.depth) },
	"reverse_depth":             func(e *entry, v []string) bool { return wholeAt(v, &e.v3.reverseDepth) },
	"instruct_depth":            ignored,
	"reverse_instruct_depth":    ignored,
	"instruct_scan_depth":       ignored,
	"role":                      decorateRole,
	"scan_depth":                decorateScanDepth,
	"is_greeting":               func(e *entry, v []string) bool { return wholeAt(v, &e.v3.greeting) },
	"position":                  decoratePosition,
	"ignore_on_max_context":     flag(func(e *entry) { e.v3.lastInLine = true }),
	"additional_keys":           decorateAdditional,
	"exclude_keys":              func(e *entry, v []string) bool { e.v3.exclude = v; return len(v) > 0 },
	"exclude_keys_all":          func(e *entry, v []string) bool { e.v3.excludeAll = v; return len(v) > 0 },
	"is_user_icon":              func(e *entry, v []string) bool { return oneText(v, &e.v3.icon) },
	"disable_ui_prompt":         decorateHides,
	"end":                       flag(func(e *entry) { e.v3.depth = new(0) }),
	"inject_lore":               func(e *entry, v []string) bool { return oneText(v, &e.v3.injectLore) },
	"inject_at":                 func(e *entry, v []string) bool { return oneText(v, &e.v3.inject.Into) },
	"inject_prepend":            flag(func(e *entry) { e.v3.inject.How = InjectPrepend }),
	"inject_replace":            decorateReplace,
	"priority":                  func(e *entry, v []string) bool { return wholeAt(v, &e.v3.priority) },
	"match_full_word":           flag(func(e *entry) { e.v3.wholeWords = new(true) }),
	"match_partial_word":        flag(func(e *entry) { e.v3.wholeWords = new(false) }),
	"probability":               decorateProbability,
	"recursive":                 flag(func(e *entry) { e.preventRecursion = false }),
	"unrecursive":               flag(func(e *entry) { e.preventRecursion = true }),
	"no_recursive_search":       flag(func(e *entry) { e.excludeRecursion = true }),
}

// ignored accepts a decorator that means nothing here.
func ignored(*entry, []string) bool { return true }

// whole reads one whole number that is not below least.
func whole(values []string, least int, to *int) bool {
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

// wholeAt reads one whole number of any sign.
func wholeAt(values []string, to **int) bool {
	var n int
	if !whole(values, -1<<31, &n) {
		return false
	}
	*to = &n
	return true
}

// oneText reads a text. Commas in it were taken for separators before.
func oneText(values []string, to *string) bool {
	*to = strings.Join(values, ",")
	return *to != ""
}

// decorateRole takes the roles' names as chat formats have them.
func decorateRole(e *entry, values []string) bool {
	for _, r := range []Role{RoleSystem, RoleUser, RoleAssistant} {
		if len(values) == 1 && values[0] == r.String() {
			e.v3.role = &r
			return true
		}
	}
	return false
}

// decorateScanDepth replaces the entry's own scan depth.
func decorateScanDepth(e *entry, values []string) bool {
	n := 0
	if !whole(values, 0, &n) {
		return false
	}
	e.scanDepth = clampDepth(float64(n))
	return true
}

// decoratePosition knows the places of Card V3; the sections of the card that
// have no place of their own stand behind the definitions. RisuAI's pt_name is
// an outlet.
func decoratePosition(e *entry, values []string) bool {
	if len(values) != 1 {
		return false
	}
	outlet, isOutlet := strings.CutPrefix(values[0], "pt_")
	switch {
	case isOutlet && outlet != "":
		e.position, e.src.OutletName = int8(InOutlet), outlet
	case values[0] == "before_desc":
		e.position = int8(BeforeCharacter)
	case slices.Contains([]string{"after_desc", "personality", "scenario"}, values[0]):
		e.position = int8(AfterCharacter)
	default:
		return false
	}
	e.v3.placed = true
	return true
}

// decorateAdditional adds a list of keys of which one must be found. Several
// lines are several lists, and each must be satisfied.
func decorateAdditional(e *entry, values []string) bool {
	if len(values) == 0 {
		return false
	}
	e.v3.additional = append(e.v3.additional, values)
	return true
}

// decorateHides knows the two parts of the prompt that Card V3 names.
func decorateHides(e *entry, values []string) bool {
	if len(values) != 1 || values[0] != "system_prompt" && values[0] != "post_history_instructions" {
		return false
	}
	e.v3.hides = values
	return true
}

// decorateReplace names the text inside the target that is replaced.
func decorateReplace(e *entry, values []string) bool {
	e.v3.inject.How = InjectReplace
	return oneText(values, &e.v3.inject.Old)
}

// decorateProbability sets the chance in percent. 100 needs no roll.
func decorateProbability(e *entry, values []string) bool {
	n := 0
	if !whole(values, 0, &n) || n > 100 {
		return false
	}
	e.useProbability, e.probability = n < 100, float64(n)
	return true
}

// splitDecorators cuts the decorator lines from the top of a content, as
// SillyTavern does. A line that starts with @@@ is skipped unless the line
// before it was unknown. A line that begins with a known name is recorded with
// one @ dropped and clears that mark, any other sets it. A content without any
// other line stays whole (quirk decorators-only).
func splitDecorators(content string, keepWhole bool) (decorators []string, rest string) {
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
			// A fallback of a decorator that is known.
		} else {
			if !strings.HasPrefix(line, "@@@") {
				d = line
			}
			unknown = !isKnownDecorator(d)
			if !unknown {
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

const (
	decoratorActivate     = "@@activate"
	decoratorDontActivate = "@@dont_activate"
)

func isKnownDecorator(line string) bool {
	return strings.HasPrefix(line, decoratorActivate) || strings.HasPrefix(line, decoratorDontActivate)
}

// cardRules are what the decorators of a Card V3 or RisuAI entry ask for.
type cardRules struct {
	placed         bool // position or depth come from a decorator
	role           *Role
	depth          *int
	reverseDepth   *int // counted from the oldest message
	keepAfterMatch bool
	stopAfterMatch bool
	onlyAfter      int // assistant messages
	every          int
	greeting       *int
	icon           string
	hides          []string
	wholeWords     *bool
	lastInLine     bool // the first to go when the budget is short
	priority       *int
	injectLore     string    // the entry to stand inside
	inject         Injection // Into is empty without inject_at
	additional     [][]string
	exclude        []string
	excludeAll     []string

	additionalRefs [][]match.Ref
	excludeRefs    []match.Ref
	excludeAllRefs []match.Ref
}

// keys compiles the keys that decorators bring.
func (v *cardRules) keys(b *builder, rules match.KeyRules, kind match.Kind) {
	add := func(list []string) []match.Ref {
		refs := make([]match.Ref, len(list))
		for i, k := range list {
			refs[i], _ = b.keys.Add(match.Valid(k), rules, kind)
		}
		return refs
	}
	for _, list := range v.additional {
		v.additionalRefs = append(v.additionalRefs, add(list))
	}
	if kind == match.Pattern {
		return // use_regex switches the exclusions off
	}
	v.excludeRefs, v.excludeAllRefs = add(v.exclude), add(v.excludeAll)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (t *timing) matchedBefore(e *entry) bool {
	_, ok := t.lastActive(e)
	return ok
}

// cardGate says which condition of its decorators stops an entry.
func (s *scan) cardGate(e *entry) gate {
	v := e.v3
	switch {
	case s.in.Replies < v.onlyAfter,
		v.every > 0 && s.in.Replies%v.every != 0,
		v.greeting != nil && *v.greeting != s.in.Greeting,
		v.icon != "" && v.icon != s.in.Icon,
		v.stopAfterMatch && s.timing.matchedBefore(e):
		return gateCard
	case v.keepAfterMatch && s.timing.matchedBefore(e):
		return gateNone
	}
	w := s.windowOf(e)
	for _, refs := range v.additionalRefs {
		if s.search.Count(refs, w) == 0 {
			return gateAdditional
		}
	}
	if s.search.Count(v.excludeRefs, w) > 0 ||
		len(v.excludeAllRefs) > 0 && s.search.Count(v.excludeAllRefs, w) == len(v.excludeAllRefs) {
		return gateExcludeKeys
	}
	return gateNone
}

// depthIn is the depth at which an entry stands in a chat of so many messages.
func (e *entry) depthIn(length int) int {
	if e.v3 != nil && e.v3.reverseDepth != nil {
		return max(0, length-*e.v3.reverseDepth)
	}
	return e.depth
}
