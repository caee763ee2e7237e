package campaign_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// scaleFeatures are the features that a campaign may have many of. Each returns one turn, or a
// different call, on a campaign with n of them.
var scaleFeatures = []struct {
	name string
	make func(t *testing.T, n int) func()
}{
	{"commands in a reply", func(t *testing.T, n int) func() {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "memory('npc', 'k%d', %d);\n", i, i)
		}
		return scaleTurn(t, game.Content{}, cave(t), b.String()+"Dust falls.")
	}},
	{"claims in a reply", func(t *testing.T, n int) func() {
		return scaleTurn(t, game.Content{}, cave(t), strings.Repeat(
			"Ren might lose 5 hp, says the old man at the gate of the Hall. 他也许会走进大厅。", n/4))
	}},
	{"characters", func(t *testing.T, n int) func() {
		return scaleTurn(t, game.Content{}, crowd(t, n), "Dust falls.")
	}},
	{"characters beside a rule that writes", func(t *testing.T, n int) func() {
		tick := rules.Rule{ID: "tick", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Conditions: []rules.Condition{}, Actions: effect.Actions{effect.SetVariable{
				Path: "k7", Operation: effect.Set, Value: value(t, "1")}}}
		return scaleTurn(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{tick}}}, crowd(t, n), "Dust falls.")
	}},
	{"members renamed in place, restored", func(t *testing.T, n int) func() {
		var members, commands strings.Builder
		for i := range n {
			fmt.Fprintf(&members, `"k%d":%d,`, i, i)
			fmt.Fprintf(&commands, "memory('npc.k%d', 'npc.z%d');\n", i, i)
		}
		s := cave(t)
		s.Variables = document(t, `{"assa_data":{"npc":{`+members.String()+`"z":1}}}`)
		g := compile(t, game.Content{})
		return func() {
			store := &campaign.MemoryStore{}
			e := scaleEngine(t, g, store, commands.String()+"Dust falls.")
			if _, err := e.Create(context.Background(), s); err != nil {
				t.Fatal(err)
			}
			playTurns(t, e, s.ID, 1)
			if _, err := e.Campaign(context.Background(), s.ID); err != nil {
				t.Fatal(err)
			}
		}
	}},
}

func scaleTurn(t *testing.T, content game.Content, s state.Setup, reply string) func() {
	g := compile(t, content)
	start, err := turn.Begin(g, s)
	if err != nil {
		t.Fatal(err)
	}
	return func() { say(t, turn.NewMachine(g, start), "I wait.", reply) }
}

// crowd is the cave with n additional characters.
func crowd(t *testing.T, n int) state.Setup {
	s := cave(t)
	for i := range n {
		c := s.Characters[0]
		c.ID, c.Name = fmt.Sprint("c", i), fmt.Sprint("Name", i)
		s.Characters = append(s.Characters, c)
	}
	return s
}

func document(t testing.TB, text string) tree.Document {
	d, err := tree.ParseDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func scaleEngine(t *testing.T, g *game.Game, store campaign.Store, reply string) *campaign.Engine {
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: replying(reply)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func playTurns(t *testing.T, e *campaign.Engine, id string, n int) {
	for range n {
		o, err := e.Turn(context.Background(), id, turn.Submit{Text: "I wait."})
		if err != nil || o.Status != turn.Completed {
			t.Fatalf("%s %s, %v", o.Status, o.Reason, err)
		}
	}
}

// TestPerfFeatures: a turn with eight times the things takes about eight times as long. Quadratic
// time would be 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		few, many := f.make(t, 250), f.make(t, 2000)
		testkit.AtMost(t, f.name+", 2,000 against 250", 40, func() float64 {
			return alternately(t, f.name, few, many)
		})
	}
}

// alternately measures both alternately: disturbances of the machine affect both.
func alternately(t *testing.T, name string, few, many func()) float64 {
	long, short := time.Hour, time.Hour
	for range 3 {
		long = min(long, testkit.Best(1, many))
		short = min(short, testkit.Best(4, few))
	}
	t.Logf("%s: %v, %v", name, short, long)
	return testkit.Ratio(long, short)
}

// TestPerfLongCampaign: in a campaign of many turns a turn costs as much as in a short one, if the
// prompt has a window. Replaying the log, forking and loading take time linear in the log.
func TestPerfLongCampaign(t *testing.T) {
	testkit.Need(t)
	const short, long = 125, 1000
	ctx := context.Background()
	g := compile(t, game.Content{})
	e := scaleEngine(t, g, &campaign.MemoryStore{}, "Dust falls, and the lamp burns low.")
	for _, n := range []int{short, long} {
		s := cave(t)
		s.ID = fmt.Sprint("c", n)
		s.Settings = setting.Snapshot{"context.full_context_enabled": tree.Bool(false)}
		if _, err := e.Create(ctx, s); err != nil {
			t.Fatal(err)
		}
		playTurns(t, e, s.ID, n)
	}
	forks := 0
	for _, verb := range []struct {
		name string
		do   func(id string) error
	}{
		{"rebuild", func(id string) error { _, err := e.Rebuild(ctx, id); return err }},
		{"fork", func(id string) error {
			forks++
			c, err := e.Campaign(ctx, id)
			if err == nil {
				_, err = e.Fork(ctx, id, c.State.HeadTurnID, fmt.Sprint("fork", forks))
			}
			return err
		}},
	} {
		do := func(n int) func() {
			return func() {
				if err := verb.do(fmt.Sprint("c", n)); err != nil {
					t.Error(err)
				}
			}
		}
		testkit.AtMost(t, verb.name+", 1,000 turns against 125", 20, func() float64 {
			few, many := do(short), do(long)
			return testkit.Ratio(testkit.Best(1, many), testkit.Best(2, few))
		})
	}
	testkit.AtMost(t, "64 turns after 1,000 against 125", 2.5, func() float64 {
		return alternately(t, "turns", func() { playTurns(t, e, fmt.Sprint("c", short), 64) },
			func() { playTurns(t, e, fmt.Sprint("c", long), 64) })
	})
}
