package memvars_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestHintsSpeakTheChosenLanguage: each English hint exists in Chinese too, and a Chinese hint has
// no English words except names of commands and of keys.
func TestHintsSpeakTheChosenLanguage(t *testing.T) {
	t.Parallel()
	compile := func(lang string) *memvars.System {
		sys, problems := memvars.Compile(memvars.Options{CheckOld: "reject", Hints: lang})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return sys
	}
	english, chinese := compile("en"), compile("zh")
	doc := load(t, []byte(`{"play_character_data":{},"stat_data":{"gold":250,"list":[1],"pair":["v","d"]},
		"assa_data":{"a":{"b":1,"c":{}},"world_set":{"settings":{"_is_protected":true,"x":1}}}}`))
	for _, text := range []string{
		"set_status('gold', 'x')", "set_status('golt', 1)", "set_status('nothing', 1)", "set_status(1)",
		"set_status('gold', 1, 2)", "set_status('a..b', 1)", "set_status('assa_data.a', 1)", "memory('a', 1)",
		"set_status({}, 1)", "set_status('list[9]', 1)", "set_status('pair[1]', 'x')", "delete('world_set')",
		"delete('world_set', 'settings')", "memory('a', '', 1)", "*.foo(1)", "set_status('gold", "set_status('gold', 1",
		"set_status('gold' 1)", "memory('a.b', 'assa_data.a.c')",
		"memory('a', 'n', " + strings.Repeat("9", tree.MaxDigits+1) + ")",
	} {
		_, en := english.Apply(doc, text, memvars.AI)
		_, zh := chinese.Apply(doc, text, memvars.AI)
		if len(en.Calls) != 1 || len(zh.Calls) != 1 {
			t.Fatalf("%s: %v, %v", text, en.Calls, zh.Calls)
		}
		a, b := en.Calls[0], zh.Calls[0]
		if a.Code != b.Code || (a.Hint == "") != (b.Hint == "") {
			t.Errorf("%s: %v, in Chinese %v", text, a, b)
		}
		if a.Hint != "" && (a.Hint == b.Hint || !strings.ContainsFunc(b.Hint, han) || strings.ContainsFunc(a.Hint, han)) {
			t.Errorf("%s: hint %q, in Chinese %q", text, a.Hint, b.Hint)
		}
	}
	_, res := chinese.Apply(doc, strings.Repeat("*.foo(1);\n", 20), memvars.AI)
	told := chinese.Feedback(res.Calls)
	if want := "另有 5 条：unknown_command 5"; told[len(told)-1].Hint != want {
		t.Errorf("the rest: %q, want %q", told[len(told)-1].Hint, want)
	}
	if _, problems := memvars.Compile(memvars.Options{Hints: "fr"}); problems.Err() == nil || problems[0].Path != "hints" {
		t.Errorf("a language that is not there: %v", problems)
	}
}

func han(r rune) bool { return unicode.Is(unicode.Han, r) }
