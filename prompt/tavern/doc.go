// Package tavern lays out prompts as SillyTavern does, for users who bring one
// of its presets.
//
// A [Preset] is the chat-completion preset of that program: a list of prompts,
// an order with switches, and the texts and formats around them. Its JSON files
// load as they are and keep the members that this package does not know:
//
//	preset, err := tavern.ParsePreset(data)
//	if err != nil {
//		return err
//	}
//	result, err := preset.Assemble(scene, input, env, budget)
//
// Of the members of a file this package uses those about the prompt. All others,
// the settings of samplers and connections, stay in Extra, and a file that nobody
// has changed is written back as it was, to the member. The mistakes of a file come
// all at once, with their places ([talewright.Problems]). Files of old versions, which have no
// list of prompts, are read as well.
//
// The order is the one of the program's number 100001, which holds for every
// character; files of older versions have only the number 100000, or one for each
// character, of which the first counts.
//
// The layout is only data: [Preset.Layout] and [Preset.Blocks] give a
// prompt.Layout and the blocks for it, and prompt.Assemble does the work. It has
// places for what no preset knows of, directives, hooks, summary and state, and a host
// may insert slots of its own. The
// differences from the default layout are those of the program: every part is a
// message of its own, macros of the history are expanded in full, all listed
// parts are required, and examples are cheaper than history.
//
// The texts of the list are expanded in its order, also those that stand in the
// chat, so that presets which keep their settings in variables work; what a card puts
// in the place of one is expanded behind all of them. White space that macros leave
// behind is a message; package shape leaves it out for providers that refuse it.
//
// Where this package departs from the program on purpose: a part that the order
// does not name is not sent, texts at a depth are reserved before history, card
// fields are expanded once, lore among the examples in which nobody speaks is a message of
// the system, the message that stands in for an empty one of the player
// depends on the history alone, and a prompt without its newest message is an error.
package tavern
