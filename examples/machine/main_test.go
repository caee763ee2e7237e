package main

import (
	"errors"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

func Example() {
	main()
	// Output:
	// died at "generate"
	// died at "commit"
	// show: The door is heavy. You step into the Mill.
	// do: notify-player because of hooks
	// retries: 1 - Ann is in the mill
	// the log leads to the same campaign, byte for byte
}

// newHost returns a host that never dies, and a machine for a campaign with one character.
func newHost(t *testing.T, replies ...llmtest.Reply) (host, *turn.Machine) {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	h := host{model: llmtest.NewScripted(replies...), store: &campaign.MemoryStore{},
		checkpoint: func(turn.Inputs) error { return nil }}
	m, err := h.create(t.Context(), g, state.Setup{ID: "c", Characters: []state.Character{
		{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	if err != nil {
		t.Fatal(err)
	}
	return h, m
}

// TestModelFails checks that a model that cannot be reached ends the turn, that nothing is stored,
// and that the outcome says whether a retry helps.
func TestModelFails(t *testing.T) {
	h, m := newHost(t, llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true}))
	todo, err := h.play(t.Context(), m, turn.Submit{Text: "Hello?"})
	if err != nil {
		t.Fatal(err)
	}
	failure, ok := errors.AsType[*turn.Failure](todo.Outcome.Err())
	if !ok || !failure.Retry || string(failure.Code) != string(llm.CodeOverloaded) {
		t.Errorf("the outcome is %v", todo.Outcome)
	}
	if version := m.Campaign().Version; version != 1 {
		t.Errorf("the campaign is at version %d", version)
	}
}

// TestLostRace checks that a commit of a second machine is not overwritten.
func TestLostRace(t *testing.T) {
	h, m := newHost(t, llmtest.Text("Rain."), llmtest.Text("Sun."))
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	other, err := h.load(t.Context(), g, "c")
	if err != nil {
		t.Fatal(err)
	}
	for i, machine := range []*turn.Machine{m, other} {
		todo, err := h.play(t.Context(), machine, turn.Submit{Text: "How is the weather?"})
		if err != nil {
			t.Fatal(err)
		}
		if got := todo.Outcome.Status; got != []turn.OutcomeStatus{turn.Completed, turn.Failed}[i] {
			t.Errorf("machine %d: %v", i, todo.Outcome)
		}
	}
	c, err := campaign.Rebuild(g, h.store.Records(t.Context(), "c", 0))
	if err != nil || c.Version != 2 {
		t.Errorf("the log has version %d: %v", c.Version, err)
	}
}
