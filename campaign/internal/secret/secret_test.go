package secret_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

func stateOf(t *testing.T, variables string) *state.State {
	t.Helper()
	v, err := tree.ParseValue([]byte(variables))
	if err != nil {
		t.Fatal(err)
	}
	s := &state.State{}
	if s.Variables, err = tree.NewDocument(v); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestModulesOfGroups: a line opens and closes modules for those who heard it, whatever other
// groups have opened. A group that knows nothing more than others is dropped.
func TestModulesOfGroups(t *testing.T) {
	t.Parallel()
	mara, both := []string{"mara"}, []string{"mara", "orrin"}
	type line struct {
		heard []string
		open  bool
	}
	for _, c := range []struct {
		name               string
		lines              []line
		mara, orrin, sella bool
		groups             int
	}{
		{"private", []line{{mara, true}}, true, false, false, 1},
		{"for two", []line{{both, true}}, true, true, false, 1},
		{"then for everybody", []line{{mara, true}, {nil, true}}, true, true, true, 0},
		{"closed in private", []line{{nil, true}, {mara, false}}, false, true, true, 1},
		{"closed in private, said again", []line{{nil, true}, {mara, false}, {nil, true}}, true, true, true, 0},
		{"closed for all", []line{{mara, true}, {both, true}, {nil, false}}, false, false, false, 0},
		{"closed for two", []line{{nil, true}, {both, false}, {mara, true}}, true, false, true, 2},
	} {
		s := &state.State{}
		for _, l := range c.lines {
			secret.OpenModules(s, l.heard, func(books map[string]bool) map[string]bool {
				out := maps.Clone(books)
				if out == nil {
					out = map[string]bool{}
				}
				out["cellar"] = l.open
				return out
			})
		}
		for id, want := range map[string]bool{"mara": c.mara, "orrin": c.orrin, "sella": c.sella} {
			if got := secret.Joined(s, state.Viewer{Character: id}).Ledger.Books["cellar"]; got != want {
				t.Errorf("%s: open for %s: %t", c.name, id, got)
			}
		}
		if len(s.Groups) != c.groups {
			t.Errorf("%s: %d groups, want %d: %v", c.name, len(s.Groups), c.groups, s.Groups)
		}
		secret.TakeModules(s, state.Viewer{}, map[string]bool{"cellar": !secret.Joined(s, state.Viewer{}).Ledger.Books["cellar"]})
		if len(s.Groups) != 0 {
			t.Errorf("%s: what a rule switches is switched for everybody: %v", c.name, s.Groups)
		}
	}
}

// nothingCopied is a game without rules that copy.
func nothingCopied(tree.Path) []tree.Path { return nil }

// TestVariablesOfOthers: others do not see a value from a private turn, or copies of it, until a
// public turn writes it again.
func TestVariablesOfOthers(t *testing.T) {
	t.Parallel()
	mara := []string{"mara"}
	for _, c := range []struct {
		name                  string
		first, private, later string // public later
		sees                  string // orrin, at the end
	}{
		{"a text", `{"a": "x", "n": 1}`, `{"a": "secret", "n": 2}`, "", `{"n":2}`},
		{"an empty text", `{"a": "x"}`, `{"a": ""}`, "", `{"a":""}`},
		{"a new member, whose name is a text", `{"a": {}}`, `{"a": {"secret": 1}}`, "", `{"a":{}}`},
		{"an element keeps its place", `{"a": ["x", "y"]}`, `{"a": ["secret", "y"]}`, "", `{"a":[null,"y"]}`},
		{"written anew", `{"a": "x"}`, `{"a": "secret"}`, `{"a": "known"}`, `{"a":"known"}`},
		{"a copy", `{"a": "x"}`, `{"a": "a long secret"}`, `{"a": "a long secret", "b": "I heard a long secret."}`, `{}`},
		{"a list that moved", `{"a": ["x"]}`, `{"a": ["x", "a long secret"]}`, `{"a": ["a long secret"]}`, `{"a":[null]}`},
		{"a short text that a list moved", `{"a": ["x"]}`, `{"a": ["x", "key"]}`, `{"a": ["key"]}`, `{"a":[null]}`},
		{"a short text with a new name", `{"a": {}}`, `{"a": {"b": {"c": "key"}}}`, `{"a": {"d": {"c": "key"}}}`, `{"a":{}}`},
		{"a short text that moved with its parent", `{"a": {"b": "x"}}`, `{"a": {"b": "x", "c": "key"}}`, `{"d": {"b": "x", "c": "key"}}`, `{"d":{"b":"x"}}`},
		{"a short text that moved with its list", `{"a": ["x"]}`, `{"a": ["x", "key"]}`, `{"d": {"a": ["x", "key"]}}`, `{"d":{}}`},
		{"a number below a secret name", `{}`, `{"a long secret": 1}`, `{"a long secret": 2}`, `{}`},
		{"gone", `{}`, `{"a": "secret"}`, `{"b": 1}`, `{"b":1}`},
	} {
		s := stateOf(t, c.private)
		secret.Keep(stateOf(t, c.first), s, mara, mara, nothingCopied)
		if c.later != "" {
			next := stateOf(t, c.later)
			secret.Keep(s, next, nil, nil, nothingCopied)
			s = next
		}
		seen := secret.Of(s, state.Viewer{Character: "orrin"})
		if got := seen.State.Variables.String(); got != c.sees {
			t.Errorf("%s: orrin sees %s, want %s; notes %v", c.name, got, c.sees, s.Secrets)
		}
		for _, v := range []state.Viewer{{}, {Character: "mara"}} {
			if seen := secret.Of(s, v); seen.Limited() || !seen.State.Variables.Equal(s.Variables) {
				t.Errorf("%s: %+v sees %s", c.name, v, seen.State.Variables)
			}
		}
	}
}

// TestNobodyKnowsBoth: a text made from secrets of two people is in no prompt.
func TestNobodyKnowsBoth(t *testing.T) {
	t.Parallel()
	s := stateOf(t, `{"a": "a secret of Mara"}`)
	secret.Keep(stateOf(t, `{}`), s, []string{"mara"}, nil, nothingCopied)
	next := stateOf(t, `{"a": "a secret of Mara", "b": "a secret of Orrin and a secret of Mara"}`)
	secret.Keep(s, next, []string{"orrin"}, nil, nothingCopied)
	for id, want := range map[string]string{"mara": `{"a":"a secret of Mara"}`, "orrin": `{}`} {
		if got := secret.Of(next, state.Viewer{Character: id}).State.Variables.String(); got != want {
			t.Errorf("%s sees %s, want %s", id, got, want)
		}
	}
	if got := secret.Of(next, state.Viewer{Shared: true, Group: []string{"mara", "orrin"}}).State.Variables.String(); got != `{}` {
		t.Errorf("together they know %s", got)
	}
	short := stateOf(t, `{"a": "a secret of Mara", "c": "key"}`)
	secret.Keep(s, short, []string{"mara"}, nil, nothingCopied)
	for name, c := range map[string]struct {
		text string
		by   []string
	}{"a short text that the game copied": {"key", []string{"orrin"}}, "said by each alone, then in public": {"a secret of Mara", nil}} {
		first := stateOf(t, `{"a": "a secret of Mara", "c": "key", "d": "a secret of Mara"}`)
		secret.Keep(short, first, []string{"orrin"}, nil, nothingCopied)
		then := stateOf(t, `{"e": "`+c.text+`"}`)
		secret.Keep(first, then, c.by, nil, func(to tree.Path) []tree.Path { return []tree.Path{{"c"}} })
		for _, id := range []string{"mara", "orrin", "sella"} {
			if got := secret.Of(then, state.Viewer{Character: id}).State.Variables.String(); got != `{}` {
				t.Errorf("%s: %s sees %s", name, id, got)
			}
		}
	}
	data, err := json.Marshal(next.Secrets)
	var back state.AudienceNotes
	if err != nil || json.Unmarshal(data, &back) != nil || len(back) != 2 {
		t.Errorf("%s %v", data, err)
	}
}

// TestRedact removes hidden texts from values for a model.
func TestRedact(t *testing.T) {
	t.Parallel()
	s := stateOf(t, `{"a": "a long secret", "b": "hid"}`)
	secret.Keep(stateOf(t, `{}`), s, []string{"mara"}, nil, nothingCopied)
	v, err := tree.ParseValue([]byte(`{"a long secret": ["hid", "hide", "not a long secret?", 1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := secret.Of(s, state.Viewer{Character: "orrin"}).Redact(v).String(); got != `{"…":["…","hide","not …?",1]}` {
		t.Errorf("%s", got)
	}
	if got := secret.Of(s, state.Viewer{Character: "orrin"}).Withhold(v).String(); got != `{"…":["hide","not …?",1]}` {
		t.Errorf("withheld: %s", got)
	}
	mara := secret.Of(s, state.Viewer{Character: "mara"})
	if got := mara.Redact(v); !got.Equal(v) || mara.RedactText("hid") != "hid" {
		t.Errorf("%s, %q", got, mara.RedactText("hid"))
	}
}

// TestVariablesOfAGroup: a viewer reads one after the other which variables only some know. Nobody else
// knows them, also if they are all the variables there are. A note about a variable that the host has
// removed is dropped.
func TestVariablesOfAGroup(t *testing.T) {
	t.Parallel()
	s := stateOf(t, `{"a": "a long secret", "b": "hid"}`)
	s.Secrets = state.AudienceNotes{{Of: tree.Path{"variables"}, Witnesses: []string{"mara"}}}
	orrin := secret.Of(s, state.Viewer{Character: "orrin"})
	if got := orrin.State.Variables.Root(); got.Len() > 0 || orrin.RedactText("variables") != "variables" {
		t.Errorf("orrin sees %s, %q", got, orrin.RedactText("variables"))
	}
	two := stateOf(t, `{"a": "a long secret", "b": "hid"}`)
	secret.Keep(stateOf(t, `{}`), two, []string{"mara"}, nil, nothingCopied)
	var seen []string
	for path := range secret.Of(two, state.Viewer{Character: "mara"}).Variables() {
		seen = append(seen, path.String())
		break
	}
	if !slices.Equal(seen, []string{"a"}) {
		t.Errorf("mara reads %q", seen)
	}
	two.Variables = stateOf(t, `{"b": "hid"}`).Variables
	after := stateOf(t, `{"b": "hid"}`)
	if secret.Keep(two, after, nil, nil, nothingCopied); len(after.Secrets) != 1 {
		t.Errorf("the notes are %v", after.Secrets)
	}
}

// TestTextsOfEveryKind: each text of the state that a private turn has written is noted under its
// path, and no other character learns it. A text that was there before is not noted. Macros
// have witnesses of their own.
func TestTextsOfEveryKind(t *testing.T) {
	t.Parallel()
	value := func(text string) tree.Value {
		v, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		name  string
		write func(s *state.State)
		of    string   // the path of the note
		texts []string // that the note hides
	}{
		{"directive", func(s *state.State) {
			s.Ledger.Directives = append(s.Ledger.Directives, rules.Directive{ID: "d2", Content: "directive text"})
		}, "directive d2", []string{"directive text"}},
		{"context", func(s *state.State) {
			s.Ledger.Pending = append(s.Ledger.Pending, effect.SendContext{Message: "context text"})
		}, "context context text", []string{"context text"}},
		{"injection", func(s *state.State) {
			s.Injections = append(s.Injections, effect.InjectPrompt{Key: "i2", Content: "injection text"})
		}, "injection i2", []string{"injection text"}},
		{"entry", func(s *state.State) {
			s.Entries = append(s.Entries, effect.AddEntry{ID: "e2", BookID: "b", Name: "entry name", Content: "entry text", Keywords: []string{"entry key", "second key"}})
		}, "entry b.e2", []string{"entry name", "entry text", "entry key", "second key"}},
		{"entry without an ID", func(s *state.State) {
			s.Entries = append(s.Entries, effect.AddEntry{BookID: "b", Content: "entry text"})
		}, "entry b.added-2", []string{"entry text"}},
		{"update of an entry", func(s *state.State) {
			s.LoreEdits.Changed = append(s.LoreEdits.Changed, effect.UpdateEntry{ID: "b.e3", Name: new("new name"), Content: new("new text"), Keywords: []string{"new key"}})
		}, "lore b.e3", []string{"new name", "new text", "new key"}},
		{"area", func(s *state.State) {
			s.Map.Areas = append(s.Map.Areas, state.MapArea{ID: "a2", Name: "area name", Description: "area text", Aliases: []string{"area alias"}})
		}, "area a2", []string{"a2", "area name", "area text", "area alias"}},
		{"feedback", func(s *state.State) {
			s.Feedback = append(s.Feedback, state.CommandResult{Hint: "feedback text"})
		}, "feedback", []string{"feedback text"}},
		{"mood", func(s *state.State) {
			s.Characters[0].Mood = value(`{"calm":"calm text","fear":{"of":["mood text"]}}`)
		}, "mood orrin mood fear", []string{"of", "mood text"}},
		{"relationship", func(s *state.State) {
			s.Characters[0].Relationship = value(`{"calm":"calm text","trust":"relationship text"}`)
		}, "mood orrin relationship trust", []string{"relationship text"}},
		{"macro of the chat", func(s *state.State) { s.Macros.Chat = value(`{"old":"old text","name":"chat text"}`) },
			"macros chat name", []string{"name", "chat text"}},
		{"global macro", func(s *state.State) { s.Macros.Global = value(`{"old":"old text","name":"global text"}`) },
			"macros global name", []string{"name", "global text"}},
	} {
		texts := func() *state.State {
			s := &state.State{Characters: []state.Character{{ID: "orrin", Mood: value(`{"calm":"calm text"}`), Relationship: value(`{"calm":"calm text"}`)}}}
			s.Ledger.Directives = []rules.Directive{{ID: "d1", Content: "old text"}}
			s.Ledger.Pending = []effect.SendContext{{Message: "old text"}}
			s.Injections = []effect.InjectPrompt{{Key: "i1", Content: "old text"}}
			s.Entries = []effect.AddEntry{{ID: "e1", BookID: "b", Content: "old text"}}
			s.LoreEdits.Changed = []effect.UpdateEntry{{ID: "b.e1", Content: new("old text")}}
			s.Map.Areas = []state.MapArea{{ID: "a1", Name: "old text"}}
			s.Macros.Chat, s.Macros.Global = value(`{"old":"old text"}`), value(`{"old":"old text"}`)
			return s
		}
		s := texts()
		c.write(s)
		secret.Keep(texts(), s, []string{"mara"}, []string{"sella"}, nothingCopied)
		knows := "mara"
		if strings.HasPrefix(c.of, "macros ") {
			knows = "sella"
		}
		if len(s.Secrets) != 1 || strings.Join(s.Secrets[0].Of, " ") != c.of || !slices.Equal(s.Secrets[0].Witnesses, []string{knows}) {
			t.Errorf("%s: noted are %v, want %s for %s", c.name, s.Secrets, c.of, knows)
			continue
		}
		seen := secret.Of(s, state.Viewer{Character: "orrin"})
		for _, text := range c.texts {
			if got := seen.RedactText(text); got != secret.Redacted {
				t.Errorf("%s: orrin is told %q", c.name, got)
			}
		}
		for _, text := range []string{"old text", "calm text"} {
			if got := seen.RedactText(text); got != text {
				t.Errorf("%s: %q becomes %q", c.name, text, got)
			}
		}
	}
}

// TestSightOfEveryKind: a viewer's state has no item that only others know, and the methods of a
// view return who knows an item.
func TestSightOfEveryKind(t *testing.T) {
	t.Parallel()
	s := &state.State{}
	s.Ledger.Directives = []rules.Directive{{ID: "d1", Content: "directive text"}}
	s.Ledger.Pending = []effect.SendContext{{Message: "context text"}}
	s.Injections = []effect.InjectPrompt{{Key: "i1", Content: "injection text"}}
	s.Entries = []effect.AddEntry{{ID: "e1", BookID: "b", Name: "entry name", Content: "entry text", Keywords: []string{"the entry key"}}}
	s.LoreEdits.Changed = []effect.UpdateEntry{{ID: "b.e3", Content: new("new text")}}
	s.Feedback = []state.CommandResult{{Hint: "feedback text"}}
	s.Map.Areas = []state.MapArea{{ID: "a1", Name: "area name"}, {ID: "a2", Name: "second area"}}
	s.Map.Paths = []state.MapPath{{From: "a1", To: "a2"}, {From: "a2", To: "a1"}}
	s.Characters = []state.Character{{ID: "sella", AreaID: "a1"}}
	open := state.MacroVariables{Chat: tree.Object(tree.Member{Key: "open", Value: tree.Text("open text")})}
	s.Macros.Chat = tree.Object(tree.Member{Key: "open", Value: tree.Text("open text")}, tree.Member{Key: "private", Value: tree.Text("macro text")})
	secret.Keep(&state.State{Map: state.Map{Areas: s.Map.Areas[1:]}, Characters: s.Characters, Macros: open}, s, []string{"mara"}, []string{"mara"}, nothingCopied)
	for id, want := range map[string]int{"mara": 11, "orrin": 1} {
		seen := secret.Of(s, state.Viewer{Character: id}).State
		n := len(seen.Ledger.Directives) + len(seen.Ledger.Pending) + len(seen.Injections) + len(seen.LoreEdits.Changed) +
			len(seen.Feedback) + len(seen.Map.Areas) + len(seen.Map.Paths) + len(seen.Characters[0].AreaID)
		if n != want {
			t.Errorf("%s sees %d items, want %d: %+v", id, n, want, seen)
		}
	}
	if got := secret.Of(s, state.Viewer{Character: "orrin"}).State.Macros.Chat.String(); got != `{"open":"open text"}` {
		t.Errorf("orrin sees the macro variables %s", got)
	}
	if s.Characters[0].AreaID != "a1" || len(s.Map.Areas) != 2 {
		t.Error("a view has changed the state")
	}
	whole := secret.Whole(s)
	for name, got := range map[string][]string{"directive": whole.Directive("d1"), "context": whole.Context(s.Ledger.Pending[0]),
		"injection": whole.Injection("i1"), "entry": whole.Entry("b.e1"), "update": whole.Update("b.e3")} {
		if !slices.Equal(got, []string{"mara"}) {
			t.Errorf("the witnesses of the %s are %q", name, got)
		}
	}
	orrin := secret.Of(s, state.Viewer{Character: "orrin"})
	for _, e := range []effect.AddEntry{s.Entries[0], {ID: "e9", Content: "Look: the entry key"}, {ID: "e9", Name: "the entry key"}, {ID: "e9", Keywords: []string{"the entry key"}}} {
		if !orrin.HidesEntry(0, e) {
			t.Errorf("orrin is told of %+v", e)
		}
	}
	if orrin.HidesEntry(0, effect.AddEntry{ID: "e9", Content: "nothing"}) {
		t.Error("an entry without a secret is hidden")
	}
}
