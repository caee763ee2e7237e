package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// doubler is a command language with one command: ++name doubles a number of the module now.
type doubler struct{}

func (doubler) Name() string { return "doubler" }

func (doubler) Find(text string) []memvars.Op {
	at := strings.Index(text, "++")
	if at < 0 {
		return nil
	}
	end := at + len("++gold")
	return []memvars.Op{{Name: "double", Dialect: "doubler", Pos: memvars.Position{Offset: at}, End: end, Args: []memvars.Arg{{Text: text[at+2 : end]}}}}
}

func (doubler) Run(e *tree.Edit, op memvars.Op, _ memvars.Actor, _ memvars.Gate) memvars.Outcome {
	at := tree.Path{"now", op.Args[0].Text}
	n, _ := e.Lookup(at).AsNumber()
	i, _ := n.Int64()
	if err := e.Set(at, tree.Int(2*i)); err != nil {
		return memvars.Outcome{Code: memvars.PathNotFound, Missing: at}
	}
	return memvars.Outcome{}
}

// TestOwnProfilePlays: a campaign whose document has names, formulas and a command language of its
// own. Commands, formulas, prompts, macros and conditions read it by its profile (MV-32). The rules
// for the model do not restrict the player (MV-30).
func TestOwnProfilePlays(t *testing.T) {
	t.Parallel()
	p := memvars.DefaultProfile()
	p.Character, p.Status, p.Assets = "hero", "now", "world"
	p.Attributes, p.Base, p.Legend, p.Derived = tree.Path{"stats"}, "base", "legend", tree.Path{"derived"}
	p.Structural = nil
	p.LeafRules = []memvars.LeafRule{{Path: tree.Path{"now", "pair"}}}
	content := game.Content{Rules: game.Rules{Commands: memvars.Options{
		Profile:  &p,
		Derived:  memvars.Derived{Formulas: []memvars.Formula{{Target: "derived.speed", Expr: "grace * 2"}}},
		Dialects: []memvars.Dialect{doubler{}},
		Rules:    []memvars.Rule{{Actor: memvars.AI, Path: "world.vault"}},
	}}}
	content.People.Persona = "hp {{var::now.hp}}, speed {{var::hero.derived.speed}}, pair {{var::now.pair}}, gold {{var::now.gold}}."
	cfg := campaign.Config{Model: scripted(
		"Dust. set_status('hp', 7); set_attribute('stats.body.grace.base', 4); memory('vault', 'key', 1); ++gold falls.", "Fine."),
		Game: compile(t, content)}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"variables": {"now": {"hp": [9, "health"], "gold": 3, "pair": ["a", "b"]},
		"hero": {"stats": {"body": {"grace": {"base": 3, "legend": 0}}}, "derived": {"speed": [0, "per round"]}}, "world": {"vault": {}}}}`)
	turnOf(t, e, turn.Submit{Text: "I look."})
	turnOf(t, e, turn.Submit{Text: "memory('vault', 'coin', 2); I look."})
	for i, want := range []string{"hp 9, speed 6, pair [\"a\",\"b\"], gold 3.", "hp 7, speed 8, pair [\"a\",\"b\"], gold 6."} {
		var texts []string
		for _, m := range (*seen)[i].Messages {
			texts = append(texts, m.Message.Text)
		}
		if !slices.Contains(texts, want) {
			t.Errorf("request %d lacks %q:\n%s", i, want, strings.Join(texts, "\n"))
		}
		wantHas(t, "the request", strings.Join(texts, "\n"), "below hero, set_status('path', value); below now, memory")
	}
	const end = `{"now":{"hp":[7,"health"],"gold":6,"pair":["a","b"]},` +
		`"hero":{"stats":{"body":{"grace":{"base":4,"legend":0}}},"derived":{"speed":[8,"per round"]}},"world":{"vault":{"coin":2}}}`
	if got := campaignOf(t, e).State.Variables.String(); got != end {
		t.Errorf("%s, want %s", got, end)
	}
	rebuilt(t, e)
}
