// Package eino joins talewright with Eino (github.com/cloudwego/eino), in both
// directions.
//
//	// A model of Eino plays a campaign:
//	engine, err := campaign.New(campaign.Config{Model: eino.From(chatModel, eino.Options{}), …})
//
//	// A model of talewright, with its retries and fallbacks, serves a graph of Eino:
//	graph.AddChatModelNode("model", eino.To(model))
//
// # From Eino
//
// [From] calls Stream and nothing else; it binds tools by an option of the call and reads
// the stream to its end or closes it.
//
//   - The end mark is a finish reason. A stream that ends without one is incomplete, an
//     [*llm.Error] that wraps io.ErrUnexpectedEOF: most models of Eino name a reason, and
//     a connection that dropped looks like an end otherwise. [Options.EndWithoutReason] is
//     for those that do not.
//   - Of the options a model of Eino knows Temperature, MaxTokens, TopP, Stop, ToolChoice,
//     the tools and the name of the model. [Options.Translate] makes what a certain model
//     has beyond them; without it the others are not sent.
//   - Images go with messages of the user only; elsewhere they are refused before anything
//     is sent, with everything else that cannot be said.
//   - Errors are what the model returned. One that is an [*llm.Error] stays it; others have
//     [llm.CodeUnknown] and no retry, unless [Options.Classify] knows them.
//   - Parts of a call share their Index; a part without one is a whole call. Text that was
//     cut within a character is joined.
//   - Pictures, sounds and log probabilities in replies are left out, with an [llm.Warning]
//     of the code [PartLeftOut].
//
// # To Eino
//
// [To] returns a model.ToolCallingChatModel: Generate, Stream and WithTools. What Eino has
// no word for travels in the Extra of messages, under the keys that begin with
// "talewright", and comes back from there: seals of thinking, signatures of calls, and
// warnings. [WithOptions] sets options of [llm.Options] that Eino does not have. Text in
// AssistantGenMultiContent and MultiContent is read, with images in messages of the user;
// other parts are refused. Close every stream that you do not read to its end.
package eino
