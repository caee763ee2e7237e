package reactions_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// A world of a stranger costs its length and no more, readable or not.
func TestGrowth(t *testing.T) {
	section := func(name, element string) testkit.Atom {
		return testkit.Atom{Head: `{"` + name + `":[`, Open: element + ",", Tail: "null]}"}
	}
	testkit.Growth(t, testkit.Reader{Name: "yumina worlds", Read: func(text string) {
		w, _ := reactions.ParseYumina([]byte(text), reactions.YuminaOptions{})
		rules.Compile(w.Content())
		rules.CompileReplies(w.ReplyRules, w.Variables)
		if _, err := w.BookJSON(); err != nil {
			panic(err)
		}
	}, Atoms: []testkit.Atom{
		testkit.Repeat("{"),
		testkit.Repeat(`{"world":`),
		{Head: "{", Open: `"a":1,`, Tail: `"b":2}`},
		section("entries", "1"),
		section("entries", "{}"),
		section("entries", `{"id":1,"name":2,"role":[],"content":{},"enabled":"no","keywords":7,"conditions":1}`),
		section("entries", `{"id":"e","keywords":["k",1],"conditions":[{"variableId":"v"}],"position":"top"}`),
		section("rules", `{"id":"r","actions":[{"type":"inject-directive","directiveId":"d","content":"c"}]}`),
		section("rules", `{"id":1,"actions":{},"trigger":5,"conditions":"x"}`),
		section("reactions", `{"id":"r","when":7,"then":[{}]}`),
		section("variables", `{"id":"v","type":1}`),
		section("worldbooks", `{"id":"m","activation":{"mode":"x","keywords":1}}`),
		section("modules", `{"name":1}`),
		section("replyRules", `{"id":"r","match":{"tag":1},"to":{}}`),
		section("replyRules", `{"id":"r","match":{"pattern":"("},"to":[{"kind":"x"}]}`),
		{Head: `{"entries":[{"id":"`, Open: "x", Tail: `","name":1,"content":5}]}`},
		{Head: `{"entries":[{"name":[`, Open: "1,", Tail: `1]}]}`},
	}})
}

// Entries are written back as they were read.
func TestRoundTripOfEntries(t *testing.T) {
	t.Parallel()
	const data = `{"id":"e","name":"n","role":"lore","content":"c","enabled":false,"alwaysSend":true,"keywords":["k"],` +
		`"matchWholeWords":true,"secondaryKeywords":[],"secondaryKeywordLogic":"NOT_ANY","conditions":[],` +
		`"conditionLogic":"any","position":"top","preventRecursion":true,"excludeRecursion":true,"worldbookId":"m",` +
		`"ID":1,"unknown":{"a":[1.0]}}`
	var e, again reactions.YuminaEntry
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatal(err)
	}
	first, err := json.Marshal(e)
	if err != nil || json.Unmarshal(first, &again) != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(again)
	if err != nil || string(first) != string(second) {
		t.Errorf("%v\n%s\n%s", err, first, second)
	}
	if e.ID != "e" || e.Enabled == nil || len(e.Extra) != 2 {
		t.Errorf("read %+v", e)
	}
}
