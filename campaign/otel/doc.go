// Package otel records spans and metrics of campaigns with OpenTelemetry. It uses the names of the
// conventions for generative models where they exist.
//
//	watching, err := otel.New(otel.Config{Provider: "openai"})
//	engine, err := campaign.New(campaign.Config{…, Observe: watching})
//
// The package uses only the API of OpenTelemetry. The host chooses the SDK and the destination of
// the spans. Times of spans come from the engine's clock.
//
// # Spans
//
//	campaign submit         an instruction, named for its kind: "campaign regenerate", …
//	├─ phase prompting      each phase of a turn
//	│  ├─ hooks, ask recall, store load
//	├─ phase generating
//	│  └─ chat bard-1       a request to the model, of kind client; the adapter's spans are below it
//	├─ phase committing
//	│  └─ store append
//
// An instruction that runs step by step has one such span for each step, with the attribute
// talewright.step. All except the last also have talewright.next. The metrics count the instruction
// once.
//
// The context of a span is passed to models, stores and functions of the host, so their own spans
// become its children. Moments without a duration are events of the current span: lore, prompt,
// call refused, conflict, retrying, call applied, rules fired, waiting, lease lost, committed.
//
// Attributes of a request: gen_ai.operation.name ("chat"), gen_ai.provider.name,
// gen_ai.conversation.id (the campaign), gen_ai.request.model, gen_ai.request.stream,
// gen_ai.response.finish_reasons, gen_ai.response.time_to_first_chunk (in seconds),
// gen_ai.usage.input_tokens, gen_ai.usage.output_tokens, gen_ai.usage.cache_read.input_tokens,
// gen_ai.usage.cache_creation.input_tokens, gen_ai.usage.reasoning.output_tokens, error.type. All
// others begin with "talewright.".
//
// If the observer is wrapped in [observe.Verbose], gen_ai.input.messages and gen_ai.output.messages
// contain the texts of prompts and answers, in the JSON form of the conventions. These may include
// secrets of a game.
//
// # Metrics
//
//	name                                        unit         attributes
//	gen_ai.client.operation.duration            s            operation, provider, model, error.type
//	gen_ai.client.operation.time_to_first_chunk s            operation, provider, model
//	gen_ai.client.token.usage                   {token}      operation, provider, model, gen_ai.token.type
//	talewright.instruction.duration             s            talewright.instruction, talewright.status, error.type
//	talewright.phase.duration                   s            talewright.phase
//	talewright.prompt.tokens                    {token}      none
//	talewright.calls                            {call}       gen_ai.tool.name, talewright.code ("applied" or why it was refused)
//	talewright.conflicts                        {conflict}   talewright.kind, talewright.severity
//	talewright.retries                          {retry}      none
//	talewright.store.duration                   s            talewright.call, error.type
//
// Texts of players and models, and IDs of campaigns, are never attributes of a metric.
package otel
