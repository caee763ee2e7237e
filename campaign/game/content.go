package game

// Content is the input from authors and hosts that many campaigns share, in five groups. [Compile]
// checks it. The zero Content is a game without lore, rules or hooks.
//
// A path in a problem names a member without its group: rules[0] is the first of Rules.Rules, and
// card is People.Card.
type Content struct {
	Lore       Lore       // world books, and how they are searched
	People     People     // the characters that the model plays, and the player
	Rules      Rules      // variables, rules, reactions and hooks, and what replies may change
	Prompt     Prompt     // presets, layout, regex scripts and size of prompts
	Extensions Extensions // a host's own tools, settings, macros and texts
}
