package testkit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// CardScripting runs the cases of one kind of the scripts of cards as subtests, and prints for each
// tier "N passed, M failed of T". The files are in the folder dir or in the folder that the
// environment variable TALEWRIGHT_CARDSCRIPTING or TALEWRIGHT_CARD_SCRIPTING names. play reports by
// t whether a case holds. Cases that need a JavaScript engine and cases for information are left
// out.
func CardScripting(t *testing.T, dir, kind string, play func(t *testing.T, data []byte)) {
	t.Helper()
	dir = cmp.Or(os.Getenv("TALEWRIGHT_CARDSCRIPTING"), os.Getenv("TALEWRIGHT_CARD_SCRIPTING"), dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ passed, failed int }
	tiers := map[string]*tally{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Format string
			Cases  []json.RawMessage
		}
		if err := json.Unmarshal(data, &list); err != nil || list.Format != "card-scripting-conformance/1" {
			continue // a different file of the folder
		}
		for _, data := range list.Cases {
			var c struct{ ID, Kind, Tier, Verdict string }
			if err := json.Unmarshal(data, &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if c.Kind != kind || c.Verdict == "info" || c.Tier == "engine" {
				continue
			}
			tier := tiers[cmp.Or(c.Tier, "core")]
			if tier == nil {
				tier = &tally{}
				tiers[cmp.Or(c.Tier, "core")] = tier
			}
			if t.Run(c.ID, func(t *testing.T) { play(t, data) }) {
				tier.passed++
			} else {
				tier.failed++
			}
		}
	}
	if len(tiers) == 0 {
		t.Fatalf("no case of kind %s in %s", kind, dir)
	}
	for _, name := range slices.Sorted(maps.Keys(tiers)) {
		n := tiers[name]
		fmt.Printf("%s %s: %d passed, %d failed of %d\n", kind, name, n.passed, n.failed, n.passed+n.failed)
	}
}
