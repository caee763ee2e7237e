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
// What a model can do is a field of [Rules]; nothing is guessed from the name of
// a model. Everything here is pure, and safe for concurrent use.
package shape
