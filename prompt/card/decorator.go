package card

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
)

// Decorator is a setting written on top of the content of a V3 lorebook entry,
// as in "@@depth 4".
type Decorator struct {
	Name string `json:"name"`
	// Values are the texts between the commas, trimmed, without empty ones.
	// Never nil.
	Values []string `json:"values"`
}

// Int returns the first value as number. The result is false if it is none.
func (d Decorator) Int() (int, bool) {
	if len(d.Values) == 0 {
		return 0, false
	}
	return wholeNumber(d.Values[0])
}

// DecoratorRule says what a decorator accepts. Hosts declare their own ones with
// it.
type DecoratorRule struct {
	Name string
	// Repeat lets several decorators of this name count, not only the first.
	Repeat bool
	// Accepts decides on the values; nil accepts all. Values that are refused
	// are the problem BadValue, and the fallback is tried.
	Accepts func(values []string) bool
}

// ParseDecorators splits the decorators off the content of a V3 lorebook entry
// and returns them in their order, the content without them, and what was wrong
// with them.
//
// The rules, in the order of application:
//
//  1. Decorators stand at the very top, one per line, between empty lines or
//     not. The first line that is neither ends them; @@ further below is text.
//     Content without any decorator is returned byte for byte; otherwise all
//     those lines are gone, and the rest is as it was.
//  2. A line is @@name, then optionally blanks and values between commas. A name
//     is exact and in lower case.
//  3. @@@ starts a fallback of the decorator before it, and fallbacks form a
//     chain of any length with that. The first one whose name is known and
//     whose values are valid counts, the others are ignored. Empty lines do not
//     break a chain.
//  4. Of several decorators of one name the first counts, except those that may
//     repeat: additional_keys.
//
// Problems: [UnknownDecorator] (once per chain), [BadValue], [StrayFallback],
// [Duplicate]. Their path is the number of the line in content.
func ParseDecorators(content string) (list []Decorator, rest string, problems talewright.Problems) {
	return ParseDecoratorsWith(content, nil)
}

// ParseDecoratorsWith is [ParseDecorators] for a host that has decorators of its
// own. A host's rule wins over the built-in one of the same name.
func ParseDecoratorsWith(content string, host []DecoratorRule) (
	list []Decorator, rest string, problems talewright.Problems) {
	p := decoratorParser{host: make(map[string]DecoratorRule, len(host)), seen: map[string]bool{}}
	for _, rule := range host {
		if _, twin := p.host[rule.Name]; !twin {
			p.host[rule.Name] = rule
		}
	}
	rest, line := content, 0
	for rest != "" {
		text, after, _ := strings.Cut(rest, "\n")
		text = strings.TrimRight(text, " \t\r")
		line++
		if text != "" {
			if !strings.HasPrefix(text, "@@") {
				break
			}
			p.line(text, line)
		}
		rest = after
	}
	if !p.any {
		return nil, content, nil
	}
	return p.list, rest, p.problems
}

// decoratorParser holds what the lines so far have said.
type decoratorParser struct {
	report
	host map[string]DecoratorRule // of several with a name the first
	list []Decorator
	seen map[string]bool // names that counted
	any  bool            // a decorator line was met

	inChain  bool // a fallback has something to fall back from
	done     bool // the chain has found its decorator
	unknowns bool // the chain has reported an unknown name
}

// line takes in one decorator line, which starts with @@.
func (p *decoratorParser) line(text string, number int) {
	p.any = true
	at := strconv.Itoa(number)
	body, fallback := strings.CutPrefix(text, "@@@")
	switch {
	case !fallback:
		body = text[2:]
		p.inChain, p.done, p.unknowns = true, false, false
	case !p.inChain:
		p.add(StrayFallback, at, fmt.Sprintf("the fallback %.60q has no decorator before it; "+
			"left out. Write it with two @", text))
		return
	case p.done:
		return
	}
	d := parseDecorator(body)
	rule, known := p.rule(d.Name)
	switch {
	case !known:
		if !p.unknowns {
			p.add(UnknownDecorator, at, fmt.Sprintf("the decorator %.60q is unknown; left out",
				d.Name))
		}
		p.unknowns = true
		return
	case rule.Accepts != nil && !rule.Accepts(d.Values):
		p.add(BadValue, at, fmt.Sprintf("%.60q is no value for the decorator %s; left out",
			strings.Join(d.Values, ","), d.Name))
		return
	}
	// Also a duplicate ends the chain: its author did get the setting, from the
	// first decorator of that name.
	p.done = true
	if p.seen[d.Name] && !rule.Repeat {
		p.add(Duplicate, at, fmt.Sprintf("the decorator %s was given before; the first one counts",
			d.Name))
		return
	}
	p.seen[d.Name] = true
	p.list = append(p.list, d)
}

// rule returns the rule for a name, the host's before the built-in one.
func (p *decoratorParser) rule(name string) (DecoratorRule, bool) {
	if rule, ok := p.host[name]; ok {
		return rule, true
	}
	return decoratorRule(name)
}

// parseDecorator splits a line without its @@ into name and values.
func parseDecorator(body string) Decorator {
	d := Decorator{Name: body, Values: []string{}}
	if i := strings.IndexAny(body, " \t"); i >= 0 {
		d.Name = body[:i]
		for value := range strings.SplitSeq(body[i:], ",") {
			if value = strings.TrimSpace(value); value != "" {
				d.Values = append(d.Values, value)
			}
		}
	}
	return d
}

// decoratorRule returns the rule of a decorator of the V3 specification.
func decoratorRule(name string) (DecoratorRule, bool) {
	rule := DecoratorRule{Name: name}
	switch name {
	case "activate_only_after", "depth", "instruct_depth", "reverse_depth",
		"reverse_instruct_depth", "scan_depth", "instruct_scan_depth", "is_greeting":
		rule.Accepts = oneNumber
	case "activate_only_every":
		rule.Accepts = oneDivisor
	case "keep_activate_after_match", "dont_activate_after_match", "ignore_on_max_context",
		"activate", "dont_activate":
		// Flags; a value would mean nothing and does no harm.
	case "role":
		rule.Accepts = oneOf(RoleAssistant, RoleSystem, RoleUser)
	case "position":
		rule.Accepts = oneOf("after_desc", "before_desc", "personality", "scenario")
	case "disable_ui_prompt":
		rule.Accepts = oneOf("system_prompt", "post_history_instructions")
	case "additional_keys":
		rule.Repeat = true
		rule.Accepts = someValue
	case "exclude_keys", "is_user_icon":
		rule.Accepts = someValue
	default:
		return DecoratorRule{}, false
	}
	return rule, true
}

// someValue accepts any values, but not none.
func someValue(values []string) bool { return len(values) > 0 }

// oneNumber accepts a single whole number. It may be negative: a depth below
// zero is as good as zero.
func oneNumber(values []string) bool {
	if len(values) != 1 {
		return false
	}
	_, ok := wholeNumber(values[0])
	return ok
}

// oneDivisor accepts whole numbers that a count can be divided by.
func oneDivisor(values []string) bool {
	if len(values) != 1 {
		return false
	}
	n, ok := wholeNumber(values[0])
	return ok && n != 0
}

// oneOf accepts a single value out of a set, in exact spelling.
func oneOf(allowed ...string) func([]string) bool {
	return func(values []string) bool {
		return len(values) == 1 && slices.Contains(allowed, values[0])
	}
}

// wholeNumber reads digits with an optional minus, within 32 bits.
func wholeNumber(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || text[0] == '+' {
		return 0, false
	}
	return int(n), true
}
