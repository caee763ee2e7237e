package card

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
)

// Decorator is a setting at the top of the content of a V3 lorebook entry, as in "@@depth 4".
type Decorator struct {
	Name string `json:"name"`
	// Values are the texts between the commas, trimmed, without empty texts. Never nil.
	Values []string `json:"values"`
}

// Int returns the first value as a number. It returns false if the value is not a number.
func (d Decorator) Int() (int, bool) {
	if len(d.Values) == 0 {
		return 0, false
	}
	return wholeNumber(d.Values[0])
}

// DecoratorRule describes the arguments of a decorator. Hosts declare their own decorators with it.
type DecoratorRule struct {
	Name string
	// Repeat makes all decorators of this name count, not only the first.
	Repeat bool
	// Accepts checks the values; nil accepts all. Refused values are the problem BadValue, and the
	// fallback is tried.
	Accepts func(values []string) bool
}

// ParseDecorators splits the decorators off the content of a V3 lorebook entry. It returns them in
// order, the content without them, and their problems.
//
// The rules, in the order of application:
//
//  1. Decorators are at the very top, one per line; empty lines between them are allowed. The first
//     other line ends them; @@ further below is text. Content without any decorator is returned
//     unchanged; otherwise all those lines are removed, and the rest is unchanged.
//  2. A line is @@name, then optionally blanks and values between commas. Names are exact and in
//     lower case.
//  3. @@@ starts a fallback of the decorator before it. A decorator and its fallbacks form a chain of
//     any length. The first one with a known name and valid values counts; the others are ignored.
//     Empty lines do not break a chain.
//  4. If a name is repeated, the first decorator counts. Only additional_keys may repeat.
//
// The rules of a host with decorators of its own override built-in rules of the same name.
//
// Problems: "unknown_decorator" (once per chain), "bad_value", "stray_fallback", "duplicate". The path
// is the line number in content.
func ParseDecorators(content string, host ...DecoratorRule) (
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

// decoratorParser is the state after the lines so far.
type decoratorParser struct {
	report
	host map[string]DecoratorRule // for a repeated name the first rule
	list []Decorator
	seen map[string]bool // names that counted
	any  bool            // there was a decorator line

	inChain  bool // there is a decorator that a fallback can follow
	done     bool // the chain already has its decorator
	unknowns bool // the chain already reported an unknown name
}

// line parses one decorator line, which starts with @@.
func (p *decoratorParser) line(text string, number int) {
	p.any = true
	at := strconv.Itoa(number)
	body, fallback := strings.CutPrefix(text, "@@@")
	switch {
	case !fallback:
		body = text[2:]
		p.inChain, p.done, p.unknowns = true, false, false
	case !p.inChain:
		p.add(codeStrayFallback, at, fmt.Sprintf("the fallback %.60q has no decorator before it; "+
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
			p.add(codeUnknownDecorator, at, fmt.Sprintf("the decorator %.60q is unknown; left out",
				d.Name))
		}
		p.unknowns = true
		return
	case rule.Accepts != nil && !rule.Accepts(d.Values):
		p.add(codeBadValue, at, fmt.Sprintf("%.60q is not a value for the decorator %s; left out",
			strings.Join(d.Values, ","), d.Name))
		return
	}
	// A duplicate also ends the chain: the first decorator of that name already has an effect.
	p.done = true
	if p.seen[d.Name] && !rule.Repeat {
		p.add(codeDuplicate, at, fmt.Sprintf("the decorator %s was given before; the first one is used",
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
		// Flags; values have no meaning and no effect.
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

// someValue accepts one or more values.
func someValue(values []string) bool { return len(values) > 0 }

// oneNumber accepts a single whole number. It may be negative: a depth below zero means zero.
func oneNumber(values []string) bool {
	if len(values) != 1 {
		return false
	}
	_, ok := wholeNumber(values[0])
	return ok
}

// oneDivisor accepts a single whole number that a count can be divided by.
func oneDivisor(values []string) bool {
	if len(values) != 1 {
		return false
	}
	n, ok := wholeNumber(values[0])
	return ok && n != 0
}

// oneOf accepts a single value from a set, in exact spelling.
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
