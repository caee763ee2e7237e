package campaign_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// A tool whose arguments are a struct: what the tags demand is checked before the tool is
// asked, and the model reads it in the schema.
func ExampleNewTool() {
	type order struct {
		Goods []string `json:"goods" about:"what is bought" enum:"flour,bran" max:"3"`
		Sacks int      `json:"sacks" about:"of each" min:"1" max:"20"`
		Note  string   `json:"note,omitempty"`
	}
	buy := campaign.NewTool(campaign.Tool{
		Name: "buy", Description: "Buy goods of the mill.", Manual: "Tells how many sacks are bought.",
		Reasons: map[campaign.CallCode]string{"sold_out": "there is no bran today"},
		Affects: []string{campaign.AffectsNothing},
	}, func(o order, _ campaign.ToolCall, _ campaign.ToolView) campaign.Judgement {
		if o.Goods[0] == "bran" {
			return campaign.Judgement{Reason: "sold_out"}
		}
		return campaign.Judgement{Result: tree.Int(int64(o.Sacks * len(o.Goods)))}
	})
	fmt.Println(buy.Params["sacks"].Description, *buy.Params["sacks"].Min, *buy.Params["sacks"].Max)

	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("A cart is loaded.").AndCall("buy", "goods", []string{"oats"}, "sacks", 50),
		llmtest.Text("A cart is loaded.").AndCall("buy", "goods", []string{"flour"}, "sacks", 2),
	), campaign.Content{Tools: []campaign.Tool{buy}})
	if _, err := engine.Do(ctx, "mill", campaign.SetTools{Allowlist: []string{"buy"}}); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I buy flour."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Attempts[0].FailedCalls[0].Violations)
	fmt.Println(outcome.Turn.Applied[0].Result, "sacks")
	// Output:
	// of each 1 20
	// [goods[0]:enum sacks:range]
	// 2 sacks
}
