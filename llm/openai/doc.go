// Package openai is an adapter for the chat protocol of OpenAI. Many servers offer this protocol:
// Ollama, llama.cpp, vLLM, LM Studio, KoboldCpp, OpenRouter, DeepSeek and others.
//
//	model, err := openai.New(openai.Config{
//		BaseURL: "https://openrouter.ai/api/v1",
//		Key:     os.Getenv("OPENROUTER_API_KEY"),
//		Model:   "deepseek/deepseek-chat",
//	})
//	if err != nil {
//		return err
//	}
//	for chunk, err := range model.Generate(ctx, request) {
//		…
//	}
//
// A [Profile] describes the differences of a server. [FindProfile] returns it, and [Profile.Config]
// makes a configuration of it.
//
// In addition to the chat, a client has two other endpoints. [Client.Completion] returns a model
// that uses text completions, for prompts in a special template. [Client.Embed] converts texts to
// vectors. [Config.Ollama] selects Ollama's own protocol for the chat.
//
// # Requests
//
// For each reply, the client sends one streaming POST that also requests the usage. Unset options
// are omitted. The members in the Extra fields of the request are sent too, so every setting of
// every server can be used:
//
//	request.Options.Extra = map[string]json.RawMessage{"top_a": json.RawMessage("0.05")}
//
// If names are equal, the typed field takes precedence, then Options.Extra, Request.Extra and
// [Config.Body]. The Extra of messages, calls and tools is sent too; Message.Reasoning is not. If
// [Config.Reasoning] names a member, the thinking that led to calls is sent back with the calls in
// this member; thoughts of other providers are not sent. Images become parts of the content, and
// their bytes become data URLs. An image with both or neither of Data and URL is refused before
// anything is sent. A call with a name ([llm.WithCallKey]) has the header Idempotency-Key. The
// header is the same whenever the same request is sent with that name. Redirects are refused: a key
// is sent only to the configured address.
//
// # Replies
//
// Servers differ, and streams break. The rules:
//
//   - A finish_reason is the end mark. `[DONE]` closes the stream but proves nothing: without a
//     finish_reason the reply is incomplete.
//   - A JSON completion is accepted instead of a stream. HTML, an empty body or a dropped
//     connection is incomplete: an [*llm.Error] that wraps io.ErrUnexpectedEOF follows the chunks
//     that had arrived.
//   - An error object ends the reply wherever it is: alone, next to other members, with
//     finish_reason "error" or in an event named error.
//   - Only the choice with index 0 counts.
//   - Calls are identified by id, index or name, whichever the server sends, and numbered in the
//     order of their indexes. Arguments that are sent as an object become JSON text. The finish
//     reason "stop" after calls is reported as [llm.FinishToolCalls]. A call without an id gets an
//     id such as call_001 at the end. A name that is split over events is joined.
//   - If a request has more than [Config.MaxStops] stop texts, the client cuts the text at the
//     others.
//   - If a server reports that it does not support tools, the request is sent again with the tools
//     in the text. Later requests also have the tools in the text; see [Config.Tools].
//   - reasoning_content and reasoning become [llm.ReasoningDelta]. With [Config.SplitThinking],
//     `<think>` blocks in the text also become [llm.ReasoningDelta].
//   - Characters that are split between two events, even between the halves of a surrogate pair,
//     are joined.
//   - The last usage report counts; 5.0 and "5" are read as 5. If a report cannot be read, only the
//     report is lost, and the reply has an [llm.Warning] with the code "usage_unreadable". If the
//     server probably truncated the prompt, the reply has an [llm.Warning] with the code
//     "prompt_cut".
//
// # Limits
//
// A server is not trusted, and a model may never stop. [Config.Limits] limits the size of a reply
// and the waits for its chunks. [Config.MaxStream] limits the bytes that are read in total, after
// decompression. Both have defaults. The limits are fixed. An event or a completion has at most 16
// MiB, a list in it 4096 elements, nested parts four levels, and the body of an error 64 KiB. A
// reply that exceeds a limit ends with an [*llm.Error] after the chunks that had arrived. Its code
// is [llm.CodeTooLarge] (no retry helps), [llm.CodeTimeout] (a retry may help) or, for nested
// parts, [llm.CodeMalformed]. The cost of reading is linear in the number of bytes.
//
// # Errors
//
// All failures are [*llm.Error] values, except that the end of the context gives the context's
// error. The client does not retry: wrap it in [wrap.Retry].
//
// Errors, and a printed [Client] or [Config], never show secrets. Secrets are the key, the values
// of headers and of query members (except some known harmless ones), the user of the address, and
// credentials in Config.Body. Eight consecutive characters of any of them are not shown either, in
// any usual form in which a server repeats them.
package openai
