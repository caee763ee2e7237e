// Package eino connects talewright with Eino (github.com/cloudwego/eino), in both directions.
//
//	// Use an Eino model in a campaign:
//	engine, err := campaign.New(campaign.Config{Model: eino.From(chatModel, eino.Options{}), …})
//
//	// Use a talewright model, with its retries and fallbacks, in an Eino graph:
//	graph.AddChatModelNode("model", eino.To(model))
//
// # From Eino
//
// [From] only calls Stream. It passes tools as an option of the call, and reads the stream to its
// end or closes it.
//
//   - The end mark is a finish reason. A stream that ends without one is incomplete, an
//     [*llm.Error] that wraps io.ErrUnexpectedEOF. Most Eino models send a reason, and without this
//     rule a dropped connection would look like an end. [Options.EndWithoutReason] is for models
//     that send no reason.
//   - Eino has options for Temperature, MaxTokens, TopP, Stop, ToolChoice, the tools and the name
//     of the model. [Options.Translate] converts further options for a specific model. Without it,
//     the other options are not sent.
//   - Only messages of the user may have images. Images in other messages, and everything else that
//     Eino cannot express, are refused before anything is sent.
//   - An error of the model that is an [*llm.Error] is returned unchanged. Other errors get
//     [llm.CodeUnknown] without Retry, unless [Options.Classify] classifies them, or they are an
//     interrupted stream or a network error.
//   - Parts of a call have the same Index. A part without an Index is a whole call. A call without
//     an ID gets an id such as call_001 at the end. The finish reason "stop" after calls is
//     reported as [llm.FinishToolCalls]. Text that was split within a character is joined.
//   - The ReasoningContent of a reply with calls is sent back in the next request of the same turn,
//     as the agents of Eino do. Some servers refuse the request without it.
//   - Pictures, sounds and log probabilities in replies are omitted, with an [llm.Warning] with the
//     code "part_left_out".
//
// # To Eino
//
// [To] returns a model.ToolCallingChatModel: Generate, Stream and WithTools. Seals of thinking,
// signatures of calls, and warnings have no field in Eino. They are written to the Extra of
// messages, under keys that begin with "talewright", and read from there. [WithOptions] sets
// options of [llm.Options] that Eino does not have. Text in AssistantGenMultiContent and
// MultiContent is read, and images in messages of the user; other parts are refused. Close every
// stream that you do not read to its end.
package eino
