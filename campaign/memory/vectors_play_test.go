package memory_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

var _ campaign.Memory = (*memory.Vectors)(nil)
var _ campaign.Tracker = (*memory.Vectors)(nil)

// TestInACampaign uses one set of vectors for the memories and the lore of a campaign (CA-43,
// WB-30).
func TestInACampaign(t *testing.T) {
	t.Parallel()
	mem := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
	book := worldbook.Book{Name: "main", Entries: []worldbook.Entry{
		{UID: "1", Keys: []string{"never"}, Content: "The king's sword glows.", Probability: 100},
		{UID: "2", Keys: []string{"never"}, Content: "Rain never ends.", Probability: 100}}}
	lore, err := mem.Lore(t.Context(), book)
	if err != nil {
		t.Fatal(err)
	}
	g, problems := game.Compile(game.Content{Lore: game.Lore{Retrieval: game.Retrieval{Depth: 1, Limit: 1}, Books: []worldbook.Attachment{{Book: book}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var prompt string
	e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Services: campaign.Services{Memory: mem, Retriever: lore},
		Model: llmtest.NewScripted(llmtest.Text("Hedda gives you a sword."), llmtest.Text("Fog rises."), llmtest.Text("It gleams.")),
		Observe: observe.Verbose(observe.Func(func(_ observe.Place, m observe.Moment) {
			if asked, ok := m.(observe.ModelAsked); ok {
				prompt = ""
				for _, m := range asked.Generation.Request.Messages {
					prompt += m.Message.Text + "\n"
				}
			}
		}))})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), state.Setup{ID: "c", Characters: []state.Character{{ID: "ren", Name: "Ren", HP: state.HP{Current: 5, Max: 5}}},
		Settings: setting.Snapshot{"context.full_context_enabled": tree.Bool(false), "context.recent_turns": tree.Int(1)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Hello there.", "Waiting.", "Where is my weapon?"} {
		if o, err := e.Turn(t.Context(), "c", turn.Submit{Text: line}); err != nil || o.Err() != nil {
			t.Fatal(err, o.Err())
		}
	}
	for _, want := range []string{"Turn 1: Hello there. Hedda gives you a sword.", "The king's sword glows."} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "Rain never ends.") {
		t.Error("lore that does not belong there")
	}
}
