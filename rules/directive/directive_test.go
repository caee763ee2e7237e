package directive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/rules/directive"
	"github.com/talewright/talewright/rules/effect"
)

func Example() {
	r := directive.Parse("You find a purse. [gold: +100] [Note: beware] [time: set night]",
		directive.Options{
			Known: func(id string) bool { return id == "gold" || id == "time" },
		})
	fmt.Println(r.Text)
	for _, e := range r.Effects {
		set := e.(effect.SetVariable)
		fmt.Println(set.Path, set.Operation, set.Value)
	}
	// Output:
	// You find a purse. [Note: beware]
	// gold add 100
	// time set "night"
}

// Only the writes go to [rules.Program.FilterWrites] and [rules.Program.Apply].
func ExampleResult_Writes() {
	r := directive.Parse("Thunder! [audio: thunder play] [hp: -3]", directive.Options{})
	for _, c := range r.Writes("model") {
		fmt.Println(c.By, c.Effect.(effect.SetVariable).Path)
	}
	// Output: model hp
}

func ExampleResult_Audio() {
	r := directive.Parse("Thunder! [audio: thunder volume 0.5] [hp: -3]", directive.Options{})
	for _, a := range r.Audio() {
		fmt.Println(a.TrackID, a.Action, *a.Volume)
	}
	// Output: thunder volume 0.5
}

func ExampleParse_errors() {
	r := directive.Parse("Run! [hp: -5 and then\n[bag: push {name: 1}]", directive.Options{})
	for _, e := range r.Errors {
		fmt.Printf("%d %s: %v\n", e.Offset, e.Code, e)
	}
	// Output:
	// 5 unclosed: the closing bracket is missing, near [hp: -5 and then
	// 22 bad-value: the value is not JSON, near [bag: push {name: 1}]
}

func ExampleParseStructured() {
	r, ok := directive.ParseStructured(`{"narrative": "Rain.", "stateChanges": {"wet": true},
		"audioEffects": [{"trackId": "ra`, directive.Options{})
	fmt.Println(ok, r.Text, len(r.Effects))
	// Output: true Rain. 2
}

// describe prints effects on one line each.
func describe(effects []effect.Effect) []string {
	out := []string{}
	for _, e := range effects {
		switch e := e.(type) {
		case effect.SetVariable:
			out = append(out, fmt.Sprintf("%s %s %s", e.Path, e.Operation, e.Value))
		case effect.PlayAudio:
			out = append(out, fmt.Sprintf("audio %s %s", e.TrackID, e.Action))
		}
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	known := func(id string) bool { return id == "hp" || id == "bag" || id == "s" }
	for _, c := range []struct {
		reason, text, prose string
		effects             []string
	}{
		{"a sign is arithmetic, set is an assignment", "[hp: -10][hp: set -10]", "",
			[]string{"hp subtract 10", "hp set -10"}},
		{"a number with leading zeros", "[hp: 007]", "", []string{"hp set 7"}},
		{"document order across forms", "[bag: push \"x\"] [hp: +1] [bag: push \"y\"]", "",
			[]string{`bag push "x"`, "hp add 1", `bag push "y"`}},
		{"prose in brackets stays", "[Note: beware] see [http://x.test]",
			"[Note: beware] see [http://x.test]", nil},
		{"a path into a known variable is known", "[bag.gold: *2]", "",
			[]string{"bag.gold multiply 2"}},
		{"a line of directives leaves one empty line", "One.\n[hp: +1]\nTwo.", "One.\n\nTwo.",
			[]string{"hp add 1"}},
		{"a gap in a line leaves one blank", "a [hp: +1] b", "a b", []string{"hp add 1"}},
		{"bare text behind push", "[bag: push rope]", "", []string{`bag push "rope"`}},
		{"a quotation with a bracket", `[s: "a ] b"]`, "", []string{`s set "a ] b"`}},
		{"text that only begins with a quotation", `[s: "a" and "b"]`, "",
			[]string{`s set "\"a\" and \"b\""`}},
		{"nothing behind the colon", "[hp: ]", "[hp: ]", nil},
		{"a block of code that is not directives", "```json\n{\"hp\": 3}\n```",
			"```json\n{\"hp\": 3}\n```", nil},
		{"one object per line", "```\n{\"hp\": \"+1\"}\n{\"s\": \"set x\"}\n```", "",
			[]string{"hp add 1", `s set "x"`}},
		{"a sheet of a character is no order", "```json\n{\"hp\": \"12\", \"s\": \"calm\"}\n```",
			"```json\n{\"hp\": \"12\", \"s\": \"calm\"}\n```", nil},
		{"nor is one with a sign in it", "```\n{\"hp\": \"+2\", \"s\": \"calm\"}\n```",
			"```\n{\"hp\": \"+2\", \"s\": \"calm\"}\n```", nil},
		{"nor a structure alone", "```\n{\"bag\": \"[1, 2]\"}\n```", "```\n{\"bag\": \"[1, 2]\"}\n```", nil},
		{"a word that only is an operation", "```\n{\"s\": \"set\"}\n```", "```\n{\"s\": \"set\"}\n```", nil},
		{"operations in a block",
			"```json\n[{\"hp\": \"*2\", \"s\": \"append !\"}, {\"bag\": \"merge {\\\"a\\\": 1}\", \"s\": \"toggle\"}]\n```", "",
			[]string{"hp multiply 2", `s append "!"`, `bag merge {"a":1}`, "s toggle true"}},
		{"white space in a text of a block", "```\n{\"hp\": \"+1\"},\n{\"s\": \"set a  b\"}\n```", "",
			[]string{"hp add 1", `s set "a  b"`}},
		{"many blanks beside a gap", "a  [hp: +1]   b", "a b", []string{"hp add 1"}},
		{"blanks that are not beside a gap", "a   b [hp: +1] c", "a   b c", []string{"hp add 1"}},
		{"blanks before a line break", "a [hp: +1]\nb  \nc", "a\nb\nc", []string{"hp add 1"}},
		{"blanks at the beginning of a line", "a\n  [hp: +1]  b", "a\nb", []string{"hp add 1"}},
		{"no blank where there was none", "a[hp: +1]b", "ab", []string{"hp add 1"}},
		{"a text without a gap keeps its blanks", "a  \nb", "a  \nb", nil},
		{"a patch does not reach beyond its block",
			"<UpdateVariable><JSONPatch>[</UpdateVariable>a</JSONPatch>", "a</JSONPatch>", nil},
		{"an unclosed thought stays", "<think>[hp: +1]", "<think>", []string{"hp add 1"}},
		{"tags in any case", "<THINK>x</think>ok", "ok", nil},
		{"null is a value behind set", "[s: set null]", "", []string{"s set null"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			r := directive.Parse(c.text, directive.Options{Known: known})
			if r.Text != c.prose {
				t.Errorf("prose %q, want %q", r.Text, c.prose)
			}
			if c.effects == nil {
				c.effects = []string{}
			}
			if d := cmp.Diff(c.effects, describe(r.Effects)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestErrorsAreInOrder(t *testing.T) {
	t.Parallel()
	text := "[a: push {x}] <jsonpatch>no</jsonpatch> [b: +1 x\n<JSONPatch>[{\"op\":\"move\",\"path\":\"/a\"}]</JSONPatch>"
	r := directive.Parse(text, directive.Options{})
	var codes []directive.Code
	for _, e := range r.Errors {
		codes = append(codes, e.Code)
		if !strings.HasPrefix(text[e.Offset:], strings.TrimSuffix(e.Near, "…")) {
			t.Errorf("offset %d is not at %q", e.Offset, e.Near)
		}
	}
	want := []directive.Code{directive.BadValue, directive.BadPatch, directive.Unclosed,
		directive.UnknownOp}
	if d := cmp.Diff(want, codes); d != "" {
		t.Error(d)
	}
}

// FuzzParse: nothing panics, errors are inside the text, and prose that was cleaned has
// nothing left to take out.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"He swings. [health: -10] [gold: +50] [damage: *1.5]",
		"[x: set \"a\\\"b\"] [y: merge {\"a\":[1]}]",
		"<think>a</think><UpdateVariable><JSONPatch>[{\"op\":\"delta\",\"path\":\"/a\",\"value\":-1}]</JSONPatch></UpdateVariable>",
		"```json\n[{\"hp\": \"-5\"}]\n```", "[audio: rain volume 0.3 chain:x]",
		"[image: a] [a: ] [: x] [[[", "{\"narrative\":\"x\",",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := directive.Parse(text, directive.Options{})
		for _, e := range r.Errors {
			if e.Offset < 0 || e.Offset > len(text) {
				t.Errorf("offset %d of %d", e.Offset, len(text))
			}
		}
		if len(r.Text) > len(text) {
			t.Errorf("prose grew from %q to %q", text, r.Text)
		}
		if s, ok := directive.ParseStructured(text, directive.Options{}); ok && s.Text != strings.TrimSpace(s.Text) {
			t.Errorf("narrative %q is not trimmed", s.Text)
		}
	})
}
