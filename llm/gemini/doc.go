// Package gemini is an adapter for the Gemini API of Google. It uses the official SDK.
//
//	model, err := gemini.New(gemini.Config{
//		Key:   os.Getenv("GEMINI_API_KEY"),
//		Model: "gemini-2.5-flash",
//	})
//	if err != nil {
//		return err
//	}
//	for chunk, err := range model.Generate(ctx, request) {
//		…
//	}
//
// The SDK builds, signs and sends the request. It does not retry: [wrap.Retry] does that, because
// it knows what was shown. This package reads the reply itself for four reasons. The SDK accepts an
// interrupted stream as a whole reply. It writes logs. It follows redirects with the key. It reads
// errors of any size. [Config.Vertex] selects the same models in Google Cloud.
//
// # Requests
//
// System messages at the beginning become the system instruction. Consecutive results of calls
// become one content. Nothing else is rewritten: package prompt with the profile gemini converts a
// prompt to the form that the server requires. Some requests are refused before anything is sent: a
// system message within the chat, an empty message, an image with both or neither of Data and URL,
// and a schema that is not JSON. One error lists all of them.
//
// The members of Options.Extra, Request.Extra and [Config.Body] are added to the request. An
// earlier one of the three takes precedence over a later one, and typed fields take precedence over
// all, also inside objects:
//
//	request.Options.Extra = map[string]json.RawMessage{
//		"generationConfig": json.RawMessage(`{"responseModalities": ["TEXT"]}`),
//	}
//
// The Extra of messages, calls, images and tools is not sent. The options MinP and
// RepetitionPenalty are not sent, because the server does not have them. Message.Name is only used
// as the function name in the result of a call that is not in the chat. Options.ReasoningEffort
// requests thoughts at that level, or with the number of tokens that [Config.Budgets] has for the
// word; "none" is a budget of 0. The server accepts five stop texts. If there are more, the adapter
// cuts the text itself and stops reading; such a reply has no usage report. Schema members that the server does not support are removed; an
// [llm.Warning] with the code "schema_reduced" names them. Arguments and results that are not a JSON
// object are sent as {"arguments": "…"} and {"result": "…"}. Integers in them beyond 2^53 lose
// digits in the SDK.
//
// A call with a name ([llm.WithCallKey]) has the header Idempotency-Key. The header is the same
// whenever the same request is sent with that name.
//
// # Replies
//
//   - The end mark is a finishReason. Without it the reply is incomplete: an [*llm.Error] that
//     wraps io.ErrUnexpectedEOF follows the chunks that had arrived.
//   - A list of events is accepted instead of a stream. HTML, an empty body or a dropped connection
//     is incomplete.
//   - An error object ends the reply wherever it is, alone or in a list. RetryInfo in its details
//     becomes RetryAfter.
//   - A blocked prompt is an error with [llm.CodeFiltered]; a reply that ends because of SAFETY,
//     RECITATION or a similar reason has the finish reason [llm.FinishContentFilter].
//     MALFORMED_FUNCTION_CALL is an error with Retry set.
//   - Only the candidate with index 0 counts.
//   - Calls arrive as a whole. If the server sends no id, the call gets an id such as call_001.
//     Arguments that are not an object are an error with [llm.CodeMalformed].
//   - Thoughts become [llm.ReasoningDelta]. A thoughtSignature is stored with its call, or becomes
//     an [llm.Seal]. Both are sent back at the same position.
//   - Parts of an unknown kind, including pictures, are omitted; an [llm.Warning] with the code
//     "unknown_part" reports each kind once.
//   - The last usageMetadata counts. Usage.CompletionTokens includes the thinking, which the server
//     counts separately. If counts cannot be read, only they are lost, and an [llm.Warning] with
//     the code "usage_unreadable" replaces them.
//
// # Limits
//
// [Config.Limits] limits the size of a reply and the waits for its chunks. [Config.MaxStream]
// limits the bytes that are read in total, after decompression. Both have defaults. Fixed limits:
// 16 MiB for an event or a list, 64 KiB for the body of an error. A reply that exceeds a limit ends
// with an [*llm.Error] after the chunks that had arrived, with [llm.CodeTooLarge] or
// [llm.CodeTimeout]. The cost of reading is linear in the number of bytes.
//
// # Errors
//
// All failures are [*llm.Error] values, except that the end of the context gives the context's
// error. A redirect is a failure: the key is sent only to the configured address. No error, and no
// way of printing a [Client] or a [Config], shows the key, the values of headers, or credentials in
// the address and in Config.Body.
package gemini
