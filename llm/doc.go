// Package llm is the neutral vocabulary between a game and a language model:
// messages, tool calls, requests, streamed chunks, usage, errors, and the
// one-method interface [Model].
//
// # One complete call
//
// An adapter, for example the one in the module llm/openai, gives a [Model].
// Everything else is the same for every provider:
//
//	model, err := openai.New(openai.Config{
//		BaseURL: "http://localhost:11434/v1",
//		Model:   "qwen3",
//	})
//	if err != nil {
//		return err
//	}
//	reliable := wrap.Retry(model, wrap.RetryPolicy{Random: rand.Float64})
//
//	reply, err := llm.Collect(reliable.Generate(ctx, llm.Request{
//		Messages: []llm.Message{
//			{Role: llm.System, Text: "You are the keeper of a haunted inn."},
//			{Role: llm.User, Text: "I knock."},
//		},
//		Options: llm.Options{Temperature: new(0.8)},
//	}))
//	if err != nil {
//		return err // reply holds what had come
//	}
//	fmt.Println(reply.Message.Text)
//
// To show the text as it comes, range over the reply and let a [Collector] sum
// it up:
//
//	var whole llm.Collector
//	for chunk, err := range reliable.Generate(ctx, request) {
//		if err != nil {
//			return err
//		}
//		whole.Add(chunk)
//		if text, ok := chunk.(llm.TextDelta); ok {
//			fmt.Print(text.Text)
//		}
//	}
//	answer := whole.Response()
//
// # What a reply is made of
//
// A reply is a sequence of [Chunk] values, a closed set: [TextDelta],
// [ReasoningDelta], [Seal], [CallDelta], [UsageReport], [Warning], and [Done] as the
// end mark. A reply without the end mark is an error however good its text
// looks; [Model] has the whole contract.
//
// What the model writes is untrusted data. The arguments of a [ToolCall] are
// its JSON text as written, sound or not; whoever executes calls judges them.
//
// # What goes wrong
//
// Every failure of a provider is an [*Error] with a code and the answer to one
// question: may the same request succeed later?
//
//	if failure, ok := errors.AsType[*llm.Error](err); ok {
//		switch {
//		case turn.FailureCode == llm.CodeContextLength:
//			// assemble a shorter prompt
//		case failure.Retryable():
//			// tell the player to try again in failure.RetryAfter
//		}
//	}
//
// A cancelled context is the caller's own doing and stays what it is:
// errors.Is(err, context.Canceled).
//
// # Models around models
//
// A function or type that takes a model and returns one adds something to it and passes a
// stream on without collecting it. [Limit] bounds what a reply may hold and how long it may
// be silent; adapters have it built in. Package llm/wrap has the others: retries, fallbacks,
// budgets, a cache, tools and thinking in the text. Middlewares of your own are written with
// [ModelFunc]. [Ask] asks any model for a value instead of a text.
//
// # JSON
//
// Every public data type has a JSON form that reads back to an equal value;
// [Chunks] writes the closed set as objects with a "type". Messages, calls,
// requests, options, usage and responses keep members that they do not know in
// their Extra field, so that content of other programs survives.
//
// # Purity
//
// Nothing here reads a clock or a random source, except that [Limit] uses the real clock.
// No goroutine is started, no network is touched: adapters do that, each in a module of
// its own.
package llm
