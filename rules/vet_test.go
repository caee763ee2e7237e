package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// finding is one mistake of an author, alone in otherwise good content.
type finding struct {
	name      string
	rules     string // JSON
	reactions string // JSON
	path      string
	code      talewright.Code
	text      string // part of the problem's text
}

// vetVariables is the schema of the findings.
func vetVariables() []rules.Variable {
	return []rules.Variable{
		{ID: "hp", Name: "Health", Type: rules.TypeNumber, Min: new(0.0), Max: new(10.0)},
		{ID: "mood", Type: rules.TypeString},
		{ID: "bag", Type: rules.TypeJSON, Default: tree.Object()},
	}
}

// vet returns the problems in the content of a finding.
func (f finding) vet(t *testing.T) talewright.Problems {
	t.Helper()
	list, problems := rules.Parse([]byte("[" + f.rules + "]"))
	others, more := reactions.Parse([]byte("[" + f.reactions + "]"))
	problems = append(problems, more...)
	return append(problems, rules.Vet(rules.Content{
		Variables: vetVariables(),
		Modules:   []rules.Module{{ID: "cellar"}},
		Rules:     list,
		Handlers:  reactions.Handlers(others),
	})...)
}

// check runs each finding as a separate test. No other problem may be found.
func check(t *testing.T, findings []finding) {
	t.Helper()
	for _, f := range findings {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			problems := f.vet(t)
			found := slices.ContainsFunc(problems, func(p talewright.Problem) bool {
				return p.Path == f.path && p.Code == f.code && strings.Contains(p.Text, f.text)
			})
			if !found || len(problems) != 1 {
				t.Errorf("want %s [%s] %s, alone, in\n%v", f.path, f.code, f.text, problems)
			}
		})
	}
}

// notify is an action that is in order.
const notify = `{"type":"notify-player","message":"x"}`

// everyTurn returns a rule without conditions; rest is appended.
func everyTurn(id, rest string) string {
	return `{"id":"` + id + `","trigger":{"type":"every-turn"},"conditions":[],"actions":[` + rest +
		`]}`
}

// tests is a rule with conditions.
func tests(conditions string) string {
	return `{"id":"a","trigger":{"type":"every-turn"},"conditions":[` + conditions +
		`],"actions":[{"type":"notify-player","message":"x"}]}`
}

// withTrigger returns a rule with a trigger; rest comes after its actions.
func withTrigger(trigger, rest string) string {
	return `{"id":"a","trigger":` + trigger + `,"conditions":[],"actions":[` + notify + `]` + rest + `}`
}

// Unknown variables and ids, in every place where content can name them (RU-32).
func TestVetFindsUnknownNames(t *testing.T) {
	t.Parallel()
	const id = rules.UnknownID
	check(t, []finding{
		{name: "a trigger", rules: withTrigger(`{"type":"state-change","variableId":"mp"}`, ""),
			path: "rules[0].trigger", code: id,
			text: `watches the variable "mp", which is not declared`},
		{name: "a trigger takes no display name",
			rules: withTrigger(`{"type":"state-change","variableId":"Health"}`, ""),
			path:  "rules[0].trigger", code: id, text: `write "hp"`},
		{name: "a pattern", reactions: `{"id":"a","when":{"eventType":"state:changed",
			"variableId":"mp"},"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`,
			path: "reactions[0].when", code: id, text: `watches the variable "mp"`},
		{name: "a condition", rules: tests(`{"variableId":"mop","operator":"eq","value":"x"}`),
			path: "rules[0].conditions[0].variableId", code: id, text: `declare it`},
		{name: "a condition takes no display name",
			rules: tests(`{"variableId":"Health","operator":"eq","value":1}`),
			path:  "rules[0].conditions[0].variableId", code: id, text: `display name of hp`},
		{name: "what a condition compares with",
			rules: tests(`{"variableId":"hp","operator":"eq","valueRef":"max"}`),
			path:  "rules[0].conditions[0].valueRef", code: id, text: `compares with the variable "max"`},
		{name: "a write", rules: everyTurn("a",
			`{"type":"modify-variable","variableId":"mp","value":1}`),
			path: "rules[0].actions[0]", code: id, text: `writes the variable "mp"`},
		{name: "an operand", rules: everyTurn("a",
			`{"type":"modify-variable","variableId":"hp","valueRef":"mp"}`),
			path: "rules[0].actions[0]", code: id, text: `reads the variable "mp"`},
		{name: "candidates", rules: everyTurn("a",
			`{"type":"modify-variable","variableId":"mood","valueRandom":{"kind":"list",
				"candidatesVar":"moods"}}`),
			path: "rules[0].actions[0]", code: id, text: `reads the variable "moods"`},
		{name: "a rule to toggle", rules: everyTurn("a",
			`{"type":"toggle-rule","ruleId":"b","enabled":true}`),
			path: "rules[0].actions[0]", code: id, text: `no rule or reaction has that id`},
		{name: "a rule to trigger", rules: everyTurn("a", `{"type":"trigger-rule","ruleId":"b"}`),
			path: "rules[0].actions[0]", code: id, text: `triggers "b"`},
		{name: "a rule to disable by path",
			reactions: `{"id":"a","when":{"eventType":"go"},"then":[{"type":"set",
				"path":"@rules.disabled.b","value":true}]}`,
			path: "reactions[0].then[0]", code: id, text: `toggles "b"`},
		{name: "a variable to switch",
			reactions: `{"id":"a","when":{"eventType":"go"},"then":[{"type":"set",
				"path":"@vars.enabled.mp","value":true}]}`,
			path: "reactions[0].then[0].path", code: id, text: `switches the variable "mp"`},
		{name: "a module to switch",
			reactions: `{"id":"a","when":{"eventType":"go"},"then":[{"type":"set",
				"path":"@worldbooks.on.celar","value":true}]}`,
			path: "reactions[0].then[0].path", code: id, text: `did you mean "cellar"?`},
		{name: "a module to belong to", rules: withTrigger(`{"type":"every-turn"}`,
			`,"worldbookId":"attic"`),
			path: "rules[0].worldbookId", code: id, text: `no module "attic"`},
		{name: "an action of the host", rules: everyTurn("a", `{"type":"notify-playr"}`),
			path: "rules[0].actions[0]", code: id, text: `did you mean "notify-player"?`},
	})
}

// Numbers without a meaning count as the nearest number that has one, and rules without actions do
// nothing. Both are reported, and actions of campaigns are not.
func TestVetFindsLimits(t *testing.T) {
	t.Parallel()
	every := func(rest string) string { return withTrigger(`{"type":"every-turn"}`, rest) }
	directive := func(rest string) string {
		return everyTurn("a", `{"type":"inject-directive","directiveId":"d","content":"c",`+rest+`}`)
	}
	const ignored, actions = rules.Ignored, rules.BadActions
	check(t, []finding{
		{name: "a cooldown", rules: every(`,"cooldownTurns":-3`), path: "rules[0].cooldownTurns", code: ignored, text: "no cooldown"},
		{name: "a chance", rules: every(`,"chance":300`), path: "rules[0].chance", code: ignored, text: "above 100"},
		{name: "a chain", rules: every(`,"maxChainDepth":-1`), path: "rules[0].maxChainDepth", code: ignored, text: "counts as 0"},
		{name: "a duration", rules: directive(`"duration":-2`), path: "rules[0].actions[0].duration", code: ignored, text: "counts as 1"},
		{name: "a depth", rules: directive(`"position":"depth","depth":-2`), path: "rules[0].actions[0].depth", code: ignored, text: "counts as 0"},
		{name: "a duration of a path", reactions: `{"id":"a","when":{"eventType":"go"},"then":[{"type":"set","path":"@prompt.directive.d","value":{"content":"c","duration":0}}]}`,
			path: "reactions[0].then[0].value.duration", code: ignored, text: "counts as 1"},
		{name: "an empty list", rules: everyTurn("a", ""), path: "rules[0].actions", code: actions, text: "changes nothing"},
		{name: "no list", rules: `{"id":"a","trigger":{"type":"every-turn"}}`, path: "rules[0].actions", code: actions, text: "no actions"},
		{name: "a reaction", reactions: `{"id":"a","when":{"eventType":"go"}}`, path: "reactions[0].then", code: actions, text: "changes nothing"},
		{name: "a script", reactions: `{"id":"a","when":{"eventType":"go"},"then":[],"code":"run()"}`, path: "reactions[0].code", code: ignored, text: "not run"},
	})
	for _, action := range []string{
		`{"type":"start-timer","timerId":"t","duration":5}`, `{"type":"lock-area","areaId":"a"}`, `{"type":"end-campaign","reason":"won"}`,
		`{"type":"inject-directive","directiveId":"d","content":"c","duration":1,"position":"depth","depth":0}`,
	} {
		if found := (finding{rules: everyTurn("a", action)}).vet(t); len(found) > 0 {
			t.Errorf("%s: %v", action, found)
		}
	}
	if found := (finding{rules: withTrigger(`{"type":"every-turn"}`, `,"cooldownTurns":0,"chance":100,"maxChainDepth":0`)}).vet(t); len(found) > 0 {
		t.Error(found)
	}
	if found := (finding{reactions: `{"id":"a","when":{"eventType":"go"},"then":[],"elseMessage":"Not yet."}`}).vet(t); len(found) > 0 {
		t.Error(found)
	}
}

// Triggers that can never fire (RU-32).
func TestVetFindsWhatNeverFires(t *testing.T) {
	t.Parallel()
	const never = rules.NeverFires
	crossed := func(rest string) string { return `{"type":"variable-crossed",` + rest + `}` }
	check(t, []finding{
		{name: "a chance of 0", rules: withTrigger(`{"type":"every-turn"}`, `,"chance":0`),
			path: "rules[0].chance", code: never, text: "chance of 0"},
		{name: "a maximum of 0", rules: withTrigger(`{"type":"every-turn"}`, `,"maxFireCount":0`),
			path: "rules[0].maxFireCount", code: never, text: "maximum of 0"},
		{name: "off, and nothing switches it on", rules: withTrigger(`{"type":"every-turn"}`,
			`,"enabled":false`),
			path: "rules[0].enabled", code: never, text: "nothing switches it on"},
		{name: "manual, and nobody asks", rules: withTrigger(`{"type":"manual"}`, ""),
			path: "rules[0].trigger", code: never, text: "only the host can"},
		{name: "in no module yet", rules: withTrigger(`{"type":"every-turn"}`,
			`,"worldbookId":"unplaced"`),
			path: "rules[0].worldbookId", code: never, text: "belongs to no module"},
		{name: "no keywords", rules: withTrigger(`{"type":"keyword","keywords":[]}`, ""),
			path: "rules[0].trigger.keywords", code: never, text: "no keywords"},
		{name: "no threshold", rules: withTrigger(crossed(`"variableId":"hp"`), ""),
			path: "rules[0].trigger.threshold", code: never, text: "no threshold"},
		{name: "a threshold at the bound",
			rules: withTrigger(crossed(`"variableId":"hp","direction":"drops-below","threshold":0`),
				""),
			path: "rules[0].trigger.threshold", code: never, text: "reaching a threshold is not crossing it"},
		{name: "a threshold beyond the bounds, in a pattern",
			reactions: `{"id":"a","when":{"eventType":"state:crossed","variableId":"hp",
				"threshold":12},"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`,
			path: "reactions[0].when.threshold", code: never, text: "the bounds of hp"},
		{name: "a threshold of a text",
			rules: withTrigger(crossed(`"variableId":"mood","threshold":1`), ""),
			path:  "rules[0].trigger.variableId", code: never, text: "only numbers cross"},
		{name: "no turn", rules: withTrigger(`{"type":"turn-count"}`, ""),
			path: "rules[0].trigger", code: never, text: "no turn"},
		{name: "turn 0", rules: withTrigger(`{"type":"turn-count","atTurn":0}`, ""),
			path: "rules[0].trigger.atTurn", code: never, text: "the first turn is number 1"},
		{name: "half a turn", rules: withTrigger(`{"type":"turn-count","atTurn":2.5}`, ""),
			path: "rules[0].trigger.atTurn", code: never, text: "whole numbers"},
		{name: "an unknown trigger", rules: withTrigger(`{"type":"moon"}`, ""),
			path: "rules[0].trigger", code: rules.BadTrigger, text: "the rule is inert"},
		{name: "no event type", reactions: `{"id":"a","when":{},"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`,
			path: "reactions[0].when", code: rules.BadPattern, text: "the reaction never fires"},
		{name: "an operator that is none",
			reactions: `{"id":"a","when":{"eventType":"go","match":{"n":{"operator":"is",
				"value":1}}},"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`,
			path: "reactions[0].when.match.n", code: rules.BadPattern, text: `unknown operator "is"`},
	})
}

// Cycles of writes, emits, toggles and triggers, with their steps (RU-32).
func TestVetFindsCircles(t *testing.T) {
	t.Parallel()
	toggles := func(id, other string) string {
		return everyTurn(id, `{"type":"toggle-rule","ruleId":"`+other+`","enabled":true}`)
	}
	emits := func(id, hears, says string) string {
		return `{"id":"` + id + `","when":{"eventType":"` + hears +
			`"},"then":[{"type":"emit","event":{"type":"` +
			says + `"}}]}`
	}
	check(t, []finding{
		{name: "a rule that writes what it watches",
			rules: `{"id":"a","trigger":{"type":"state-change","variableId":"hp"},"conditions":[],
				"actions":[{"type":"modify-variable","variableId":"hp","operation":"add",
					"value":1}]}`,
			path: "rules[0]", code: "cycle", text: "a → a"},
		{name: "toggles", rules: toggles("a", "b") + "," + toggles("b", "c") + "," + toggles("c",
			"a"),
			path: "rules[0]", code: "cycle", text: "a → b → c → a"},
		{name: "emits", reactions: emits("a", "x:one", "y:two") + "," + emits("b", "y:*", "x:one"),
			path: "reactions[0]", code: "cycle", text: "a → b → a"},
		{name: "a toggle one way, an event back",
			rules: `{"id":"a","trigger":{"type":"action"},"conditions":[],
				"actions":[{"type":"trigger-rule","ruleId":"b"}]}`,
			reactions: emits("b", "go", "action:fired"),
			path:      "rules[0]", code: "cycle", text: "a → b → a"},
	})
}

// Ids that hide each other (RU-32).
func TestVetFindsShadowedIDs(t *testing.T) {
	t.Parallel()
	check(t, []finding{
		{name: "two rules", rules: everyTurn("a", notify) + "," + everyTurn("a", notify),
			path: "rules[1].id", code: rules.DuplicateID, text: "the id of rules[0] too"},
		{name: "a rule and a reaction", rules: everyTurn("a", notify),
			reactions: `{"id":"a","when":{"eventType":"go"},"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`,
			path:      "reactions[0].id", code: rules.DuplicateID, text: "share one count"},
	})
	for _, c := range []struct {
		name, path, text string
		add              rules.Variable
	}{
		{"two variables", "variables[3].id", "declared twice", rules.Variable{ID: "hp",
			Type: rules.TypeNumber}},
		{"a display name behind an id", "variables[3].name", "id of a different variable",
			rules.Variable{ID: "x", Name: "hp", Type: rules.TypeNumber}},
		{"a display name behind a later one", "variables[3].name", "the last one wins",
			rules.Variable{ID: "x", Name: "Health", Type: rules.TypeNumber}},
		{"a path behind an id", "variables[3].id", "also a path into bag",
			rules.Variable{ID: "bag.gold", Type: rules.TypeNumber}},
	} {
		problems := rules.Vet(rules.Content{Variables: append(vetVariables(), c.add)})
		if len(problems) != 1 || problems[0].Path != c.path || !strings.Contains(problems[0].Text,
			c.text) {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
}

// Conditions that exclude each other, or the possible values of a variable (RU-32).
func TestVetFindsContradictions(t *testing.T) {
	t.Parallel()
	const wrong = "contradiction"
	hp := func(op, value string) string {
		return `{"variableId":"hp","operator":"` + op + `","value":` + value + `}`
	}
	check(t, []finding{
		{name: "an empty range", rules: tests(hp("gt", "7") + "," + hp("lt", "3")),
			path: "rules[0].conditions[1]", code: wrong, text: "excludes a condition before it"},
		{name: "a range that touches", rules: tests(hp("gt", "3") + "," + hp("lte", "3")),
			path: "rules[0].conditions[1]", code: wrong, text: "never true"},
		{name: "two values", rules: tests(hp("eq", "3") + "," + hp("eq", "4")),
			path: "rules[0].conditions[1]", code: wrong, text: "never true"},
		{name: "a value that is excluded", rules: tests(hp("neq", "3") + "," + hp("eq", "3")),
			path: "rules[0].conditions[1]", code: wrong, text: "never true"},
		{name: "beyond the bounds of the variable", rules: tests(hp("gt", "10")),
			path: "rules[0].conditions[0]", code: wrong, text: "the bounds of hp"},
		{name: "a text for a number", rules: tests(hp("eq", `"3"`)),
			path: "rules[0].conditions[0]", code: wrong, text: "compares hp, which is number, with string"},
		{name: "an order of texts",
			rules: tests(`{"variableId":"mood","operator":"lt","value":"m"}`),
			path:  "rules[0].conditions[0]", code: wrong, text: "compares numbers"},
		{name: "a part of a number", rules: tests(hp("contains", "1")),
			path: "rules[0].conditions[0]", code: wrong, text: "looks into texts and lists"},
	})
}

// Directives that no prompt will ever show (RU-32).
func TestVetFindsUnusedDirectives(t *testing.T) {
	t.Parallel()
	const unused = "unused-directive"
	check(t, []finding{
		{name: "removed and never injected", rules: everyTurn("a",
			`{"type":"remove-directive","directiveId":"d"}`),
			path: "rules[0]", code: unused, text: "which nothing injects"},
		{name: "empty", rules: everyTurn("a",
			`{"type":"inject-directive","directiveId":"d","content":" "}`),
			path: "rules[0]", code: unused, text: "is empty"},
	})
	dead := finding{rules: `{"id":"a","chance":0,"trigger":{"type":"every-turn"},"conditions":[],
		"actions":[{"type":"inject-directive","directiveId":"d","content":"Rain."}]}`}
	found := dead.vet(t).Of(unused)
	if len(found) != 1 || !strings.Contains(found[0].Text, "can never fire") {
		t.Errorf("injected by what never fires: %v", found)
	}
	dead.rules += "," + everyTurn("b",
		`{"type":"inject-directive","directiveId":"d","content":"Hail."}`)
	if found := dead.vet(t).Of(unused); len(found) > 0 {
		t.Errorf("another rule injects it: %v", found)
	}
}

// Two conflicting rules, and unknown words (RU-32).
func TestVetFindsConflictsAndWords(t *testing.T) {
	t.Parallel()
	sets := func(id, mood string) string {
		return everyTurn(id, `{"type":"modify-variable","variableId":"mood","value":"`+mood+`"}`)
	}
	check(t, []finding{
		{name: "two that fight", rules: sets("a", "calm") + "," + sets("b", "wild"),
			path: "rules[1]", code: "conflict", text: "the later one wins"},
		{name: "an operator", rules: tests(`{"variableId":"hp","operator":"is","value":1}`),
			path: "rules[0].conditions[0].operator", code: rules.BadConditions, text: `unknown operator "is"`},
	})
}

// TestVetFindsFieldsThatNoEventHas: RE-02, RE-10. A misspelt field of an event of the engine is reported.
func TestVetFindsFieldsThatNoEventHas(t *testing.T) {
	t.Parallel()
	hears := func(when string) string {
		return `{"id":"r","when":` + when + `,"then":[{"type":"set","path":"@ui.notification","value":"x"}]}`
	}
	check(t, []finding{
		{name: "a clause", reactions: hears(`{"eventType":"state:changed","match":{"variableID":{"operator":"eq","value":"hp"}}}`),
			path: "reactions[0].when.match.variableID", code: rules.BadPattern, text: `did you mean "variableId"?`},
		{name: "shorthand", reactions: hears(`{"eventType":"action:fired","actionid":"drink"}`),
			path: "reactions[0].when.actionid", code: rules.BadPattern, text: `did you mean "actionId"?`},
		{name: "no period", reactions: hears(`{"eventType":"turn:complete","match":{"turnCount":{"operator":"every","value":0}}}`),
			path: "reactions[0].when.match.turnCount", code: rules.BadPattern, text: "every needs a number above 0"},
	})
	good, _ := reactions.Parse([]byte("[" + hears(`{"eventType":"turn:complete","match":{"turnCount":{"operator":"every","value":"3"}}}`) + "," +
		strings.Replace(hears(`{"eventType":"shop:sold","match":{"variableID":{"operator":"eq","value":"hp"}}}`), `"r"`, `"s"`, 1) + "]"))
	if found := rules.Vet(rules.Content{Handlers: reactions.Handlers(good)}); len(found) > 0 {
		t.Errorf("good patterns: %v", found)
	}
}

// Names in the declarations themselves.
func TestVetLooksAtDeclarations(t *testing.T) {
	t.Parallel()
	problems := rules.Vet(rules.Content{
		Variables: append(vetVariables(),
			rules.Variable{ID: "double", Type: rules.TypeNumber, Formula: "Health * factor"},
			rules.Variable{ID: "shy", Type: rules.TypeString, BookID: "attic",
				Activation: rules.Activation{
					Mode: rules.ModeConditions,
					Conditions: []rules.Condition{{VariableID: "trust", Operator: rules.Gt,
						Value: tree.Int(1)}},
				}}),
		Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{Mode: "keyword"}}},
	})
	var got []string
	for _, p := range problems {
		got = append(got, p.Path+" "+string(p.Code))
	}
	want := []string{
		"variables[3].formula unknown-id",
		"variables[4].worldbookId unknown-id",
		"variables[4].activation.conditions[0].variableId unknown-id",
		"modules[0].activation.mode ignored",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Good content has no problems: the rule and the reaction of the documentation.
func TestVetIsSilentAboutGoodContent(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(lowHealth))
	forest, _ := reactions.Parse([]byte(`[{"id":"fog","when":{"eventType":"spatial:zone-enter",
		"zone":"forest"},
		"conditions":[{"variableId":"weather","operator":"neq","value":"foggy"}],
		"then":[{"type":"set","path":"weather","value":"foggy"}]}]`))
	problems := rules.Vet(rules.Content{
		Variables: []rules.Variable{
			{ID: "health", Type: rules.TypeNumber, Min: new(0.0), Max: new(100.0)},
			{ID: "weather", Type: rules.TypeString},
		},
		Rules:    list,
		Handlers: reactions.Handlers(forest),
	})
	if len(problems) > 0 {
		t.Errorf("complaints about good content: %v", problems)
	}
}

// modify is an action on a variable of [vetVariables].
func modify(rest string) string {
	return everyTurn("a", `{"type":"modify-variable",`+rest+`}`)
}

// Writes that are refused each time (RU-32).
func TestVetFindsWritesThatAreRefused(t *testing.T) {
	t.Parallel()
	const at = "rules[0].actions[0]"
	check(t, []finding{
		{"an operation on another type", modify(`"variableId":"mood","operation":"add","value":1`), "",
			at + ".operation", rules.BadActions, "add does not work on mood, which is string; nothing is written; write set or append"},
		{"by the display name", modify(`"variableId":"Health","operation":"toggle"`), "",
			at + ".operation", rules.BadActions, "toggle does not work on hp"},
		{"an operand of another type", modify(`"variableId":"hp","operation":"add","value":"5"`), "",
			at + ".value", rules.BadActions, "add takes a number, and this is string"},
		{"no operand", modify(`"variableId":"hp","operation":"subtract"`), "",
			at + ".value", rules.BadActions, "subtract takes a number, and this is nothing"},
		{"set to another type", modify(`"variableId":"hp","operation":"set","value":"high"`), "",
			at + ".value", rules.BadActions, "sets hp, which is number, to string"},
		{"merge of what is no object", modify(`"variableId":"bag","operation":"merge","value":[1]`), "",
			at + ".value", rules.BadActions, "merge takes an object"},
		{"delete without a key", modify(`"variableId":"bag","operation":"delete"`), "",
			at + ".value", rules.BadActions, "delete takes a key or an index"},
		{"a path into a number", modify(`"variableId":"hp.max","operation":"set","value":1`), "",
			at, rules.BadActions, "a path into hp, which is number"},
		{"dice for a text", modify(`"variableId":"mood","operation":"append","valueRandom":{"kind":"dice","sides":6}`), "",
			at + ".value", rules.BadActions, "append takes a text"},
		{"a kind of random operand", modify(`"variableId":"hp","operation":"set","valueRandom":{"kind":"dise","sides":6}`), "",
			at + ".valueRandom.kind", rules.BadActions, `did you mean "dice"?`},
		{"dice without sides", modify(`"variableId":"hp","operation":"set","valueRandom":{"kind":"dice"}`), "",
			at + ".valueRandom.sides", rules.BadActions, "dice without sides"},
		{"a reaction", "", `{"id":"a","when":{"eventType":"turn:complete"},"then":[{"type":"set","path":"mood","operation":"multiply","value":2}]}`,
			"reactions[0].then[0].operation", rules.BadActions, "multiply does not work on mood"},
		{"a message without text", everyTurn("a", `{"type":"send-context","message":""}`), "",
			at + ".message", rules.BadActions, "no text; nothing is sent"},
	})
}

// Unknown words, with the probably intended word (RU-32).
func TestVetFindsSlipsInEffects(t *testing.T) {
	t.Parallel()
	const at = "rules[0].actions[0]"
	then := func(effect string) string {
		return `{"id":"a","when":{"eventType":"turn:complete"},"then":[` + effect + `]}`
	}
	set := func(path, value string) string {
		return then(`{"type":"set","path":"` + path + `","value":` + value + `}`)
	}
	const path = "reactions[0].then[0].path"
	check(t, []finding{
		{"a role", everyTurn("a", `{"type":"send-context","message":"m","role":"usr"}`), "",
			at + ".role", rules.UnknownID, `did you mean "user"?`},
		{"a style", everyTurn("a", `{"type":"notify-player","message":"m","style":"warn"}`), "",
			at + ".style", rules.UnknownID, `unknown style "warn"`},
		{"an audio action", everyTurn("a", `{"type":"play-audio","trackId":"t","action":"cross-fade"}`), "",
			at + ".action", rules.UnknownID, `did you mean "crossfade"?`},
		{"an emitted style", "", then(`{"type":"emit","event":{"type":"ui:notification","message":"m","style":"dangr"}}`),
			"reactions[0].then[0].event.style", rules.UnknownID, `did you mean "danger"?`},
		{"a whole path", "", set("@audio.bmg", `"t"`), path, rules.UnknownID, `did you mean "@audio.bgm"?`},
		{"a request", "", set("@ai.reqest", `"t"`), path, rules.UnknownID, `did you mean "@ai.request"?`},
		{"a path with an id", "", set("@prompt.direktive.a.b", `"t"`), path, rules.UnknownID, `did you mean "@prompt.directive.…"?`},
		{"a switch", "", set("@rule.disabled.a", `true`), path, rules.UnknownID, `did you mean "@rules.disabled.…"?`},
		{"no id", "", set("@prompt.entry.", `true`), path, rules.BadActions, "needs an id"},
		{"a switch by a text", "", set("@prompt.entry.a", `"yes"`), "reactions[0].then[0].value", rules.BadActions,
			"takes true or false"},
		{"a track by a number", "", set("@audio.bgm", `5`), "reactions[0].then[0].value", rules.BadActions,
			"takes a text"},
		{"a directive that is true", "", set("@prompt.directive.a", `true`), "reactions[0].then[0].value",
			rules.BadActions, "or false"},
		{"the position of a directive", "", set("@prompt.directive.a", `{"content":"c","position":"topp"}`),
			"reactions[0].then[0].value.position", rules.BadActions, `did you mean "top"?`},
		{"a member of the wrong type", everyTurn("a", `{"type":"toggle-book","bookId":5,"enabled":true}`), "",
			at, rules.BadActions, "bookId: must be a text, not the number 5"},
		{"a late veto", everyTurn("a", `{"type":"veto","reason":"No."}`), "",
			at, rules.BadActions, `a veto is too late here`},
		{"a late rewrite", "", then(`{"type":"rewrite","target":"line","find":"a","text":"b"}`),
			"reactions[0].then[0]", rules.BadActions, `use a reaction to "turn:accepted", or a hook`},
	})
}

// Words that only play or the host can decide are not reported as mistakes.
func TestVetLeavesTheOpenAlone(t *testing.T) {
	t.Parallel()
	for _, effect := range []string{
		`{"type":"set","path":"hp","operation":"add","valueRef":"bag.gold"}`,
		`{"type":"set","path":"hp","operation":"add","value":"{param.n}"}`,
		`{"type":"set","path":"hp","value":"5"}`,
		`{"type":"set","path":"bag.gold","operation":"multiply","value":2}`,
		`{"type":"set","path":"bag","operation":"delete","value":"rope"}`,
		`{"type":"set","path":"@ui.choices","value":["a"]}`,
		`{"type":"set","path":"@scene.player.x","value":3}`,
		`{"type":"set","path":"@timer.start","value":{"id":"t"}}`,
		`{"type":"set","path":"@house.lights","value":true}`,
		`{"type":"set","path":"@prompt.entry.e","operation":"toggle"}`,
		`{"type":"set","path":"@prompt.directive.d","value":false}`,
		`{"type":"emit","event":{"type":"ui:notification","message":"m"}}`,
		`{"type":"emit","event":{"type":"audio:play","trackId":"t","action":"{param.how}"}}`,
	} {
		f := finding{reactions: `{"id":"a","when":{"eventType":"turn:complete"},"then":[` + effect + `]},` +
			`{"id":"b","when":{"eventType":"turn:complete"},"then":[{"type":"set","path":"@prompt.directive.d","value":"c"}]}`}
		if problems := f.vet(t); len(problems) > 0 {
			t.Errorf("%s: %v", effect, problems)
		}
	}
	const trigger = `{"id":"b","when":{"eventType":"turn:accepted"},"then":[{"type":"trigger-rule","ruleId":"a"},{"type":"veto","reason":"No."}]}`
	for _, effect := range []string{`{"type":"veto","reason":"No."}`, `{"type":"rewrite","target":"prompt","find":"a","text":"b"}`} {
		f := finding{rules: everyTurn("a", effect), reactions: trigger}
		if problems := f.vet(t); len(problems) > 0 {
			t.Errorf("triggered by a rule: %s: %v", effect, problems)
		}
	}
	reply := finding{rules: everyTurn("a", `{"type":"rewrite","target":"reply","find":"a","text":"b"}`)}
	if problems := reply.vet(t); len(problems) > 0 {
		t.Errorf("a rewrite of the reply: %v", problems)
	}
}
