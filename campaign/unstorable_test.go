package campaign_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestBrokenTextsOfRules: a text of a rule that is not valid UTF-8 is stored with U+FFFD. The
// campaign in memory equals the log.
func TestBrokenTextsOfRules(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("Dust.", "Dust."), Game: compile(t, game.Content{Rules: game.Rules{
		Rules: []rules.Rule{everyTurn("r", set("note", effect.Set, tree.Text("a\xffb")),
			set("sub", effect.Merge, tree.Object(tree.Member{Key: "k\xfe", Value: tree.Int(1)})))}}})})
	for range 2 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
		text := campaignOf(t, e).State.Variables.String()
		if !utf8.ValidString(text) || text != "{\"note\":\"a\uFFFDb\",\"sub\":{\"k\uFFFD\":1}}" {
			t.Errorf("%s", text)
		}
	}
	rebuilt(t, e)
}

// TestBrokenNamesOfDialects: the name of a variable that a host's dialect writes is stored with U+FFFD
// in place of what is not UTF-8.
func TestBrokenNamesOfDialects(t *testing.T) {
	t.Parallel()
	own := game.Dialect{Name: "own", Read: func(string, game.Scope) []game.Span {
		return []game.Span{{Effects: effect.List{effect.SetVariable{Path: "k\xfe", Operation: effect.Set, Value: tree.Object().With("m\xff", tree.Int(1))}}}}
	}}
	e := newEngine(t, campaign.Config{Model: scripted("Dust.", "Dust."), Game: compile(t, game.Content{Rules: game.Rules{Dialects: []game.Dialect{own}}})})
	for range 2 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
		if text := campaignOf(t, e).State.Variables.String(); text != "{\"k\uFFFD\":{\"m\uFFFD\":1}}" {
			t.Errorf("%q", text)
		}
	}
	rebuilt(t, e)
}

// TestUnstorableCampaign: the members of a later version that a host has broken have no JSON form.
// Each instruction fails with the reason, and nothing changes.
func TestUnstorableCampaign(t *testing.T) {
	t.Parallel()
	good := begin(t, game.Content{}).Campaign()
	for what, broken := range map[string]func(*state.Campaign){
		"campaign": func(c *state.Campaign) { c.Extra = map[string]json.RawMessage{"later": json.RawMessage("{")} },
		"state":    func(c *state.Campaign) { c.State.Extra = map[string]json.RawMessage{"later": json.RawMessage("{")} },
	} {
		c := good.Clone()
		broken(&c)
		for name, in := range map[string]turn.Input{"turn": turn.Submit{Text: "I wait."}, "checkpoint": turn.MakeCheckpoint{Label: "here"},
			"event": turn.RaiseEvents{Events: []rules.Event{{Type: "bell"}}}, "character": turn.SetCharacter{CharacterID: "ren", Fields: value(t, `{"name": "Renn"}`)}} {
			m := turn.NewMachine(compile(t, game.Content{}), c)
			var texts []string
			if name == "turn" {
				texts = []string{"Dust."}
			}
			o := play(t, m, in, texts...)
			if o.Status != turn.Failed || o.Reason != string("unstorable_state") || o.Detail == "" {
				t.Errorf("%s, %s: %+v", what, name, o)
			} else if f := o.Failure; f.Kind != turn.FailureState || f.Code != "unstorable_state" || f.Retry || f.Err == nil || f.Err.Error() != o.Detail {
				t.Errorf("%s, %s: %+v", what, name, f)
			}
			if m.Campaign().Version != good.Version || m.Phase() != turn.Idle {
				t.Errorf("%s, %s: version %d, %s", what, name, m.Campaign().Version, m.Phase())
			}
		}
	}
}

// TestUnstorableTurn: a turn whose unknown members a host has broken can neither be edited nor
// continued, and nothing changes.
func TestUnstorableTurn(t *testing.T) {
	t.Parallel()
	played := begin(t, game.Content{})
	say(t, played, "I wait.", "Dust falls.")
	for name, in := range map[string]turn.Input{"edit": turn.EditText{TurnID: "turn_0001", Text: "Fog."}, "continue": turn.Continue{}} {
		c := played.Campaign().Clone()
		c.Turns[0].Extra = map[string]json.RawMessage{"later": json.RawMessage("{")}
		m := turn.NewMachine(compile(t, game.Content{}), c)
		var texts []string
		if name == "continue" {
			texts = []string{" It settles."}
		}
		if o := play(t, m, in, texts...); filltest.Words(o) != "failed unstorable_state" {
			t.Errorf("%s: %s %s", name, filltest.Words(o), o.Detail)
		}
		if m.Campaign().Version != c.Version || m.Phase() != turn.Idle {
			t.Errorf("%s: version %d, %s", name, m.Campaign().Version, m.Phase())
		}
	}
}

// brokenWords is a command language of a host. Its commands write data without a JSON form.
type brokenWords struct {
	memvars.Dialect
	path tree.Path
	v    tree.Value
}

func (w brokenWords) Run(e *tree.Edit, _ memvars.Op, _ memvars.Actor, _ memvars.Gate) memvars.Outcome {
	if err := e.Set(w.path, w.v); err != nil {
		return memvars.Outcome{Code: memvars.PathNotFound}
	}
	return memvars.Outcome{}
}

// TestBrokenCommands: a turn fails if a command language of the host writes data without a JSON
// form, and nothing changes.
func TestBrokenCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		words brokenWords
		want  string
	}{
		{"a name", brokenWords{path: tree.Path{"k\xff"}, v: tree.Int(1)}, "failed unstorable_state"},
		{"a name in a new place", brokenWords{path: tree.Path{"k"}, v: tree.Object().With("m\xff", tree.Int(1))}, "failed unstorable_state"},
		{"a number", brokenWords{path: tree.Path{"k"}, v: tree.Num("abc")}, "failed unstorable_state"},
		{"good data", brokenWords{path: tree.Path{"k"}, v: tree.Int(1)}, "completed turn_0001"},
	} {
		c.words.Dialect = mvu.Dialect(mvu.Options{})
		m := begin(t, game.Content{Rules: game.Rules{Dialects: []game.Dialect{game.CommandLanguage(c.words)}}})
		before := m.Campaign().Version
		o := say(t, m, "I wait.", "Dust. _.set('a', 1);")
		if got := filltest.Words(o); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s: %s", c.name, got, o.Detail)
		}
		if changed := m.Campaign().Version != before; changed != (o.Status == turn.Completed) {
			t.Errorf("%s: %s, and changed is %v", c.name, o.Status, changed)
		}
	}
}

// TestUnstorableAnswer: the answer of a model that has no JSON form is an error, and the next turn is
// played.
func TestUnstorableAnswer(t *testing.T) {
	t.Parallel()
	broken := llmtest.Text("Dust.")
	broken.Usage = &llm.Usage{Extra: map[string]json.RawMessage{"later": json.RawMessage("{")}}
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(broken, llmtest.Text("Fog."))})
	if o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."}); !errors.Is(err, turn.ErrInvalidInput) {
		t.Errorf("%s, %v", filltest.Words(o), err)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
}
