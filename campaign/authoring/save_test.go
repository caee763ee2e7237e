package authoring

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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

// TestEditKeepsBytes: an edit changes one part of the root and nothing else, also no blank lines, and it
// indents lists like the file.
func TestEditKeepsBytes(t *testing.T) {
	t.Parallel()
	const before = "# top\n\ntitle:   T   # the title\n\n\n# who plays\ncharacters:\n\n  - {character_id: ren, hp: {current: 5,  max: 8}}\n" +
		"  # second\n  - character_id: ann\n    background: |\n      Ends like\n      # a comment\n\n# where\nmap:\n  areas:\n    -   {id: inn}\nseed: 1"
	for _, c := range []struct {
		at       string
		value    tree.Value
		old, new string
	}{
		{"seed", tree.Int(2), "seed: 1", "seed: 2\n"},
		{"title", tree.Text("旧： # x"), "title:   T   # the title", "title: '旧： # x' # the title"},
		{"title", tree.Value{}, "title:   T   # the title\n", ""},
		{"seed", tree.Value{}, "seed: 1", ""},
		{"map.areas[0].id", tree.Text("yard"), "    -   {id: inn}", "    - {id: yard}"},
		{"map", tree.Value{}, "# where\nmap:\n  areas:\n    -   {id: inn}\n", ""},
		{"goal", tree.Text("Find it."), "seed: 1", "seed: 1\ngoal: Find it.\n"},
		{"characters[1].background", tree.Text("x"), "\n\n  - {character_id: ren, hp: {current: 5,  max: 8}}\n  # second\n  - character_id: ann\n    background: |\n      Ends like\n      # a comment\n",
			"\n  - {character_id: ren, hp: {current: 5, max: 8}}\n  # second\n  - character_id: ann\n    background: x\n"},
	} {
		g, _ := Load(folder(map[string]string{"game.yaml": before}))
		g, problems := g.Edit("game.yaml", c.at, c.value)
		if got, want := string(g.files["game.yaml"].data), strings.Replace(before, c.old, c.new, 1); got != want || problems.Err() != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.at, problems, got, want)
		}
	}
}

// TestEditDottedNames: an edit takes quoted names, and the unquoted paths of problems.
func TestEditDottedNames(t *testing.T) {
	t.Parallel()
	const before = "x:\n  a.b: {c.d: 1}\n  a: {b: {k: 2}}\n"
	for _, c := range []struct {
		at, old, new string
	}{
		{`x["a.b"]["c.d"]`, "c.d: 1", "c.d: 9"},
		{"x.a.b.c.d", "c.d: 1", "c.d: 9"},
		{"x.a.b.k", "k: 2", "k: 9"},
		{"x.a.b", "a: {b: {k: 2}}", "a: {b: 9}"},
		{`x["a.b"]`, "a.b: {c.d: 1}", "a.b: 9"},
		{`x["a.b"].n`, "{c.d: 1}", "{c.d: 1, n: 9}"},
		{`x["n.m"]`, "  a: {b: {k: 2}}\n", "  a: {b: {k: 2}}\n  n.m: 9\n"},
	} {
		g, _ := Load(folder(map[string]string{"game.yaml": before, "game.json": "{}"}))
		g, _ = g.Edit("game.yaml", c.at, tree.Int(9))
		if got, want := string(g.files["game.yaml"].data), strings.Replace(before, c.old, c.new, 1); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.at, got, want)
		}
	}
	g, _ := Load(folder(map[string]string{"game.json": `{"a.b": {"c": 1}}`}))
	g, _ = g.Edit("game.json", "a.b.c", tree.Int(9))
	if got := string(g.files["game.json"].data); !strings.Contains(got, `"c": 9`) || strings.Contains(got, `"a":`) {
		t.Errorf("%s", got)
	}
}

// TestEditAliases: an edit below an alias changes a copy, and an edit of an anchor's value leaves the
// aliases with the old value.
func TestEditAliases(t *testing.T) {
	t.Parallel()
	const before = "a: &m\n  k: 1\n  in: {d: 4}\nb: *m # same\nc: *m\nd:\n  <<: *m\n  z: 3\n"
	value := tree.Int(9)
	for _, c := range []struct {
		at    string
		value tree.Value
		want  string
	}{
		{"b.k", value, `{"a":{"k":1,"in":{"d":4}},"b":{"k":9,"in":{"d":4}},"c":{"k":1,"in":{"d":4}},"d":{"z":3,"k":1,"in":{"d":4}}}`},
		{"d.k", value, `{"a":{"k":1,"in":{"d":4}},"b":{"k":1,"in":{"d":4}},"c":{"k":1,"in":{"d":4}},"d":{"z":3,"k":9,"in":{"d":4}}}`},
		{"d.in.d", value, `{"a":{"k":1,"in":{"d":4}},"b":{"k":1,"in":{"d":4}},"c":{"k":1,"in":{"d":4}},"d":{"z":3,"in":{"d":9},"k":1}}`},
		{"a", value, `{"a":9,"b":{"k":1,"in":{"d":4}},"c":{"k":1,"in":{"d":4}},"d":{"z":3,"k":1,"in":{"d":4}}}`},
		{"a", tree.Value{}, `{"b":{"k":1,"in":{"d":4}},"c":{"k":1,"in":{"d":4}},"d":{"z":3,"k":1,"in":{"d":4}}}`},
		{"b", value, `{"a":{"k":1,"in":{"d":4}},"b":9,"c":{"k":1,"in":{"d":4}},"d":{"z":3,"k":1,"in":{"d":4}}}`},
		{"a.k", value, `{"a":{"k":9,"in":{"d":4}},"b":{"k":9,"in":{"d":4}},"c":{"k":9,"in":{"d":4}},"d":{"z":3,"k":9,"in":{"d":4}}}`},
	} {
		g, _ := Load(folder(map[string]string{"game.yaml": before}))
		g, _ = g.Edit("game.yaml", c.at, c.value)
		text := g.files["game.yaml"].data
		root := new(reading).parseYAML(text)
		if root == nil {
			t.Errorf("%s: not valid:\n%s", c.at, text)
		} else if got := string(root.appendJSON(nil)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s\n%s", c.at, got, c.want, text)
		}
	}
	g, _ := Load(folder(map[string]string{"game.yaml": before}))
	if _, problems := g.Edit("game.yaml", "d.k", tree.Value{}); problems.Err() == nil || !strings.Contains(problems[0].Text, "merge key") {
		t.Errorf("%v", problems)
	}
}

// TestRandomGamesAreKept: random games are the same after they are saved and loaded, also after an edit,
// whatever mix of JSON, YAML and comments their files are.
func TestRandomGamesAreKept(t *testing.T) {
	t.Parallel()
	edits := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 29))
		files, numbers := randomGame(r)
		g, problems := Load(folder(files))
		if problems.Err() != nil {
			t.Fatalf("seed %d: %v\n%v", seed, problems, files)
		}
		same := func(what string) {
			to := t.TempDir()
			if err := Save(openRoot(t, to), g); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, what, err)
			}
			again, problems := Load(os.DirFS(to))
			if problems.Err() != nil || again.Hash() != g.Hash() || !reflect.DeepEqual(again.Content.Rules, g.Content.Rules) || !reflect.DeepEqual(again.Setup, g.Setup) {
				t.Errorf("seed %d, %s: the game differs: %v\n%v", seed, what, problems, files)
			}
		}
		same("as it was")
		file := slices.Sorted(maps.Keys(numbers))[r.IntN(len(numbers))]
		before := string(g.files[file].data)
		edited, problems := g.Edit(file, numbers[file], tree.Int(int64(100+r.IntN(100))))
		if problems.Err() != nil {
			t.Fatalf("seed %d: %s: %v\n%s", seed, numbers[file], problems, before)
		}
		after := string(edited.files[file].data)
		kept := !isYAML(file) || strings.Count(after, "#") == strings.Count(before, "#") && strings.Count(after, "\n") == strings.Count(before, "\n")
		if after == before || !kept {
			t.Errorf("seed %d: the edit of %s:\n%s\n%s", seed, numbers[file], before, after)
		}
		g = edited
		same("edited")
		edits++
	}
	if edits < 200 {
		t.Errorf("%d edits", edits)
	}
}

// randomGame returns the files of a game, and the path of one number in each file.
func randomGame(r *rand.Rand) (files, numbers map[string]string) {
	files, numbers = map[string]string{}, map[string]string{}
	words := []string{"lamp", "灯塔", "oil: two", "# no comment", "yes", "\"quoted\"", "a\nb", "007", " blank "}
	add := func(name string, one func(i int) []tree.Member, number string) {
		n := 1 + r.IntN(3)
		var elements []tree.Value
		for i := range n {
			elements = append(elements, tree.Object(one(i)...))
		}
		numbers[name] = fmt.Sprintf("[%d].%s", r.IntN(n), number)
		if strings.HasSuffix(name, ".json") {
			files[name] = tree.Array(elements...).String()
			return
		}
		var b strings.Builder
		for _, e := range elements { // block style on the outside, flow style or block style inside
			start := "- "
			for key, v := range e.Members() {
				if r.IntN(3) == 0 {
					b.WriteString(map[bool]string{true: "# a remark\n", false: "  # a remark\n"}[start == "- "])
				}
				b.WriteString(start + key + ": " + v.String())
				if r.IntN(4) == 0 {
					b.WriteString(" # why")
				}
				b.WriteString("\n")
				start = "  "
			}
		}
		files[name] = b.String()
	}
	ending := func() string { return []string{".json", ".yaml"}[r.IntN(2)] }
	text := func() tree.Value { return tree.Text(words[r.IntN(len(words))]) }
	member := func(key string, v tree.Value) tree.Member { return tree.Member{Key: key, Value: v} }
	add("variables"+ending(), func(i int) []tree.Member {
		return []tree.Member{member("id", tree.Text(fmt.Sprint("v", i))), member("type", tree.Text("number")), member("defaultValue", tree.Int(int64(r.IntN(50)))),
			member("name", text())}
	}, "defaultValue")
	add("rules/a"+ending(), func(i int) []tree.Member {
		return []tree.Member{member("id", tree.Text(fmt.Sprint("r", i))), member("priority", tree.Int(int64(r.IntN(50)))), member("trigger", tree.Object(member("type", tree.Text("every-turn")))),
			member("actions", tree.Array(tree.Object(member("type", tree.Text("notify-player")), member("message", text()))))}
	}, "priority")
	files["books/town.json"] = `{"entries": {"0": {"uid": 0, "key": ["x"], "content": "y", "position": 0}}}`
	files["game.yaml"] = "title: " + text().String() + " # the name\nseed: " + fmt.Sprint(r.IntN(90)) + "\n"
	numbers["game.yaml"] = "seed"
	return files, numbers
}
