// Package scene holds the usual pieces of a turn - system prompt, card, persona, author's
// note, activated lore, directives, injections, summary, state - and makes the blocks of
// them that package prompt assembles:
//
//	pieces := scene.Scene{System: "You are {{char}}.", Lore: lore, State: status}
//	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
//		Blocks: pieces.Blocks(env, history), History: history,
//	}, env, budget)
//
// Each piece knows where the default layout wants it. A host with a layout of its own takes
// the blocks and changes their slots, or writes blocks itself; package tavern does so for
// SillyTavern's presets, package instruct for prompts that are one text. [CardOf] takes a
// character card apart, [LoreOf] takes what a scan of world books has activated.
//
// Everything here is a value and a pure function of it, safe for concurrent use.
package scene
