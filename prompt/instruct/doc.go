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
// [Render] assembles with prompt.Assemble and writes the result as text; without
// a template it writes a plain transcript.
package instruct
