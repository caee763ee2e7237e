package game

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestConditionsOfLore: conditions that are no JSON never hold. Conditions that no compiled book has
// are read when they are needed.
func TestConditionsOfLore(t *testing.T) {
	t.Parallel()
	g, problems := Compile(Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	holds := g.LoreHolds(nil)
	for conditions, want := range map[string]bool{"{": false, "null": true, `{"conditionLogic":"","conditions":[]}`: true, `{"variableId":"x","operator":"exists"}`: false} {
		if got := holds(json.RawMessage(conditions)); got != want {
			t.Errorf("%s: %v", conditions, got)
		}
	}
	if gate, text := readLoreGate(json.RawMessage("{")); !gate.closed || text != "not JSON" {
		t.Errorf("%+v, %q", gate, text)
	}
}

// TestPrivateLore: the entries that not everybody may see are listed in the order of their IDs.
func TestPrivateLore(t *testing.T) {
	t.Parallel()
	entry := func(uid, extensions string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Content: "Text", Extensions: json.RawMessage(extensions)}
	}
	g, problems := Compile(Content{Lore: Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
		entry("3", `{"visible_to": ["ann"]}`), entry("2", ""), entry("1", `{"visible_to": ["ben", "ann"]}`)}}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for id, witnesses := range g.PrivateLore() {
		got = append(got, fmt.Sprint(id, witnesses))
	}
	if want := []string{"b.1[ben ann]", "b.3[ann]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDecoratorsOfLore: decorators are the lines at the top that begin with @@.
func TestDecoratorsOfLore(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{"": "", "Text @@a": "", "@@a": "@@a", "@@a\nText": "@@a\n", "@@a\n@@b\nText\n@@c": "@@a\n@@b\n", "@@a\n@@b": "@@a\n@@b"} {
		if got := decorators(content); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// TestLoreOfTwoRequests: an added entry with one of the two marks is left out of the other request.
func TestLoreOfTwoRequests(t *testing.T) {
	t.Parallel()
	g, problems := Compile(Content{Lore: Lore{Books: []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceCharacter},
		Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Comment: "[mvu_plot]"}, {UID: "2", Comment: "[MVU_update]"}, {UID: "3", Comment: "[mvu_plot][mvu_update]"}}}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var added []effect.AddEntry
	for _, name := range []string{"[mvu_plot] a", "[mvu_update] b", "c", "[mvu_update][mvu_plot] d"} {
		added = append(added, effect.AddEntry{BookID: "n", ID: name[len(name)-1:], Name: name})
	}
	for updating, want := range map[bool][]string{false: {"b.2", "n.b"}, true: {"b.1", "n.a"}} {
		if names, split := g.LoreLeftOut(updating, added); !split || !slices.Equal(names, want) {
			t.Errorf("updating %v: %q, %v", updating, names, split)
		}
	}
	if g, _ = Compile(Content{}); g != nil {
		if names, split := g.LoreLeftOut(true, added[:1]); split || !slices.Equal(names, []string{"n.a"}) {
			t.Errorf("no marks: %q, %v", names, split)
		}
	}
}

// TestVariablesOfTavernHelper: macros read the variables of the card and of the preset. Values that
// are no objects are null.
func TestVariablesOfTavernHelper(t *testing.T) {
	t.Parallel()
	for extension, want := range map[string]string{
		`{"variables":{"a":1}}`: `{"a":1}`, `[["x",1],["variables",{"a":2}]]`: `{"a":2}`, `{"variables":1}`: "null", `1`: "null", `{`: "null",
	} {
		if data, err := (helperVariables{json.RawMessage(extension)}).MarshalJSON(); err != nil || string(data) != want {
			t.Errorf("%s: %s, %v", extension, data, err)
		}
	}
	scripts := `{"scripts":[{"type":"script","name":"on","content":"a()","enabled":true},{"type":"script","name":"off","content":"b()","enabled":false},{"type":"script","value":{"name":"older","content":"c()","enabled":false}},{"type":"folder","enabled":false,"scripts":[{"type":"script","value":{"name":"in","content":"d()","enabled":true}}]}],"variables":{"a":1}}`
	preset := tavern.Default()
	preset.Extra = map[string]json.RawMessage{"extensions": json.RawMessage(`{"tavern_helper":` + scripts + `}`)}
	owner := &card.Card{Extensions: map[string]json.RawMessage{"tavern_helper": json.RawMessage(scripts)}}
	c := Content{People: People{Card: owner}, Prompt: Prompt{Preset: &preset}}
	for name := range c.Stores(tree.Document{}, owner) {
		if !slices.Contains([]string{"message", "character", "preset"}, name) {
			t.Errorf("a store %q", name)
		}
	}
	if stores := c.Stores(tree.Document{}, nil); len(stores) != 2 || stores["preset"] == nil {
		t.Errorf("without a card: %v", stores)
	}
	preset.Extra = nil
	if stores := c.Stores(tree.Document{}, owner); len(stores) != 2 || stores["character"] == nil {
		t.Errorf("without an extension: %v", stores)
	}
	preset.Extra = map[string]json.RawMessage{"extensions": json.RawMessage(`{"tavern_helper":` + scripts + `}`)}
	var visited []string
	c.HelperScripts(func(path, code string) { visited = append(visited, path+" "+code) })
	if want := []string{"card.extensions.tavern_helper a()", "preset.extensions.tavern_helper a()"}; !slices.Equal(visited, want) {
		t.Errorf("visited %q", visited)
	}
}

// TestDeepFolders: scripts in too many folders are not visited.
func TestDeepFolders(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]int{0: 1, 8: 1, 9: 0} {
		list := `[{"name":"s","content":"a()"}]`
		for range depth {
			list = `[{"type":"folder","scripts":` + list + `}]`
		}
		v, err := tree.ParseValue([]byte(list))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		eachHelperScript(v, true, 0, func(string, string, bool) { n++ })
		if n != want {
			t.Errorf("in %d folders: %d scripts", depth, n)
		}
	}
}

// TestRequestsOfAReply: commands, effects and refusals are requests. A warning is not.
func TestRequestsOfAReply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		span Span
		want bool
	}{
		{Span{}, false}, {Span{Warning: "slow"}, false}, {Span{Refused: "no"}, true}, {Span{Effects: effect.List{effect.Notify{}}}, true},
	} {
		if got := (Reading{Asked: []Asked{{}, {Spans: []Span{{}, c.span}}}}).Asks(); got != c.want {
			t.Errorf("%+v: %v", c.span, got)
		}
	}
}

// TestOptionsThatExclude: each combination of content that cannot be played is reported.
func TestOptionsThatExclude(t *testing.T) {
	t.Parallel()
	preset, layout := tavern.Default(), prompt.Default()
	bookCard := &card.Card{Name: "Orin", CharacterBook: json.RawMessage(`{"name":"b","entries":[{"keys":["k"],"content":"Text","enabled":true,"insertion_order":1}]}`)}
	attached := []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "Text"}}}}}
	other := []worldbook.Attachment{{Book: worldbook.Book{Name: "c"}}}
	for reason, c := range map[string]struct {
		content Content
		want    string // "": no problem
	}{
		"the book of no card":      {Content{Lore: Lore{CardBook: true}}, ""},
		"layout and preset":        {Content{Prompt: Prompt{Layout: &layout, Preset: &preset}}, "each of them defines the whole prompt"},
		"preset":                   {Content{Prompt: Prompt{Preset: &preset}}, ""},
		"preset and system prompt": {Content{Prompt: Prompt{Preset: &preset, System: &tavern.SystemPrompt{Content: "x"}}}, "the preset has a main prompt"},
		"system prompt":            {Content{Prompt: Prompt{System: &tavern.SystemPrompt{Content: "x"}}}, ""},
		"book attached twice":      {Content{People: People{Card: bookCard}, Lore: Lore{Books: attached, CardBook: true}}, "is not attached again"},
		"other book":               {Content{People: People{Card: bookCard}, Lore: Lore{Books: other, CardBook: true}}, ""},
		"book attached by hand":    {Content{People: People{Card: bookCard}, Lore: Lore{Books: attached}}, ""},
		"book not attached":        {Content{People: People{Card: bookCard}, Lore: Lore{Books: other}}, "are not used"},
		"templates in a scan":      {Content{Lore: Lore{ScanTemplates: "all"}}, `"all" is unknown`},
		"order of a module":        {Content{Rules: Rules{Modules: []rules.Module{{ID: "m", Order: 2}}}}, "modules[0].order"},
		"dialog without blocks":    {Content{Extensions: Extensions{DialogTypes: []DialogType{{ID: "x"}}}}, "has no blocks"},
		"value of a character":     {Content{Rules: Rules{Variables: []rules.Variable{{ID: "hp.ann", Type: rules.TypeNumber}}}}, "needs no declaration"},
	} {
		_, problems := Compile(c.content)
		text := ""
		for _, p := range problems {
			text += p.String() + "\n"
		}
		if (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", reason, text, c.want)
		}
	}
}

// TestOnlyViewsDeclared: a schema with nothing but values of characters is an empty schema, not none.
func TestOnlyViewsDeclared(t *testing.T) {
	t.Parallel()
	list := []rules.Variable{{ID: "hp.ann"}, {ID: "gold"}, {ID: "area.ann"}}
	if out := withoutViews(list, new(findings)); len(out) != 1 || out[0].ID != "gold" || len(list) != 3 {
		t.Errorf("variables: %+v", out)
	}
	if out := withoutViews(list[:1], new(findings)); out == nil || len(out) > 0 {
		t.Errorf("variables: %#v", out)
	}
}

// TestCopies: a variable is copied by a rule, a reaction and a formula, also if it has a place of its
// own.
func TestCopies(t *testing.T) {
	t.Parallel()
	g, problems := Compile(Content{Rules: Rules{
		Variables: []rules.Variable{{ID: "a", Type: rules.TypeNumber, Path: "deep.a"}, {ID: "b", Type: rules.TypeNumber}, {ID: "sum", Type: rules.TypeNumber, Formula: "a + b"}},
		Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{
			effect.SetVariable{Path: "b", ValueRef: "a"}, effect.SetVariable{Path: "b", ValueRef: "a"}, effect.SetVariable{Path: "b", Value: tree.Int(1)}}}},
		Reactions: []reactions.Reaction{{ID: "x", When: reactions.Pattern{EventType: "turn:complete"}, Then: reactions.Effects{effect.SetVariable{Path: "a", ValueRef: "b"}}}},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(g.copySources), "map[b:[deep.a] deep.a:[b] sum:[deep.a b]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestVariableLines: a line has the name of a variable if it is not the ID, its type and its bounds.
func TestVariableLines(t *testing.T) {
	t.Parallel()
	marks := English().Marks
	for want, v := range map[string]rules.Variable{
		"gold (Gold): number 0…100": {ID: "gold", Name: "Gold", Type: rules.TypeNumber, Min: new(0.0), Max: new(100.0)},
		"gold: number …2.5":         {ID: "gold", Name: "gold", Type: rules.TypeNumber, Max: new(2.5)},
		"mood: string":              {ID: "mood", Type: rules.TypeString},
	} {
		if got := variableLine(v, marks); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDefaultsCBS: each line with a name and an equals sign is a default value.
func TestDefaultsCBS(t *testing.T) {
	t.Parallel()
	c := &card.Card{Extensions: map[string]json.RawMessage{"risuai": json.RawMessage(`{"defaultVariables": " mood = calm \r\nno value\n=5\nsum=1=1"}`)}}
	if got, want := defaultsCBS(c), map[string]string{"mood": "calm", "sum": "1=1"}; !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHintLanguage: the language of the commands comes first, then the language of the texts.
func TestHintLanguage(t *testing.T) {
	t.Parallel()
	var c Content
	c.Extensions.Texts = &Texts{Hints: "zh"}
	if got := hintLanguage(c); got != "zh" {
		t.Errorf("of the texts: %q", got)
	}
	if c.Rules.Commands.Hints = "en"; hintLanguage(c) != "en" {
		t.Errorf("of the commands: %q", hintLanguage(c))
	}
}

// TestValidSpans: a span lies in the text and divides no character.
func TestValidSpans(t *testing.T) {
	t.Parallel()
	for _, s := range []Span{{From: -1}, {From: 2, To: 1}, {From: 1, To: 5}, {From: 2, To: 4}, {From: 0, To: 2}} {
		if got := validSpans([]Span{s}, "a雾"); len(got) > 0 {
			t.Errorf("%d to %d is valid", s.From, s.To)
		}
	}
	if got := validSpans([]Span{{From: 1, To: 4}, {From: 4, To: 4}}, "a雾"); len(got) != 2 {
		t.Errorf("valid: %v", got)
	}
}

// TestWritableOnce: the variables that a model may write are computed once for all descriptions.
func TestWritableOnce(t *testing.T) {
	t.Parallel()
	var seen []*rules.Variable
	describe := func(s Scope) string {
		seen = append(seen, &s.Writable()[0])
		return "text"
	}
	g, problems := Compile(Content{Rules: Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}},
		Dialects: []Dialect{{Name: "a", Read: func(string, Scope) []Span { return nil }, Describe: describe},
			{Name: "b", Read: func(string, Scope) []Span { return nil }, Describe: describe}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	g.TellLanguages(g.Scope())
	if len(seen) != 2 || seen[0] != seen[1] {
		t.Errorf("%d descriptions see different lists", len(seen))
	}
}
