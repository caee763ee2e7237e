package card

import (
	"slices"
	"strconv"
)

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
