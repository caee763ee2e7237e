package sqlite_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestFileGrowsWithWhatIsSaid checks that a file with four times as many turns has four times the
// bytes and no more, after Trim and Compact (ST-12).
func TestFileGrowsWithWhatIsSaid(t *testing.T) {
	const turns = 80
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{Relaxed: true})
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	empty := size(t, path)
	model := llmtest.NewScripted()
	for range 16 * turns {
		model.Add(llmtest.Text(strings.Repeat("Dust falls on the stones of the hall. ", 8)))
	}
	g, problems := game.Compile(game.Content{})
	e, err := campaign.New(campaign.Config{Game: g, Store: s, Model: model})
	if err := errors.Join(problems.Err(), err); err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), state.Setup{ID: "mill", Settings: setting.Snapshot{"context.full_context_enabled": tree.Bool(false)},
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	played := 0
	for _, upTo := range []int{turns, 4 * turns, 7 * turns} {
		for ; played < upTo; played++ {
			o, err := e.Turn(t.Context(), "mill", turn.Submit{Text: "I wait."})
			if err := errors.Join(err, o.Err()); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(s.Trim(t.Context(), "mill"), s.Compact(t.Context())); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, size(t, path))
	}
	t.Logf("%d bytes after %d, %d and %d turns", sizes, turns, 4*turns, 7*turns)
	// The same number of turns takes the same space, early and late.
	if early, late := sizes[1]-sizes[0], sizes[2]-sizes[1]; late*100 > early*115 || late <= 0 {
		t.Errorf("%d turns take %d bytes, and later %d", 3*turns, early, late)
	}
	if listed, err := s.List(t.Context(), campaign.Page{}); err != nil || len(listed) != 1 || listed[0].Version != int64(played+1) {
		t.Errorf("listed as %+v, %v", listed, err)
	}
	if err := errors.Join(s.Delete(t.Context(), "mill"), s.Compact(t.Context())); err != nil {
		t.Fatal(err)
	}
	if left := size(t, path); left > empty {
		t.Errorf("%d bytes are left of %d, an empty file has %d", left, sizes[2], empty)
	}
}
