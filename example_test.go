package talewright_test

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright"
)

func ExampleProblems_Err() {
	problems := talewright.Problems{
		{Path: "rules[3].trigger", ID: "door", Code: "unknown_event", Text: `no event "dor.opened": did you mean "door.opened"?`},
		{Path: "rules", Code: "too_many", Severity: talewright.Fatal, Text: "at most 100,000 rules are read"},
	}
	err := fmt.Errorf("load the game: %w", problems.Err())
	var found talewright.Problems
	if errors.As(err, &found) {
		for _, p := range found {
			fmt.Printf("%v: %v\n", p.Severity, p)
		}
	}
	fmt.Println(talewright.Problems{{Severity: talewright.Error, Text: "one entry is left out"}}.Err())
	// Output:
	// error: rules[3].trigger (door): no event "dor.opened": did you mean "door.opened"?
	// fatal: rules: at most 100,000 rules are read
	// <nil>
}

// What of a card does not play, in a few lines.
func ExampleProblems_Summary() {
	ps := talewright.Problems{
		{Path: "card.scenario", Code: "unknown_macro", Text: "{{mood}} stays in the text"},
		{Path: "entries[3].content", Code: "template_needs", Text: "template 1:4: fetch is refused"},
		{Path: "entries[7].content", Code: "template_needs", Text: "template 12:9: fetch is refused"},
	}
	for _, line := range ps.Summary("en") {
		fmt.Println(line)
	}
	// Output:
	// template_needs: 2 in 2 places, first entries[3].content: template 1:4: fetch is refused
	// unknown_macro: card.scenario: {{mood}} stays in the text
}

// Hundreds of entries with the same problem give one line.
func ExampleProblems_Grouped() {
	list := talewright.Problems{
		{Path: "entries[0].content", ID: "Mill.0", Severity: talewright.Warning, Text: "the entry adds nothing"},
		{Path: "entries[4].key[1]", ID: "Mill.4", Text: `"/raven(s/" is not a JavaScript regex`},
		{Path: "entries[7].content", ID: "Mill.7", Severity: talewright.Warning, Text: "the entry adds nothing"},
		{Path: "entries[9].content", ID: "Mill.9", Severity: talewright.Warning, Text: "the entry adds nothing"},
	}
	fmt.Println(list.Grouped().Error())
	// Output:
	// entries[0].content (Mill.0): the entry adds nothing (and 2 more like it)
	// entries[4].key[1] (Mill.4): "/raven(s/" is not a JavaScript regex
}

// Problems for an author who writes Chinese, and a table of the host before the one of the module.
func ExampleProblems_Translated() {
	problems := talewright.Problems{
		{Path: "rules[3].trigger", ID: "door", Text: `unknown trigger "keywrd"; the rule is inert; did you mean "keyword"?`},
		{Path: "entries[7].content", Text: "the entry activates but adds nothing"},
	}
	fmt.Println(problems.Translated("zh"))
	fmt.Println(problems.Translated("fr", map[string]string{"the entry activates but adds nothing": "l'entrée s'active, mais n'ajoute rien"})[1])
	// Output:
	// rules[3].trigger (door): 未知的触发器 "keywrd"；规则不起作用；是不是 "keyword"？
	// entries[7].content: 条目会激活，但不带来任何内容
	// entries[7].content: l'entrée s'active, mais n'ajoute rien
}

func ExampleProblems_In() {
	problems := talewright.Problems{{Path: "entries[3].key[0]", Text: "an empty key never matches"}}
	fmt.Println(problems.In("books[1]"))
	// Output: books[1].entries[3].key[0]: an empty key never matches
}

func ExampleProblems_AtLeast() {
	problems := talewright.Problems{{Severity: talewright.Warning, Text: "never fires"}, {Text: "( is not closed"}}
	fmt.Println(problems.AtLeast(talewright.Error))
	// Output: ( is not closed
}

func ExampleProblems_Of() {
	problems := talewright.Problems{{Code: "bad_regex", Text: "( is not closed"}, {Code: "duplicate", Text: "two rules are named door"}}
	fmt.Println(problems.Of("bad_regex"))
	// Output: ( is not closed
}
