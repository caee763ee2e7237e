// Package anthropic speaks the Messages API of Anthropic, over the official SDK.
//
//	model, err := anthropic.New(anthropic.Config{
//		Key:   os.Getenv("ANTHROPIC_API_KEY"),
//		Model: "claude-sonnet-4-5",
//	})
//	if err != nil {
//		return err
//	}
//	for chunk, err := range model.Generate(ctx, request) {
//		…
//	}
//
// The SDK builds, signs and sends the request; its retries are off, as [wrap.Retry]
// knows what was shown, and it reads nothing from the environment. The reply is read
// here: the SDK takes a stream that broke off for a reply, an empty one even, follows
// redirects with the key, and reads errors without a bound.
//
// Amazon Bedrock and Vertex AI of Google have the same models behind their own addresses,
// signatures and frames. The SDK knows those, in packages that only their users link:
//
//	model, err := anthropic.New(anthropic.Config{
//		Model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
//		SDK:   []option.RequestOption{bedrock.WithConfig(awsConfig)},
//	})
//
// # What it sends
//
// System messages at the beginning become the system prompt, results of calls that follow
// one another one message of the user. Nothing else is rewritten: the package
// prompt with the profile anthropic brings a prompt into the form that the server
// asks for. A system message within the chat, an empty message, an image with both or
// neither of Data and URL, a schema that is no JSON, and more than four marks for the
// cache are refused before anything is sent, all of them in one error.
//
// A mark for the cache is a member cache_control in the Extra of a message or a tool:
//
//	m.Extra = map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}
//
// The Extra of a message goes to its last block, that of a tool to the tool, of an image
// to its block. Options.Extra, Request.Extra and [Config.Body] go to the request, the
// first before the others; typed fields win over all.
//
// Of the options the server does not know Seed, MinP, FrequencyPenalty, PresencePenalty,
// RepetitionPenalty and a Format without a schema: they are not sent. Message.Name is
// not sent either. Options.ReasoningEffort asks for adaptive thinking with that effort,
// or for the number of tokens that [Config.Budgets] has for the word; "none" turns
// thinking off. Arguments of a former call that are no JSON object are sent as
// {"arguments": "…"}, as the server takes objects only.
//
// A call that has a name ([llm.WithCallKey]) carries the header Idempotency-Key, the same
// whenever the same is asked under that name.
//
// # What it accepts
//
//   - The end mark is a message_stop behind a stop_reason. Without either the reply is
//     incomplete: an [*llm.Error] that wraps io.ErrUnexpectedEOF, after what had come.
//   - A JSON message in place of a stream is as good. HTML, an empty body or a dropped
//     connection is incomplete.
//   - An error event ends the reply wherever it stands; overloaded_error may be tried
//     again, although the status was 200.
//   - Blocks are told apart by their index, which may come in any order and again. Calls
//     are numbered in the order in which they begin. A call without an id gets one:
//     call_001. Arguments that never become JSON are CodeMalformed, unless the limit of
//     tokens has cut them.
//   - Thinking becomes [llm.ReasoningDelta]; its signature, and thinking that only the
//     provider can read, become an [llm.Seal]. They are sent back with the message that
//     holds them as [llm.Thought].
//   - Events, blocks and deltas of an unknown kind are left out; an [llm.Warning] with
//     the code [UnknownPart] tells of each kind once.
//   - The stop reason refusal is [llm.FinishContentFilter]; max_tokens and
//     model_context_window_exceeded are [llm.FinishLength]; a server with
//     tools of its own that pauses (pause_turn) gets back what it has written and goes on,
//     up to eight times, in the same reply; the counts of all parts are added up.
//   - Usage.PromptTokens holds what was read from the cache and written to it, which the
//     server counts apart. Counts that cannot be read lose nothing but themselves: an
//     [llm.Warning] with the code [UsageUnreadable] stands in their place.
//
// # What it bounds
//
// [Config.Limits] bounds what a reply holds and how long a server is silent,
// [Config.MaxStream] what is read in all, after decompression; both have defaults. Fixed
// bounds: 16 MiB for an event or a message, 64 KiB for the body of an error. Beyond them
// a reply ends with an [*llm.Error] after what had come, with [llm.CodeTooLarge] or
// [llm.CodeTimeout]. The cost of reading follows the number of bytes.
//
// # What goes wrong
//
// All failures are [*llm.Error] values, except that the end of the context is the
// context's error. A redirect is a failure: the key goes to the address that it was
// meant for and nowhere else. No error, and no way of printing a [Client] or a [Config],
// shows the key, the values of headers, or credentials in the address and in Config.Body.
package anthropic
