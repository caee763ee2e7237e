package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// What is said to Orrin alone is known to the two of them.
func ExampleAudienceOf() {
	fmt.Println(state.AudienceOf("mara", []string{"orrin"}))
	// Output: [orrin mara]
}

func ExampleKnows() {
	whispered := state.AudienceOf("mara", []string{"orrin"})
	fmt.Println(state.Knows(whispered, "orrin"), state.Knows(whispered, "sella"), state.Knows(nil, "sella"))
	// Output: true false true
}

// A game master knows everything, unless the mode is strict.
func ExampleNewViewer() {
	secret := []string{"mara"}
	for _, mode := range []state.AudienceMode{state.AudienceOff, state.AudienceMarked, state.AudienceStrict} {
		v := state.NewViewer(mode, "orrin", true)
		fmt.Println(mode, v.Sees(secret))
	}
	// Output:
	// off true
	// marked true
	// strict false
}

// What lore and modules do before several readers is decided by what all of them know.
func ExampleSharedViewer() {
	v := state.SharedViewer([]string{"mara", "orrin"})
	fmt.Println(v.Sees([]string{"mara"}), v.Sees([]string{"mara", "orrin", "sella"}), state.SharedViewer(nil).Sees([]string{"mara"}))
	// Output: false true false
}

func ExampleViewer_SeesAll() {
	fmt.Println(state.NewViewer(state.AudienceMarked, "mara", true).SeesAll(), state.NewViewer(state.AudienceStrict, "mara", true).SeesAll())
	// Output: true false
}

// Who knows two things at once: of what is made of both, nobody else may hear.
func ExampleCommonAudience() {
	fmt.Println(state.CommonAudience([]string{"mara", "orrin"}, []string{"orrin", "sella"}))
	fmt.Println(state.CommonAudience(nil, []string{"sella"})) // everybody knows the first
	fmt.Println(state.CommonAudience([]string{"mara"}, []string{"sella"}))
	// Output:
	// [orrin] true
	// [sella] true
	// [] false
}

// A summary is asked for once for each group, so that none reads what another said.
func ExampleAudienceGroups() {
	fmt.Println(state.AudienceGroups([]string{"mara", "orrin"}, nil, []string{"orrin", "mara"}, []string{"sella"}))
	// Output:
	// [[mara orrin] [sella]]
}

// What a game master has written down is read by each as far as they know of it.
func ExampleVisibleFacts() {
	facts, err := tree.ParseValue([]byte(`[{"fact": "The bridge is out."}, {"fact": "Orrin is the thief.", "witnesses": ["orrin"]}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, who := range []string{"orrin", "mara"} {
		fmt.Println(who, state.VisibleFacts(facts, state.NewViewer(state.AudienceMarked, who, false)))
	}
	// Output:
	// orrin [{"fact":"The bridge is out."},{"fact":"Orrin is the thief.","witnesses":["orrin"]}]
	// mara [{"fact":"The bridge is out."}]
}

// An entry of lore says in its extensions who may see it.
func ExampleAudienceOfExtensions() {
	who, _ := state.AudienceOfExtensions([]byte(`{"visible_to": ["orrin"]}`))
	fmt.Println(who)
	_, problem := state.AudienceOfExtensions([]byte(`{"visible_to": "orrin"}`))
	fmt.Println(problem)
	// Output:
	// [orrin]
	// visible_to must be a list of ids of characters
}

func ExampleSameAudience() {
	fmt.Println(state.SameAudience([]string{"mara", "orrin"}, []string{"orrin", "mara"}), state.SameAudience(nil, []string{"mara"}))
	// Output: true false
}
