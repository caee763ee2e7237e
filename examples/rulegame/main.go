// Rulegame is a small game without a model. Its mechanics are rules in mine.json. A button raises
// an event, and the rules decide what happens. The same rules work in a campaign (campaign.Rules),
// where a model writes the story around them.
//
//	go run ./examples/rulegame
//
// This example mainly shows the tests: they test mechanics rule by rule, without a model, a store
// or a server. See mine_test.go.
package main

import (
	"fmt"
	"log"

	"github.com/talewright/talewright/memvars/tree"
)

func main() {
	program, problems := compile(mine)
	if len(problems) > 0 {
		log.Fatal(problems)
	}
	g := newGame(program, 7)
	price := tree.Member{Key: "price", Value: tree.Int(9)}
	for _, button := range []string{"dig", "rest", "dig", "rest", "dig", "buy-oil", "dig", "dig"} {
		var said []string
		if button == "buy-oil" {
			said = g.press(button, price)
		} else {
			said = g.press(button)
		}
		fmt.Printf("%-8s %s\n", button, g.state.Variables)
		for _, text := range said {
			fmt.Println("        ", text)
		}
	}
}
