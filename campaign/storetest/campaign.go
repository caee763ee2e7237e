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

// player is an exam that plays a campaign.
type player struct{ *exam }

// asPlayer returns the exam that runs with a player.
func asPlayer(run func(player)) func(*exam) { return func(e *exam) { run(player{e}) } }

// engine returns an engine on a store. Its model has enough replies.
func (e player) engine(store campaign.Store) *campaign.Engine {
	e.Helper()
	model := llmtest.NewScripted()
	for range 20 {
		model.Add(llmtest.Text("Dust falls."))
	}
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model, SnapshotEvery: 3,
		Now: func() time.Time { return entry(1, "").At }})
	if err := errors.Join(problems.Err(), err); err != nil {
		e.Fatalf("New: %v", err)
	}
	return engine
}

// say plays a turn and returns its ID.
func (e player) say(engine *campaign.Engine, n int) string {
	e.Helper()
	o, err := engine.Turn(e.Context(), e.id, turn.Submit{Text: fmt.Sprint("line ", n), ClientTurnID: fmt.Sprint("c", n)})
	if err := errors.Join(err, o.Err()); err != nil {
		e.Fatalf("turn %d: %v", n, err)
	}
	return o.Turn.ID
}

// begin plays a campaign with two branches.
func (e player) begin() *campaign.Engine {
	e.Helper()
	engine := e.engine(e.store)
	_, err := engine.Create(e.Context(), state.Setup{ID: e.id, Characters: []state.Character{
		{ID: "ren", Name: "Ren", HP: state.HP{Current: 5, Max: 5}}}})
	if err != nil {
		e.Fatalf("Create: %v", err)
	}
	for n := range 4 {
		e.say(engine, n)
	}
	if _, err := engine.Do(e.Context(), e.id, turn.RollBack{To: "turn_0002"}); err != nil {
		e.Fatalf("Rollback: %v", err)
	}
	e.say(engine, 4) // on a second branch
	return engine
}

// rebuilt returns a campaign as JSON. It checks that a replay of the log gives the same JSON.
func (e player) rebuilt(engine *campaign.Engine, id string) string {
	e.Helper()
	c, err := engine.Rebuild(e.Context(), id)
	if err != nil {
		e.Fatalf("Rebuild of %q: %v", id, err)
	}
	data, err := json.Marshal(c)
	if err != nil {
		e.Fatalf("%v", err)
	}
	return string(data)
}

// moveCampaign reads a campaign in a second process, forks it, exports it and imports it.
func moveCampaign(e player) {
	engine := e.begin()
	want := e.rebuilt(engine, e.id)
	if got := e.rebuilt(e.engine(e.beside), e.id); got != want {
		e.Errorf("a second process reads a different campaign:\n%s\nwant\n%s", got, want)
	}
	fork := e.id + "/fork"
	if _, err := engine.Fork(e.Context(), e.id, "turn_0003", fork); err != nil {
		e.Fatalf("Fork: %v", err)
	}
	e.rebuilt(engine, fork)
	var forks []campaign.Fork
	for f, err := range engine.Forks(e.Context(), campaign.Page{Prefix: e.id}) {
		if err != nil {
			e.Fatalf("Forks: %v", err)
		}
		forks = append(forks, f)
	}
	e.want(forks, []campaign.Fork{{ID: fork, From: state.Origin{CampaignID: e.id, TurnID: "turn_0003"}}})
	var first, second bytes.Buffer
	if err := engine.Export(e.Context(), e.id, &first); err != nil {
		e.Fatalf("Export: %v", err)
	}
	other := e.engine(&campaign.MemoryStore{})
	if _, err := other.Import(e.Context(), bytes.NewReader(first.Bytes())); err != nil {
		e.Fatalf("Import into a different store: %v", err)
	}
	if got := e.rebuilt(other, e.id); got != want {
		e.Errorf("the imported campaign is different:\n%s\nwant\n%s", got, want)
	}
	if err := other.Export(e.Context(), e.id, &second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		e.Errorf("the export of the imported campaign has %d bytes and differs from the first export with %d bytes: %v", second.Len(), first.Len(), err)
	}
	if _, err := engine.Import(e.Context(), &second); err != nil {
		e.Errorf("Import of a campaign that exists: %v", err)
	}
	if got := e.rebuilt(engine, e.id); got != want {
		e.Errorf("an import of the existing campaign changed it:\n%s\nwant\n%s", got, want)
	}
}

// restartCampaign continues a campaign after a restart of the store.
func restartCampaign(e player) {
	want := e.rebuilt(e.begin(), e.id)
	e.restart()
	engine := e.engine(e.store)
	if got := e.rebuilt(engine, e.id); got != want {
		e.Errorf("the campaign is different after a restart:\n%s\nwant\n%s", got, want)
	}
	if id := e.say(engine, 1); id != "turn_0002" {
		e.Errorf("a repeated submission has the turn %s after a restart, want turn_0002", id)
	}
	if _, err := engine.Do(e.Context(), e.id, turn.SwitchBranch{BranchID: "main"}); err != nil {
		e.Errorf("the first branch is gone: %v", err)
	}
	if id := e.say(engine, 5); id != "turn_0006" {
		e.Errorf("the next turn is %s, want turn_0006", id)
	}
	e.rebuilt(engine, e.id)
}
