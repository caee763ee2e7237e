// Package generate has two tools with which a model adds to a campaign during play: places and
// paths (map_generate), and people (character_generate). A host registers them, and a campaign
// allows them:
//
//	content := game.Content{Tools: []tool.Tool{generate.Map(generate.Limits{}), generate.Character(generate.Limits{})}}
//	setup := state.Setup{Allowlist: []string{"move", "hp_delta", "map_generate", "character_generate"}}
//
// What a model adds is there for good, or until a rollback: the next turns can walk there and meet
// them. It adds and never replaces. The tools refuse ids and names that are taken, names that look like a taken
// one or read as ordinary words ([conflict.ReadsAsWords]), texts that are not plain data, and more than a [Limits]
// allows. One thing that is wrong refuses the call.
//
// Set Approval of the tools, for instance to tool.Always, to see what is added before it counts.
package generate
