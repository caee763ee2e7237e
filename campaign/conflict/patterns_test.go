package conflict_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// kindPrefixes are the short names of testdata/narrations/sentences.txt.
var kindPrefixes = map[string]string{
	"+hp": "hp_", "+life": "life_", "+loc": "location_", "+dice": "dice_", "+card": "card_",
	"+map": "map_", "+world": "world_", "+goal": "goal_",
}

// Sentences that must block with a claim of a kind, and similar ones that must not (CA-57).
func TestPatterns(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("testdata", "narrations", "sentences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	view := town()
	view.CheckAllowed = true
	view.Characters = append(view.Characters, conflict.Character{
		ID: "zhou", Name: "周伯", Aliases: []string{"Hazel"}, HP: conflict.HP{Max: 8}, AliveState: "dead", AreaID: "gate"})
	for line := range strings.Lines(string(data)) {
		kind, text, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		found := blocks(conflict.Detect(text, nil, view, conflict.Options{}))
		if kind == "-" {
			if len(found) > 0 {
				t.Errorf("%s: blocks with %v", text, found)
			}
			continue
		}
		prefix, known := kindPrefixes[kind]
		if !known {
			t.Fatalf("unknown kind %q", kind)
		}
		hit := false
		for k := range found {
			hit = hit || strings.HasPrefix(k.Kind, prefix)
		}
		if !hit {
			t.Errorf("%s: got %v, want %s…", text, found, prefix)
		}
	}
}
