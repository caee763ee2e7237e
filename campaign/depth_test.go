package campaign_test

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestNoReplyNestsStateBeyondTheStore: a command that nests variables as deep as a document may
// be is refused as data. A state within a record is some levels deeper, so that it could not be
// stored, and the turn failed.
func TestNoReplyNestsStateBeyondTheStore(t *testing.T) {
	t.Parallel()
	game, problems := campaign.Compile(campaign.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	engine, err := campaign.NewEngine(campaign.Config{Game: game, Store: &memstore.Store{}, Model: llmtest.NewScripted(
		llmtest.Text("Hello. memory('free" + strings.Repeat(".a", tree.MaxDepth-4) + "', 'k', 1);"))})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := engine.Create(ctx, mill()); err != nil {
		t.Fatal(err)
	}
	outcome, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I look around."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(outcome.Turn.Text, "Hello.") {
		t.Errorf("shown: %q", outcome.Turn.Text)
	}
}
