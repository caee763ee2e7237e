package campaign_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// forksOf lists a page of forks, and the IDs of campaigns that cannot be read.
func forksOf(t *testing.T, e *campaign.Engine, page campaign.Page) (list []string) {
	t.Helper()
	for f, err := range e.Forks(t.Context(), page) {
		switch {
		case err != nil && f.ID == "":
			t.Fatal(err)
		case err != nil:
			list = append(list, f.ID+" cannot be read")
		default:
			list = append(list, f.ID+" from "+f.From.CampaignID+" "+f.From.TurnID)
		}
	}
	return list
}

// TestForks: forks of all campaigns are listed with their origin, by pages. Length and codec do not
// matter, and the origin may be deleted. A campaign that cannot be read does not hide the others.
func TestForks(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Store: store, Codec: rot{}, Model: scripted("One.", "Two.")})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	turnOf(t, e, turn.Submit{Text: "I wait on."})
	fork := func(from, turnID, id string) {
		t.Helper()
		c, err := e.Fork(t.Context(), from, turnID, id)
		loaded, loadErr := e.Campaign(t.Context(), id)
		if err = errors.Join(err, loadErr); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(jsonOf(t, loaded.Snapshots), jsonOf(t, c.Snapshots)); from != "long" && (diff != "" || len(c.Snapshots) == 0) {
			t.Errorf("the states of the fork (-loaded +returned):\n%s", diff)
		}
		if diff := cmp.Diff(jsonOf(t, loaded), jsonOf(t, c)); diff != "" {
			t.Errorf("the fork %s (-loaded +returned):\n%s", id, diff)
		}
	}
	long := cave(t, `{"settings": {"context.full_context_enabled": false}}`)
	long.ID = "long"
	for i := range 400 {
		long.Turns = append(long.Turns, state.Turn{UserInput: fmt.Sprint("line ", i), Text: "Dust."})
	}
	last, err := e.Create(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	fork("cave", "turn_0001", "a")
	fork("a", "turn_0001", "b")
	fork("long", last.State.HeadTurnID, "b long")
	fork("cave", "turn_0002", "c")
	fork("cave", "turn_0002", "gone")
	fork("b", "turn_0001", "z")
	for entry, err := range store.Records(t.Context(), "b long", 0) {
		if err != nil || entry.Kind != string(turn.RecordPast) {
			t.Errorf("the log of a long fork begins with %s, %v", entry.Kind, err)
		}
		break
	}
	if err := errors.Join(store.Delete(t.Context(), "gone"), store.Delete(t.Context(), "b")); err != nil {
		t.Fatal(err)
	}
	if err := store.Append(t.Context(), "junk", campaign.Entry{Version: 1, Kind: string(turn.RecordCreate), Data: []byte("{")}, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 120 { // more than are requested at once
		if err := store.Append(t.Context(), fmt.Sprintf("d%03d", i), campaign.Entry{Version: 1, Kind: string(turn.RecordPast)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"a from cave turn_0001", "b long from long " + last.State.HeadTurnID, "c from cave turn_0002",
		"junk cannot be read", "z from b turn_0001"}
	for _, c := range []struct {
		page campaign.Page
		want []string
	}{
		{campaign.Page{}, all},
		{campaign.Page{Limit: 2}, all[:2]},
		{campaign.Page{After: "b long"}, all[2:]},
		{campaign.Page{Prefix: "b"}, all[1:2]},
		{campaign.Page{Prefix: "d"}, nil},
	} {
		if got := forksOf(t, e, c.page); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.page, got, c.want)
		}
	}
}

// TestForkOverAnUnfinishedOne: an unfinished fork is completed by the same call, and only by it. Until
// then the campaign does not exist.
func TestForkOverAnUnfinishedOne(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Game: compile(t, game.Content{}), Model: campaign.NoModel, Store: withoutCreation{store}, Now: func() time.Time { return noon }}
	long := cave(t, `{"settings": {"context.full_context_enabled": false}}`)
	for i := range 400 {
		long.Turns = append(long.Turns, state.Turn{UserInput: fmt.Sprint("line ", i), Text: "Dust."})
	}
	whole := cfg
	whole.Store = store
	e, broken := fresh(t, whole), fresh(t, cfg)
	first, err := e.Create(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	other := long
	other.ID = "other"
	other.Turns = slices.Clone(long.Turns)
	other.Turns[0].Text = "Moss."
	if _, err := e.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	head := first.State.HeadTurnID
	if _, err := broken.Fork(t.Context(), "cave", head, "new"); !errors.Is(err, errDiskFull) {
		t.Fatal(err)
	}
	if _, err := e.Campaign(t.Context(), "new"); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("the unfinished fork: %v", err)
	}
	if _, err := e.Fork(t.Context(), "other", head, "new"); !errors.Is(err, campaign.ErrExists) {
		t.Errorf("a fork of a different campaign: %v", err)
	}
	short := cave(t)
	short.ID = "new"
	if _, err := e.Create(t.Context(), short); !errors.Is(err, campaign.ErrExists) {
		t.Errorf("a new campaign: %v", err)
	}
	fork, err := e.Fork(t.Context(), "cave", head, "new")
	if err != nil || fork.ForkedFrom.CampaignID != "cave" {
		t.Fatal(fork.ForkedFrom, err)
	}
	turns, err := listOf(e.History(t.Context(), "new", state.HistoryPage{Limit: 500}))
	if err != nil || len(turns) != len(long.Turns) {
		t.Errorf("the fork has %d turns, want %d; %v", len(turns), len(long.Turns), err)
	}
}
