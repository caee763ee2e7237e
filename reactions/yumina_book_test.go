package reactions_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook/format"
)

const lore = `{"name": "The Inn", "entries": [
  {"id": "luna", "name": "Luna", "role": "character", "content": "The innkeeper.",
	"alwaysSend": true,
   "position": 5, "uiTab": 2},
  {"id": "cellar", "content": "Rats.", "keywords": ["cellar", "地窖"], "matchWholeWords": true,
   "secondaryKeywords": ["rat"], "secondaryKeywordLogic": "NOT_ANY", "preventRecursion": true,
   "conditions": [{"variableId": "gold", "operator": "gt", "value": 5}], "conditionLogic": "any",
   "worldbookId": "below", "position": "after_char"},
  {"id": "poor", "content": "Nobody serves you.", "excludeRecursion": true,
   "conditions": [{"variableId": "gold", "operator": "lt", "value": 1}]},
  {"id": "hello", "role": "greeting", "content": "Welcome."},
  {"id": "off", "content": "x", "keywords": ["x"], "enabled": false}
]}`

func ExampleYuminaWorld_BookJSON() {
	world, _ := reactions.ParseYumina([]byte(`{"name": "The Inn", "entries": [
		{"id": "cellar", "name": "Cellar", "content": "Rats.", "keywords": ["cellar"]}]}`),
		reactions.YuminaOptions{})
	data, err := world.BookJSON()
	if err != nil {
		fmt.Println(err)
		return
	}
	book, problems := format.ParseSillyTavern(data)
	fmt.Println(book.Entries[0].UID, book.Entries[0].Keys, book.Entries[0].Content, problems.Err())
	// Output: cellar [cellar] Rats. <nil>
}

func ExampleYuminaGate() {
	member := []byte(`{"conditions": [{"variableId": "gold", "operator": "gt", "value": 5}]}`)
	fmt.Println(reactions.YuminaGate(member, rules.VarMap{"gold": 7}), reactions.YuminaGate(member,
		rules.VarMap{"gold": 3}))
	// Output: true false
}

// The entries of a world become world book entries without a problem (RU-31).
func TestBookJSON(t *testing.T) {
	t.Parallel()
	world, _ := reactions.ParseYumina([]byte(lore), reactions.YuminaOptions{})
	data, err := world.BookJSON()
	if err != nil {
		t.Fatal(err)
	}
	book, problems := format.ParseSillyTavern(data)
	if err != nil || len(problems) > 0 || len(book.Entries) != len(world.Entries) {
		t.Fatalf("%v %v, %d entries", err, problems, len(book.Entries))
	}
	v, err := tree.ParseValue(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reason, path, want string }{
		{"the book's name", "name", `"The Inn"`},
		{"the id is what switches name", "entries.0.uid", `"luna"`},
		{"sent always", "entries.0.constant", `true`},
		{"no keywords", "entries.0.key", `[]`},
		{"the order is the position", "entries.0.order", `5`},
		{"an entry without conditions has no gate", "entries.0.conditions", ``},
		{"keywords", "entries.1.key", `["cellar","地窖"]`},
		{"secondary keywords are used", "entries.1.selective", `true`},
		{"names of logic are numbers there", "entries.1.selectiveLogic", `2`},
		{"whole words", "entries.1.matchWholeWords", `true`},
		{"a keyword is wanted as well", "entries.1.constant", `false`},
		{"the logic goes along", "entries.1.conditions.conditionLogic", `"any"`},
		{"a named place has no order", "entries.1.order", `100`},
		{"and survives", "entries.1.extensions.yumina.position", `"after_char"`},
		{"so does the module", "entries.1.extensions.yumina.worldbookId", `"below"`},
		{"without keywords the conditions alone decide", "entries.2.constant", `true`},
		{"recursion", "entries.2.excludeRecursion", `true`},
		{"greetings are no lore", "entries.3.disable", `true`},
		{"off", "entries.4.disable", `true`},
	} {
		path, err := tree.ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if found := v.Lookup(path); found.Exists() {
			got = found.String()
		}
		if got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.reason, c.path, got, c.want)
		}
	}
}

// Each of the four logics has its number, as world info counts them.
func TestBookLogic(t *testing.T) {
	t.Parallel()
	for logic, want := range map[rules.Secondary]string{
		"": "0", rules.AndAny: "0", rules.NotAll: "1", rules.NotAny: "2", rules.AndAll: "3",
		"odd": "0",
	} {
		data, err := reactions.YuminaWorld{Entries: []reactions.YuminaEntry{{SecondaryKeywordLogic: logic}}}.BookJSON()
		if err != nil {
			t.Fatal(err)
		}
		v, _ := tree.ParseValue(data)
		if got := v.Lookup(tree.Path{"entries", "0", "selectiveLogic"}).String(); got != want {
			t.Errorf("%q is %s, want %s", logic, got, want)
		}
	}
}

// Package format writes and reads the entries without a change.
func TestBookLosesNothing(t *testing.T) {
	t.Parallel()
	world, _ := reactions.ParseYumina([]byte(lore), reactions.YuminaOptions{})
	data, err := world.BookJSON()
	if err != nil {
		t.Fatal(err)
	}
	book, problems := format.ParseSillyTavern(data)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if data, err = format.WriteSillyTavern(book); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Entries map[string]struct {
			Extensions struct{ Yumina reactions.YuminaEntry }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, e := range file.Entries {
		for _, was := range world.Entries {
			if was.ID != e.Extensions.Yumina.ID {
				continue
			}
			want, _ := json.Marshal(was)
			got, _ := json.Marshal(e.Extensions.Yumina)
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Error(d)
			}
		}
	}
	if len(file.Entries) != len(world.Entries) {
		t.Errorf("%d entries of %d", len(file.Entries), len(world.Entries))
	}
}

// A gate that is not this package's does not close.
func TestGate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, member string
		want           bool
	}{
		{"nothing", ``, true},
		{"another form", `[1]`, true},
		{"no conditions", `{}`, true},
		{"all of two", `{"conditions":[{"variableId":"a","operator":"eq","value":1},
			{"variableId":"b","operator":"eq","value":1}]}`, false},
		{"any of two", `{"conditionLogic":"any","conditions":[{"variableId":"a","operator":"eq",
			"value":1},
			{"variableId":"b","operator":"eq","value":1}]}`, true},
		{"an unreadable condition never holds", `{"conditions":[5]}`, false},
	} {
		if got := reactions.YuminaGate([]byte(c.member), rules.VarMap{"a": 1, "b": 2}); got != c.want {
			t.Errorf("%s: %t", c.reason, got)
		}
	}
}
