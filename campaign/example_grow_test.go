package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// A host adds a cellar to a running campaign, and a character from the cellar joins the party.
func ExampleEngine_Do_grow() {
	ctx := context.Background()
	g, _ := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted()})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.Create(ctx, state.Setup{
		ID: "inn", Map: state.Map{Areas: []state.MapArea{{ID: "hall", Name: "Hall"}}},
		Characters: []state.Character{{ID: "mara", Name: "Mara", AreaID: "hall", HP: state.HP{Current: 5, Max: 5}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tom := tree.Object(tree.Member{Key: "name", Value: tree.Text("Tom")}, tree.Member{Key: "area_id", Value: tree.Text("cellar")})
	_, err = engine.Do(ctx, "inn", turn.ApplyEffects{By: "editor", Effects: effect.List{
		effect.AddArea{ID: "cellar", Name: "Cellar"},
		effect.AddPath{ID: "stairs", From: "hall", To: "cellar"},
		effect.AddCharacter{CharacterID: "tom", Fields: tom},
	}})
	fmt.Println(err)
	_, err = engine.Do(ctx, "inn", turn.SetParty{Members: []string{"mara", "tom"}})
	fmt.Println(err)
	_, err = engine.Do(ctx, "inn", turn.ApplyEffects{Effects: effect.List{effect.AddArea{ID: "hall", Name: "Another hall"}}})
	fmt.Println(err)
	c, _ := engine.Campaign(ctx, "inn")
	for _, m := range c.State.PartyMembers() {
		area, _ := c.State.Map.Area(m.AreaID)
		fmt.Println(m.Name, "is in the", area.Name)
	}
	// Output:
	// <nil>
	// <nil>
	// campaign: refused: effects_refused: areas hall: id_taken
	// Mara is in the Hall
	// Tom is in the Cellar
}
