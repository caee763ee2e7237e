package campaigntest_test

import (
	"testing"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestLoreOfHooks: an entry that a hook adds is active as in a host without a world book of its own. A
// delivery that fails adds nothing.
func TestLoreOfHooks(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	content.Rules.Hooks, _ = hooks.Parse([]byte(`[{"id": "note", "name": "note", "event": "character.after_turn.finished",
		"actions": [{"type": "world_book_add", "book_id": "notes", "name": "steps", "content": "Wet steps lead down.", "keywords": ["steps"]}]}]`))
	g := Play(t, content, setup)
	g.Say("I listen.").SinkFails("worldbook", "it is closed").Model("Nothing.").Want(Not(Hook("note")))
	g.Say("I look at the steps.").Model("They are wet.").Want(Hook("note"), Not(Prompt("Wet steps")))
	g.Say("I look at the steps again.").Model("They lead down.").Want(Lore("steps"), Prompt("Wet steps lead down."))
}

// TestPlay plays a game line by line and checks it (CA-45).
func TestPlay(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	g := Play(t, content, setup)
	down := Call("move", "actor_id", "mara", "to_area_id", "crypt")
	fall := Call("hp_delta", "target_character_id", "mara", "delta", -6, "cause", "the stairs")

	g.Say("I ring the bell and go down.").Model("The bell tolls. You slip on the stairs.", down, fall)
	g.Want(HP("mara", 4), In("mara", "crypt"), Var("bells", 1), Lore("bell"), Not(Lore("lake")), Rule("ring"),
		Not(Rule("omens")), Rule("wounded"), Var("trust", 5), Var("hp.mara", 4), Text("slip"), Applied("move"),
		Prompt("wakes what sleeps"), Block("status"), Retries(0), Hook("fond"), Effect("write-memory"), Alive("mara", state.Alive))

	g.Say("Up to the tower!").As("oswin").
		Model("You climb.", Call("move", "actor_id", "oswin", "to_area_id", "tower")).
		Model("The door is rusted shut.")
	g.Want(Refused("move", "area_locked"), Retries(1), In("oswin", "nave"), Not(Applied("move")), State("state.turn_count", 2))

	g.Say("I take ten.").Dice(17).
		Model("", Call("check", "actor_id", "mara", "attribute", "strength", "dc", 12)).
		Model("The lid moves.")
	g.Want(Applied("check"), Retries(0))
	if n, _ := g.Outcome().Turn.Applied[0].Result.Get("roll").AsFloat(); n != 17 {
		t.Errorf("the die shows %v", n)
	}

	g.Do(turn.RaiseEvents{Events: []rules.Event{event.New("door:opened")}}).Want(Var("lantern", 1))
	g.Set("retry.max_retries", 0)
	g.Say("I fall asleep.").Model("You lose 3 HP.").
		Want(Conflict("hp_change_unsettled"), Ends(turn.Conflict, ""), HP("mara", 4))
	g.Decide(state.DecideDiscard, "").Want(Ends(turn.Discarded, ""))
	g.Say("I wait.").Fail(llm.CodeOverloaded).Want(Ends(turn.Failed, "overloaded"))
	g.Rollback("turn_0001").Want(Var("bells", 1), Var("lantern", 0)).Do(turn.Redo{}).Want(Var("lantern", 1))
}

// TestPlayWithPeople edits and denies calls before they take effect. It swipes answers and selects
// one.
func TestPlayWithPeople(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	g := Play(t, content, setup)
	g.Set("tools.approval", "all")
	fall := Call("hp_delta", "target_character_id", "mara", "delta", -9, "cause", "the stairs")
	down := Call("move", "actor_id", "mara", "to_area_id", "crypt")
	g.Say("I run down.").Model("You slip.", fall, down).Want(Ends(turn.Waiting, ""), HP("mara", 10))
	g.Approve(Edit("hp_delta", "target_character_id", "mara", "delta", -1, "cause", "the stairs"), Deny("move", "not so fast")).
		Model("You hold on to the rail.").
		Want(Refused("move", tool.CallDenied), Prompt("not so fast"), HP("mara", 10), Retries(0), In("mara", "nave"))
	g.Set("tools.approval", "off")
	g.Say("I jump.").Model("You land badly.", fall).Want(HP("mara", 1), Between("hp.mara", 0, 1))
	g.Swipe().Model("You think better of it.").Want(HP("mara", 10))
	g.Choose("turn_0002").Want(HP("mara", 1))
}

// TestPlayWithCast checks who of a cast spoke, and why the others did not.
func TestPlayWithCast(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	always, never := 1.0, 0.0
	content.People.Cast = []game.CastMember{
		{CharacterID: "ash", Talkativeness: &always, Card: &card.Card{Name: "Ash"}},
		{CharacterID: "reed", Talkativeness: &never, Card: &card.Card{Name: "Reed"}},
	}
	g := Play(t, content, setup)
	g.Say("Reed, what do you owe?").Model("Three coins.").Model("Four.").
		Want(Speaker("reed", "Three"), Speaker("ash", ""), Not(Speaker("ash", "Three")), Text("Four."))
	g.Say("Who pays?").Model("You do.").Want(Speaker("ash", ""), Not(Speaker("reed", "")))
	said := failed(func(f *failing) {
		Play(f, content, setup).Say("Who pays?").Model("You do.").Want(Speaker("reed", ""), Speaker("rede", ""))
	})
	golden(t, "cast.golden", said)
}
