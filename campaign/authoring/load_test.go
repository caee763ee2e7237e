package authoring

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// folder returns a folder of files.
func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// all returns the problems of loading, of compiling and of Vet.
func all(t *testing.T, files map[string]string) talewright.Problems {
	t.Helper()
	g, problems := Load(folder(files))
	if problems.Err() != nil {
		return problems
	}
	compiled, more := g.Compile()
	return append(append(problems, more...), g.Vet(compiled)...)
}

// games are the complete games of this module and of the examples.
var games = []string{"talewright/new/en", "talewright/new/zh", "../../examples/quickstart/campaigns/en", "../../examples/quickstart/campaigns/zh",
	"../../examples/showcase/en", "../../examples/showcase/zh"}

// TestLoad: complete games have no mistake, and everything of them is read.
func TestLoad(t *testing.T) {
	t.Parallel()
	for _, dir := range games {
		g, problems := Load(os.DirFS(dir))
		compiled, more := g.Compile()
		for _, p := range append(problems, more...) {
			if p.Path != "script.json" { // the script of the example
				t.Errorf("%s: %s", dir, p)
			}
		}
		if compiled == nil || len(g.Content.Rules.Rules) == 0 || len(g.Content.Rules.Hooks) == 0 || len(g.Content.Lore.Books) == 0 || len(g.Setup.Characters) == 0 {
			t.Errorf("%s: a part is missing: %+v", dir, g.Setup)
		}
	}
	g, _ := Load(os.DirFS("talewright/new/zh"))
	if g.Content.Extensions.Texts == nil || g.Setup.Goal.Text != "重新点亮灯塔。" || len(g.Tests) != 1 || len(g.Content.Rules.Variables) != 2 {
		t.Errorf("%+v %+v", g.Setup.Goal, g.Tests)
	}
}

// TestProblems: each mistake has its file, line and column, and says what to do: EX-10.
func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, name, text, want string }{
		{"a misspelt member of the game", "game.yaml", "title: x\ncharcters: []\n", `game.yaml:2:1: charcters: nothing reads "charcters"; did you mean "characters"?`},
		{"the same in JSON", "game.json", "{\"title\": \"x\",\n  \"charcters\": []}", `game.json:2:3: charcters: nothing reads "charcters"; did you mean "characters"?`},
		{"a member of a member", "game.yaml", "characters:\n  - character_id: mara\n    hp: 5\n", `game.yaml:3:9: characters[0].hp: must be an object, not the number 5`},
		{"a setting", "game.yaml", "settings: {turn.ordr: free}\n", `game.yaml:1:12: settings.turn.ordr: nothing reads "turn.ordr"; did you mean "turn.order"?`},
		{"a setting out of range", "game.yaml", "settings: {retry.max_retries: 50}\n", `game.yaml:1:31: settings.retry.max_retries: must be at most 5, not 50`},
		{"a source of a book", "game.yaml", "books: {books/town.json: [globl]}\n", `did you mean "global"?`},
		{"a card that is missing", "game.yaml", "card: cards/anna.png\n", `game.yaml:1:1: card: "cards/anna.png" is not a file in the folder cards`},
		{"a misspelt member of a rule", "rules/a.yaml", "- id: a\n  trigger: {type: every-turn}\n  actions: []\n  prioritty: 5\n", `rules/a.yaml:4:3: [0].prioritty: nothing reads "prioritty"; did you mean "priority"?`},
		{"a trigger", "rules/a.yaml", "- id: a\n  trigger: {type: keywrd}\n  actions: []\n", `rules/a.yaml:2:19: [0].trigger.type: unknown value "keywrd"; did you mean "keyword"?`},
		{"what only the compiler knows", "rules/a.yaml", "- id: a\n  trigger: {type: keyword}\n  actions: []\n", `rules/a.yaml:2:3: [0].trigger.keywords (a): no keywords`},
		{"an action", "rules/a.yaml", "- id: a\n  trigger: {type: every-turn}\n  actions:\n    - {type: notify-player, mesage: x}\n", `rules/a.yaml:4:7: [0].actions[0].message: missing; add message`},
		{"a type of actions", "rules.json", `{"rules": [{"id": "a", "trigger": {"type": "every-turn"}, "actions": [{"type": "notify-playr"}]}]}`, `rules.json:1:80: rules[0].actions[0].type: unknown type "notify-playr"; did you mean "notify-player"?`},
		{"an operator", "rules/a.yaml", "- id: a\n  trigger: {type: every-turn}\n  actions: []\n  conditions: [{variableId: x, operator: equals, value: 1}]\n", `unknown value "equals"; write one of eq, neq, gt, gte, lt, lte, contains`},
		{"a reaction", "reactions/a.yaml", "- when: {eventType: turn:complete}\n  thn: []\n", `reactions/a.yaml:2:3: [0].thn: nothing reads "thn"; did you mean "then"?`},
		{"a hook", "hooks/a.yaml", "- name: a\n  event: turn.committed\n  scope: globl\n", `hooks/a.yaml:3:10: [0].scope: unknown value "globl"; did you mean "global"?`},
		{"an event of hooks", "hooks/a.yaml", "- name: a\n  event: turn.comitted\n", `hooks/a.yaml:2:3: [0].event: no known event is covered by "turn.comitted"; did you mean "turn.committed"?`},
		{"a variable", "variables.yaml", "- {id: a, type: numbr}\n", `variables.yaml:1:17: [0].type: unknown value "numbr"; did you mean "number"?`},
		{"a formula", "variables.yaml", "- {id: a, type: number, formula: 1 +}\n", `variables.yaml:1:25: [0].formula (a)`},
		{"a module", "modules.yaml", "- id: a\n  activation: {mode: allways}\n", `modules.yaml:2:22: [0].activation.mode: unknown value "allways"; did you mean "always"?`},
		{"a key of a book", "books/town.json", "{\"name\": \"to.wn\", \"entries\": {\"0\": {\"uid\": 0,\n  \"key\": [\"/(/\"], \"content\": \"x\"}}}", `books/town.json:2:11: entries[0].key[0] (to.wn.0): "/(/" is not a JavaScript regex`},
		{"a book that is none", "books/town.json", `{"a": 1}`, `books/town.json:1:1`},
		{"broken JSON", "rules/a.json", "[\n  {\"id\" 5}\n]", `rules/a.json:2:9: not valid JSON`},
		{"broken YAML", "rules/a.yaml", "- id: a\n  x: [1\n", `rules/a.yaml:3:1: not valid YAML`},
		{"a tab", "rules/a.yaml", "- id: a\n\tname: b\n", `indent with blanks`},
		{"an empty file", "rules/a.yaml", "# nothing\n", `the file is empty`},
		{"a key twice", "rules/a.json", `[{"id": "a", "id": "b", "trigger": {"type": "every-turn"}, "actions": []}]`, `rules/a.json:1:14: [0].id: given before at line 1; the last one counts`},
		{"a key twice in YAML", "rules/a.yaml", "- id: a\n  id: b\n", `rules/a.yaml:2:3: [0].id: given before at line 1`},
		{"no boolean", "variables.yaml", "- {id: a, type: boolean, internal: yes}\n", `variables.yaml:1:36: [0].internal: yes is a text in YAML 1.2; write true`},
		{"a boolean key", "game.yaml", "variables: {on: 1}\n", `game.yaml:1:13: variables.on: on is read as a text here`},
		{"an octal number", "game.yaml", "seed: 017\n", `game.yaml:1:7: seed: 017 is read as 17 here, and as an octal number by other readers of YAML; write 17`},
		{"two documents", "game.yaml", "# a\n---\ntitle: x\n---\ntitle: y\n", `game.yaml:4:1: not valid YAML: a second document begins here`},
		{"bytes that are not UTF-8", "game.yaml", "seed: 1\ntitle: 雾\xff\n", `game.yaml:2:9: not valid YAML: the file is not UTF-8`},
		{"a tag", "game.yaml", "title: !thing x\n", `game.yaml:1:8: title: the tag !thing is not read here`},
		{"infinity", "game.yaml", "seed: .inf\n", `.inf is not a JSON number`},
		{"a huge number", "variables.yaml", "- {id: a, type: number, max: 1e999}\n", `variables.yaml:1:30: [0].max: 1e999 is beyond the range of numbers`},
		{"a whole number beyond the range", "game.yaml", "seed: 1\nsummarize_after: 99999999999999999999\n", `game.yaml:2:18: summarize_after: 99999999999999999999 is beyond the range of numbers`},
		{"a negative seed", "game.yaml", "title: t\nseed: -1\n", `game.yaml:2:7: seed: must be at least 0, not -1`},
		{"a part of a setup out of range", "game.yaml", "budget: {context: 10, response: 20}\n", `game.yaml:1:1: budget: `},
		{"an unknown block", "game.yaml", "dialog_types: [{id: a, blocks: [wrold]}]\n", `game.yaml:1:33: dialog_types[0].blocks[0]: unknown value "wrold"; did you mean "world"?`},
		{"a dialog type without blocks", "game.yaml", "dialog_types: [{id: a}, {id: b, blocks: [world]}]\n", `game.yaml:1:16: dialog_types[0]: `},
		{"an area that does not exist", "game.yaml", "map: {areas: [{id: inn}], paths: [{id: p, from: inn, to: in}]}\n", `game.yaml:1:35: map.paths[0]: no area "in"`},
		{"a character nowhere", "game.yaml", "map: {areas: [{id: inn}]}\ncharacters:\n  - {character_id: a, area_id: in}\n", `game.yaml:3:5: characters[0]: no area "in"`},
		{"a party of nobody", "game.yaml", "party: [ann]\ncharacters:\n  - {character_id: a}\n", `game.yaml:1:9: party[0]: no character "ann"`},
		{"a selected party of nobody", "game.yaml", "selected: {party_character_ids: [ann]}\ncharacters:\n  - {character_id: a}\n", `game.yaml:1:34: selected.party_character_ids[0]: no character "ann"`},
		{"a broken book", "books/a.json", "{\n \"entries\": [", `books/a.json:2:13: not valid JSON`},
		{"a preset of no kind", "presets/a.json", `{"x": 1}`, `presets/a.json: not a known preset`},
		{"a text of a preset", "presets/a.json", "{\"prompts\": [\n {\"identifier\": \"main\", \"content\": 5}]}", `presets/a.json:2:25: prompts[0].content: must be a text`},
		{"a regex script of a preset", "presets/a.json", "{\"prompts\": [], \"extensions\": {\"regex_scripts\": [\n {\"scriptName\": \"s\", \"findRegex\": \"/(/\", \"placement\": [2]}]}}", `presets/a.json:2:22: extensions.regex_scripts[0].findRegex (s): is not a pattern`},
		{"a regex script", "presets/a.json", "{\"scriptName\": \"a\",\n \"findRegex\": \"/[/\", \"placement\": [1]}", `presets/a.json:2:2: findRegex (a): is not a pattern`},
		{"the second of two", "presets/a.json", "[{\"scriptName\": \"b\", \"findRegex\": \"/x/\", \"placement\": [1]},\n {\"scriptName\": \"c\", \"findRegex\": \"/[/\", \"placement\": [1]}]", `presets/a.json:2:22: [1].findRegex (c): is not a pattern`},
		{"a part of a master preset", "presets/a.json", "{\"instruct\": {\"name\": \"i\",\n \"input_sequence\": 5}}", `presets/a.json:2:2: instruct.input_sequence: must be a text`},
		{"a file in a misspelt folder", "ruls/a.yaml", "", `ruls/a.yaml: nothing reads this file; did you mean the folder "rules"?`},
		{"a file with a wrong ending", "rules/a.txt", "", `rules/a.txt: nothing reads this file; files in rules end in .json, .yaml, .yml`},
		{"a misspelt file", "variabls.yaml", "", `variabls.yaml: nothing reads this file; did you mean "variables.yaml"?`},
	} {
		files := map[string]string{"books/other.json": `{"entries": {"0": {"uid": 0, "key": ["x"], "content": "y"}}}`, c.name: c.text}
		list := all(t, files)
		if !strings.Contains(list.Error(), c.want) {
			t.Errorf("%s: %s\nwant %s", c.reason, list.Error(), c.want)
		}
		isChinese(t, list)
	}
}

// TestGreetingsOfACast: the cards of a cast have greetings that no campaign begins with.
func TestGreetingsOfACast(t *testing.T) {
	t.Parallel()
	const member = "cast: [{card: cards/ann.yaml}]\n"
	for game, told := range map[string]bool{member: true, member + "greeting: Rain.\n": false} {
		list := all(t, map[string]string{"game.yaml": game, "cards/ann.yaml": "spec: chara_card_v2\ndata: {name: Ann, description: A sailor., first_mes: Ahoy.}\n"})
		if got := strings.Contains(list.Error(), "game.yaml:1:1: cast: greetings of the cards of a cast are not used"); got != told {
			t.Errorf("%s: %v", game, list)
		}
		isChinese(t, list)
	}
}

// A whole number may have a fraction of zero or an exponent.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"10", "10.0", "1e1"} {
		g, problems := Load(folder(map[string]string{"game.yaml": "seed: " + number + "\nsummarize_after: " + number + "\ncharacters:\n  - {character_id: a, hp: {current: " + number + ", max: 10}}\n"}))
		if len(problems) > 0 || g.Setup.Seed != 10 || g.Content.Prompt.SummarizeAfter != 10 || g.Setup.Characters[0].HP.Current != 10 {
			t.Errorf("%s: %+v, %v", number, g.Setup, problems)
		}
	}
}

// isChinese fails for each problem that has English words in Chinese: two words in small letters that
// are neither quoted nor code.
func isChinese(t *testing.T, list talewright.Problems) {
	t.Helper()
	for i, p := range list.Translated("zh") {
		rest := quotedText.ReplaceAllString(strings.ReplaceAll(p.Text, "eq ne gt gte lt lte in nin contains exists", ""), "")
		if englishWords.MatchString(rest) || rest == list[i].Text {
			t.Errorf("%s is %s in Chinese", list[i].Text, p.Text)
		}
	}
}

var (
	quotedText   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{[^{}]*\}`)
	englishWords = regexp.MustCompile(`[a-z]{2,}[,.:;]? [a-z]{2,}`)
)

// TestMistakesAreInert: a file with mistakes loses only what they concern.
func TestMistakesAreInert(t *testing.T) {
	t.Parallel()
	g, problems := Load(folder(map[string]string{
		"game.yaml":      "title: Harbour\nseed: many\ncharacters: [{character_id: mara, hp: 5, name: Mara}]\n",
		"rules/bad.yaml": "- id: [", "rules/good.yaml": "- {id: a, priority: high, trigger: {type: every-turn}, actions: []}\n",
		"books/bad.json": "{}", "books/good.json": `{"entries": {"0": {"uid": 0, "key": ["x"], "content": "y"}}}`,
		"cards/mara.png": "no picture", "presets/a.json": `{"prompts": 5}`,
	}))
	if problems.Err() != nil || g.Setup.Title != "Harbour" || g.Setup.Characters[0].Name != "Mara" || len(g.Content.Rules.Rules) != 1 || len(g.Content.Lore.Books) != 1 {
		t.Errorf("%+v\n%v", g.Setup, problems)
	}
	for _, file := range []string{"game.yaml:2:7", "rules/bad.yaml:", "books/bad.json", "cards/mara.png"} {
		if !strings.Contains(problems.Error(), file) {
			t.Errorf("%s is not reported: %v", file, problems)
		}
	}
	for _, files := range []map[string]string{{}, {"README.md": "x"}, {"game.yaml": "a: ["}, {"tests/a.txt": "look\n"}} {
		if _, problems := Load(folder(files)); problems.Err() == nil {
			t.Errorf("%v: no game, and no fatal problem: %v", files, problems)
		}
	}
}

// TestTextsStayTexts: where a text belongs, the characters of a scalar are the text.
func TestTextsStayTexts(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"no", "on", "1.10", "0x1F", "017", "2026-05-01", "12:30", "true", "1e3", "1_000"} {
		g, problems := Load(folder(map[string]string{"game.yaml": "title: " + word + "\n"}))
		if g.Setup.Title != word || len(problems) > 0 {
			t.Errorf("%s: %q, %v", word, g.Setup.Title, problems)
		}
	}
	g, problems := Load(folder(map[string]string{
		"books/a.yaml": "entries:\n  - {keys: [1984, 1.10], secondary_keys: [no], selective: true, comment: 7, content: 1.50}\n",
		"books/b.yaml": "name: 7\nentries:\n  \"0\": {uid: 0, position: 0, key: [2026-05-01, 1e3], content: 0x1F}\n",
		"cards/c.yaml": "spec: chara_card_v2\ndata: {name: 1984, description: 1.10, tags: [7], character_book: {entries: [{keys: [017], content: 2.0}]}}\n",
	}))
	var got []string
	for _, b := range g.Content.Lore.Books {
		for _, e := range b.Book.Entries {
			got = append(got, strings.Join(append(append(slices.Clone(e.Keys), e.SecondaryKeys...), e.Comment, e.Content), "|"))
		}
	}
	c := g.Content.People.Card
	got = append(got, c.Name, c.Description, strings.Join(c.Tags, "|"))
	want := []string{"017||2.0", "1984|1.10|no|7|1.50", "2026-05-01|1e3||0x1F", "1984", "1.10", "7"}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Errorf("books and cards: %s%v", diff, problems)
	}
}

// TestYAMLIsJSON: a game in YAML and the same game in JSON are equal, in both directions: EX-10.
func TestYAMLIsJSON(t *testing.T) {
	t.Parallel()
	for _, dir := range games {
		original := os.DirFS(dir)
		files := fstest.MapFS{}
		first, _ := Load(original)
		for name, f := range first.files {
			files[name] = &fstest.MapFile{Data: f.data}
		}
		want, problems := Load(files)
		if problems.Err() != nil {
			t.Fatal(problems)
		}
		other := fstest.MapFS{}
		var renamed []string // old and new names, for the files that name others
		for name, f := range first.files {
			stem := strings.TrimSuffix(name, filepath.Ext(name))
			root := (&reading{}).parse(name, f.data)
			switch {
			case f.kind == "tests" || f.kind == "" || root == nil:
				other[name] = &fstest.MapFile{Data: f.data}
			case isYAML(name):
				other[stem+".json"] = &fstest.MapFile{Data: root.appendJSON(nil)}
				renamed = append(renamed, name, stem+".json")
			default:
				other[stem+".yaml"] = &fstest.MapFile{Data: asYAML(t, root.appendJSON(nil))}
				renamed = append(renamed, name, stem+".yaml")
			}
		}
		for _, f := range other {
			f.Data = []byte(strings.NewReplacer(renamed...).Replace(string(f.Data)))
		}
		got, problems := Load(other)
		if problems.AtLeast(talewright.Error) != nil {
			t.Errorf("%s: %v", dir, problems)
		}
		if diff := cmp.Diff(want.Setup, got.Setup, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
		if !reflect.DeepEqual(want.Content.Rules, got.Content.Rules) {
			t.Errorf("%s: the rules differ", dir)
		}
		if len(want.Content.Lore.Books) != len(got.Content.Lore.Books) {
			t.Errorf("%s: %d books, not %d", dir, len(got.Content.Lore.Books), len(want.Content.Lore.Books))
		}
	}
}

func asYAML(t *testing.T, data []byte) []byte {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		t.Fatal(err)
	}
	inBlocks(doc.Content[0])
	out, err := yaml.Dump(&doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReadersAgree: random values are the same in both languages, whatever their style.
func TestReadersAgree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		v := randomValue(r, 0)
		text := v.AppendJSON(nil)
		fromJSON := (&reading{}).parseJSON(text)
		fromYAML := (&reading{}).parseYAML(asYAML(t, text))
		fromFlow := (&reading{}).parseYAML(text)
		for _, n := range []*node{fromJSON, fromYAML, fromFlow} {
			if n == nil {
				t.Fatalf("%s is not read", text)
			}
			if got, err := tree.ParseValue(n.appendJSON(nil)); err != nil || !got.Equal(v) {
				t.Fatalf("%s: %s %v\n%s", text, got, err, asYAML(t, text))
			}
		}
	}
}

func randomValue(r *rand.Rand, depth int) tree.Value {
	words := []string{"", "no", "on", "null", "~", "1", "1.10", "0x1F", "2026-05-01", "a: b", "- x", "# c", "灯塔", "two\nlines\n", " blank", "tab\tx", "'", "\"", "<<", "&a", "*a", "!t", "\\", "\u00a0", "true"}
	switch n := r.IntN(8); {
	case n < 2 && depth < 4:
		var list []tree.Value
		for range r.IntN(4) {
			list = append(list, randomValue(r, depth+1))
		}
		return tree.Array(list...)
	case n < 4 && depth < 4:
		var members []tree.Member
		for i := range r.IntN(4) {
			members = append(members, tree.Member{Key: fmt.Sprintf("%s%d", words[r.IntN(len(words)-1)], i), Value: randomValue(r, depth+1)})
		}
		return tree.Object(members...)
	case n == 4:
		return tree.Float(float64(r.IntN(1000)-500) / 8)
	case n == 5:
		return tree.Bool(r.IntN(2) == 0)
	}
	return tree.Text(words[r.IntN(len(words))])
}

// TestHostileFiles: no file takes the process along, or the time of its reader.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		alias := fmt.Sprintf("*a%d", i)
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(alias+", ", 9)+alias)
	}
	merges := "a0: &a0 {k: 1}\n"
	for i := range 30 {
		merges += fmt.Sprintf("a%d: &a%d {<<: [*a%d, *a%d], k%d: 1}\n", i+1, i+1, i, i, i)
	}
	for reason, text := range map[string]string{
		"a billion laughs": laughs, "merges that double": merges, "an alias in itself": "a: &a [*a]\n", "a merge of itself": "a: &a {<<: *a}\n",
		"brackets": strings.Repeat("[", 100_000), "braces": strings.Repeat("{a: ", 100_000), "dashes": strings.Repeat("- ", 100_000),
		"levels": strings.Repeat("- ", 201) + "a", "two documents": "a: 1\n---\nb: 2\n", "an unknown alias": "a: *x\n", "bytes": "\xff\xfe\x00",
	} {
		if list := all(t, map[string]string{"variables.yaml": text, "game.yaml": "title: x\n"}); len(list.AtLeast(talewright.Error)) == 0 {
			t.Errorf("%s: no problem", reason)
		}
	}
	for reason, text := range map[string]string{"brackets": strings.Repeat("[", 100_000), "levels": strings.Repeat("[", 300) + strings.Repeat("]", 300)} {
		if list := all(t, map[string]string{"variables.json": text, "game.yaml": "title: x\n"}); len(list.Of(codeSyntax)) != 1 {
			t.Errorf("%s: %v", reason, list)
		}
	}
	many := "- {a: 1, b: 2}\n"
	if list := all(t, map[string]string{"variables.yaml": strings.Repeat(many, 5000)}); len(list) > 20_000 {
		t.Errorf("%d problems", len(list))
	}
}

// TestLinks: a link within the folder is followed, and others are refused.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(secret, "- {id: secret, trigger: {type: every-turn}, actions: []}\n")
	write(filepath.Join(dir, "game.yaml"), "title: x\n")
	write(filepath.Join(dir, "more.txt"), "- {id: more, trigger: {type: every-turn}, actions: []}\n")
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "rules"), 0o700),
		os.Symlink(secret, filepath.Join(dir, "rules", "a.yaml")),
		os.Symlink("../../"+filepath.Base(filepath.Dir(secret))+"/secret.yaml", filepath.Join(dir, "rules", "b.yaml")),
		os.Symlink("../more.txt", filepath.Join(dir, "rules", "c.yaml")),
		os.Symlink("d.yaml", filepath.Join(dir, "rules", "d.yaml")),
		os.Symlink(filepath.Dir(secret), filepath.Join(dir, "hooks")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	g, problems := Load(os.DirFS(dir))
	if len(g.Content.Rules.Rules) != 1 || g.Content.Rules.Rules[0].ID != "more" {
		t.Errorf("%v %v", g.Content.Rules.Rules, problems)
	}
	if refused := problems.Of(codeRefused); len(refused) != 4 {
		t.Errorf("%v", refused)
	}
}

// TestManyEntries: a folder with 10,000 entries and 1,000 rules is read and compiled without a mistake.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	g, problems := Load(folder(large()))
	_, more := g.Compile()
	if problems = append(problems, more...).AtLeast(talewright.Error); len(problems) > 0 || len(g.Content.Lore.Books[0].Book.Entries) != 10_000 || len(g.Content.Rules.Rules) != 1000 {
		t.Errorf("%v", problems[:min(len(problems), 5)])
	}
}

// BenchmarkVet reads and compiles a folder with 10,000 entries and 1,000 rules.
func BenchmarkVet(b *testing.B) {
	files := folder(large())
	for b.Loop() {
		g, _ := Load(files)
		g.Compile()
	}
}

func large() map[string]string {
	var book, rules strings.Builder
	book.WriteString(`{"name": "town", "entries": {`)
	for i := range 10_000 {
		fmt.Fprintf(&book, "%s\n\"%d\": {\"uid\": %d, \"key\": [\"mill%d\", \"dragon%d\"], \"content\": \"The mill number %d is old and creaks in the wind.\", \"order\": %d}", strings.Repeat(",", min(i, 1)), i, i, i, i, i, i%100)
	}
	book.WriteString("}}")
	for i := range 1000 {
		fmt.Fprintf(&rules, "- id: rule%d\n  name: Rule %d\n  trigger: {type: keyword, keywords: [word%d]}\n  conditions:\n    - {variableId: oil, operator: gt, value: %d}\n  actions:\n    - {type: notify-player, message: Rule %d}\n", i, i, i, i, i)
	}
	return map[string]string{"books/town.json": book.String(), "rules/many.yaml": rules.String(), "variables.yaml": "- {id: oil, type: number}\n"}
}

// TestCards: the game file names the card that plays, or a cast.
func TestCards(t *testing.T) {
	t.Parallel()
	ann := `{"spec": "chara_card_v2", "data": {"name": "Ann", "description": "A sailor.", "first_mes": "Ahoy."}}`
	bea := "spec: chara_card_v2\ndata:\n  name: Bea\n  description: A cook.\n  first_mes: Soup?\n"
	g, problems := Load(folder(map[string]string{"cards/ann.json": ann}))
	if c := g.Content.People.Card; c == nil || c.Name != "Ann" || g.Setup.GreetingID != "0" || len(problems) > 0 {
		t.Errorf("%+v %v", g.Setup, problems)
	}
	g, problems = Load(folder(map[string]string{"cards/ann.json": ann, "cards/bea.yaml": bea, "game.yaml": "card: cards/bea.yaml\nchat: true\n"}))
	if c := g.Content.People.Card; c == nil || c.Name != "Bea" || len(problems.Of(codeUnread)) != 1 || len(g.Setup.Settings) == 0 {
		t.Errorf("%+v %v", g.Setup, problems)
	}
	g, problems = Load(folder(map[string]string{"cards/ann.json": ann, "cards/bea.yaml": bea, "game.yaml": "greeting: Rain.\ncast:\n  - {card: cards/ann.json, muted: true}\n  - {card: cards/bea.yaml, character_id: cook}\n"}))
	if cast := g.Content.People.Cast; len(cast) != 2 || cast[1].CharacterID != "cook" || cast[0].CharacterID != "ann" || !cast[0].Muted || len(problems) > 0 {
		t.Errorf("%+v %v", cast, problems)
	}
	if _, problems = Load(folder(map[string]string{"cards/ann.json": ann, "cards/bea.yaml": bea})); len(problems.Of(codeMissing)) != 1 {
		t.Errorf("two cards: %v", problems)
	}
}

// TestGameFile: the members of the game file arrive where they belong.
func TestGameFile(t *testing.T) {
	t.Parallel()
	g, problems := Load(folder(map[string]string{
		"game.yaml": "persona: A tired sailor.\nuser: Ann\nbudget: {context: 4096, response: 512}\ntrim_slack: 9\nsummarize_after: 12\n" +
			"party: [mara]\ncharacters: [{character_id: mara, name: Mara}, {character_id: iva, name: Iva}]\n" +
			"books: {books/town.json: [chat]}\ndialog_types: [{id: tavern, blocks: [gm_persona], instructions: Be brief.}]\n",
		"books/town.json": `{"name": "town", "entries": {"0": {"uid": 0, "key": ["x"], "content": "y", "position": 0}}}`,
	}))
	c := g.Content
	if len(problems) > 0 || c.People.Persona != "A tired sailor." || c.People.UserName != "Ann" || c.Prompt.Budget.Context != 4096 || c.Prompt.TrimSlack != 9 ||
		c.Prompt.SummarizeAfter != 12 || !slices.Equal(g.Setup.Selected.Party, []string{"mara"}) || c.Lore.Books[0].Sources[0] != "chat" || c.Extensions.DialogTypes[0].ID != "tavern" {
		t.Errorf("%+v\n%+v\n%v", c, g.Setup, problems)
	}
}

// TestHash: the hash changes with the content, and not with tests and pages.
func TestHash(t *testing.T) {
	t.Parallel()
	files := map[string]string{"game.yaml": "title: x\n"}
	hash := func(name, text string) string {
		other := map[string]string{"game.yaml": files["game.yaml"]}
		if name != "" {
			other[name] = text
		}
		g, _ := Load(folder(other))
		return g.Hash()
	}
	same := hash("", "")
	if len(same) != 32 || hash("tests/a.txt", "look\n") != same || hash("README.md", "x") != same || hash("game.yaml", "title: y\n") == same || hash("variables.yaml", "[]") == same {
		t.Error("the hash follows the wrong files")
	}
}

// FuzzLoad: no file makes Load panic, and what it reads can be saved and read again.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"title: x", "- id: a", "a: &x 1\nb: *x", "{\"a\": [1, 2]}", "? a\n: b", "- {<<: {a: 1}}"} {
		f.Add("rules.yaml", seed)
		f.Add("game.json", seed)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if name == "" || strings.ContainsAny(name, "/\\.") {
			name = "game.yaml"
		}
		g, problems := Load(folder(map[string]string{name: text, "hooks.yaml": text, "variables.json": text}))
		if problems.Err() == nil {
			g.Compile()
		}
	})
}
