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
// lore, and the earlier turns (SC-12).
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
	twice := strings.Replace(kobold, `"memory":`, `"memory": "Lost.", "memory":`, 1)
	if start, odd = imports.Parse([]byte(twice), imports.Options{}); odd.Err() != nil || len(odd.Of("duplicate")) != 1 || start.Content.People.Card.Description != "You are a miner." {
		t.Errorf("a member twice: %v, %+v", odd, start.Content.People.Card)
	}
	for what, file := range map[string]string{
		"a scenario":                   strings.Replace(scenario, `"title":`, `"title": "Lost", "title":`, 1),
		"a story of NovelAI":           `{"storyContainerVersion": 1, "metadata": {"title": "Lost", "title": "T"}, "content": {}}`,
		"a card that names a scenario": `{"name": "N", "name": "M", "description": "x", "first_mes": "Hi.", "extensions": {"x": {"scenarioVersion": 1}}}`,
	} {
		if _, odd := imports.Parse([]byte(file), imports.Options{}); odd.Err() != nil || len(odd.Of("duplicate")) != 1 {
			t.Errorf("a member twice in %s is reported once: %v", what, odd)
		}
	}
	for data, wrong := range map[string]string{
		scenario: "tags[1]",
		kobold:   "actions[4]",
		`{"scenarioVersion": 1, "title": 5, "author": null, "context": {}, "placeholders": "x", "lorebook": 3}`:                                       "context placeholders title lorebook",
		`{"gamestarted": false, "memory": ["x"], "actions": {}, "worldinfo": null}`:                                                                   "memory actions",
		`{"storyContainerVersion": 1, "metadata": {"title": []}, "content": {"context": [{"text": 1}], "story": {"fragments": [{"data": "A."}, 7]}}}`: "content.context[0].text metadata.title content.story.fragments[1]",
	} {
		start, odd := imports.Parse([]byte(data), imports.Options{})
		var paths []string
		for _, p := range odd.Of("wrong_type") {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); odd.Err() != nil || start.Content.People.Card == nil || got != wrong {
			t.Errorf("%s: %q, %v", data, got, odd.Err())
		}
	}
}

// TestNovelStories: a .story file of NovelAI is played with its memory, note, lore and earlier turns
// (SC-12).
func TestNovelStories(t *testing.T) {
	t.Parallel()
	story := func(inner string) []byte {
		return []byte(`{"storyContainerVersion": 1, "metadata": {"title": "The Tower", "description": "Mine.", "tags": ["dark"], "author": "N"}, "content": {` + inner + `,
			"context": [{"text": "A tower of stone."}, {"text": "Keep it dark.", "contextConfig": {"insertionPosition": -3}}],
			"lorebook": {"lorebookVersion": 5, "entries": [{"text": "The door is locked.", "displayName": "Door", "keys": ["door"], "enabled": true}]},
			"settings": {"model": "x"}}}`)
	}
	start, odd := imports.Parse(story(`"story": {"version": 2, "fragments": [{"data": "You stand ", "origin": "prompt"}, {"data": "before it.", "origin": "ai"},
		{"data": "\n> I knock.\n", "origin": "user"}, {"data": "Nobody ans", "origin": "ai"}, {"data": "wers.\n", "origin": "edit"}, {"data": "I call.", "origin": "user"}, 7]}`), imports.Options{ID: "s"})
	if err := odd.Err(); err != nil || len(odd.Of("not_used")) != 1 {
		t.Fatal(odd)
	}
	if turns := start.Setup.Turns; len(turns) != 2 || turns[0].UserInput != "I knock." || turns[0].Text != "Nobody answers." || turns[1].UserInput != "I call." || turns[1].Text != "" {
		t.Errorf("%d turns: %+v", len(turns), turns)
	}
	c := start.Content.People.Card
	if start.Setup.Greeting != "You stand before it." || c.Name != "The Tower" || c.CreatorNotes != "Mine." || c.Creator != "N" || len(c.Tags) != 1 {
		t.Errorf("opens with %q, %+v", start.Setup.Greeting, c)
	}
	prompt := promptOf(talked(t, start, "It opens."), 0)
	for _, want := range []string{"A tower of stone.", "Keep it dark.", "You stand before it.", "I knock.", "Nobody answers."} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
	start, odd = imports.Parse(story(`"story": {"text": "All of it."}, "document": "AAAA"`), imports.Options{})
	if start.Setup.Greeting != "All of it." || len(odd.Of("not_used")) != 2 || odd.Err() != nil {
		t.Errorf("a text alone opens with %q: %v", start.Setup.Greeting, odd)
	}
	has(t, "a text alone", told(t, played(t, start), "I try the door."), map[string]bool{"The door is locked.": true, "All of it.": true})
	start, odd = imports.Parse(story(`"document": "AAAA"`), imports.Options{})
	if found := odd.Of("not_used"); start.Setup.Greeting != "" || len(found) != 2 || !strings.Contains(found[1].Text, "without its text") {
		t.Errorf("a newer file opens with %q: %v", start.Setup.Greeting, odd)
	}
	if _, odd := imports.Parse([]byte(`{"content": {"about": "storyContainerVersion", "story": {"text": "Once."}}, "note": {"storyContainerVersion": 1}}`), imports.Options{}); odd.Err() == nil {
		t.Errorf("a file that only mentions the version is read as a story: %v", odd)
	}
	for _, data := range []string{`{"storyContainerVersion": 1, "content": {}}`, `{"storyContainerVersion": 1, "metadata": 3, "content": {"story": {"fragments": [{}, {"data": 4, "origin": "user"}]}, "context": 5, "lorebook": []}}`} {
		start, odd := imports.Parse([]byte(data), imports.Options{})
		if odd.Err() != nil || start.Content.People.Card.Name != "Story" || len(start.Setup.Turns) != 0 {
			t.Errorf("%s: %v", data, odd)
		}
	}
}
