package imports_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/imports"
)

const scenario = `{"scenarioVersion": 2, "title": "The Tower", "description": "For people.", "prompt": "You stand before %{color#1[red]:What color?} stones, ${hero}.",
  "author": "N", "tags": ["fantasy", 3], "context": [{"text": "A tower of ${color} stone. ${unknown}"},
    {"text": "Keep it dark.", "contextConfig": {"insertionPosition": -2}}],
  "placeholders": [{"key": "hero", "description": "Your name?", "defaultValue": "Ash"}], "settings": {"preset": "x"},
  "lorebook": {"lorebookVersion": 4, "entries": [{"text": "The door is locked.", "displayName": "Door", "keys": ["door"], "enabled": true}]}}`

const kobold = `{"gamestarted": true, "prompt": "A cave lies ahead.", "memory": "You are a miner.", "authorsnote": "short sentences", "anotetemplate": "[Style: <|>]",
  "actions": ["> go in\n", "It is dark.", "{{[INPUT]}}light a torch{{[OUTPUT]}}It burns.", "Bats fly.", 5],
  "worldinfo": [{"key": "bats,bat", "content": "Bats fear fire.", "selective": false, "constant": false}], "wifolders_d": {}, "wifolders_l": []}`

// TestStories: a scenario of NovelAI and a story of KoboldAI are played: memory, note, opening,
// lore, and the earlier turns.
func TestStories(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(scenario), imports.Options{ID: "s"})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if len(odd.Of("placeholder")) != 1 || len(odd.Of("not_used")) != 1 {
		t.Errorf("%v", odd)
	}
	if start.Setup.Greeting != "You stand before red stones, Ash." || start.Content.People.Card.Name != "The Tower" || len(start.Content.People.Card.Tags) != 1 {
		t.Errorf("opens with %q, %+v", start.Setup.Greeting, start.Content.People.Card)
	}
	has(t, "a scenario", told(t, played(t, start), "I try the door."), map[string]bool{
		"A tower of red stone. ${unknown}": true, "Keep it dark.": true, "The door is locked.": true, "For people.": false})

	start, odd = imports.Parse([]byte("\ufeff"+kobold), imports.Options{ID: "k"})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if turns := start.Setup.Turns; len(turns) != 2 || turns[0].UserInput != "go in" || turns[0].Text != "It is dark." ||
		turns[1].UserInput != "light a torch" || turns[1].Text != "It burns.\nBats fly." {
		t.Errorf("%d turns: %+v", len(turns), turns)
	}
	prompt := promptOf(talked(t, start, "They scatter."), 0)
	for _, want := range []string{"You are a miner.", "[Style: short sentences]", "A cave lies ahead.", "light a torch", "Bats fear fire."} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
	if start, odd = imports.Parse([]byte(`{"prompt": "p", "actions": [], "memory": ""}`), imports.Options{}); odd.Err() != nil || len(start.Content.Lore.Books) != 0 || start.Setup.Greeting != "p" {
		t.Errorf("a story without lore: %v, %+v", odd, start.Setup)
	}
	for _, data := range []string{`{"scenarioVersion": 1, "title": 5, "context": {}, "placeholders": "x", "lorebook": 3}`, `{"gamestarted": false, "actions": {}, "worldinfo": null}`} {
		start, odd := imports.Parse([]byte(data), imports.Options{})
		err := odd.Err()
		if err != nil || start.Content.People.Card.Name != "Story" {
			t.Errorf("%s: %v", data, err)
		}
	}
}
