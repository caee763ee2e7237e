// Package anthropic is an adapter for the Messages API of Anthropic. It uses the official SDK.
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
// The SDK builds, signs and sends the request. It does not retry: [wrap.Retry] does that, because
// it knows what was shown. It reads nothing from the environment. This package reads the reply
// itself for three reasons. The SDK accepts an interrupted stream, even an empty one, as a reply.
// It follows redirects with the key. It reads errors of any size.
//
// Amazon Bedrock and Vertex AI of Google offer the same models with their own addresses, signatures
// and stream formats. The SDK supports them in separate packages:
//
//	model, err := anthropic.New(anthropic.Config{
//		Model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
//		SDK:   []option.RequestOption{bedrock.WithConfig(awsConfig)},
//	})
//
// # Requests
//
// System messages at the beginning become the system prompt. Consecutive results of calls become
// one message of the user. Nothing else is rewritten: package prompt with the profile anthropic
// converts a prompt to the form that the server requires. Some requests are refused before anything
// is sent: a system message within the chat, an empty message, an image with both or neither of
// Data and URL, a schema that is not JSON, and more than four cache marks. One error lists all of
// them.
//
// A cache mark is a member cache_control in the Extra of a message or a tool:
//
//	m.Extra = map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}
//
// The Extra of a message is added to its last block, the Extra of a tool to the tool, and the Extra
// of an image to its block. The members of Options.Extra, Request.Extra and [Config.Body] are added
// to the request. An earlier one of the three takes precedence over a later one, and typed fields
// take precedence over all.
//
// The options Seed, MinP, FrequencyPenalty, PresencePenalty, RepetitionPenalty and a Format without
// a schema are not sent, because the server does not have them. Message.Name is not sent either. A
// schema is sent with closed objects and without the keywords that the server refuses; they become
// a part of the description. A schema with an object without named members is not sent.
// Options.ReasoningEffort requests adaptive thinking with that effort, or with the number of tokens
// that [Config.Budgets] has for the word; "none" turns thinking off. Arguments of an earlier call
// that are not a JSON object are sent as {"arguments": "…"}, because the server accepts only
// objects.
//
// A call with a name ([llm.WithCallKey]) has the header Idempotency-Key. The header is the same
// whenever the same request is sent with that name.
//
// # Replies
//
//   - The end mark is a message_stop after a stop_reason. If one of them is missing, the reply is
//     incomplete: an [*llm.Error] that wraps io.ErrUnexpectedEOF follows the chunks that had
//     arrived.
//   - A JSON message is accepted instead of a stream. HTML, an empty body or a dropped connection
//     is incomplete.
//   - An error event ends the reply wherever it is. overloaded_error has Retry set, although the
//     status was 200.
//   - Blocks are identified by their index. Indexes may come in any order and may be reused. Calls
//     are numbered in the order in which they begin. A call without an id gets an id such as
//     call_001. Arguments that are not JSON at their end are CodeMalformed, unless the token limit
//     truncated them.
//   - Thinking becomes [llm.ReasoningDelta]; its signature, and thinking that only the provider can
//     read, become an [llm.Seal]. A message stores them as [llm.Thought], and they are sent back
//     with the message.
//   - Events, blocks and deltas of an unknown kind are omitted; an [llm.Warning] with the code
//     "unknown_part" reports each kind once.
//   - The stop reason refusal is [llm.FinishContentFilter]; max_tokens and
//     model_context_window_exceeded are [llm.FinishLength]; a server with its own tools may pause
//     (pause_turn). Then it receives the content that it has written and continues the same reply,
//     up to eight times. The counts of all parts are added.
//   - Usage.PromptTokens includes the tokens read from the cache and written to it, which the
//     server counts separately. If counts cannot be read, only they are lost, and an [llm.Warning]
//     with the code "usage_unreadable" replaces them.
//
// # Limits
//
// [Config.Limits] limits the size of a reply and the waits for its chunks. [Config.MaxStream]
// limits the bytes that are read in total, after decompression. Both have defaults. Fixed limits:
// 16 MiB for an event or a message, 64 KiB for the body of an error. A reply that exceeds a limit
// ends with an [*llm.Error] after the chunks that had arrived, with [llm.CodeTooLarge] or
// [llm.CodeTimeout]. The cost of reading is linear in the number of bytes.
//
// # Errors
//
// All failures are [*llm.Error] values, except that the end of the context gives the context's
// error. A redirect is a failure: the key is sent only to the configured address. No error, and no
// way of printing a [Client] or a [Config], shows the key, the values of headers, or credentials in
// the address and in Config.Body.
package anthropic
