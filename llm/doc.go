// Package llm defines provider-neutral types for talking to a language model: messages, tool calls,
// requests, streamed chunks, usage, errors, and the one-method interface [Model].
//
// # One complete call
//
// An adapter, for example the module llm/openai, returns a [Model]. Everything else is the same for
// every provider:
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
//		return err // reply holds the chunks before the error
//	}
//	fmt.Println(reply.Message.Text)
//
// To show the text while it arrives, range over the reply and add the chunks to a [Collector]:
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
// # Parts of a reply
//
// A reply is a sequence of [Chunk] values, a closed set: [TextDelta], [ReasoningDelta], [Seal],
// [CallDelta], [UsageReport], [Warning], and [Done] as the end mark. A reply without the end mark
// is an error however good its text looks. [Model] documents the whole contract.
//
// Model output is untrusted data. The arguments of a [ToolCall] are the JSON text that the model
// wrote, valid or not. The code that executes calls must check them.
//
// # Errors
//
// Every failure of a provider is an [*Error] with a code. Its method Retryable reports whether the
// same request may succeed later.
//
//	if failure, ok := errors.AsType[*llm.Error](err); ok {
//		switch {
//		case failure.Code == llm.CodeContextLength:
//			// assemble a shorter prompt
//		case failure.Retryable():
//			// tell the player to try again in failure.RetryAfter
//		}
//	}
//
// The error of a cancelled context is not converted: errors.Is(err, context.Canceled) reports true.
//
// # Middlewares
//
// A middleware takes a model and returns a model with an additional function. It passes a stream on
// without collecting it. [Limit] limits the size of a reply and the waits for its chunks; adapters
// have it built in. Package llm/wrap has the other middlewares: retries, fallbacks, budgets, a
// cache, and tools and thinking in the text. Write your own middlewares with [ModelFunc]. [Ask]
// asks any model for a value instead of a text.
//
// # JSON
//
// Every public data type has a JSON form that reads back to an equal value. [Chunks] writes the
// closed set as objects with a "type". Messages, calls, requests, options, usage and responses keep
// unknown members in their Extra field, so that data of other programs is not lost.
//
// # Purity
//
// This package reads no clock and no random source, except that [Limit] uses the real clock. It
// starts no goroutine and uses no network. Adapters do that, each in its own module.
package llm
