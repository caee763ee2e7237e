package main

import (
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// coins is the purse that the players share. The model can read it, but can change it only with the
// tool.
var coins = rules.Variable{ID: "coins", Name: "coins", Type: rules.TypeNumber,
	Default: tree.Int(5), Min: new(0.0), AIAccess: rules.AIRead}

// payment has the arguments of the tool pay.
type payment struct {
	Amount int    `json:"amount" about:"coins to pay" min:"1" max:"100"`
	For    string `json:"for" about:"what is bought" min:"1" max:"80"`
}

// pay is a tool of this program. It decides by the state and returns effects; it has no side
// effects. If it refuses, the model gets the refusal and writes a different story.
func pay() tool.Tool {
	const tooExpensive campaign.CallCode = "too_expensive"
	return tool.New(tool.Tool{
		Name:        "pay",
		Description: "The player pays for something with coins.",
		Manual:      "Takes coins out of the variable coins; refuses what the player cannot pay.",
		Reasons:     map[campaign.CallCode]string{tooExpensive: "the player has not that many coins"},
		Affects:     []string{tool.AffectsNothing},
	}, func(p payment, _ tool.Call, view tool.View) tool.Judgement {
		has, _ := view.State.Variables.Int(coins.ID)
		if int64(p.Amount) > has {
			return tool.Judgement{Reason: tooExpensive, Hint: tree.Int(has)}
		}
		return tool.Judgement{
			Result: tree.Object(tree.Member{Key: "left", Value: tree.Int(has - int64(p.Amount))}),
			Effects: effect.List{effect.SetVariable{Path: coins.ID, Operation: effect.Subtract,
				Value: tree.Int(int64(p.Amount))}},
		}
	})
}
