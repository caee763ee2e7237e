// Package gemini speaks the Gemini API of Google, over the official SDK.
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
// The SDK builds, signs and sends the request, once: [wrap.Retry] knows what was shown.
// The reply is read here: the SDK takes a stream that broke off for a whole reply, logs
// by itself, follows redirects with the key, and reads errors without a bound.
// [Config.Vertex] asks the same models in Google Cloud.
//
// # What it sends
//
// System messages at the beginning become the system instruction, results of calls that
// follow one another one content. Nothing else is rewritten: the package prompt
// with the profile gemini brings a prompt into the form that the server asks for. A
// system message within the chat, an empty message, an image with both or neither of
// Data and URL, and a schema that is no JSON are refused before anything is sent, all of
// them in one error.
//
// Options.Extra, Request.Extra and [Config.Body] go to the request, the first before the
// others; typed fields win over all, also within objects:
//
//	request.Options.Extra = map[string]json.RawMessage{
//		"generationConfig": json.RawMessage(`{"responseModalities": ["TEXT"]}`),
//	}
//
// The Extra of messages, calls, images and tools is not sent. Of the options the server
// does not know MinP and RepetitionPenalty: they are not sent. Message.Name is only the
// name of a function, for the result of a call that stands nowhere. Options.ReasoningEffort
// asks for thoughts at that level, or for the number of tokens that [Config.Budgets] has
// for the word; "none" is a budget of 0. Schemas of tools and formats lose what the
// server cannot say; an [llm.Warning] with the code [SchemaReduced] names it. Arguments
// and results that are no JSON object are sent as {"arguments": "…"} and {"result": "…"};
// integers in them beyond 2^53 lose digits in the SDK.
//
// A call that has a name ([llm.WithCallKey]) carries the header Idempotency-Key, the same
// whenever the same is asked under that name.
//
// # What it accepts
//
//   - The end mark is a finishReason. Without one the reply is incomplete: an
//     [*llm.Error] that wraps io.ErrUnexpectedEOF, after what had come.
//   - A list of events in place of a stream is as good. HTML, an empty body or a dropped
//     connection is incomplete.
//   - An error object ends the reply wherever it stands, alone or in a list. RetryInfo
//     in its details becomes RetryAfter.
//   - A blocked prompt is an error with [llm.CodeFiltered]; a reply that ends for
//     SAFETY, RECITATION and their kind has the finish reason [llm.FinishContentFilter].
//     MALFORMED_FUNCTION_CALL is an error that a retry may mend.
//   - Only the candidate with index 0 counts.
//   - Calls come whole, and get an id where the server sends none: call_001. Arguments
//     that are no object are an error with [llm.CodeMalformed].
//   - Thoughts become [llm.ReasoningDelta]. A thoughtSignature goes with the call that it
//     stands at, or becomes an [llm.Seal]; both are sent back where they stood.
//   - Parts of an unknown kind, pictures among them, are left out; an [llm.Warning] with
//     the code [UnknownPart] tells of each kind once.
//   - The last usageMetadata counts. Usage.CompletionTokens holds the thinking, which the
//     server counts apart. Counts that cannot be read lose nothing but themselves: an
//     [llm.Warning] with the code [UsageUnreadable] stands in their place.
//
// # What it bounds
//
// [Config.Limits] bounds what a reply holds and how long a server is silent,
// [Config.MaxStream] what is read in all, after decompression; both have defaults. Fixed
// bounds: 16 MiB for an event or a list, 64 KiB for the body of an error. Beyond them a
// reply ends with an [*llm.Error] after what had come, with [llm.CodeTooLarge] or
// [llm.CodeTimeout]. The cost of reading follows the number of bytes.
//
// # What goes wrong
//
// All failures are [*llm.Error] values, except that the end of the context is the
// context's error. A redirect is a failure: the key goes to the address that it was
// meant for and nowhere else. No error, and no way of printing a [Client] or a [Config],
// shows the key, the values of headers, or credentials in the address and in Config.Body.
package gemini
