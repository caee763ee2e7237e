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
// The layout is only data: [Preset.Layout] and [Preset.Blocks] give a
// prompt.Layout and the blocks for it, and prompt.Assemble does the work. The
// differences from the default layout are those of the program: every part is a
// message of its own, macros of the history are expanded in full, all listed
// parts are required, and examples are cheaper than history.
//
// Where this package departs from the program on purpose: a part that the order
// does not name is not sent, texts at a depth are reserved before history, card
// fields are expanded once, and a prompt without its newest message is an error.
package tavern
