package imports_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
)

// harbour is a folder with every kind of file.
var harbour = map[string]string{
	"campaign.json": `{"campaign_id": "harbour", "characters": [{"character_id": "mara", "name": "Mara",
		"hp": {"current": 9, "max": 9}, "status": {"alive_state": "alive"}}]}`,
	"card.json": `{"name": "Orin", "first_mes": "Come in, {{user}}.", "description": "A keeper.", "personality": "",
		"scenario": "", "mes_example": ""}`,
	"book.json": `{"entries": {"0": {"uid": 0, "key": ["lamp"], "content": "The lamp is old.", "position": 0}}}`,
	"rules.json": `{"variables": [{"id": "oil", "type": "number", "default": 7}], "modules": [{"id": "cellar"}],
		"rules": [{"id": "r", "trigger": {"type": "every-turn"}, "conditions": [], "actions": [
			{"type": "modify-variable", "variableId": "oil", "operation": "add", "value": 1}]}],
		"reactions": [{"id": "x", "when": {"eventType": "turn:complete"}, "then": []}]}`,
	"hooks.json": `{"hooks": [{"id": "h", "name": "h", "event": "character.before_turn.started",
		"actions": [{"type": "prompt_inject", "content": "The moon watches."}]}]}`,
	"preset.json":  `{"names_behavior": 2}`,
	"scripts.json": `[{"scriptName": "s", "findRegex": "/quiet/g", "replaceString": "still", "placement": [1]}]`,
	"notes.txt":    "for the author",
}

func folder(changes ...string) fs.FS {
	files := fstest.MapFS{}
	for name, text := range harbour {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for i := 0; i < len(changes); i += 2 {
		files[changes[i]] = &fstest.MapFile{Data: []byte(changes[i+1])}
	}
	return files
}

// TestFolderVetsTheSetup: unread members of campaign.json are reported, and the story begins all
// the same.
func TestFolderVetsTheSetup(t *testing.T) {
	t.Parallel()
	changed := strings.Replace(harbour["campaign.json"], `"campaign_id"`, `"milestone": {"advance_policy": {"every": 5}}, "campaign_id"`, 1)
	start, odd := imports.ParseFolder(folder("campaign.json", changed), imports.Options{})
	if len(odd) != 1 || odd[0].Path != "campaign.milestone.advance_policy.every" {
		t.Fatal(odd)
	}
	played(t, start)
}

// TestFolder: the resulting game contains every file of a folder.
func TestFolder(t *testing.T) {
	t.Parallel()
	start, odd := imports.ParseFolder(folder(), imports.Options{})
	if len(odd) > 0 {
		t.Fatal(odd)
	}
	m := played(t, start)
	if got := m.Campaign().State.Greeting; got != "Come in, Mara." || m.Campaign().ID != "harbour" {
		t.Errorf("the story %s opens with %q", m.Campaign().ID, got)
	}
	asked := told(t, m, "I take the quiet lamp.")
	for _, want := range []string{"A keeper.", "The lamp is old.", `{"oil":7}`, "The moon watches.", "still lamp"} {
		if !strings.Contains(asked, want) {
			t.Errorf("%q is not in the prompt:\n%s", want, asked)
		}
	}
	if v := m.Campaign().State.Variables.Root().Get("oil").String(); v != "8" {
		t.Errorf("oil is %s, not 8", v)
	}
	if c := start.Content; c.Prompt.Preset == nil || len(c.Rules.Modules) != 1 || len(c.Rules.Reactions) != 1 {
		t.Errorf("something is left out: %+v", c)
	}
	text, textOdd := imports.ParseFolder(fstest.MapFS{
		"instruct.json": {Data: []byte(`{"input_sequence": "<u>", "output_sequence": "<a>"}`)},
		"context.json":  {Data: []byte(`{"story_string": "{{system}}", "chat_start": "==="}`)},
		"system.json":   {Data: []byte(`{"content": "Tell it darkly."}`)},
	}, imports.Options{Player: "Mara"})
	if err := textOdd.Err(); err != nil {
		t.Fatal(err)
	}
	master, masterOdd := imports.ParseFolder(fstest.MapFS{
		"master.json": {Data: []byte(`{"instruct": {"input_sequence": "<u>", "output_sequence": "<a>"}, "srw": {"value": "So"},
			"context": {"story_string": "{{system}}", "chat_start": "***"}, "sysprompt": {"content": "Tell it darkly."}}`)},
		"context.json": {Data: []byte(`{"story_string": "{{system}}", "chat_start": "==="}`)},
	}, imports.Options{Player: "Mara"})
	if err := masterOdd.Err(); err != nil {
		t.Fatal(err)
	}
	if p := masterOdd; len(p) != 1 || p[0].Path != "master.srw" {
		t.Errorf("the problems are %v", p)
	}
	asked = told(t, played(t, text), "I wait.")
	if one := told(t, played(t, master), "I wait."); one != asked {
		t.Errorf("the parts of a master export make another prompt:\n%s", one)
	}
	for _, want := range []string{"<u>I wait.", "===", "Tell it darkly."} {
		if !strings.Contains(asked, want) {
			t.Errorf("%q is not in the prompt:\n%s", want, asked)
		}
	}
}

// TestFolderMistakes: the mistakes of all files are reported at once, each with its file; broken
// JSON with line and column.
func TestFolderMistakes(t *testing.T) {
	t.Parallel()
	_, odd := imports.ParseFolder(folder("book.json", "{\n  \"entries\": {,}\n}", "rules.json", "{\"rules\": [}", "hooks.json", "雾[",
		"card.json", "{\"name\": ", "campaign.json", "[]", "preset.json", "{", "scripts.json", "nothing"), imports.Options{})
	err := odd.Err()
	for _, want := range []string{
		"book.json: line 2, column 15: broken JSON", "rules.json: line 1, column 12: broken JSON", "hooks.json: line 1, column 1: ",
		"card.json: line 1, column ", "campaign.json: ", "preset.json: line 1", "scripts.json: line 1",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told:\n%v", want, err)
		}
	}
	_, odd = imports.ParseFolder(folder("hooks.json", `[{"name": 7}]`, "scripts.json", `[{"findRegex": "/a/", "placement": "x"}]`), imports.Options{})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	parts := map[string]bool{}
	for _, p := range odd {
		parts[p.Path[:strings.IndexAny(p.Path+".", ".[(")]] = true
	}
	if !parts["hooks"] || !parts["scripts"] {
		t.Errorf("the problems are %v", odd)
	}
	for _, c := range []struct {
		name  string
		files fs.FS
		want  string
	}{
		{"an empty folder", fstest.MapFS{}, "no file of a campaign"},
		{"a folder in the place of a file", fstest.MapFS{"book.json/x": {}}, "book.json: cannot be read"},
		{"no folder", lost{&fs.PathError{Op: "open", Err: fs.ErrPermission}}, "cannot be read: permission denied"},
		{"no line", lost{errors.New("no line")}, "cannot be read: no line"},
		{"rules that are no list", folder("rules.json", `{"rules": 5}`), "rules: "},
		{"hooks that are no list", folder("hooks.json", `5`), "hooks: must be a list of hooks"},
		{"a preset in the place of a card", folder("card.json", `{"name": "x", "prompt_order": []}`), "card.json: this is a preset for chat completion, which begins no story"},
		{"a script in the place of a card", folder("card.json", `{"scriptName": "x", "findRegex": "/a/", "replaceString": ""}`), "card.json: this is a regex script"},
		{"scripts that are no list", folder("scripts.json", `5`), "scripts: "},
	} {
		start, odd := imports.ParseFolder(c.files, imports.Options{})
		err := odd.Err()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if !reflect.DeepEqual(start, imports.Start{}) {
			t.Errorf("%s: the start is not empty", c.name)
		}
	}
}

// lost is a file system that cannot be read.
type lost struct{ err error }

func (l lost) Open(string) (fs.File, error) { return nil, l.err }

// TestAddBook: a world book alone is enough for a story. Its name is the name in the file, or else
// the given one.
func TestAddBook(t *testing.T) {
	t.Parallel()
	start := imports.Begin(imports.Options{Player: "Mara"})
	if err := start.AddBook("nothing", []byte(`{"entries": {}}`)).Err(); err != nil || len(start.Content.Lore.Books) > 0 {
		t.Errorf("a book without entries: %v, %+v", err, start.Content.Lore.Books)
	}
	if odd := start.AddBook("lamps", []byte(harbour["book.json"])); len(odd) > 0 {
		t.Fatal(odd)
	}
	if got := start.Content.Lore.Books[0].Book.Name; got != "lamps" {
		t.Errorf("the book is called %q", got)
	}
	if asked := told(t, played(t, start), "I take the lamp."); !strings.Contains(asked, "The lamp is old.") {
		t.Errorf("the book is not in the prompt:\n%s", asked)
	}
	for text, want := range map[string]string{
		"{\n\"entries\": }":          "line 2, column 12: broken JSON",
		"[\n\"bell\" 5]":             "line 2, column 8: broken JSON",
		"entries:\n  - key: [bell\n": "YAML",
	} {
		if err := start.AddBook("b", []byte(text)).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestParseBook: a book alone begins a story, in JSON and in YAML (WB-49).
func TestParseBook(t *testing.T) {
	t.Parallel()
	for _, file := range []string{harbour["book.json"], "- name: lamp\n  keywords: [lamp]\n  content: The lamp is old.\n"} {
		start, odd := imports.Parse([]byte(file), imports.Options{Name: "lamps", Player: "Mara"})
		if odd.Err() != nil || len(start.Content.Lore.Books) != 1 || start.Content.Lore.Books[0].Book.Name != "lamps" {
			t.Fatalf("%s: %v", file, odd)
		}
		if asked := told(t, played(t, start), "I take the lamp."); !strings.Contains(asked, "The lamp is old.") {
			t.Errorf("%s: the book is not in the prompt:\n%s", file, asked)
		}
	}
}

// A folder with a card and a book is a campaign.
func ExampleParseFolder() {
	files := fstest.MapFS{ // os.DirFS(path) in a program
		"card.json": {Data: []byte(orin)},
		"book.json": {Data: []byte(`{"entries": {"0": {"uid": 0, "key": ["lamp"], "content": "It never goes out.", "position": 0}}}`)},
	}
	start, odd := imports.ParseFolder(files, imports.Options{ID: "first", Player: "Mara"})
	if err := odd.Err(); err != nil {
		log.Fatal(err) // one line for each file that cannot be used
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	c, err := turn.Begin(g, start.Setup)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.State.Greeting)
	// Output:
	// Come in, Mara.
}
