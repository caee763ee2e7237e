package imports_test

import (
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/testkit"
)

// Importing a stranger's file takes time linear in its length.
func TestGrowth(t *testing.T) {
	section := func(name, element string) testkit.Atom {
		return testkit.Atom{Head: `{"` + name + `":[`, Open: element + ",", Tail: "null]}"}
	}
	testkit.Growth(t, testkit.Reader{Name: "worlds", Read: func(text string) {
		_, _ = imports.Parse([]byte(text), imports.Options{})
	}, Atoms: []testkit.Atom{
		section("entries", `{"id":"e","worldbookId":"m","keywords":["k"],"conditions":[{"variableId":"v"}]}`),
		section("entries", `{"role":"greeting","content":"{{user}}{{"}`),
		section("worldbooks", `{"id":"m"}`),
		section("modules", `{"id":1}`),
		{Head: `{"entries":[{"role":"greeting","content":"`, Open: "{{user", Tail: `"}]}`},
	}})
	testkit.Growth(t, testkit.Reader{Name: "configs", Read: func(text string) {
		_, _ = imports.Parse([]byte(text), imports.Options{})
	}, Atoms: []testkit.Atom{
		section("worldBookEntries", `{"uid":"1","conditions":{"conditions":[{}]}}`),
		testkit.Repeat("{"),
		{Head: `{"characterCard":"`, Open: "{{char", Tail: `"}`},
		{Head: `{"characterCard":"`, Open: "<%<a>{{<b}}", Tail: `"}`},
	}})
	testkit.Growth(t, testkit.Reader{Name: "cards", Read: func(text string) {
		_, _ = imports.Parse([]byte(text), imports.Options{})
	}, Atoms: []testkit.Atom{
		{Head: `{"name":"a","first_mes":"`, Open: "{{user", Tail: `","description":"d"}`},
		{Head: `{"spec":"chara_card_v3","data":{"alternate_greetings":[`, Open: `"{{char}}",`, Tail: `"x"]}}`},
		{Head: `{"spec":"chara_card_v3","data":{"character_book":{"entries":[`, Open: `{"content":"@@x\n"},`, Tail: `{}]}}}`},
		{Head: `{"storyContainerVersion":1,"metadata":{},"content":{"story":{"fragments":[{"origin":"user","data":"go"},`, Open: `{"origin":"ai","data":"x"},`, Tail: `{}]}}}`},
		{Head: `{"gamestarted":true,"prompt":"p","memory":"","actions":[`, Open: `"It is dark.",`, Tail: `"x"]}`},
		{Head: `{"spec":"chara_card_v3","data":{"name":"a","extensions":{"risuai":{"customScripts":[{"type":"editinput","in":"a","ableFlag":true,"flag":"`, Open: "<>g", Tail: `"}]}}}}`},
	}})
	testkit.Growth(t, testkit.Reader{Name: "books", Read: func(text string) {
		start := imports.Begin(imports.Options{})
		_ = start.AddBook("b", []byte(text))
	}, Atoms: []testkit.Atom{
		section("entries", `{"keys":["k"],"content":"c"}`),
		testkit.Repeat("\n{"),
	}})
	folder := func(name string) testkit.Reader {
		return testkit.Reader{Name: "folder " + name, Read: func(text string) {
			_, _ = imports.ParseFolder(fstest.MapFS{name: {Data: []byte(text)}}, imports.Options{})
		}}
	}
	rules := folder("rules.json")
	rules.Atoms = []testkit.Atom{section("rules", `{"id":"r","trigger":7}`), section("variables", `{"id":"v"}`),
		section("reactions", `7`), testkit.Repeat("\n[")}
	hooks := folder("hooks.json")
	hooks.Atoms = []testkit.Atom{section("hooks", `{"event":7,"actions":[{}]}`), testkit.Repeat("[")}
	scripts := folder("scripts.json")
	scripts.Atoms = []testkit.Atom{section("regex_scripts", `{"findRegex":"/a/","placement":0}`)}
	setup := folder("campaign.json")
	setup.Atoms = []testkit.Atom{section("characters", `{"character_id":"a"}`), testkit.Repeat(`{"a":`)}
	for _, r := range []testkit.Reader{rules, hooks, scripts, setup} {
		testkit.Growth(t, r)
	}
}
