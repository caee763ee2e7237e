package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// part parses a part of an author's content.
func part(text string) tree.Value {
	v, _ := tree.ParseValue([]byte(text))
	return v
}

func ExampleParseTrigger() {
	fmt.Println(rules.ParseTrigger(part(`{"type": "keyword", "keywords": ["sesame"]}`)).Keywords)
	// Output: [sesame]
}

func ExampleParsePattern() {
	fmt.Println(rules.ParsePattern(part(`{"eventType": "door:*"}`)).Matches(event.New("door:knock"), 0))
	// Output: true
}
