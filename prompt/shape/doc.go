// Package shape makes an assembled prompt acceptable to a provider.
//
// Providers differ in where they take system texts, whether roles must
// alternate, whether messages carry names, and how calls and results of tools
// are written. [Shape] takes a neutral list of messages and a [Rules] value and
// returns system texts and messages of parts, which an adapter only has to write
// in the provider's JSON:
//
//	shaped := shape.Shape(result.Messages, shape.Rules{
//		Profile: shape.Anthropic, Tools: true, User: "Mara", Char: "Orin",
//		Prefill: result.Prefill, AcceptsPrefill: true,
//	})
//
// # What is repaired
//
// Providers refuse a result without its call, a call without its result, and
// most of them an empty message. Assembled prompts have none of these, but
// messages come from elsewhere too: an orphan becomes a text of the user, a
// missing result the text "[No content]", and both are reported. Results stand
// directly behind their calls, in the order of the calls.
//
// # What is not
//
// Texts are never cut, moved in front of one another, or dropped, except blank
// ones. Where a provider wants the user to speak and nobody does, a placeholder
// speaks; the order of the chat stays.
//
// What a model can do is a field of [Rules]; nothing is guessed from the name of
// a model. Everything here is pure, and safe for concurrent use.
package shape
