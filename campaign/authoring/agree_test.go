package authoring

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// validated returns the error of a validator of JSON Schema that others wrote, for a file of a kind.
func validated(t *testing.T, kind string, data []byte) error {
	t.Helper()
	schema := schemas()[kind].root.CloneSchemas()
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return resolved.Validate(v)
}

// broken are files with one mistake each. onlySchema is set for what the loader leaves to the schema,
// and onlyLoader for what only the compiler knows.
var broken = []struct {
	reason, kind, text     string
	onlySchema, onlyLoader bool
}{
	{reason: "a misspelt member", kind: "game", text: `{"titel": "x"}`},
	{reason: "a title that is a list", kind: "game", text: `{"title": []}`},
	{reason: "a seed below zero", kind: "game", text: `{"seed": -1}`},
	{reason: "a seed that is a text", kind: "game", text: `{"seed": "many"}`},
	{reason: "a character without an ID", kind: "game", text: `{"characters": [{"name": "Mara"}]}`},
	{reason: "hit points that are a number", kind: "game", text: `{"characters": [{"character_id": "mara", "hp": 5}]}`},
	{reason: "a misspelt member of a character", kind: "game", text: `{"characters": [{"character_id": "mara", "nmae": "x"}]}`},
	{reason: "areas that are an object", kind: "game", text: `{"map": {"areas": {}}}`},
	{reason: "a path with a misspelt member", kind: "game", text: `{"map": {"paths": [{"id": "a", "frm": "x"}]}}`},
	{reason: "a setting that does not exist", kind: "game", text: `{"settings": {"turn.ordr": "free"}}`},
	{reason: "a setting of the wrong type", kind: "game", text: `{"settings": {"retry.max_retries": "many"}}`},
	{reason: "a setting out of range", kind: "game", text: `{"settings": {"retry.max_retries": 50}}`},
	{reason: "an unknown word of a setting", kind: "game", text: `{"settings": {"turn.order": "fre"}}`},
	{reason: "an unknown language", kind: "game", text: `{"texts": "klingon"}`},
	{reason: "a cast without cards", kind: "game", text: `{"cast": [{"character_id": "ann"}]}`},
	{reason: "an unknown place of a book", kind: "game", text: `{"books": {"books/a.json": ["globl"]}}`},
	{reason: "a budget that is a number", kind: "game", text: `{"budget": 4096}`},
	{reason: "a block of a dialog that does not exist", kind: "game", text: `{"dialog_types": [{"id": "a", "blocks": ["wrld"]}]}`},
	{reason: "a goal that is a list", kind: "game", text: `{"goal": []}`},
	{reason: "a game that is a list", kind: "game", text: `[]`},
	{reason: "a rule without a trigger", kind: "rules", text: `[{"id": "a", "actions": []}]`},
	{reason: "a rule that is a number", kind: "rules", text: `[5]`},
	{reason: "a misspelt member of a rule", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [], "prioritty": 1}]`},
	{reason: "an unknown trigger", kind: "rules", text: `[{"id": "a", "trigger": {"type": "keywrd"}, "actions": []}]`},
	{reason: "keywords that are a text", kind: "rules", text: `[{"id": "a", "trigger": {"type": "keyword", "keywords": "x"}, "actions": []}]`},
	{reason: "an unknown operator", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [], "conditions": [{"variableId": "x", "operator": "equals"}]}]`},
	{reason: "an unknown action", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [{"type": "notify-playr"}]}]`},
	{reason: "an action without its text", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [{"type": "notify-player"}]}]`},
	{reason: "a misspelt member of an action", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [{"type": "veto", "reason": "x", "resn": 1}]}]`},
	{reason: "a damage that is a text", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [{"type": "hp-delta", "characterId": "a", "delta": "x"}]}]`},
	{reason: "a list of an unknown name", kind: "rules", text: `{"ruls": []}`},
	{reason: "a priority that is a text", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": [], "priority": "high"}]`},
	{reason: "a reaction without effects", kind: "reactions", text: `[{"when": {"eventType": "turn:complete"}}]`},
	{reason: "a reaction without a pattern", kind: "reactions", text: `[{"then": []}]`},
	{reason: "a set without a path", kind: "reactions", text: `[{"when": {"eventType": "x"}, "then": [{"type": "set", "value": 1}]}]`},
	{reason: "a hook without a name", kind: "hooks", text: `[{"event": "turn.committed"}]`},
	{reason: "a hook of an unknown scope", kind: "hooks", text: `[{"name": "a", "event": "turn.committed", "scope": "globl"}]`},
	{reason: "a hook with a misspelt member", kind: "hooks", text: `[{"name": "a", "event": "turn.committed", "priorty": 1}]`},
	{reason: "a hook with an unknown action", kind: "hooks", text: `[{"name": "a", "event": "turn.committed", "actions": [{"type": "prompt_injct"}]}]`, onlyLoader: true},
	{reason: "a time limit that is a text", kind: "hooks", text: `[{"name": "a", "event": "turn.committed", "timeout_ms": "soon"}]`},
	{reason: "a variable of an unknown type", kind: "variables", text: `[{"id": "a", "type": "numbr"}]`},
	{reason: "a variable without an ID", kind: "variables", text: `[{"type": "number"}]`},
	{reason: "a bound that is a text", kind: "variables", text: `[{"id": "a", "type": "number", "max": "many"}]`},
	{reason: "a module of an unknown mode", kind: "modules", text: `[{"id": "a", "activation": {"mode": "allways"}}]`},
	{reason: "modules that are an object", kind: "modules", text: `{"id": "a"}`},
	{reason: "a formula that cannot be read", kind: "variables", text: `[{"id": "a", "type": "number", "formula": "1 +"}]`, onlyLoader: true},
	{reason: "a trigger without keywords", kind: "rules", text: `[{"id": "a", "trigger": {"type": "keyword"}, "actions": []}]`, onlyLoader: true},
	{reason: "a name that is used twice", kind: "rules", text: `[{"id": "a", "trigger": {"type": "every-turn"}, "actions": []}, {"id": "a", "trigger": {"type": "every-turn"}, "actions": []}]`, onlyLoader: true},
	{reason: "an event that does not exist", kind: "hooks", text: `[{"name": "a", "event": "turn.comitted", "actions": [{"type": "log", "message": "x"}]}]`, onlyLoader: true},
	{reason: "a regex that is none", kind: "rules", text: `[{"id": "a", "trigger": {"type": "keyword", "keywords": ["/(/"]}, "actions": []}]`, onlyLoader: true},
	{reason: "a file that does not exist", kind: "game", text: `{"card": "cards/none.png"}`, onlyLoader: true},
	{reason: "a tool that does not exist", kind: "game", text: `{"allowlist": ["fly"]}`, onlyLoader: true},
}

// TestSchemaAndLoaderAgree: each refuses the broken files, except for what only the compiler knows.
func TestSchemaAndLoaderAgree(t *testing.T) {
	t.Parallel()
	both := 0
	for _, c := range broken {
		bySchema := validated(t, c.kind, []byte(c.text)) != nil
		g, problems := Load(folder(map[string]string{c.kind + ".json": c.text, "books/x.json": `{"entries": {"0": {"uid": 0, "key": ["x"], "content": "y", "position": 0}}}`}))
		if problems.Err() == nil {
			compiled, more := g.Compile()
			problems = append(append(problems, more...), g.Vet(compiled)...)
		}
		isChinese(t, problems)
		byLoader := len(problems) > 0
		if bySchema == c.onlyLoader || byLoader == c.onlySchema {
			t.Errorf("%s: refused by the schema: %t, by the loader: %t %v", c.reason, bySchema, byLoader, problems)
		}
		if bySchema && byLoader {
			both++
		}
	}
	if both < 40 {
		t.Errorf("only %d files are refused by both", both)
	}
}

// TestContentValidates: the content of the games and of the examples fits the schemas: EX-09.
func TestContentValidates(t *testing.T) {
	t.Parallel()
	files := 0
	for _, dir := range append(games, "../../examples/hookhost", "../../examples/rulegame", "../campaigntest/testdata/crypt") {
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			kind := kindOf(name)
			if schemas()[kind] == nil {
				return nil
			}
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			root := (&reading{}).parse(path.Base(name), data)
			if root == nil {
				t.Errorf("%s/%s is not read", dir, name)
				return nil
			}
			files++
			if err := validated(t, kind, root.appendJSON(nil)); err != nil {
				t.Errorf("%s/%s: %v", dir, name, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 15 {
		t.Errorf("only %d files", files)
	}
}

// TestPresetsValidate: the schema accepts presets of SillyTavern, also of old versions, and refuses a
// file of no kind and a wrong type.
func TestPresetsValidate(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../prompt/tavern/testdata/*/*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(err, files)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validated(t, "presets", data); err != nil && !strings.HasSuffix(name, "odd.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{`{"x": 1}`, `{"prompts": 5}`, `{"prompts": [{"content": "x"}]}`, `{"story_string": []}`, `[5]`} {
		if validated(t, "presets", []byte(text)) == nil {
			t.Errorf("%s is valid", text)
		}
	}
}

// TestSchemasAreDraft7: the schemas use only what editors know, and describe what they list.
func TestSchemasAreDraft7(t *testing.T) {
	t.Parallel()
	for name, s := range schemas() {
		if s.root.Schema != "http://json-schema.org/draft-07/schema#" || s.root.Title == "" || s.root.Description == "" {
			t.Errorf("%s: %q %q", name, s.root.Schema, s.root.Title)
		}
		for _, d := range s.root.Definitions {
			if d.Ref != "" && !strings.HasPrefix(d.Ref, "#/definitions/") {
				t.Errorf("%s: %s", name, d.Ref)
			}
		}
	}
	if p := schemas()["rules"].root.Definitions["rules.Rule"].Properties["cooldownTurns"]; p == nil || p.Description == "" {
		t.Error("a rule has no description of its cooldown")
	}
}
