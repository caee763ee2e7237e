package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// engine returns an engine on a store. Its model has enough replies.
func (e *exam) engine(store campaign.Store) *campaign.Engine {
	e.Helper()
	model := llmtest.NewScripted()
	for range 20 {
		model.Add(llmtest.Text("Dust falls."))
	}
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model, SnapshotEvery: 3,
		Now: func() time.Time { return entry(1, "").At }})
	e.must(errors.Join(problems.Err(), err), "New")
	return engine
}

// playTurn submits line n and returns the ID of its turn. The same n is the same submission.
func (e *exam) playTurn(engine *campaign.Engine, n int) string {
	e.Helper()
	o, err := engine.Turn(e.Context(), e.id, turn.Submit{Text: fmt.Sprint("line ", n), ClientTurnID: fmt.Sprint("c", n)})
	e.must(errors.Join(err, o.Err()), "turn %d", n)
	return o.Turn.ID
}

// playCampaign plays a campaign with two branches.
func (e *exam) playCampaign() *campaign.Engine {
	e.Helper()
	engine := e.engine(e.store)
	_, err := engine.Create(e.Context(), state.Setup{ID: e.id, Characters: []state.Character{
		{ID: "ren", Name: "Ren", HP: state.HP{Current: 5, Max: 5}}}})
	e.must(err, "Create")
	for n := range 4 {
		e.playTurn(engine, n)
	}
	_, err = engine.Do(e.Context(), e.id, turn.RollBack{To: "turn_0002"})
	e.must(err, "Rollback")
	e.playTurn(engine, 4) // on a second branch
	return engine
}

// rebuildJSON replays the log of a campaign, which must give the stored campaign, and returns it as
// JSON.
func (e *exam) rebuildJSON(engine *campaign.Engine, id string) string {
	e.Helper()
	c, err := engine.Rebuild(e.Context(), id)
	e.must(err, "Rebuild of %q", id)
	data, err := json.Marshal(c)
	e.must(err, "JSON")
	return string(data)
}

// testCampaign reads a campaign in a second process, forks it, exports it and imports it.
func testCampaign(e *exam) {
	engine := e.playCampaign()
	want := e.rebuildJSON(engine, e.id)
	if got := e.rebuildJSON(e.engine(e.second), e.id); got != want {
		e.Errorf("a second process reads a different campaign:\n%s\nwant\n%s", got, want)
	}
	fork := e.id + "/fork"
	_, err := engine.Fork(e.Context(), e.id, "turn_0003", fork)
	e.must(err, "Fork")
	e.rebuildJSON(engine, fork)
	var forks []campaign.Fork
	for f, err := range engine.Forks(e.Context(), campaign.Page{Prefix: e.id}) {
		e.must(err, "Forks")
		forks = append(forks, f)
	}
	e.wantEqual(forks, []campaign.Fork{{ID: fork, From: state.Origin{CampaignID: e.id, TurnID: "turn_0003"}}})
	var first, second bytes.Buffer
	e.must(engine.Export(e.Context(), e.id, &first), "Export")
	other := e.engine(&campaign.MemoryStore{})
	_, err = other.Import(e.Context(), bytes.NewReader(first.Bytes()))
	e.must(err, "Import into a different store")
	if got := e.rebuildJSON(other, e.id); got != want {
		e.Errorf("the imported campaign is different:\n%s\nwant\n%s", got, want)
	}
	if err := other.Export(e.Context(), e.id, &second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		e.Errorf("the export of the imported campaign has %d bytes and differs from the first export with %d bytes: %v", second.Len(), first.Len(), err)
	}
	_, err = engine.Import(e.Context(), &second)
	e.must(err, "Import of a campaign that exists")
	if got := e.rebuildJSON(engine, e.id); got != want {
		e.Errorf("an import of the existing campaign changed it:\n%s\nwant\n%s", got, want)
	}
}

// testRestartCampaign continues a campaign after a restart of the store.
func testRestartCampaign(e *exam) {
	want := e.rebuildJSON(e.playCampaign(), e.id)
	e.restart()
	engine := e.engine(e.store)
	if got := e.rebuildJSON(engine, e.id); got != want {
		e.Errorf("the campaign is different after a restart:\n%s\nwant\n%s", got, want)
	}
	if id := e.playTurn(engine, 1); id != "turn_0002" {
		e.Errorf("a repeated submission has the turn %s after a restart, want turn_0002", id)
	}
	_, err := engine.Do(e.Context(), e.id, turn.SwitchBranch{BranchID: "main"})
	e.must(err, "SwitchBranch to the first branch")
	if id := e.playTurn(engine, 5); id != "turn_0006" {
		e.Errorf("the next turn is %s, want turn_0006", id)
	}
	e.rebuildJSON(engine, e.id)
}
