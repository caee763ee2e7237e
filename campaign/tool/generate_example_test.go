package tool_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// judged prints the judgement of a tool for a call in a village of one square.
func judged(t tool.Tool, args string) {
	v, err := tree.ParseValue([]byte(args))
	if err != nil {
		fmt.Println(err)
		return
	}
	j := t.Judge(tool.Call{ID: "call_001", Tool: t.Name, Args: v}, tool.View{State: state.State{
		Map: state.Map{Areas: []state.MapArea{{ID: "square", Name: "Square"}}}}})
	if j.Reason != "" {
		fmt.Println("refused:", j.Reason, j.Hint)
	}
	for _, e := range j.Effects {
		text, err := effect.Marshal(e)
		fmt.Println(string(text), err)
	}
}

func ExampleGenerateMap() {
	t := tool.GenerateMap(tool.GenerateLimits{Areas: 50})
	judged(t, `{"areas": [{"id": "well", "name": "Old well"}], "paths": [{"from": "square", "to": "well"}]}`)
	judged(t, `{"areas": [{"id": "square", "name": "Another square"}]}`)
	// Output:
	// {"type":"add-area","id":"well","name":"Old well"} <nil>
	// {"type":"add-path","id":"path_square_well","from":"square","to":"well"} <nil>
	// refused: id_taken {"at":"areas[0]"}
}

func ExampleGenerateCharacter() {
	t := tool.GenerateCharacter(tool.GenerateLimits{MaxHP: 10})
	judged(t, `{"character_id": "tom", "name": "Tom", "max_hp": 6, "area_id": "square"}`)
	judged(t, `{"character_id": "ida", "name": "Ida", "max_hp": 6, "aliases": ["Old Ida", "Mother"], "attributes": {"wit": 3}}`)
	judged(t, `{"character_id": "giant", "name": "Giant", "max_hp": 99}`)
	// Output:
	// {"type":"add-character","characterId":"tom","fields":{"name":"Tom","area_id":"square","hp":{"current":6,"max":6}}} <nil>
	// {"type":"add-character","characterId":"ida","fields":{"name":"Ida","aliases":["Old Ida","Mother"],"hp":{"current":6,"max":6},"attributes":{"wit":3}}} <nil>
	// refused: too_strong null
}
