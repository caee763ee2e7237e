package tool_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

func ExamplePoolCheck() {
	dice := []int{3, 8, 10, 5, 9}
	view := tool.View{ActorID: "ren", Roll: func(int) int { d := dice[0]; dice = dice[1:]; return d }, State: state.State{
		Characters: []state.Character{{ID: "ren", Attributes: tree.Object(tree.Member{Key: "力量", Value: tree.Int(2)}),
			Skills: []state.Skill{{Name: "白刃", Level: new(2)}}}}}}
	args, err := tree.ParseValue([]byte(`{"actor_id": "ren", "pool": "力量;白刃", "difficulty": 3}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	j := tool.PoolCheck(tool.PoolRules{}).Judge(tool.Call{Tool: "pool_check", Args: args}, view)
	fmt.Println(j.Result.Get("dice"), j.Result.Get("successes"), j.Result.Get("grade"))
	// Output: [3,8,10,5,9] 3 "success"
}

func ExamplePoolLevel() {
	fmt.Println(tool.PoolLevel("神话"))
	fmt.Println(tool.PoolLevel("cosmic"))
	// Output:
	// 16 true
	// 0 false
}
