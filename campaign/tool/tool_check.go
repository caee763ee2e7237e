package tool

import (
	"math"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// checkTool rolls a d20 against a difficulty. The engine rolls; the model only requests the roll.
func checkTool() Tool {
	return Tool{
		Name: "check",
		Description: "Roll a d20 check for a character, against a difficulty (dc) or a chance of " +
			"success (p_success), never both.",
		Manual: "Rolls a d20 plus the modifier of an attribute, floor((attribute - 10) / 2). The " +
			"total reaches the difficulty: success; misses it by at most 2: partial; else fail. " +
			"A call repeated within a turn keeps its roll.",
		Params: map[string]Param{
			"actor_id":  {Type: StringParam, Required: true, Description: "the acting character"},
			"attribute": {Type: StringParam, Description: "an attribute of the character's card"},
			"dc":        {Type: IntegerParam, Description: "difficulty"},
			"p_success": {Type: NumberParam, Description: "chance of success, 0 to 1"},
		},
		Reasons: map[state.CallCode]string{
			"dc_or_p_required":  "give either dc or p_success",
			"unknown_attribute": "the character has no such attribute",
			"p_out_of_range":    "p_success lies between 0 and 1",
		},
		Translations: inChinese("check"),
		Affects:      []string{AffectsNothing},
		Judge:        judgeCheck,
	}
}

func judgeCheck(call Call, view View) Judgement {
	given := func(name string) bool {
		v := call.Args.Get(name)
		return v.Exists() && !v.IsNull()
	}
	if given("dc") == given("p_success") {
		return Judgement{Reason: "dc_or_p_required"}
	}
	actor, _ := view.State.Character(view.ActorID)
	modifier := 0
	if given("attribute") {
		score, ok := actor.Attributes.Get(call.Text("attribute")).AsFloat()
		if !ok {
			return Judgement{Reason: "unknown_attribute"}
		}
		modifier = int(math.Floor((score - 10) / 2))
	}
	dc := call.Int("dc")
	if given("p_success") {
		p, _ := call.Args.Get("p_success").AsFloat()
		if p < 0 || p > 1 {
			return Judgement{Reason: "p_out_of_range"}
		}
		dc = difficultyFor(p, modifier)
	}
	roll := view.Roll(20)
	total := roll + modifier
	grade := "fail"
	switch {
	case total >= dc:
		grade = "success"
	case total >= dc-2:
		grade = "partial"
	}
	return Judgement{Result: tree.Object(
		tree.Member{Key: "actor_id", Value: tree.Text(actor.ID)},
		tree.Member{Key: "roll", Value: tree.Int(int64(roll))},
		tree.Member{Key: "modifier", Value: tree.Int(int64(modifier))},
		tree.Member{Key: "total", Value: tree.Int(int64(total))},
		tree.Member{Key: "dc", Value: tree.Int(int64(dc))},
		tree.Member{Key: "grade", Value: tree.Text(grade)})}
}

// difficultyFor returns the difficulty that a d20 plus a modifier reaches with the probability p,
// from 1 to 30. Of the 20 faces, 21+modifier-dc reach the difficulty dc.
func difficultyFor(p float64, modifier int) int {
	// The inner conversion prevents fused floating-point operations, so the result is the same on
	// every platform.
	dc := math.Ceil(float64(modifier) + 21 - float64(20*p))
	return min(max(int(dc), 1), 30)
}
