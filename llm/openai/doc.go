// Package openai speaks the chat protocol of OpenAI, and of the many servers
// that offer the same one: Ollama, llama.cpp, vLLM, LM Studio, KoboldCpp,
// OpenRouter, DeepSeek and others.
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
// What is particular about a server stands in a [Profile]: [FindProfile] gives it,
// [Profile.Config] makes a configuration of it.
//
// Beside the chat a client reaches two other doors: [Client.Completion] is a model over
// text completions, for prompts in a template of their own, and [Client.Embed] turns
// texts into vectors. [Config.Ollama] makes the chat that of Ollama's own protocol.
//
// # What it sends
//
// One streaming POST per reply, usage requested. Unset options are left out.
// Members that the request carries in its Extra fields are sent along, so every
// setting of every server can be reached:
//
//	request.Options.Extra = map[string]json.RawMessage{"top_a": json.RawMessage("0.05")}
//
// On equal names the typed field wins, then Options.Extra, Request.Extra and [Config.Body]. The
// Extra of messages, calls and tools is sent as well; Message.Reasoning is not. What the model
// thought before it made calls goes back with them where [Config.Reasoning] names the member for
// it; thoughts of other providers do not. Images become parts of the content, their bytes as data
// URLs; one that has both or neither of Data and URL is refused before anything is sent. A call
// that has a name ([llm.WithCallKey]) carries the header Idempotency-Key, the same whenever the
// same is asked under that name. Redirects are refused: a key goes to the address that it was meant
// for and nowhere else.
//
// # What it accepts
//
// Servers differ, and streams break. The rules:
//
//   - A finish_reason is the end mark. `[DONE]` closes the stream but proves
//     nothing: without a finish_reason the reply is incomplete.
//   - A JSON completion in place of a stream is as good. HTML, an empty body or
//     a dropped connection is incomplete: an [*llm.Error] that wraps
//     io.ErrUnexpectedEOF, after what had come.
//   - An error object ends the reply wherever it stands: alone, beside other
//     members, under finish_reason "error" or in an event named error.
//   - Only the choice with index 0 counts.
//   - Calls are told apart by id, index or name, whatever the server gives, and
//     numbered in the order of their indices. Arguments sent as an object
//     become their JSON text. The finish reason "stop" after calls is reported
//     as [llm.FinishToolCalls]. A call without an id gets one at the end: call_001.
//   - A server that says that it knows no tools is asked again with the tools in the
//     text, and so are later requests; see [Config.Tools].
//   - reasoning_content and reasoning become [llm.ReasoningDelta]; with
//     [Config.SplitThinking] so do `<think>` blocks in the text.
//   - Characters cut between two events, even between the halves of a surrogate
//     pair, are put together again.
//   - The last usage report counts, where 5.0 and "5" are 5. One that cannot be
//     read loses nothing but itself: an [llm.Warning] with the code
//     [UsageUnreadable] stands beside the reply. One that looks as if the server had cut the
//     prompt adds an [llm.Warning] with the code [PromptCut].
//
// # What it bounds
//
// A server may be anybody's, and a model may run away. [Config.Limits] bounds what a
// reply holds and how long a server is silent, [Config.MaxStream] what is read in all,
// after decompression; both have defaults. Fixed bounds: 16 MiB for an event or a
// completion, 4096 elements for a list in one, four levels of parts within parts,
// 64 KiB for the body of an error. Beyond them a reply ends with an [*llm.Error] after
// what had come; its code is [llm.CodeTooLarge] (no retry helps), [llm.CodeTimeout]
// (one may) or, for parts within parts, [llm.CodeMalformed]. The cost of reading
// follows the number of bytes.
//
// # What goes wrong
//
// All failures are [*llm.Error] values, except that the end of the context is
// the context's error. Retrying is not done here: wrap the client in
// [wrap.Retry].
//
// No error, and no way of printing a [Client] or a [Config], shows the key, the values
// of headers and of query members (but for some that are known to be harmless), the
// user of the address, credentials in Config.Body, or eight characters in a row of
// any of them, in whatever usual form a server repeats them.
package openai
