// Package otel makes spans and metrics of what campaigns do, for OpenTelemetry: with the names of its
// conventions for generative models where there are any.
//
//	watching, err := otel.New(otel.Config{Provider: "openai"})
//	engine, err := campaign.New(campaign.Config{…, Observe: watching})
//
// It uses the API of OpenTelemetry only: which SDK takes the spans, and where they go, is the
// host's. Times of spans are those of the engine's clock for moments.
//
// # Spans
//
//	campaign submit         an instruction, named for its kind: "campaign regenerate", …
//	├─ phase prompting      each phase of a turn
//	│  ├─ hooks, ask recall, store load
//	├─ phase generating
//	│  └─ chat bard-1       a request to the model, of kind client; below it what the adapter adds
//	├─ phase committing
//	│  └─ store append
//
// An instruction that is taken step by step has such a span for each step, with talewright.step and,
// but for the last one, talewright.next; the metrics count it once.
//
// The context of a span goes to models, stores and functions of the host, so that their own spans
// hang below it. What takes no time is an event of the span it happens in: lore, prompt, call
// refused, conflict, retrying, call applied, rules fired, waiting, lease lost, committed.
//
// Attributes of a request: gen_ai.operation.name ("chat"), gen_ai.provider.name,
// gen_ai.conversation.id (the campaign), gen_ai.request.model, gen_ai.request.stream,
// gen_ai.response.finish_reasons, gen_ai.response.time_to_first_chunk (in seconds),
// gen_ai.usage.input_tokens, gen_ai.usage.output_tokens, gen_ai.usage.cache_read.input_tokens,
// gen_ai.usage.cache_creation.input_tokens, gen_ai.usage.reasoning.output_tokens, error.type. All
// others begin with "talewright.".
//
// The texts of prompts and answers are in gen_ai.input.messages and gen_ai.output.messages, if the
// observer is wrapped in [observe.Verbose]; then secrets of a game may be among them.
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
// Nothing that players or models write is an attribute of a metric, nor are ids of campaigns.
package otel
