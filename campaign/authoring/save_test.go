package authoring

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// TestSaveIsTheIdentity: what is loaded and saved is loaded again as the same game, byte for byte.
func TestSaveIsTheIdentity(t *testing.T) {
	t.Parallel()
	for _, dir := range games {
		g, problems := Load(os.DirFS(dir))
		to := t.TempDir()
		if err := Save(openRoot(t, to), g); err != nil || problems.Err() != nil {
			t.Fatal(err, problems)
		}
		for name, f := range g.files {
			if f.kind == "" {
				continue
			}
			want, _ := os.ReadFile(filepath.Join(dir, name))
			if have, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(have) != string(want) {
				t.Errorf("%s/%s: %v", dir, name, err)
			}
		}
		again, _ := Load(os.DirFS(to))
		if again.Hash() != g.Hash() || !reflect.DeepEqual(again.Setup, g.Setup) || !reflect.DeepEqual(again.Content.Rules, g.Content.Rules) {
			t.Errorf("%s: the game differs", dir)
		}
	}
}

// TestEdit: an edit changes one value. Comments, unknown members and the order of everything else stay.
func TestEdit(t *testing.T) {
	t.Parallel()
	before := "# The rules of the lamp.\n- id: light # its name\n  # when\n  trigger: {type: every-turn}\n  actions: []\n  colour: red # of a tool\n  priority: 5 # high\n- id: other\n  trigger: {type: manual}\n  actions: []\n"
	g, _ := Load(folder(map[string]string{"rules/lamp.yaml": before, "game.json": `{"title": "x", "mine": [1, 2], "seed": 1}`}))
	g, problems := g.Edit("rules/lamp.yaml", "[0].priority", tree.Int(7))
	if problems.Err() != nil || g.Content.Rules.Rules[0].Priority != 7 {
		t.Fatal(problems)
	}
	if want := strings.Replace(before, "priority: 5", "priority: 7", 1); string(g.files["rules/lamp.yaml"].data) != want {
		t.Errorf("%s", g.files["rules/lamp.yaml"].data)
	}
	g, _ = g.Edit("rules/lamp.yaml", "[1]", tree.Value{})
	g, _ = g.Edit("rules/lamp.yaml", "[0].name", tree.Text("two\nlines"))
	g, _ = g.Edit("game.json", "title", tree.Text("y"))
	if text := string(g.files["rules/lamp.yaml"].data); len(g.Content.Rules.Rules) != 1 || g.Content.Rules.Rules[0].Name != "two\nlines" || !strings.Contains(text, "# of a tool") || strings.Contains(text, "other") {
		t.Errorf("%s", text)
	}
	if text := string(g.files["game.json"].data); g.Setup.Title != "y" || text != "{\n  \"title\": \"y\",\n  \"mine\": [\n    1,\n    2\n  ],\n  \"seed\": 1\n}\n" {
		t.Errorf("%s", text)
	}
	for _, c := range [][2]string{{"rules/none.yaml", "a"}, {"rules/lamp.yaml", "[5].a"}, {"rules/lamp.yaml", "[9]"}, {"rules/lamp.yaml", ""}, {"rules/lamp.yaml", "a["}} {
		if same, problems := g.Edit(c[0], c[1], tree.Int(1)); problems.Err() == nil || same.Hash() != g.Hash() {
			t.Errorf("%v: %v", c, problems)
		}
	}
}
