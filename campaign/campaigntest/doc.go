// Package campaigntest is the kit with which authors test their games: what players do, what a
// scripted model answers, and what has to come of it. Nothing in it needs a model, a network or
// time.
//
//	func TestTheBell(t *testing.T) {
//		g := campaigntest.Play(t, content, setup)
//		g.Say("I ring the bell and go down.").
//			Model("The bell tolls. You slip on the stairs.",
//				campaigntest.Call("move", "actor_id", "mara", "to_area_id", "crypt"),
//				campaigntest.Call("hp_delta", "target_character_id", "mara", "delta", -4, "cause", "the stairs"))
//		g.Want(
//			campaigntest.HP("mara", 6), campaigntest.In("mara", "crypt"),
//			campaigntest.Lore("bell"), campaigntest.Not(campaigntest.Lore("lake")), campaigntest.Rule("omens"))
//	}
//
// [Play] is a campaign in a real [campaign.Engine] with a store in memory. A turn is played when
// somebody looks at it, or goes on. One that does not end well is a fault, unless a check is about
// its outcome or the next step answers what it asks. What was not as it had to be is reported with
// what happened instead, and why: which condition a rule stopped at, which key an entry of the world book did
// not find, which call was refused.
//
// # Files
//
// The same as text, for authors who write no Go, stands in files; package
// campaigntest/scenario has the grammar. [Run] plays them as subtests:
//
//	func TestScenarios(t *testing.T) {
//		campaigntest.Run(t, os.DirFS("testdata"), "*.txt", content, setup)
//	}
//
// With the flag -update it writes what happened below the lines "----" of the files.
//
// # What a message gives
//
// [Hear] says which lore, rules and blocks one line of a player's would give, without playing it.
//
// # Random play
//
// [Explore] lets random players and a random hostile model play, and looks whether what has to
// hold always holds. What it finds it makes small, and reports as a scenario.
//
// # Models
//
// [Game.Score] plays scenarios with a real model, and counts what it did wrong and which goals it
// reached, by the state.
//
// # What the kit does itself
//
// Every game of the kit has the same clock, which stands still unless a scenario says
// otherwise, and the seed of its setup. Beside what is asked for it looks at what has to be so
// in every game: hit points within their bounds, nothing changed by a turn that did not end
// well, and at the end a replay of the log that leads to the same campaign.
//
// A [Table] belongs to one goroutine; different ones are independent.
package campaigntest
