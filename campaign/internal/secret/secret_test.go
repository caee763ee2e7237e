package secret_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
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
		{"a new member, whose name is a text", `{"a": {}}`, `{"a": {"secret": 1}}`, "", `{"a":{}}`},
		{"an element keeps its place", `{"a": ["x", "y"]}`, `{"a": ["secret", "y"]}`, "", `{"a":[null,"y"]}`},
		{"written anew", `{"a": "x"}`, `{"a": "secret"}`, `{"a": "known"}`, `{"a":"known"}`},
		{"a copy", `{"a": "x"}`, `{"a": "a long secret"}`, `{"a": "a long secret", "b": "I heard a long secret."}`, `{}`},
		{"a list that moved", `{"a": ["x"]}`, `{"a": ["x", "a long secret"]}`, `{"a": ["a long secret"]}`, `{}`},
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
	if got := secret.Of(next, state.SharedViewer([]string{"mara", "orrin"})).State.Variables.String(); got != `{}` {
		t.Errorf("together they know %s", got)
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
	if got := secret.Of(s, state.Viewer{Character: "mara"}).Redact(v); !got.Equal(v) {
		t.Errorf("%s", got)
	}
}
