package declared_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/memvars/tree"
)

// The claims of a text must be listed with the calls that settle them.
func ExampleCheck() {
	before := conflict.View{ActorID: "mara", Characters: []conflict.Character{
		{ID: "mara", Name: "Mara", AliveState: "alive", HP: conflict.HP{Current: 10, Max: 10}},
	}}
	after := before
	after.Characters = []conflict.Character{before.Characters[0]}
	after.Characters[0].HP.Current = 7
	after.Actions = []conflict.Action{{ID: "call_001", Tool: "hp_delta",
		HP: []conflict.HPChange{{CharacterID: "mara", Requested: -3, Effective: -3, After: 7}}}}

	for _, text := range []string{
		``,
		`[{"kind": "hp", "who": "mara", "amount": -3, "call": "call_002"}]`,
		`[{"kind": "hp", "who": "mara", "amount": -3, "call": "call_001"}]`,
	} {
		list, _ := tree.ParseValue([]byte(text))
		found := declared.Check(declared.Answer{
			List: list, Narration: "The arrow hits: Mara loses 3 HP.", Before: before, After: after,
		}, conflict.Options{})
		for _, c := range found {
			fmt.Println(c.Severity, c.Kind, c.Quote)
		}
		fmt.Println(len(found), "conflicts")
	}
	// Output:
	// block claim_unlisted loses 3 HP
	// 1 conflicts
	// block claim_unsupported loses 3 HP
	// 1 conflicts
	// 0 conflicts
}

func ExampleRead() {
	list, _ := tree.ParseValue([]byte(`[{"kind": "place", "place": "crypt", "call": "call_001"}, {"kind": "hp"}]`))
	claims, problem := declared.Read(list)
	fmt.Println(claims[0].Kind, claims[0].Place, claims[0].Call)
	fmt.Println(problem)
	// Output:
	// place crypt call_001
	// claim 2: hp has either an amount or a value, a whole number
}

// A host that offers the tool itself sends the schema of its arguments.
func ExampleSchema() {
	var schema struct{ Required []string }
	err := json.Unmarshal(declared.Schema(), &schema)
	fmt.Println(schema.Required, err)
	// Output: [claims] <nil>
}
