package conflict_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
)

// detectorFile is detectors.json; the README has its schema.
type detectorFile struct {
	Format  string         `json:"format"`
	Fixture fixture        `json:"fixture"`
	Cases   []detectorCase `json:"cases"`
}

type detectorCase struct {
	ID          string     `json:"id"`
	Text        string     `json:"text"`
	ExpectBlock []kindOf   `json:"expect_block"`
	Overrides   *overrides `json:"overrides"`
}

// kindOf is the part of a conflict that a case compares.
type kindOf struct {
	Kind     string `json:"kind"`
	EntityID string `json:"entity_id"`
}

// fixture is the common view of the cases.
type fixture struct {
	ActorID     string               `json:"active_actor_id"`
	Party       []string             `json:"party_character_ids"`
	Characters  map[string]character `json:"characters"`
	Areas       map[string]area      `json:"areas"`
	Connections map[string][]string  `json:"connections"`
	Positions   map[string]string    `json:"positions"`
	Actions     []action             `json:"applied_actions"`
	Goal        conflict.Goal        `json:"goal"`
	Allowlist   []string             `json:"allowlist"`
}

type jsonObject = map[string]json.RawMessage

type character struct {
	Name       string         `json:"name"`
	Aliases    []string       `json:"aliases"`
	HP         conflict.HP    `json:"hp"`
	AliveState string         `json:"alive_state"`
	Attributes map[string]int `json:"attributes"`
}

type area struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Parent  string   `json:"parent"`
}

type action struct {
	Tool string `json:"tool"`
	Args struct {
		Actor  string `json:"actor_id"`
		Target string `json:"target_character_id"`
		Delta  int    `json:"delta"`
		To     string `json:"to_area_id"`
	} `json:"args"`
	Result struct {
		Applied     int    `json:"applied_delta"`
		After       int    `json:"hp_after"`
		AliveBefore string `json:"alive_before"`
		AliveAfter  string `json:"alive_after"`
		From        string `json:"from_area_id"`
		Roll        int    `json:"roll"`
		Total       int    `json:"total"`
	} `json:"result"`
}

// overrides replace parts of the fixture, characters field by field.
type overrides struct {
	Characters  map[string]jsonObject `json:"characters"`
	Positions   map[string]string     `json:"positions"`
	Actions     []action              `json:"applied_actions"`
	Goal        *conflict.Goal        `json:"goal"`
	Allowlist   []string              `json:"allowlist"`
	Actor       string                `json:"active_actor_id"`
	Areas       map[string]area       `json:"areas"`
	Party       []string              `json:"party_character_ids"`
	Connections map[string][]string   `json:"connections"`
}

// TestConformance runs the recorded detector cases (CA-20, CA-21, CA-22).
func TestConformance(t *testing.T) {
	suite := testkit.Suite{Dir: filepath.Join("testdata", "conformance")}
	suite.Run(t, func(t *testing.T, name string, data []byte) []testkit.RecordedCase {
		var file detectorFile
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if file.Format != "campaign-detectors/1" {
			return nil
		}
		var out []testkit.RecordedCase
		for _, c := range file.Cases {
			out = append(out, testkit.RecordedCase{Name: c.ID, Run: func(t *testing.T) {
				view := file.Fixture.with(t, c.Overrides).view()
				got := blocks(conflict.Detect(c.Text, nil, view, conflict.Options{}))
				want := map[kindOf]bool{}
				for _, k := range c.ExpectBlock {
					want[k] = true
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s\nblocks (-want +got):\n%s", c.Text, diff)
				}
			}})
		}
		return out
	})
}

// blocks returns the set of blocking conflicts.
func blocks(conflicts []conflict.Conflict) map[kindOf]bool {
	out := map[kindOf]bool{}
	for _, c := range conflicts {
		if c.Severity == conflict.Block {
			out[kindOf{c.Kind, c.EntityID}] = true
		}
	}
	return out
}

// with returns the fixture with a case's overrides.
func (f fixture) with(t *testing.T, o *overrides) fixture {
	if o == nil {
		return f
	}
	f.Characters = maps.Clone(f.Characters)
	for id, fields := range o.Characters {
		data, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		c := f.Characters[id]
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		f.Characters[id] = c
	}
	f.Positions = maps.Clone(f.Positions)
	maps.Copy(f.Positions, o.Positions)
	if o.Actions != nil {
		f.Actions = o.Actions
	}
	if o.Goal != nil {
		f.Goal = *o.Goal
	}
	if o.Allowlist != nil {
		f.Allowlist = o.Allowlist
	}
	if o.Actor != "" {
		f.ActorID = o.Actor
	}
	if o.Connections != nil {
		f.Connections = o.Connections
	}
	if o.Party != nil {
		f.Party = o.Party
	}
	f.Areas = maps.Clone(f.Areas)
	maps.Copy(f.Areas, o.Areas)
	return f
}

// view turns a fixture into the package's view.
func (f fixture) view() conflict.View {
	v := conflict.View{
		ActorID:      f.ActorID,
		Party:        f.Party,
		Goal:         f.Goal,
		CheckAllowed: slices.Contains(f.Allowlist, "check"),
	}
	for _, id := range slices.Sorted(maps.Keys(f.Characters)) {
		c := f.Characters[id]
		out := conflict.Character{
			ID: id, Name: c.Name, Aliases: c.Aliases, HP: c.HP,
			AliveState: c.AliveState, AreaID: f.Positions[id],
		}
		for _, label := range slices.Sorted(maps.Keys(c.Attributes)) {
			out.Card = append(out.Card, conflict.CardField{
				Label: label, Value: fmt.Sprint(c.Attributes[label]),
			})
		}
		v.Characters = append(v.Characters, out)
	}
	for _, id := range slices.Sorted(maps.Keys(f.Areas)) {
		a := f.Areas[id]
		v.Areas = append(v.Areas, conflict.Area{
			ID: id, Name: a.Name, Aliases: a.Aliases, Parent: a.Parent,
		})
	}
	for _, from := range slices.Sorted(maps.Keys(f.Connections)) {
		for _, to := range f.Connections[from] {
			v.Connections = append(v.Connections, conflict.Connection{From: from, To: to})
		}
	}
	for _, a := range f.Actions {
		v.Actions = append(v.Actions, a.evidence())
	}
	return v
}

func (a action) evidence() conflict.Action {
	out := conflict.Action{Tool: a.Tool}
	switch a.Tool {
	case "hp_delta":
		out.HP = []conflict.HPChange{{
			CharacterID: a.Args.Target, Requested: a.Args.Delta,
			Effective: a.Result.Applied, After: a.Result.After,
		}}
		if a.Result.AliveBefore != a.Result.AliveAfter {
			out.Lives = []conflict.LifeChange{{
				CharacterID: a.Args.Target, Before: a.Result.AliveBefore, After: a.Result.AliveAfter,
			}}
		}
	case "move":
		out.Moves = []conflict.Move{{
			CharacterID: a.Args.Actor, From: a.Result.From, To: a.Args.To,
		}}
	case "check":
		out.Rolls = []conflict.Roll{{
			CharacterID: a.Args.Actor, Roll: a.Result.Roll, Total: a.Result.Total,
		}}
	}
	return out
}
