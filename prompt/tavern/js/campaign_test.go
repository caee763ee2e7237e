package js_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/tavern/js"
)

// scripted is a card whose lore and second greeting have templates of tier engine.
const scripted = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Orin", "description": "A smith.", "first_mes": "Hm.",
  "alternate_greetings": ["<% class Hail { say() { return incvar('hails') } } %>Hail <%= new Hail().say() %>."],
  "character_book": {"entries": [{"keys": ["lamp"], "enabled": true, "insertion_order": 1, "extensions": {},
    "content": "<% class Lamp { lit() { return incvar('visits') } } %>The lamp was lit <%= new Lamp().lit() %> times."}]}}}`

// TestCampaignPlaysEngineTemplates: with the engine, a campaign plays a template with a class and
// keeps its stored values. Without it the text is reported and not in the prompt (SC-03, SC-04).
func TestCampaignPlaysEngineTemplates(t *testing.T) {
	for _, with := range []bool{true, false} {
		start, problems := imports.Parse([]byte(scripted), imports.Options{ID: "smithy", Player: "Mara", Chat: true})
		if problems.Err() != nil {
			t.Fatal(problems)
		}
		if with {
			start.Content.Extensions.Engine = js.New(js.Options{})
		}
		g, problems := game.Compile(start.Content)
		if told := len(problems.Of("template_needs")) > 0; problems.Err() != nil || told == with {
			t.Errorf("with %t: %v", with, problems)
		}
		model := llmtest.NewScripted(llmtest.Text("He nods."), llmtest.Text("He nods."))
		store := &campaign.MemoryStore{}
		engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Create(t.Context(), start.Setup); err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Do(t.Context(), "smithy", turn.Choose{Greeting: new(1)}); err != nil {
			t.Fatal(err)
		}
		if c, err := engine.Campaign(t.Context(), "smithy"); err != nil || (c.State.Greeting == "Hail 1.") != with {
			t.Errorf("with %t: %q, %v", with, c.State.Greeting, err)
		}
		for range 2 {
			if out, err := engine.Turn(t.Context(), "smithy", turn.Submit{ActorID: "player", Text: "I look at the lamp."}); err != nil || out.Err() != nil {
				t.Fatal(err, out.Err())
			}
		}
		if _, err := engine.Rebuild(t.Context(), "smithy"); err != nil {
			t.Errorf("with %t: %v", with, err)
		}
		if with { // the output is in the record: a rebuild needs no engine
			start.Content.Extensions.Engine = nil
			bare, _ := game.Compile(start.Content)
			if _, err := campaign.Rebuild(bare, store.Records(t.Context(), "smithy", 0)); err != nil {
				t.Error(err)
			}
		}
		for i, r := range model.Requests() {
			var all strings.Builder
			for _, m := range r.Messages {
				all.WriteString(m.Text + "\n")
			}
			want := []string{"The lamp was lit 1 times.", "The lamp was lit 2 times."}[i]
			if got := strings.Contains(all.String(), want); got != with || strings.Contains(all.String(), "<%") {
				t.Errorf("with %t, request %d:\n%s", with, i, &all)
			}
		}
	}
}
