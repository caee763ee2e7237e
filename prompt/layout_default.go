package prompt

// Default returns the default layout. Its slots, in the order of the prompt:
//
//	top             directives "top"
//	main            system prompt
//	hooks_session   hook injections of a session
//	before_char     directives "before_char"
//	world_before    lore before the character, joined by newlines
//	persona         who the player is
//	character       description, personality, scenario
//	after_char      directives "after_char"
//	settings        settings and rules of the host
//	world_after     lore behind the character, joined by newlines
//	auto            directives "auto"
//	summary         summary, pins, long-term memory
//	examples        example dialogues
//	bottom          directives "bottom"
//	history         the chat, with everything placed at a depth
//	world_triggered lore that is not constant, in the cache-friendly order
//	context         one-off messages, each on its own unless roles repeat
//	state           rendered variables, the authoritative status
//	hooks_turn      hook injections of a turn
//	post_history    instructions behind the history
//
// Required are main, context, state and post_history. Of the others, examples
// go first, then old history, lore, recent history, the summary, texts at a
// depth, hooks and directives, and the character last.
func Default() Layout {
	directive := func(name string) Slot {
		return Slot{Name: name, Keep: 880, Stability: Turn}
	}
	lore := func(name string) Slot {
		return Slot{Name: name, Keep: 700, Joiner: "\n", Stability: Turn}
	}
	return Layout{
		Slots: []Slot{
			directive("top"),
			{Name: "main", Required: true, Stability: Static},
			{Name: "hooks_session", Keep: 870, Stability: Session},
			directive("before_char"),
			lore("world_before"),
			{Name: "persona", Keep: 900, Stability: Static},
			{Name: "character", Keep: 900, Stability: Static},
			directive("after_char"),
			{Name: "settings", Keep: 950, Stability: Static},
			lore("world_after"),
			directive("auto"),
			{Name: "summary", Keep: 850, Stability: Session},
			{Name: "examples", Form: Examples, Keep: 200, Stability: Static},
			directive("bottom"),
			{Name: "history", Form: History},
			lore("world_triggered"),
			{Name: "context", Required: true, Stability: Turn},
			{Name: "state", Required: true, Stability: Turn},
			{Name: "hooks_turn", Keep: 870, Stability: Turn},
			{Name: "post_history", Required: true, Stability: Turn},
		},
		ChatMarker:    "[Start a new Chat]",
		ExampleMarker: "[Example Chat]",
	}
}
