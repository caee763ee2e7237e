package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// numbered replaces every § of a text by a different number.
func numbered(text string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		before, after, ok := strings.Cut(text, "§")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		fmt.Fprint(&b, i)
		text = after
	}
}

// elements is a JSON list that repeats one element, with a different number for each §.
func elements(element string) testkit.Atom {
	return testkit.Atom{Head: "[", Open: element + ",", Tail: "null]"}
}

// readContent does all work with content before play, and plays a first turn.
func readContent(c rules.Content) {
	program, _ := rules.Compile(c)
	rules.Vet(c)
	rules.Mermaid(c)
	st := program.Restore(rules.State{})
	events := append(event.OfTurn("a key {", "a wolf", 1, nil),
		event.Changed("v", tree.Int(1), tree.Int(2)), event.ActionFired("a", tree.Value{}))
	program.Run(st, events, rules.Options{})
}

// Work with content takes time linear in its length: to read, to compile, to vet, to draw and to
// write back.
func TestGrowthOfContent(t *testing.T) {
	const then = `"conditions":[],"actions":[]`
	testkit.Growth(t,
		testkit.Reader{Name: "rules", Size: 4 << 10, Read: func(text string) {
			list, _ := rules.Parse([]byte(numbered(text)))
			readContent(rules.Content{Rules: list, Modules: []rules.Module{{ID: "m"}}, Variables: []rules.Variable{}})
			if _, err := json.Marshal(list); err != nil {
				panic(err)
			}
		}, Atoms: []testkit.Atom{
			testkit.Repeat("["),
			testkit.Nest("[", "1", "]"),
			testkit.Repeat(`{"a":`),
			elements(`{}`), elements(`1`),
			elements(`{"id":1,"trigger":[],"conditions":{},"actions":5,"enabled":"no","chance":[]}`),
			elements(`{"id":"a","trigger":{"type":"every-turn"},` + then + `}`),
			elements(`{"id":"r§","trigger":{"type":"manual"},"enabled":false,` + then + `}`),
			elements(`{"id":"r§","worldbookId":"n§","trigger":{"type":"turn-count","everyNTurns":§},` + then + `}`),
			elements(`{"id":"r§","trigger":{"type":"state-change","variableId":"v"},"conditions":[],` +
				`"actions":[{"type":"modify-variable","variableId":"v","operation":"add","value":1}]}`),
			elements(`{"id":"r§","trigger":{"type":"state-change"},"conditions":[],` +
				`"actions":[{"type":"modify-variable","variableId":"v§","operation":"ad","value":1},{"type":"toggle-rule","ruleId":"r1","enabled":true}]}`),
			elements(`{"id":"r§","trigger":{"type":"keyword","keywords":["k§","/k§{/"]},` + then + `}`),
			elements(`{"id":"r§","trigger":{"type":"every-turn"},"conditions":[],"actions":[{"type":"inject-directive","directiveId":"d§","content":"c"},{"type":"remove-directive","directiveId":"e§"}]}`),
			{Head: `[{"id":"a","trigger":{"type":"every-turn"},"actions":[],"conditions":[`,
				Open: `{"variableId":"v","operator":"neq","value":§},`, Tail: `{"variableId":"v","operator":"eq","value":-1}]}]`},
			{Head: `[{"id":"a","trigger":{"type":"every-turn"},"conditions":[],"actions":[`,
				Open: `{"type":"send-context","message":""},`, Tail: `null]}]`},
			{Head: `[{"id":"a","trigger":{"type":"every-turn"},"conditions":[],"actions":[{"type":"notify-player","message":"`,
				Open: "{", Tail: `}"}]}]`},
			{Head: `[{"id":"a","trigger":{"type":"every-turn"},"conditions":[],"actions":[{"type":"`,
				Open: "x", Tail: `"}]}]`},
			{Head: `[{"id":"a","trigger":{"type":"state-change","variableId":"a`, Open: ".a", Tail: `"},` + then + `}]`},
			{Head: `[{"id":"a","trigger":{"type":"state-change","variableId":"a`, Open: "[0]", Tail: `"},` + then + `}]`},
			{Head: `[{"id":"a","trigger":{"type":"keyword","matchWholeWords":true,"keywords":["`, Open: "a", Tail: `"]},` + then + `}]`},
		}},
		testkit.Reader{Name: "reactions", Size: 4 << 10, Read: func(text string) {
			list, _ := reactions.Parse([]byte(numbered(text)))
			readContent(rules.Content{Handlers: reactions.Handlers(list), Variables: []rules.Variable{}})
			if _, err := json.Marshal(list); err != nil {
				panic(err)
			}
		}, Atoms: []testkit.Atom{
			testkit.Repeat("["),
			elements(`{}`), elements(`{"id":"r","when":5,"then":{}}`),
			elements(`{"id":"r§","when":{"eventType":"e§","f§":§},"then":[{"type":"emit","event":{"type":"e§"}}]}`),
			elements(`{"id":"r§","when":{"eventType":"action:fired","match":{"f§":{"operator":"eq","value":§}}},"then":[]}`),
			elements(`{"id":"r§","when":{"eventType":"*"},"then":[{"type":"emit","event":{"type":"e§"}}]}`),
			elements(`{"id":"r§","when":{"eventType":"a§:*"},"then":[{"type":"emit","event":{"type":"a:b"}}]}`),
			elements(`{"id":"r§","when":{"eventType":"turn:complete"},"then":[{"type":"set","path":"@prompt.direktive.d§","value":"c"}]}`),
			{Head: `[{"id":"r","when":{"eventType":"turn:complete"},"then":[`,
				Open: `{"type":"set","path":"@audio.§","value":1},`, Tail: `null]}]`},
			{Head: `[{"id":"r","when":{"eventType":"turn:complete"},"then":[{"type":"set","path":"@`,
				Open: `prompt.`, Tail: `","value":1}]}]`},
			{Head: `[{"id":"r","when":{"eventType":"turn:complete","match":{`,
				Open: `"f§":{"operator":"contains","value":"a,b,,"},`, Tail: `"z":{}}},"then":[]}]`},
		}},
		testkit.Reader{Name: "variables and modules", Size: 4 << 10, Read: func(text string) {
			var vars []rules.Variable
			var modules []rules.Module
			if json.Unmarshal([]byte(numbered(text)), &vars) != nil || json.Unmarshal([]byte(numbered(text)), &modules) != nil {
				return
			}
			readContent(rules.Content{Variables: vars, Modules: modules})
		}, Atoms: []testkit.Atom{
			elements(`{}`), elements(`{"id":1,"type":5,"min":"a","activation":7,"order":"x"}`),
			elements(`{"id":"v","name":"n","type":"number"}`),
			elements(`{"id":"v§","name":"n§","type":"nmber","worldbookId":"m§"}`),
			elements(`{"id":"v§","type":"number","formula":"v1 + n§ * 2"}`),
			elements(`{"id":"v§","activation":{"mode":"keywords","keywords":["k§",""],"conditions":[{"variableId":"x§"}]}}`),
		}},
	)
}

// Stored games and events are read in time linear in their length.
func TestGrowthOfPlay(t *testing.T) {
	list, _ := rules.Parse([]byte(`[
		{"id":"w","trigger":{"type":"keyword","matchWholeWords":true,"keywords":["aaaa","c++"]},"conditions":[],"actions":[]},
		{"id":"p","trigger":{"type":"action"},"conditions":[{"variableId":"v","operator":"neq","value":"{param.x}"}],
			"actions":[{"type":"notify-player","message":"` + strings.Repeat("{param.x}", 100) + `"}]},
		{"id":"v","trigger":{"type":"state-change","variableId":"a.b"},"conditions":[],"actions":[]}]`))
	listeners, _ := reactions.Parse([]byte(`[{"id":"q","when":{"eventType":"a:*"},"then":[]}]`))
	program, _ := rules.Compile(rules.Content{Rules: list, Handlers: reactions.Handlers(listeners)})
	object := func(text string) testkit.Atom {
		return testkit.Atom{Head: "{", Open: text + ",", Tail: `"z":0}`}
	}
	testkit.Growth(t,
		testkit.Reader{Name: "ledgers and states", Read: func(text string) {
			var l rules.Memory
			var st rules.State
			if json.Unmarshal([]byte(numbered(text)), &l) != nil || json.Unmarshal([]byte(numbered(text)), &st) != nil {
				return
			}
			l, _ = l.Expire(5)
			if _, err := json.Marshal([]any{l.Clone(), st}); err != nil {
				panic(err)
			}
		}, Atoms: []testkit.Atom{
			object(`"a§":1`), object(`"cooldowns":{"a§":1}`), object(`"A":1`),
			{Head: `{"cooldowns":{`, Open: `"a§":§,`, Tail: `"z":0}}`},
			{Head: `{"enabledRules":{`, Open: `"a§":true,`, Tail: `"z":0}}`},
			{Head: `{"disabledRules":[`, Open: `"a§",`, Tail: `5]}`},
			{Head: `{"activeDirectives":[`, Open: `{"id":"d§","content":"c","x":1},`, Tail: `5]}`},
			{Head: `{"pendingContext":[`, Open: `{"message":"m","x":1},`, Tail: `5]}`},
			{Head: `{"variables":`, Open: `{"a":`},
		}},
		testkit.Reader{Name: "effects", Read: func(text string) {
			var effects effect.List
			if json.Unmarshal([]byte(numbered(text)), &effects) != nil {
				return
			}
			var none *rules.Program
			none.Apply(rules.State{}, effect.By("x", effects...), rules.Options{ExpandNotices: true})
			if _, err := json.Marshal(effects); err != nil {
				panic(err)
			}
		}, Atoms: []testkit.Atom{
			testkit.Repeat("["),
			{Head: "[", Open: `{"type":"x§","a":1},`, Tail: `{"type":"y"}]`},
			{Head: "[", Open: `{"type":"set-variable","path":"v§","value":1},`, Tail: `{"type":"y"}]`},
			{Head: "[", Open: `{"type":"notify-player","message":"{{a}","Message":1},`, Tail: `{"type":"y"}]`},
			{Head: "[", Open: `{"type":"toggle-entry","entryId":"e§","enabled":true},`, Tail: `{"type":"y"}]`},
			{Head: `[{"type":"notify-player","message":"`, Open: "{{", Tail: `}}"}]`},
			{Head: `[{"type":"notify-player","message":"`, Open: "{{a}}", Tail: `"}]`},
			{Head: `[{"type":"set-variable","path":"a`, Open: ".a", Tail: `","value":1}]`},
			{Head: `[{"type":"set-variable","path":"a","operation":"add","value":`, Open: "9", Tail: `}]`},
			{Head: `[{"type":"set-variable","path":"a","value":`, Open: "[", Mid: "1", Close: "]", Tail: `}]`},
			{Head: `[{"type":"emit","event":{"type":"`, Open: "a:", Tail: `"}}]`},
		}},
		testkit.Reader{Name: "words and events", Size: 32 << 10, Read: func(text string) {
			params := tree.Object(tree.Member{Key: "x", Value: tree.Text(text)})
			program.Run(rules.State{}, []event.Event{
				event.PlayerMessage(text), event.ModelMessage(text), event.New(text),
				event.New("a:" + text), event.Changed(text, tree.Null, tree.Int(1)),
				event.ActionFired(text, params),
			}, rules.Options{Explain: true})
			rules.MatchKeyword(text, "aaaa", true)
			rules.MatchKeyword(text, text, true)
		}, Atoms: []testkit.Atom{
			testkit.Repeat("a"), testkit.Repeat("aaaab "), testkit.Repeat("死"), testkit.Repeat("c++x"),
			testkit.Repeat("a:"), testkit.Repeat("a."), testkit.Repeat("a[0]"), testkit.Repeat("{param.x}"),
			testkit.Repeat("{"), testkit.Repeat("\xff"), testkit.Repeat("9"),
		}},
		testkit.Reader{Name: "conditions", Read: func(text string) {
			var list []rules.Condition
			if json.Unmarshal([]byte(numbered(text)), &list) != nil {
				return
			}
			rules.ConditionsHold(list, rules.Any, rules.VarMap{"a": "x1", "b": []any{"x1"}})
			if _, err := json.Marshal(list); err != nil {
				panic(err)
			}
		}, Atoms: []testkit.Atom{
			elements(`{}`), elements(`{"variableId":"a","operator":"contains","value":"x§"}`),
			elements(`{"variableId":"b.0.§","operator":5,"valueRef":"a"}`),
			{Head: `[{"variableId":"a`, Open: ".a", Tail: `","operator":"eq","value":1}]`},
		}},
	)
}
