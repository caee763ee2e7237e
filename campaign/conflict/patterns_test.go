package conflict_test

import (
	"os"
	"path/filepath"
	"slices"
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
	plain, asked, missed := 0, 0, 0
	for line := range strings.Lines(string(data)) {
		kind, text, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		all := conflict.Detect(text, nil, view, conflict.Options{})
		found := blocks(all)
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
		questions := conflict.Suspect(conflict.Read(text, nil, view), all, conflict.Options{})
		switch {
		case hit:
			plain++
		case len(found) > 0:
			t.Errorf("%s: got %v, want %s…", text, found, prefix)
		case slices.ContainsFunc(questions, func(q conflict.Question) bool { return strings.HasPrefix(askFamily(q.Kind)+"_", prefix) }):
			asked++
		default:
			missed++
		}
	}
	t.Logf("%d found by reading, %d asked, %d missed", plain, asked, missed)
	if sum := plain + asked + missed; missed*100 > maxMissed*sum {
		t.Errorf("%d of %d sentences are neither found nor asked about, at most %d in a hundred may be", missed, sum, maxMissed)
	}
}

// maxMissed is the maximum number of sentences in a hundred that are neither found nor asked about.
const maxMissed = 12
