package imports_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/growthtest"
)

// What is made of a stranger's file costs its length and no more.
func TestGrowth(t *testing.T) {
	section := func(name, element string) growthtest.Atom {
		return growthtest.Atom{Head: `{"` + name + `":[`, Open: element + ",", Tail: "null]}"}
	}
	growthtest.Run(t, growthtest.Reader{Name: "worlds", Read: func(text string) {
		_, _ = imports.World([]byte(text), imports.Options{})
	}, Atoms: []growthtest.Atom{
		section("entries", `{"id":"e","worldbookId":"m","keywords":["k"],"conditions":[{"variableId":"v"}]}`),
		section("entries", `{"role":"greeting","content":"{{user}}{{"}`),
		section("worldbooks", `{"id":"m"}`),
		section("modules", `{"id":1}`),
		{Head: `{"entries":[{"role":"greeting","content":"`, Open: "{{user", Tail: `"}]}`},
	}})
	growthtest.Run(t, growthtest.Reader{Name: "configs", Read: func(text string) {
		_, _ = imports.RoleplayConfig("", []byte(text), imports.Options{})
	}, Atoms: []growthtest.Atom{
		section("worldBookEntries", `{"uid":"1","conditions":{"conditions":[{}]}}`),
		growthtest.Repeat("{"),
		{Head: `{"characterCard":"`, Open: "{{char", Tail: `"}`},
	}})
	growthtest.Run(t, growthtest.Reader{Name: "cards", Read: func(text string) {
		_, _ = imports.Card([]byte(text), imports.Options{})
	}, Atoms: []growthtest.Atom{
		{Head: `{"name":"a","first_mes":"`, Open: "{{user", Tail: `","description":"d"}`},
		{Head: `{"spec":"chara_card_v3","data":{"alternate_greetings":[`, Open: `"{{char}}",`, Tail: `"x"]}}`},
		{Head: `{"spec":"chara_card_v3","data":{"character_book":{"entries":[`, Open: `{"content":"@@x\n"},`, Tail: `{}]}}}`},
	}})
}
