package campaign_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowthOfWhatIsStored: reading an export, pages of a log and logs of older layouts takes time
// linear in their size.
func TestGrowthOfWhatIsStored(t *testing.T) {
	g := compile(t, game.Content{})
	start, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	first := string(summed(fmt.Appendf(nil, `{"layout":1,"version":1,"kind":"create","campaign":%s}`, jsonOf(t, start)))) + "\n"
	// export returns a complete export of the records of a text, with the checksum.
	export := func(records string) string {
		text, n := `{"talewright_export":1,"campaign_id":"cave"}`+"\n"+records, strings.Count(records, "\n")
		sum := sha256.Sum256([]byte(text))
		return text + fmt.Sprintf(`{"records":%d,"sha256":%q}`+"\n", n, hex.EncodeToString(sum[:]))
	}
	imported := func(text string) {
		e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: scripted()})
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = e.Import(t.Context(), strings.NewReader(text))
	}
	testkit.Growth(t,
		testkit.Reader{Name: "an import", Read: imported, Atoms: []testkit.Atom{
			testkit.Repeat("x"), testkit.Repeat("\n"), testkit.Repeat("{}\n"),
			{Head: `{"talewright_export":1,"campaign_id":"`, Open: `a`, Tail: `"}`},
			{Head: `{"talewright_export":1,"campaign_id":"cave"}` + "\n" + first, Open: `{"layout":1,"version":2,"kind":"x"}` + "\n"},
			testkit.Nest(`{"talewright_export":1,"campaign_id":"cave","x":[`, "", "]}"),
		}},
		testkit.Reader{Name: "an import of many records", Size: 2 << 10, Read: func(text string) {
			var records strings.Builder
			records.WriteString(first)
			for v := range strings.Count(text, "n") {
				records.Write(summed(fmt.Appendf(nil, `{"layout":1,"version":%d,"kind":"x","delta":[{"path":["version"],"value":%d}]}`, v+2, v+2)))
				records.WriteByte('\n')
			}
			imported(export(records.String()))
		}, Atoms: []testkit.Atom{testkit.Repeat("next record; ")}},
		testkit.Reader{Name: "a page", Read: func(text string) {
			var page state.ArchivePage
			var index state.ArchiveIndex
			_, _ = json.Unmarshal([]byte(text), &page), json.Unmarshal([]byte(text), &index)
			_ = index.Find(func(state.ArchiveRef) bool { return true }, func(int64) (state.ArchivePage, error) { return page, nil },
				func(p state.ArchivePage) bool { _, _ = p.Branch("a", new(any)); return false })
		}, Atoms: []testkit.Atom{
			{Head: `{"jumps":[`, Open: `[3,1],`, Tail: `[5,2]]}`},
			{Head: `{"rewritten":{`, Open: `"turn_0001":4,`, Tail: `"turn_0002":5}}`},
			{Head: `{"branches":{`, Open: `"a":{"snapshot_ref":"state_1"},`, Tail: `"b":{}}}`},
			{Head: `{"pages":[`, Open: `{"version":4,"jumps":1},`, Tail: `{"version":9,"branches":2}]}`},
		}},
		testkit.Reader{Name: "a log", Read: func(text string) {
			log := []campaign.Entry{{Version: 1, Kind: "create", Data: []byte(strings.TrimSpace(first))}}
			for line := range strings.Lines(text) {
				n := int64(len(log) + 1)
				log = append(log, campaign.Entry{Version: n, Kind: "x",
					Data: summed(fmt.Appendf(nil, `{"layout":1,"version":%d,"kind":"x",%s`, n, strings.TrimSpace(line)))})
			}
			if _, err := campaign.Restore(campaign.Saved{Entries: log}); err != nil {
				t.Errorf("%d records: %v", len(log), err)
			}
		}, Atoms: []testkit.Atom{
			testkit.Repeat(`"delta":[{"path":["title"],"value":"x"}]}` + "\n"),
			testkit.Repeat(`"turn":{"turn_id":"turn_0002","parent_id":"turn_0000","index":1}}` + "\n"),
		}},
		testkit.Reader{Name: "a record of the past", Read: func(text string) {
			_, _ = campaign.Restore(campaign.Saved{Entries: []campaign.Entry{{Version: 1, Kind: "past", Data: summed([]byte(text))}}})
		}, Atoms: []testkit.Atom{
			{Head: `{"layout":1,"version":1,"kind":"past","turns":[`, Open: `{"turn_id":"turn_0001"},`, Tail: `{}]}`},
			{Head: `{"layout":1,"version":1,"kind":"past","turns":[{"trace":`, Open: `[`, Close: `]`, Tail: `}]}`},
		}},
	)
}
