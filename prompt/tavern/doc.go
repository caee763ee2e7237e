// Package tavern lays out prompts as SillyTavern does, for users of its presets.
//
// A [Preset] is a chat-completion preset of SillyTavern: a list of prompts, an order with switches,
// and the texts and formats around them. Its JSON files load unchanged and keep unknown members:
//
//	preset, problems := tavern.ParsePreset(data)
//	if err := problems.Err(); err != nil {
//		return err
//	}
//	result, err := preset.Assemble(scene, input, env, budget)
//
// This package uses the members of a file that are about the prompt. All others, such as settings
// of samplers and connections, stay in Extra. An unchanged file is written back as it was, member
// by member. All mistakes of a file are reported at once, with their places
// ([talewright.Problems]). Files of old versions, which have no list of prompts, are read as well.
//
// The order is the one with SillyTavern's number 100001, which applies to every character. Files of
// older versions have only the number 100000, or one order for each character; then the first is
// used.
//
// The layout is only data: [Preset.Layout] and [Preset.Blocks] return a prompt.Layout and its
// blocks, and prompt.Assemble does the work. The layout has places for directives, hooks, summary
// and state, which no preset has, and a host may insert its own slots. The differences from the
// default layout follow SillyTavern. Every part is a separate message. Macros of the history are
// expanded in full. All listed parts are required. Examples are dropped before history.
//
// The texts of the list are expanded in its order, also texts in the chat, so that presets that
// keep their settings in variables work. A card's text that replaces one of them is expanded after
// all of them. White space that macros leave is sent as a message; [prompt.Shape] leaves it out for
// providers that refuse it.
//
// This package differs from SillyTavern on purpose in these points:
//
//   - A part that the order does not name is not sent.
//   - Texts at a depth are reserved before history.
//   - Card fields are expanded once.
//   - Lore among the examples without a speaker is a system message.
//   - The message that replaces an empty player message depends only on the history.
//   - A prompt without its newest message is an error.
package tavern
