package worldbook_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	wb "github.com/talewright/talewright/worldbook"
)

// codesOf lists the codes of problems.
func codesOf(problems talewright.Problems) []talewright.Code {
	var codes []talewright.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	return codes
}

// show writes decorators as "name=a|b".
func show(list []wb.Decorator) string {
	var parts []string
	for _, d := range list {
		part := d.Name
		if len(d.Values) > 0 {
			part += "=" + strings.Join(d.Values, "|")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

func TestParseDecorators(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		content string
		want    string // in the form of show
		rest    string
		codes   []talewright.Code
	}{
		{reason: "none: byte for byte", content: "\n \r\nText\r\n", rest: "\n \r\nText\r\n"},
		{reason: "nothing"},
		{reason: "only decorators", content: "@@activate", want: "activate"},
		{reason: "empty lines anywhere in the head", rest: "Text\n\n@@role user",
			content: "\r\n@@depth 1\n \t\n@@role user\n\nText\n\n@@role user", want: "depth=1 role=user"},
		{reason: "the rest keeps its form", content: "@@depth 1\n  Text \r\n", want: "depth=1",
			rest: "  Text \r\n"},
		{reason: "an indented one", content: "@@depth 1\n @@role user\nT", want: "depth=1 role=user", rest: "T"},
		{reason: "values between commas", content: "@@additional_keys a b , c,,d\nT",
			want: "additional_keys=a b|c|d", rest: "T"},
		{reason: "tab behind the name", content: "@@depth\t3\nT", want: "depth=3", rest: "T"},
		{reason: "names are exact", content: "@@depths 1\n@@depth: 1\n@@ depth 1\nT", rest: "T",
			codes: []talewright.Code{"unknown_decorator", "unknown_decorator", "unknown_decorator"}},

		{reason: "fallback not needed", content: "@@depth 1\n@@@role user\n@@@sparkle\nT",
			want: "depth=1", rest: "T"},
		{reason: "an empty line does not break the chain", content: "@@sparkle\n\n@@@depth 1\nT",
			want: "depth=1", rest: "T", codes: []talewright.Code{"unknown_decorator"}},
		{reason: "unknown once per chain", content: "@@a\n@@@b\n@@c\n@@@d\nT", rest: "T",
			codes: []talewright.Code{"unknown_decorator", "unknown_decorator"}},
		{reason: "unknown, bad, good, ignored",
			content: "@@a\n@@@depth x\n@@@depth 2\n@@@depth 3\nT", want: "depth=2", rest: "T",
			codes: []talewright.Code{"unknown_decorator", "bad_value"}},
		{reason: "stray fallbacks", content: "@@@depth 1\n@@@role user\n@@activate\nT",
			want: "activate", rest: "T", codes: []talewright.Code{"stray_fallback", "stray_fallback"}},

		{reason: "keys may repeat", content: "@@additional_keys a\n@@additional_keys b\nT",
			want: "additional_keys=a additional_keys=b", rest: "T"},
		{reason: "a bad one does not count as the first", content: "@@depth x\n@@depth 2\nT",
			want: "depth=2", rest: "T", codes: []talewright.Code{"bad_value"}},
		{reason: "a duplicate ends its chain", rest: "T", want: "depth=1",
			content: "@@depth 1\n@@a\n@@@depth 2\n@@@role user\nT",
			codes:   []talewright.Code{"unknown_decorator", "duplicate"}},

		{reason: "whole numbers, below zero as well",
			content: "@@depth -1\n@@scan_depth 0\n@@is_greeting 2\nT",
			want:    "depth=-1 scan_depth=0 is_greeting=2", rest: "T"},
		{reason: "no numbers", content: "@@depth\n@@depth 1,2\n@@depth 1.5\n@@depth +1\n" +
			"@@depth 99999999999\n@@depth ３\nT", rest: "T",
			codes: []talewright.Code{"bad_value", "bad_value", "bad_value", "bad_value",
				"bad_value", "bad_value"}},
		{reason: "a divisor", content: "@@activate_only_every 0\n@@activate_only_every 3\nT",
			want: "activate_only_every=3", rest: "T", codes: []talewright.Code{"bad_value"}},
		{reason: "texts out of a set", rest: "T",
			content: "@@role User\n@@position chat\n@@disable_ui_prompt all\n" +
				"@@role user\n@@position scenario\n@@disable_ui_prompt system_prompt\nT",
			want:  "role=user position=scenario disable_ui_prompt=system_prompt",
			codes: []talewright.Code{"bad_value", "bad_value", "bad_value"}},
		{reason: "keys ask for one", content: "@@exclude_keys ,\n@@additional_keys\n@@is_user_icon\nT",
			rest: "T", codes: []talewright.Code{"bad_value", "bad_value", "bad_value"}},
		{reason: "all flags", content: "@@keep_activate_after_match\n@@dont_activate_after_match\n" +
			"@@ignore_on_max_context\n@@activate\n@@dont_activate\nT", rest: "T",
			want: "keep_activate_after_match dont_activate_after_match ignore_on_max_context " +
				"activate dont_activate"},
		{reason: "all numbers", content: "@@activate_only_after 1\n@@instruct_depth 2\n" +
			"@@reverse_depth 3\n@@reverse_instruct_depth 4\n@@instruct_scan_depth 5\nT", rest: "T",
			want: "activate_only_after=1 instruct_depth=2 reverse_depth=3 " +
				"reverse_instruct_depth=4 instruct_scan_depth=5"},
	} {
		list, rest, problems := wb.ParseDecorators(tc.content)
		if got := show(list); got != tc.want || rest != tc.rest {
			t.Errorf("%s: %q, rest %q; want %q, rest %q", tc.reason, got, rest, tc.want, tc.rest)
		}
		if diff := cmp.Diff(tc.codes, codesOf(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestDecoratorPlaces shows that a problem has the line number.
func TestDecoratorPlaces(t *testing.T) {
	t.Parallel()
	_, _, problems := wb.ParseDecorators("\n@@depth 1\n\n@@role x\nText")
	want := talewright.Problems{{Code: "bad_value", Path: "4",
		Text: "@@role has no valid value and is ignored: correct it"}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestHostDecorators shows decorators that a host adds or changes.
func TestHostDecorators(t *testing.T) {
	t.Parallel()
	host := []wb.DecoratorRule{
		{Name: "mood", Repeat: true, Accepts: func(v []string) bool { return len(v) == 2 }},
		{Name: "depth"},
	}
	list, rest, problems := wb.ParseDecorators(
		"@@mood a,b\n@@mood c,d\n@@mood e\n@@depth deep\nT", host...)
	if got := show(list); got != "mood=a|b mood=c|d depth=deep" || rest != "T" {
		t.Errorf("%s, rest %q", got, rest)
	}
	if diff := cmp.Diff([]talewright.Code{"bad_value"}, codesOf(problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDecoratorInt(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{"7": 7, "-2": -2} {
		if got, ok := (wb.Decorator{Values: []string{value}}).Int(); got != want || !ok {
			t.Errorf("%q is %d, %v", value, got, ok)
		}
	}
	for _, d := range []wb.Decorator{{}, {Values: []string{"x"}}} {
		if got, ok := d.Int(); ok {
			t.Errorf("%v is %d", d.Values, got)
		}
	}
}
