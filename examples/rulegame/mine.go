package main

import (
	_ "embed"
	"encoding/json"
	"math/rand/v2"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

//go:embed mine.json
var mine []byte

// compile reads the rules of a game. It returns everything that is wrong with them, or probably not
// intended.
func compile(data []byte) (*rules.Program, talewright.Problems) {
	var file struct {
		Variables []rules.Variable `json:"variables"`
		Rules     []rules.Rule     `json:"rules"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, talewright.Problems{{Code: rules.Unreadable, Severity: talewright.Fatal, Text: err.Error()}}
	}
	content := rules.Content{Variables: file.Variables, Rules: file.Rules}
	program, problems := rules.Compile(content)
	return program, append(problems, rules.Vet(content)...)
}

// game is the game of one player. All games share the program. The state can be stored as JSON
// between two buttons.
type game struct {
	program *rules.Program
	state   rules.State
	dice    *rand.Rand
}

// newGame begins a game. Equal seeds and equal buttons give equal games.
func newGame(program *rules.Program, seed uint64) *game {
	return &game{program, program.Restore(rules.State{}), rand.New(rand.NewPCG(seed, seed))}
}

// press is the whole game loop. A button becomes an event, rules react to it and to each other, and
// press returns their messages.
func (g *game) press(button string, params ...tree.Member) []string {
	g.state.Turn++
	var with tree.Value
	if len(params) > 0 {
		with = tree.Object(params...)
	}
	outcome := g.program.Run(g.state, []event.Event{event.ActionFired(button, with)}, rules.Options{
		Random: g.dice.Float64, ExpandNotices: true,
	})
	g.state = outcome.State
	var said []string
	for _, notice := range outcome.Notices() {
		said = append(said, notice.Message)
	}
	return said
}
