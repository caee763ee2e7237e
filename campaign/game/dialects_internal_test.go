package game

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestLeftoversOfCommands: blocks without a command, places of status pages and comments with commands
// are cut. Other comments are part of the story.
func TestLeftoversOfCommands(t *testing.T) {
	t.Parallel()
	g, problems := Compile(Content{Rules: Rules{Dialects: []Dialect{Commands(), CommandLanguage(mvu.Dialect(mvu.Options{}))}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"Dust.": nil, "<StatusPlaceHolderImpl/> Dust.": {"<StatusPlaceHolderImpl/>"},
		"<updateMemory></updateMemory> Dust.":                  {"<updateMemory></updateMemory>"},
		"<updateMemory>memory('a.b', 1);</updateMemory> Dust.": nil,
		"<!-- memory('a.b', 1); --> Dust.":                     {"<!-- memory('a.b', 1); -->"},
		"<!-- a note --> Dust. /* memory('a.b', 1);":           nil,
		"Dust. // memory('a.b', 1);":                           {"// memory('a.b', 1);"},
	} {
		var got []string
		for _, s := range g.leftovers(text) {
			got = append(got, text[s.From:s.To])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAnswerOfADialect: a reply that a dialect reads as a whole has no places. The first dialect that
// finds a text reads it.
func TestAnswerOfADialect(t *testing.T) {
	t.Parallel()
	whole := func(name, text string, ok bool) Dialect {
		return Dialect{Name: name, Read: func(string, Scope) []Span { return nil },
			Answer: func(string, Scope) (string, []Span, bool) { return text, []Span{{From: 3, To: 9}}, ok }}
	}
	g, problems := Compile(Content{Rules: Rules{Dialects: []Dialect{whole("no", "x", false), whole("empty", " ", true), whole("own", " Dust. ", true), whole("late", "y", true)}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	native := []llm.ToolCall{{ID: "1", Name: "move", Arguments: "{}"}}
	out, asked := g.ReadAnswer(answer.Answer{Raw: "raw", Native: native, Broken: "no text"}, g.Scope())
	if out.Text != "Dust." || len(asked) != 1 || asked[0].Dialect != "own" || len(asked[0].Spans) != 1 || asked[0].Spans[0].To != 0 || asked[0].Spans[0].From != 0 {
		t.Errorf("%+v, %+v", out, asked)
	}
	if len(out.Native) != 1 || len(out.Calls) != 1 || out.Calls[0].Tool != "move" {
		t.Errorf("the calls beside the text are %+v, of %+v", out.Calls, out.Native)
	}
	if _, asked := g.ReadAnswer(answer.Answer{Raw: "raw"}, g.Scope()); asked != nil {
		t.Errorf("an answer that can be read is read again: %+v", asked)
	}
}

// TestStructuredDirectives: the state changes of a structured answer are effects.
func TestStructuredDirectives(t *testing.T) {
	t.Parallel()
	g, problems := Compile(Content{Rules: Rules{Variables: []rules.Variable{{ID: "wet", Type: rules.TypeBoolean}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	text, spans, ok := Directives(DirectiveOptions{}).Answer(`{"narrative": "Rain.", "stateChanges": {"wet": true}}`, g.Scope())
	if !ok || text != "Rain." || len(spans) != 1 || len(spans[0].Effects) != 1 {
		t.Errorf("%q, %+v, %v", text, spans, ok)
	}
	many := `{"narrative": "Rain.", "stateChanges": [` + strings.Repeat(`{"variableId": "wet", "operation": "toggle"},`, 5000) + `0]}`
	if _, spans, _ := Directives(DirectiveOptions{}).Answer(many, g.Scope()); len(spans) < 2 || spans[len(spans)-1].Refused == "" {
		t.Errorf("of too many changes nothing is refused: %d spans", len(spans))
	}
	patch := `<jsonpatch>[{"op": "replace", "path": "/hp", "value": 3}]</jsonpatch>`
	spans = Directives(DirectiveOptions{PatchRoot: "hero"}).Read(patch, g.Scope())
	if len(spans) == 0 || len(spans[0].Effects) != 1 || spans[0].Effects[0].(effect.SetVariable).Path != "hero.hp" {
		t.Errorf("a patch below a root of its own: %+v", spans)
	}
}

// TestProfileOfCommands: a list that is declared is not read as a value with a description, unless it
// is elsewhere.
func TestProfileOfCommands(t *testing.T) {
	t.Parallel()
	own := memvars.DefaultProfile()
	own.Character = "hero"
	own.LeafRules = nil
	list := tree.Array(tree.Int(1), tree.Text("a"))
	for _, c := range []struct {
		profile *memvars.Profile
		v       rules.Variable
		added   int
	}{
		{&own, rules.Variable{Path: "hero.bag", Default: list}, 1}, {&own, rules.Variable{Path: "hero.bag", Default: tree.Int(1)}, 0},
		{&own, rules.Variable{Path: "elsewhere.bag", Default: list}, 0}, {nil, rules.Variable{Path: "hero.bag", Default: list}, len(memvars.DefaultProfile().LeafRules)},
	} {
		got := commandProfile(Content{Rules: Rules{Commands: memvars.Options{Profile: c.profile}, Variables: []rules.Variable{c.v}}})
		if len(got.LeafRules) != c.added {
			t.Errorf("%s: %+v", c.v.Path, got.LeafRules)
		}
		g, problems := Compile(Content{Rules: Rules{Commands: memvars.Options{Profile: c.profile}}})
		want := memvars.DefaultProfile().Character
		if c.profile != nil {
			want = c.profile.Character
		}
		if err := problems.Err(); err != nil || g.Profile().Character != want {
			t.Errorf("the profile of a game is %+v, %v", g.Profile(), err)
		}
		for _, r := range got.LeafRules {
			if c.profile != nil && (r.Path.String() != c.v.Path || !r.Leaf || !r.List) {
				t.Errorf("%s: %+v", c.v.Path, r)
			}
		}
	}
}
