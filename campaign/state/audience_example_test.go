package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Only Orrin and the speaker know a line that is said to Orrin alone.
func ExampleAudienceOf() {
	fmt.Println(state.AudienceOf("mara", []string{"orrin"}))
	// Output: [orrin mara]
}

func ExampleKnows() {
	whispered := state.AudienceOf("mara", []string{"orrin"})
	fmt.Println(state.Knows(whispered, "orrin"), state.Knows(whispered, "sella"), state.Knows(nil, "sella"))
	// Output: true false true
}

// A panel of Orrin's player shows what Orrin knows. A hidden element of a list becomes null.
func ExampleAudienceNotes_Variables() {
	all, _ := tree.ParseDocument([]byte(`{"gold": 5, "plan": "Leave at dawn.", "clues": ["mud", "a letter"]}`))
	notes := state.AudienceNotes(nil).With(tree.Path{"variables", "plan"}, []string{"mara"}).
		With(tree.Path{"variables", "clues", "0"}, []string{"mara"})
	fmt.Println(notes.Variables(all, state.Viewer{Character: "orrin"}.Sees))
	// Output: {"gold":5,"clues":[null,"a letter"]}
}

// A game master sees everything, unless the mode is strict or common. In the mode common, Orrin's own
// secret is in no prompt of a turn that everybody hears.
func ExampleNewViewer() {
	mara, orrin := []string{"mara"}, []string{"orrin"}
	for _, mode := range []state.AudienceMode{state.AudienceOff, state.AudienceMarked, state.AudienceStrict, state.AudienceCommon} {
		v := state.NewViewer(mode, "orrin", nil, true)
		fmt.Println(mode, v.Sees(mara), v.Sees(orrin))
	}
	// Output:
	// off true true
	// marked true true
	// strict false true
	// common false false
}

// If a prompt has several readers, lore and modules depend on what all of them know.
func ExampleViewer() {
	v := state.Viewer{Shared: true, Group: []string{"mara", "orrin"}}
	fmt.Println(v.Sees([]string{"mara"}), v.Sees([]string{"mara", "orrin", "sella"}), state.Viewer{Shared: true}.Sees([]string{"mara"}))
	// Output: false true false
}

// The common audience of two texts: only these characters may hear a text made from both.
func ExampleCommonAudience() {
	fmt.Println(state.CommonAudience([]string{"mara", "orrin"}, []string{"orrin", "sella"}))
	fmt.Println(state.CommonAudience(nil, []string{"sella"})) // everybody knows the first
	fmt.Println(state.CommonAudience([]string{"mara"}, []string{"sella"}))
	// Output:
	// [orrin] true
	// [sella] true
	// [] false
}

// There is one summary for each group, so no group reads the summary of a different one.
func ExampleAudienceGroups() {
	fmt.Println(state.AudienceGroups([]string{"mara", "orrin"}, nil, []string{"orrin", "mara"}, []string{"sella"}))
	// Output:
	// [[mara orrin] [sella]]
}

// Each character reads the part of a game master's notes that it knows.
func ExampleVisibleFacts() {
	facts, err := tree.ParseValue([]byte(`[{"fact": "The bridge is out."}, {"fact": "Orrin is the thief.", "witnesses": ["orrin"]}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, who := range []string{"orrin", "mara"} {
		fmt.Println(who, state.VisibleFacts(facts, state.NewViewer(state.AudienceMarked, who, nil, false)))
	}
	// Output:
	// orrin [{"fact":"The bridge is out."},{"fact":"Orrin is the thief.","witnesses":["orrin"]}]
	// mara [{"fact":"The bridge is out."}]
}

// An entry of lore lists in its extensions who may see it.
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
