// Package instruct renders a prompt as one text, for models without a chat
// interface.
//
// A [Template] has the texts around each message: ChatML, Llama 3, Alpaca,
// Mistral and others, built in or from SillyTavern's instruct presets. A
// [Context] has the story string in front of the chat and the separators, as in
// SillyTavern's context presets. Both kinds of files load as they are:
//
//	template, err := instruct.ParseTemplate(data)
//	context, err := instruct.ParseContext(data)
//	text, err := instruct.Render(scene, input, env, budget, context, &template)
//
// # Preset files
//
// There are three kinds: instruct presets ([ParseTemplate]), context presets
// ([ParseContext]) and system prompts ([ParseSystemPrompt]). A master export has all three in
// one file ([ParseMaster]). Presets of older
// versions are read under their old names. A file that cannot be read is an error
// with all mistakes and their places ([talewright.Problems]); numbers in quotes and nulls,
// which some programs write, are no mistakes.
//
// Written back, a preset is the file that it was, but for what was changed: what
// this package does not know is in Extra and stays. That are, among others,
// activation_regex and bind_to_context, by which a program chooses its presets,
// and trim_sentences and single_line, which act on the reply and not on the prompt.
//
// # Names
//
// A template says whether lines carry the name of the speaker: never, always, or
// only those of others than the main character. In a transcript without
// a template every line does. A name that is already there is not doubled, and
// narrators and system texts have none. {{name}} in a prefix is the speaker; where
// nobody speaks, it is the character among the lines, else System.
//
// # Departures
//
// Example turns carry names only if all lines do; SillyTavern puts them on the
// player's side alone. A message without a suffix ends in a newline if the
// template wraps, or messages would run into one another. An impersonation
// without a template ends in the player's name, the only sign of what is wanted.
//
// [Render] assembles with prompt.Assemble and writes the result as text; without
// a template it writes a plain transcript.
package instruct
