package campaign_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestTheDeepestVariablesAreKept: variables at the maximum depth are stored, played with, loaded
// and rebuilt. A command that would nest them deeper is refused as data.
func TestTheDeepestVariablesAreKept(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	nested := func(levels int) string {
		return `{"assa_data":{"free":` + strings.Repeat(`{"a":`, levels-2) + "1" + strings.Repeat("}", levels-1) + "}"
	}
	deepest := "free" + strings.Repeat(".a", tree.MaxDepth-3)
	config := campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(
		llmtest.Text("Hello. memory('"+deepest+"', 'k', 2);"), llmtest.Text("Hello. memory('"+deepest+".a', 'k', 3);"))}
	engine, err := campaign.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, setup := context.Background(), mill()
	if setup.Variables, err = tree.ParseDocument([]byte(nested(tree.MaxDepth))); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(ctx, setup); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I look around."})
		if err = cmp.Or(err, outcome.Err()); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(outcome.Turn.Text, "Hello.") {
			t.Errorf("shown: %q", outcome.Turn.Text)
		}
	}
	if engine, err = campaign.New(config); err != nil { // a second process
		t.Fatal(err)
	}
	c, err := engine.Campaign(ctx, "mill")
	if err != nil {
		t.Fatal(err)
	}
	path, err := tree.ParsePath("assa_data." + deepest)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.State.Variables.Lookup(path).String(); got != `{"a":1,"k":2}` {
		t.Errorf("the deepest node is %s", got)
	}
	if _, err := engine.Rebuild(ctx, "mill"); err != nil {
		t.Errorf("rebuilt: %v", err)
	}
	if err := json.Unmarshal([]byte(`{"id":"mill","variables":`+nested(tree.MaxDepth+1)+"}"), &setup); err == nil ||
		!strings.Contains(err.Error(), "variables") || !strings.Contains(err.Error(), "levels") {
		t.Errorf("variables that are too deep: %v", err)
	}
}
