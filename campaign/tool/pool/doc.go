// Package pool has a tool with which a model rolls pools of ten-sided dice: as many as an
// attribute and a skill have points, each die of 8 and more a success, each 10 another die.
// The engine rolls, and the result is recorded; a call that is repeated within a turn keeps its
// dice. A host registers it, and a campaign allows it:
//
//	content := game.Content{Tools: []tool.Tool{pool.Check(pool.Rules{})}}
//	setup := state.Setup{Allowlist: []string{"move", "hp_delta", "pool_check"}}
//
// A pool is written as names, "力量;白刃", whose points stand on the character's sheet, and that of an
// enemy with points of its own, "力量:2;白刃:2". Points of an attribute beyond 8 are no dice but
// successes by themselves. Difficulty is the number of successes that are needed; [Level] bounds
// it by how far a world goes beyond the ordinary one.
//
// Where [Rules] name variables, a call may leave the pool and the difficulty out: they are what
// the model has written there before, such as stat_data.检定属性 and stat_data.检定难度.
package pool
