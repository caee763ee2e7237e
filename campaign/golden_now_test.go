package campaign_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

// goldenName returns the prefix of the files of the present form.
func goldenName() string {
	return fmt.Sprintf("testdata/logs/layout_%d.behaviour_%d", turn.Layout, turn.Behaviour)
}

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// TestGoldenLogOfThisVersion: a replay of the stored log of the present layout and behaviour gives
// the same bytes. If a change of the code breaks this test, old campaigns would be rebuilt
// differently. Then increase turn.Behaviour by one, and run
//
//	go test ./campaign -run TestGoldenLogOfThisVersion -update
//
// to write a log of the new behaviour. The older logs stay and can always be read (CA-36).
func TestGoldenLogOfThisVersion(t *testing.T) {
	t.Parallel()
	path := goldenName() + ".jsonl"
	if _, err := os.Stat(path); err != nil && updating() {
		var log strings.Builder
		for _, entry := range entries(t, uncut(t).records...) {
			log.Write(entry.Data)
			log.WriteByte('\n')
		}
		for path, text := range map[string]string{path: log.String(), goldenName() + ".campaign.json": uncut(t).bytes + "\n"} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run this test with -update to write it", err)
	}
	played, err := campaign.Rebuild(sagaGame(t), listed(entriesOf(t, data)))
	if err != nil {
		t.Fatalf("layout.Behaviour has to go up: %v", err)
	}
	whole, err := os.ReadFile(goldenName() + ".campaign.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, played) + "\n"; got != string(whole) {
		t.Error("layout.Behaviour has to go up: the campaign at the end is another one")
	}
}
