package mcp

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/internal/utf8text"
)

type diceQuestion struct {
	Dice string `json:"dice" jsonschema:"such as d20 or 2d6+3: at most 100 dice of at most 1000 sides"`
}

type diceAnswer struct {
	Rolls []int `json:"rolls"`
	Total int   `json:"total"`
}

var dicePattern = regexp.MustCompile(`^([0-9]{0,3})[dD]([0-9]{1,4})([+-][0-9]{1,4})?$`)

// readDice returns the number of dice, their sides and the number to add.
func readDice(text string) (count, sides, plus int, err error) {
	m := dicePattern.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, 0, fmt.Errorf("dice: %q is not like 2d6+3", utf8text.Cut(text, maxName))
	}
	count = 1
	if m[1] != "" {
		count, _ = strconv.Atoi(m[1]) // the pattern holds digits only
	}
	sides, _ = strconv.Atoi(m[2])
	plus, _ = strconv.Atoi(m[3])
	if count < 1 || count > maxDice || sides < 1 || sides > maxSides {
		return 0, 0, 0, fmt.Errorf("dice: want 1 to %d dice with 1 to %d sides", maxDice, maxSides)
	}
	return count, sides, plus, nil
}

func (t PlayerServer) roll(_ context.Context, _ *sdk.CallToolRequest, q diceQuestion) (*sdk.CallToolResult, diceAnswer, error) {
	count, sides, plus, err := readDice(q.Dice)
	out := diceAnswer{Rolls: make([]int, count), Total: plus}
	for i := range out.Rolls {
		out.Rolls[i] = t.Roll(sides)
		out.Total += out.Rolls[i]
	}
	return nil, out, err
}
