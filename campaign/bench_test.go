package campaign_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// BenchmarkTurn plays a whole turn of the saga's content with a model that answers at once: by a
// machine alone, and by the engine with a store. Rollbacks limit the history, so that each turn
// costs the same. history=N is a turn of a long game, after N others.
func BenchmarkTurn(b *testing.B) {
	benchmarkLong(b)
	g := sagaGame(b)
	reply := output("You step into the Hall.", moveHall)
	b.Run("store=none", func(b *testing.B) {
		start, err := turn.Begin(g, sagaSetup(b))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			m := turn.NewMachine(g, start)
			o := say(b, m, "I ring the bell and go in.", reply)
			if o.Status != turn.Completed || m.Campaign().State.Characters[0].AreaID != "hall" {
				b.Fatalf("%s in %s", o.Status, m.Campaign().State.Characters[0].AreaID)
			}
		}
	})
	b.Run("store=memory", func(b *testing.B) {
		e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{},
			Model: replying(reply)})
		if err != nil {
			b.Fatal(err)
		}
		ctx := context.Background()
		n := 0
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			setup := sagaSetup(b)
			setup.ID = fmt.Sprint("c", n)
			n++
			if _, err := e.Create(ctx, setup); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			o, err := e.Turn(ctx, setup.ID, turn.Submit{Text: "I ring the bell and go in."})
			if err != nil || o.Status != turn.Completed || len(o.Turn.Applied) != 1 {
				b.Fatalf("%+v, %v", o, err)
			}
		}
	})
}

// BenchmarkVariables plays a turn without a model and a store on a big document, and changes one of
// its values: the other values cost nothing.
func BenchmarkVariables(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			s := cave(b)
			s.Variables = manyVariables(b, n)
			g := compile(b, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "tick",
				Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{},
				Actions: effect.Actions{effect.SetVariable{Path: "k7.v", Operation: effect.Add,
					Value: value(b, "1")}}}}}})
			start, err := turn.Begin(g, s)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				m := turn.NewMachine(g, start)
				say(b, m, "I wait.", "Dust falls.")
				if got, _ := m.Campaign().State.Variables.Get("k7.v"); fmt.Sprint(got) != "8" {
					b.Fatalf("k7.v is %v", got)
				}
			}
		})
	}
}
