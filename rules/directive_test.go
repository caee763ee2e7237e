package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

func Example_directive() {
	r := rules.ParseDirectives("You find a purse. [gold: +100] [Note: beware] [time: set night]",
		rules.DirectiveOptions{
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

// Only the writes go to [Program.FilterWrites] and [Program.Apply].
func ExampleDirectiveResult_Writes() {
	r := rules.ParseDirectives("Thunder! [audio: thunder play] [hp: -3]", rules.DirectiveOptions{})
	for _, c := range r.Writes("model") {
		fmt.Println(c.Source, c.Effect.(effect.SetVariable).Path)
	}
	// Output: model hp
}

func ExampleDirectiveResult_Audio() {
	r := rules.ParseDirectives("Thunder! [audio: thunder volume 0.5] [hp: -3]", rules.DirectiveOptions{})
	for _, a := range r.Audio() {
		fmt.Println(a.TrackID, a.Action, *a.Volume)
	}
	// Output: thunder volume 0.5
}

func ExampleParseDirectives_errors() {
	r := rules.ParseDirectives("Run! [hp: -5 and then\n[bag: push {name: 1}]", rules.DirectiveOptions{})
	for _, e := range r.Errors {
		fmt.Printf("%d %s: %v\n", e.Offset, e.Code, e)
	}
	// Output:
	// 5 unclosed: the closing bracket is missing, near [hp: -5 and then
	// 22 bad-value: the value is not JSON, near [bag: push {name: 1}]
}

func ExampleParseStructuredDirectives() {
	r, ok := rules.ParseStructuredDirectives(`{"narrative": "Rain.", "stateChanges": {"wet": true},
		"audioEffects": [{"trackId": "ra`, rules.DirectiveOptions{})
	fmt.Println(ok, r.Text, len(r.Effects))
	// Output: true Rain. 2
}

// TestSloppyDirectives: with known ids, names with blanks, wide colons and patches that begin with a
// variable are directives too.
func TestSloppyDirectives(t *testing.T) {
	t.Parallel()
	known := func(id string) bool { return slices.Contains([]string{"gold", "Orc HP", "线索", "bag"}, id) }
	for _, c := range []struct{ text, want, shown string }{
		{"Hit! [Orc HP: -3]", "Orc HP subtract 3", "Hit!"},
		{"一封信。[线索：+1][gold : 5][gold： 5]", "线索 add 1; gold set 5", "一封信。[gold : 5]"},
		{"[Orc: -3] [gold\n: 3] [x] [Orc HP", "", "[Orc: -3] [gold\n: 3] [x] [Orc HP"},
		{`<JSONPatch>[{"op":"replace","path":"/bag/rope","value":1},{"op":"delta","path":"/ghost","value":1}]</JSONPatch>`,
			"bag.rope set 1; game_state.ghost add 1", ""},
	} {
		r := rules.ParseDirectives(c.text, rules.DirectiveOptions{Known: known})
		if got := strings.Join(describe(r.Effects), "; "); got != c.want || r.Text != c.shown {
			t.Errorf("%s: %s, shown %q", c.text, got, r.Text)
		}
	}
	r := rules.ParseDirectives("[a note: +5] [gold：5]", rules.DirectiveOptions{})
	if len(r.Effects) > 0 {
		t.Errorf("without known ids: %v", describe(r.Effects))
	}
}

// describe prints effects on one line each.
func describe(effects []effect.Effect) []string {
	out := []string{}
	for _, e := range effects {
		switch e := e.(type) {
		case effect.SetVariable:
			out = append(out, fmt.Sprintf("%s %s %s", e.Path, e.Operation, e.Value))
		case effect.PlayAudio:
			line := fmt.Sprintf("audio %s %s", e.TrackID, e.Action)
			if e.FadeDuration != nil {
				line += fmt.Sprintf(" fade %v", *e.FadeDuration)
			}
			if e.Volume != nil {
				line += fmt.Sprintf(" volume %v", *e.Volume)
			}
			if e.ChainTo != "" {
				line += " chain " + e.ChainTo
			}
			out = append(out, line)
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
		{"multiply by less than nothing", "[hp: *-1]", "", []string{"hp multiply -1"}},
		{"each operation by its word", "[hp: add 1][hp: subtract 2][hp: multiply 3][s: append x][s: toggle]", "",
			[]string{"hp add 1", "hp subtract 2", "hp multiply 3", `s append "x"`, "s toggle true"}},
		{"blanks inside the bracket", "[ hp: 3 ]", "", []string{"hp set 3"}},
		{"but none before the colon", "[hp : 3]", "[hp : 3]", nil},
		{"true and false", "[s: true][s: false]", "", []string{"s set true", "s set false"}},
		{"a quotation mark within a quotation", `[s: "a\"b"]`, "", []string{`s set "a\"b"`}},
		{"bare text is trimmed", "[s:  calm and quiet ]", "", []string{`s set "calm and quiet"`}},
		{"a list to push, a key to delete", `[bag: push [1,{"a":"]"}]][bag: delete "a"][bag: delete a]`, "",
			[]string{`bag push [1,{"a":"]"}]`, `bag delete "a"`, `bag delete "a"`}},
		{"scalars behind set", `[s: set "x"][hp: set -10][s: set false]`, "",
			[]string{`s set "x"`, "hp set -10", "s set false"}},
		{"sound", "[audio: rain play][audio: rain stop][audio: rain crossfade 2 chain:b][audio: rain volume 0.3]", "",
			[]string{"audio rain play", "audio rain stop", "audio rain crossfade fade 2 chain b", "audio rain volume volume 0.3"}},
		{"the number of a sound counts for two actions alone", "[audio: rain play 7]", "", []string{"audio rain play"}},
		{"what no player understands is no number", "[audio: rain volume NaN][audio: rain crossfade Inf][audio: rain volume 0x1p4][audio: rain volume 1e999]",
			"[audio: rain volume NaN][audio: rain crossfade Inf][audio: rain volume 0x1p4][audio: rain volume 1e999]", nil},
		{"a picture stays", "[image: a hall] x", "[image: a hall] x", nil},
		{"a patch: replace and insert set, delta adds or subtracts, remove deletes, others are nothing",
			`<UpdateVariable>why<JSONPatch>[{"op":"replace","path":"/a/b","value":1},{"op":"insert","path":"/c","value":[2]},` +
				`{"op":"delta","path":"/d","value":3},{"op":"delta","path":"/d","value":-4},{"op":"remove","path":"/e"},{"op":"test","path":"/a"}]</JSONPatch></UpdateVariable>`, "",
			[]string{"game_state.a.b set 1", "game_state.c set [2]", "game_state.d add 3", "game_state.d subtract 4", "game_state.e delete true"}},
		{"a patch that is none is dropped", "a <JSONPatch>oops</JSONPatch> b", "a b", nil},
		{"all blocks of thought and echoes go unread", "<think>[hp: 1]</think><thinking>[hp: 1]</thinking><reasoning>[hp: 1]</reasoning>" +
			"<reflection>[hp: 1]</reflection><fiction-mode>[hp: 1]</fiction-mode><inner-thought>[hp: 1]</inner-thought>" +
			"<brainstorming>[hp: 1]</brainstorming><game-state>[hp: 1]</game-state><state-reminder>[hp: 1]</state-reminder>" +
			"<last-turn-changes>[hp: 1]</last-turn-changes>.", ".", nil},
		{"the order of the text across passes", "[hp: +1][hp: set 100]", "", []string{"hp add 1", "hp set 100"}},
		{"a missing bracket leaves the text", "[hp: +1 and so on", "[hp: +1 and so on", nil},
		{"a broken value goes with its directive", "[bag: set {x}].", ".", nil},
		{"more than two line breaks become two", "a\n[hp: +1]\n\n\nb", "a\n\nb", []string{"hp add 1"}},
		{"ids of any script", "[bag.金币-$1: 5]", "", []string{"bag.金币-$1 set 5"}},
		{"null is a value behind set", "[s: set null]", "", []string{"s set null"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			r := rules.ParseDirectives(c.text, rules.DirectiveOptions{Known: known})
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
	r := rules.ParseDirectives(text, rules.DirectiveOptions{})
	var codes []rules.DirectiveCode
	for _, e := range r.Errors {
		codes = append(codes, e.Code)
		if !strings.HasPrefix(text[e.Offset:], strings.TrimSuffix(e.Near, "…")) {
			t.Errorf("offset %d is not at %q", e.Offset, e.Near)
		}
	}
	want := []rules.DirectiveCode{"bad-value", "bad-patch", "unclosed",
		"unknown-op"}
	if d := cmp.Diff(want, codes); d != "" {
		t.Error(d)
	}
}

// FuzzParse: nothing panics, errors are inside the text, and cleaned prose has no directive left.
func FuzzParseDirective(f *testing.F) {
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
		r := rules.ParseDirectives(text, rules.DirectiveOptions{})
		for _, e := range r.Errors {
			if e.Offset < 0 || e.Offset > len(text) {
				t.Errorf("offset %d of %d", e.Offset, len(text))
			}
		}
		if len(r.Text) > len(text) {
			t.Errorf("prose grew from %q to %q", text, r.Text)
		}
		if s, ok := rules.ParseStructuredDirectives(text, rules.DirectiveOptions{}); ok && s.Text != strings.TrimSpace(s.Text) {
			t.Errorf("narrative %q is not trimmed", s.Text)
		}
	})
}

// TestStructuredBehindThoughts: a reply that is one object may have blocks of thought before it.
func TestStructuredBehindThoughts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<think>{\"narrative\":\"no\"}</think>\n<reasoning>x</reasoning> {\"narrative\":\"Rain.\"}":      "Rain.",
		"<thinking>x</thinking>\n```json\n{\"narrative\":\"Rain.\",\"stateChanges\":{\"wet\":true}\n```": "Rain.",
		"<think>x {\"narrative\":\"Rain.\"}":         "",
		"x<think>y</think>{\"narrative\":\"Rain.\"}": "",
	} {
		r, ok := rules.ParseStructuredDirectives(text, rules.DirectiveOptions{})
		if ok != (want != "") || r.Text != want {
			t.Errorf("%q: %v %q", text, ok, r.Text)
		}
	}
}
