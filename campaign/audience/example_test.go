package audience_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/memvars/tree"
)

// What is said to Orrin alone is known to the two of them.
func ExampleOf() {
	fmt.Println(audience.Of("mara", []string{"orrin"}))
	// Output: [orrin mara]
}

func ExampleKnows() {
	whispered := audience.Of("mara", []string{"orrin"})
	fmt.Println(audience.Knows(whispered, "orrin"), audience.Knows(whispered, "sella"), audience.Knows(nil, "sella"))
	// Output: true false true
}

// A game master knows everything, unless the mode is strict.
func ExampleFor() {
	secret := []string{"mara"}
	for _, mode := range []audience.Mode{audience.Off, audience.Marked, audience.Strict} {
		v := audience.For(mode, "orrin", true)
		fmt.Println(mode, v.Sees(secret))
	}
	// Output:
	// off true
	// marked true
	// strict false
}

// What lore and modules do before several readers is decided by what all of them know.
func ExampleShared() {
	v := audience.Shared([]string{"mara", "orrin"})
	fmt.Println(v.Sees([]string{"mara"}), v.Sees([]string{"mara", "orrin", "sella"}), audience.Shared(nil).Sees([]string{"mara"}))
	// Output: false true false
}

func ExampleViewer_SeesAll() {
	fmt.Println(audience.For(audience.Marked, "mara", true).SeesAll(), audience.For(audience.Strict, "mara", true).SeesAll())
	// Output: true false
}

// Who knows two things at once: of what is made of both, nobody else may hear.
func ExampleBoth() {
	fmt.Println(audience.Both([]string{"mara", "orrin"}, []string{"orrin", "sella"}))
	fmt.Println(audience.Both(nil, []string{"sella"})) // everybody knows the first
	fmt.Println(audience.Both([]string{"mara"}, []string{"sella"}))
	// Output:
	// [orrin] true
	// [sella] true
	// [] false
}

// A summary is asked for once for each group, so that none reads what another said.
func ExampleGroups() {
	fmt.Println(audience.Groups([]string{"mara", "orrin"}, nil, []string{"orrin", "mara"}, []string{"sella"}))
	// Output:
	// [[mara orrin] [sella]]
}

// What a game master has written down is read by each as far as they know of it.
func ExampleFacts() {
	facts, err := tree.ParseValue([]byte(`[{"fact": "The bridge is out."}, {"fact": "Orrin is the thief.", "witnesses": ["orrin"]}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, who := range []string{"orrin", "mara"} {
		fmt.Println(who, audience.Facts(facts, audience.For(audience.Marked, who, false)))
	}
	// Output:
	// orrin [{"fact":"The bridge is out."},{"fact":"Orrin is the thief.","witnesses":["orrin"]}]
	// mara [{"fact":"The bridge is out."}]
}

// An entry of lore says in its extensions who may see it.
func ExampleOfExtensions() {
	who, _ := audience.OfExtensions([]byte(`{"visible_to": ["orrin"]}`))
	fmt.Println(who)
	_, problem := audience.OfExtensions([]byte(`{"visible_to": "orrin"}`))
	fmt.Println(problem)
	// Output:
	// [orrin]
	// visible_to must be a list of ids of characters
}

func ExampleSame() {
	fmt.Println(audience.Same([]string{"mara", "orrin"}, []string{"orrin", "mara"}), audience.Same(nil, []string{"mara"}))
	// Output: true false
}
