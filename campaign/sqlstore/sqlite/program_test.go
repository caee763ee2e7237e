package sqlite_test

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm/llmtest"
)

// program returns an engine on a file, like in a separate program. Its model gives the replies. end
// ends the program.
func program(t *testing.T, path string, snapshotEvery int, replies ...string) (e *campaign.Engine, end func()) {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewScripted()
	for _, r := range replies {
		model.Add(llmtest.Text(r))
	}
	e, err = campaign.New(campaign.Config{Game: g, Store: s, Model: model,
		Codec: campaign.Deflate(), SnapshotEvery: snapshotEvery})
	if err != nil {
		t.Fatal(err)
	}
	return e, func() { _ = s.Close() }
}
