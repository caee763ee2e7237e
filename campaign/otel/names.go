package otel

import (
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// The names of the conventions for generative models, version 1.41. The conventions are in
// development and their names have changed before.
const (
	operationName   = attribute.Key("gen_ai.operation.name")
	providerName    = attribute.Key("gen_ai.provider.name")
	conversation    = attribute.Key("gen_ai.conversation.id")
	requestModel    = attribute.Key("gen_ai.request.model")
	requestStream   = attribute.Key("gen_ai.request.stream")
	finishReasons   = attribute.Key("gen_ai.response.finish_reasons")
	firstChunk      = attribute.Key("gen_ai.response.time_to_first_chunk")
	inputTokens     = attribute.Key("gen_ai.usage.input_tokens")
	outputTokens    = attribute.Key("gen_ai.usage.output_tokens")
	cacheRead       = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	cacheCreation   = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	reasoningTokens = attribute.Key("gen_ai.usage.reasoning.output_tokens")
	inputMessages   = attribute.Key("gen_ai.input.messages")
	outputMessages  = attribute.Key("gen_ai.output.messages")
	tokenType       = attribute.Key("gen_ai.token.type")
	toolName        = attribute.Key("gen_ai.tool.name")
	errorType       = attribute.Key("error.type")
)

// The names of this library.
const (
	instruction = attribute.Key("talewright.instruction")
	actor       = attribute.Key("talewright.actor")
	phase       = attribute.Key("talewright.phase")
	status      = attribute.Key("talewright.status")
	reason      = attribute.Key("talewright.reason")
	turnID      = attribute.Key("talewright.turn")
	version     = attribute.Key("talewright.version")
	record      = attribute.Key("talewright.record")
	replayed    = attribute.Key("talewright.replayed")
	attempt     = attribute.Key("talewright.attempt")
	attempts    = attribute.Key("talewright.attempts")
	again       = attribute.Key("talewright.again")
	why         = attribute.Key("talewright.why")
	retryCount  = attribute.Key("talewright.retries")
	messages    = attribute.Key("talewright.messages")
	tools       = attribute.Key("talewright.tools")
	calls       = attribute.Key("talewright.calls")
	code        = attribute.Key("talewright.code")
	kind        = attribute.Key("talewright.kind")
	severity    = attribute.Key("talewright.severity")
	ids         = attribute.Key("talewright.ids")
	tokens      = attribute.Key("talewright.tokens")
	parts       = attribute.Key("talewright.parts")
	dropped     = attribute.Key("talewright.dropped")
	hookEvent   = attribute.Key("talewright.event")
	ran         = attribute.Key("talewright.ran")
	skipped     = attribute.Key("talewright.skipped")
	failed      = attribute.Key("talewright.failed")
	call        = attribute.Key("talewright.call")
	step        = attribute.Key("talewright.step")
	next        = attribute.Key("talewright.next")
	waited      = attribute.Key("talewright.waited")
)

// meters has all instruments.
type meters struct {
	requests, first, instructions, phases, stores metric.Float64Histogram
	tokens, prompts                               metric.Int64Histogram
	calls, conflicts, retries                     metric.Int64Counter
}

// The bucket bounds that the conventions recommend.
var (
	secondBounds = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	tokenBounds  = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
)

func (m *meters) open(in metric.Meter) error {
	var errs []error
	seconds := func(name, about string) metric.Float64Histogram {
		h, err := in.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(about),
			metric.WithExplicitBucketBoundaries(secondBounds...))
		errs = append(errs, err)
		return h
	}
	tokens := func(name, about string) metric.Int64Histogram {
		h, err := in.Int64Histogram(name, metric.WithUnit("{token}"), metric.WithDescription(about),
			metric.WithExplicitBucketBoundaries(tokenBounds...))
		errs = append(errs, err)
		return h
	}
	count := func(name, unit, about string) metric.Int64Counter {
		c, err := in.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(about))
		errs = append(errs, err)
		return c
	}
	m.requests = seconds("gen_ai.client.operation.duration", "How long a request to the model took.")
	m.first = seconds("gen_ai.client.operation.time_to_first_chunk", "How long it took until the answer began.")
	m.tokens = tokens("gen_ai.client.token.usage", "What a request cost, as the provider counts.")
	m.instructions = seconds("talewright.instruction.duration", "How long an instruction took.")
	m.phases = seconds("talewright.phase.duration", "How long a phase of a turn took.")
	m.stores = seconds("talewright.store.duration", "How long a call of the store took.")
	m.prompts = tokens("talewright.prompt.tokens", "How large a prompt is, estimated.")
	m.calls = count("talewright.calls", "{call}", "Calls of tools, by what became of them.")
	m.conflicts = count("talewright.conflicts", "{conflict}", "Places where a narration contradicts the state.")
	m.retries = count("talewright.retries", "{retry}", "Answers that did not pass and were asked for again.")
	return errors.Join(errs...)
}
