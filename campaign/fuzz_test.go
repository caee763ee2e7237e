package campaign_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// FuzzInputs: inputs that can be read are written and read again with the same bytes. A machine
// that receives one does not panic, and does not change without a question.
func FuzzInputs(f *testing.F) {
	for _, a := range saga() {
		data, err := json.Marshal(turn.Inputs{a.in})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`[{"input":"submit","text":"x"},{"input":"replied","text":"{\"tool_calls\":[{}]}"},{"input":"committed"}]`))
	f.Add([]byte(`[{"input":"set_character","character_id":"ren","fields":{"hp":null,"attributes":[]}}]`))
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		f.Fatal(err)
	}
	start, err := turn.Begin(g, cave(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in turn.Inputs
		if err := json.Unmarshal(data, &in); err != nil {
			return
		}
		text := jsonOf(t, in)
		var again turn.Inputs
		if err := json.Unmarshal([]byte(text), &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second := jsonOf(t, again); second != text {
			t.Fatalf("first %s\nsecond %s", text, second)
		}
		m := turn.NewMachine(g, start)
		for _, input := range in {
			before := m.Phase()
			if err := m.Step(input); err != nil && m.Phase() != before {
				t.Errorf("%T was refused and led from %s to %s", input, before, m.Phase())
			}
			if m.Phase() != turn.Idle && describe(t, m) == string(m.Phase()) {
				t.Errorf("%s, but nothing is asked", m.Phase())
			}
		}
	})
}

// FuzzSetup: a setup is refused with a reason, or its campaign survives its JSON form and plays a
// turn.
func FuzzSetup(f *testing.F) {
	f.Add([]byte(caveSetup))
	files, err := filepath.Glob("testdata/conformance/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var doc struct {
			Cases []struct {
				Campaign json.RawMessage `json:"campaign"`
			} `json:"cases"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			f.Fatal(err)
		}
		for _, c := range doc.Cases[:1] { // one of each group: they are similar
			f.Add([]byte(c.Campaign))
		}
	}
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s state.Setup
		if err := json.Unmarshal(data, &s); err != nil {
			return
		}
		c, err := turn.Begin(g, s)
		if err != nil {
			if err.Error() == "" {
				t.Error("refused without a word")
			}
			return
		}
		text := jsonOf(t, c)
		var again state.Campaign
		if err := json.Unmarshal([]byte(text), &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second := jsonOf(t, again); second != text {
			t.Fatalf("first %s\nsecond %s", text, second)
		}
		m := turn.NewMachine(g, c)
		if err := m.Step(turn.Submit{Text: "I wait."}); err != nil {
			t.Fatal(err)
		}
		if m.Todo().Generate == nil {
			return // refused, or a different question
		}
		if err := m.Step(turn.Replied{Text: "Dust falls."}); err != nil {
			t.Fatal(err)
		}
		if m.Todo().Commit == nil {
			return
		}
		rec := *m.Todo().Commit
		if err := m.Step(turn.Committed{}); err != nil {
			t.Fatal(err)
		}
		stored, err := campaign.Restore(campaign.Saved{Snapshot: []byte(text),
			SnapshotVersion: c.Version, Entries: entries(t, rec)})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := jsonOf(t, stored), jsonOf(t, m.Campaign()); got != want {
			t.Fatalf("live %s\nstored %s", want, got)
		}
	})
}
