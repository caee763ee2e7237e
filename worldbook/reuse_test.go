package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestScansInAnyOrder: the data that a compiled book keeps from one scan to the next changes no
// result. After any other scans, each input gives the same result as with a new book.
func TestScansInAnyOrder(t *testing.T) {
	t.Parallel()
	set := wb.Exact()
	set.Recursive, set.MinActivations, set.Depth = true, 3, 2
	entries := []wb.Entry{
		{UID: "dragon", Keys: []string{"dragon", "/wyrms?/i"}, Content: "It guards the hoard."},
		{UID: "hoard", Keys: []string{"hoard"}, Content: "Gold.", ExcludeRecursion: true},
		{UID: "recalled", Keys: []string{"hoard"}, Content: "Silver.", DelayUntilRecursion: 1},
		{UID: "window", Keys: []string{`/^\x01[^]*elf[^]*$/`}, Content: "Elves."},
		{UID: "name", Keys: []string{"{{user}}"}, Content: "That is you."},
		{UID: "scene", Keys: []string{"inn"}, Content: "Ale.", MatchScenario: true},
		{UID: "sky", Keys: []string{"sun", "rain"}, Content: "Weather.", Group: "sky", GroupWeight: 1},
		{UID: "storm", Keys: []string{"rain"}, Content: "Thunder.", Group: "sky", GroupWeight: 100},
		{UID: "deep", Keys: []string{"sword"}, Content: "Steel.", Position: wb.PositionAtDepth, Depth: 2},
	}
	for i := range 40 { // more outlets and depths than a linear search handles
		key := fmt.Sprint("room", i)
		entries = append(entries,
			wb.Entry{UID: "o" + key, Keys: []string{"tour"}, Content: key, Position: wb.PositionInOutlet, OutletName: fmt.Sprint(i % 20)},
			wb.Entry{UID: "d" + key, Keys: []string{"tour"}, Content: key, Position: wb.PositionAtDepth, Depth: i % 20})
	}
	inputs := map[string]wb.Input{
		"nothing said":      {},
		"a dragon":          says("Hi.", "A dragon!"),
		"the same, later":   says("Hi.", "A dragon!", "And then?"),
		"an elf far away":   says("An elf.", "Hm.", "Rain."),
		"weather":           says("Sun and rain."),
		"names":             says("Hello, Mara."),
		"a tour":            says("A tour of the hoard."),
		"a wyrm":            says("Wyrm.", "Sword."),
		"only a scenario":   {Data: wb.ScanData{Scenario: "At the inn."}},
		"only an injection": {Injections: []string{"A sword at the inn."}},
	}
	var names []string
	want := map[string]string{}
	for name, in := range inputs {
		in.ContextSize, in.User, in.Random = 8192, "Mara", func() float64 { return 0.5 }
		inputs[name], names = in, append(names, name)
		want[name] = scanJSON(t, featureBook(t, set, entries...), &wb.Result{}, in)
	}
	c, rng := featureBook(t, set, entries...), rand.New(rand.NewPCG(1, 1))
	var r wb.Result
	last := ""
	for range 2000 {
		name := names[rng.IntN(len(names))]
		if rng.IntN(3) == 0 && last != "" {
			name = last // generated again
		}
		if got := scanJSON(t, c, &r, inputs[name]); got != want[name] {
			t.Fatalf("%s after %s:\n%s\nwant\n%s", name, last, got, want[name])
		}
		last = name
	}
	// Outlets and depths are found, each with its two entries.
	c.ScanInto(&r, inputs["a tour"], wb.State{})
	if len(r.Outlets) != 20 || len(r.Depth) != 20 || len(r.Outlets[7].Entries) != 2 || len(r.Depth[19].Entries) != 2 {
		t.Errorf("%d outlets, %d depths", len(r.Outlets), len(r.Depth))
	}
}

// scanJSON scans into r and writes the result and the next state.
func scanJSON(t *testing.T, c *wb.Compiled, r *wb.Result, in wb.Input) string {
	t.Helper()
	next := c.ScanInto(r, in, wb.State{})
	b, err := json.Marshal([]any{r, next})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
