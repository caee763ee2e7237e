// Package imports begins campaigns with files of other programs: character cards, worlds and
// role-play configurations, each with its lore, as the author exported them. It also reads a folder
// of such files together with the library's own files, see [ParseFolder], and chats of SillyTavern, see
// [ChatFile].
//
//	start, problems := imports.Parse(file, imports.Options{ID: "first", Player: "Mara"})
//	g, mistakes := game.Compile(start.Content)
//	_, err = engine.Create(ctx, start.Setup)
//
// The engine's own sentences, such as headings and reasons of refusals, are in the language of the
// content: Chinese or English, see Options.Texts.
//
// A story for the MVU framework begins with its variables, see [Start.AddBook]. Their schema comes from
// the scripts of the card, or without a script from the member extensions.talewright.schema. That is an
// object in the words of JSON Schema, with coerce and clamp for values that are converted and limited,
// or the text of a schema of zod:
//
//	{"type": "object", "properties": {"hp": {"type": "number", "minimum": 0, "maximum": 9, "clamp": true, "default": 5}}}
//
// The results are plain data. Change them freely before you compile: add tools, a persona and a
// budget to the content, and further characters and a map to the setup. The problems of [Parse] list
// what of the file is not played.
//
// Files come from strangers. Their readers enforce the limits that they document (package
// prompt/card, reactions, worldbook/format), and the work of this package is linear in what was
// read. The functions are pure and safe for concurrent use.
//
// # Codes of problems
//
//   - not_a_card: fatal: a file that begins no story; the text says which function reads it
//   - not_a_chat: fatal: no line is a header or a message
//   - unreadable: a line that is not a JSON object, or not of a chat; it is skipped
//   - bad_text: a chat that is not UTF-8; the broken bytes are read as U+FFFD
//   - wrong_type: a member of a wrong type; it is read as absent and kept
//   - no_such_swipe: swipe_id is not an index of the list, or its text differs
//   - too_many: there are more problems than are listed
//   - no_position: no entry of a book has a place in the prompt; all come before the character
//   - not_used: a part of the file that a campaign cannot use
//   - refused: a macro in initial values that needs something absent, such as Options.Clock
//   - placeholder: a question to the player, replaced by its default
package imports
