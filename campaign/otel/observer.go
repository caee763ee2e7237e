package otel

import (
	"cmp"
	"context"
	"time"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/turn"
)

// Config sets the destinations of spans and metrics. The zero value uses the global providers.
type Config struct {
	Traces  trace.TracerProvider // nil means otel.GetTracerProvider
	Metrics metric.MeterProvider // nil means otel.GetMeterProvider
	// Provider is gen_ai.provider.name, such as "openai", "anthropic", "gcp.gemini". If it is
	// empty, the attribute is left out.
	Provider string
}

// scope is the instrumentation scope of this library.
const scope = "github.com/talewright/talewright/campaign/otel"

// New returns an observer. The error comes from a meter that refuses an instrument. The observer is
// safe for concurrent use.
func New(cfg Config) (observe.Observer, error) {
	cfg.Traces = cmp.Or(cfg.Traces, api.GetTracerProvider())
	cfg.Metrics = cmp.Or(cfg.Metrics, api.GetMeterProvider())
	o := &observer{tracer: cfg.Traces.Tracer(scope), provider: cfg.Provider}
	return o, o.meters.open(cfg.Metrics.Meter(scope))
}

type observer struct {
	tracer   trace.Tracer
	meters   meters
	provider string
}

// begun is the context key for the span of an observer. Each observer has its own key, so two
// observers do not end each other's spans.
type begun struct{ by *observer }

type span struct {
	trace.Span
	at time.Time
}

func (o *observer) begin(ctx context.Context, p observe.Place, name string, opts ...trace.SpanStartOption) context.Context {
	ctx, s := o.tracer.Start(ctx, name, append(opts, trace.WithTimestamp(p.At))...)
	return context.WithValue(ctx, begun{o}, span{s, p.At})
}

// current returns the newest span that has not ended.
func (o *observer) current(ctx context.Context) span {
	if s, ok := ctx.Value(begun{o}).(span); ok {
		return s
	}
	return span{trace.SpanFromContext(context.Background()), time.Time{}} // a span that does nothing
}

// past adds a span for work that is already finished.
func (o *observer) past(ctx context.Context, p observe.Place, name string, took time.Duration, failed string, attrs ...attribute.KeyValue) {
	_, s := o.tracer.Start(ctx, name, trace.WithTimestamp(p.At.Add(-took)), trace.WithAttributes(attrs...))
	fail(s, failed)
	s.End(trace.WithTimestamp(p.At))
}

// fail marks a span as failed, unless what is empty.
func fail(s trace.Span, what string) {
	if what != "" {
		s.SetStatus(codes.Error, what)
		s.SetAttributes(errorType.String(what))
	}
}

func event(s trace.Span, p observe.Place, name string, attrs ...attribute.KeyValue) {
	s.AddEvent(name, trace.WithTimestamp(p.At), trace.WithAttributes(attrs...))
}

// Observe records spans and measurements of moments.
func (o *observer) Observe(ctx context.Context, p observe.Place, m observe.Moment) context.Context {
	s := o.current(ctx)
	switch m := observe.Bounded(m).(type) {
	case observe.Begun:
		attrs := []attribute.KeyValue{conversation.String(p.Campaign), instruction.String(p.Instruction), actor.String(m.ActorID)}
		if p.Step > 0 {
			attrs = append(attrs, step.Int(p.Step))
		}
		return o.begin(ctx, p, "campaign "+cmp.Or(p.Instruction, observe.Other), trace.WithAttributes(attrs...))
	case observe.PhaseBegun:
		return o.begin(ctx, p, "phase "+string(m.Phase), trace.WithAttributes(phase.String(string(m.Phase))))
	case observe.PhaseEnded:
		s.End(trace.WithTimestamp(p.At))
		o.meters.phases.Record(ctx, m.Took.Seconds(), metric.WithAttributes(phase.String(string(m.Phase))))
	case observe.ModelAsked:
		return o.asked(ctx, p, m)
	case observe.ModelAnswered:
		o.answered(ctx, s, p, m)
	case observe.Ended:
		o.ended(ctx, s, p, m)
	case observe.Admitted:
		s.SetAttributes(waited.Float64(m.Waited.Seconds()))
	case observe.LoreActivated:
		event(s, p, "lore", ids.StringSlice(m.IDs))
	case observe.PromptAssembled:
		event(s, p, "prompt", tokens.Int(m.Tokens), parts.Int(m.Parts), dropped.Int(m.Dropped))
		o.meters.prompts.Record(ctx, int64(m.Tokens))
	case observe.Retrying:
		event(s, p, "retrying", attempt.Int(m.Attempt), why.String(m.Why))
		o.meters.retries.Add(ctx, 1)
	case observe.CallRefused:
		what := []attribute.KeyValue{toolName.String(m.Tool), code.String(string(m.Code))}
		event(s, p, "call refused", append(what, attempt.Int(m.Attempt))...)
		o.meters.calls.Add(ctx, 1, metric.WithAttributes(what...))
	case observe.CallApplied:
		event(s, p, "call applied", toolName.String(m.Tool))
		o.meters.calls.Add(ctx, 1, metric.WithAttributes(toolName.String(m.Tool), code.String("applied")))
	case observe.ConflictFound:
		what := []attribute.KeyValue{kind.String(m.Kind), severity.String(string(m.Severity))}
		event(s, p, "conflict", append(what, attempt.Int(m.Attempt))...)
		o.meters.conflicts.Add(ctx, 1, metric.WithAttributes(what...))
	case observe.RulesFired:
		event(s, p, "rules fired", ids.StringSlice(m.IDs))
	case observe.HooksRan:
		o.past(ctx, p, "hooks", m.Took, "", hookEvent.String(m.Event), ran.Int(m.Ran), skipped.Int(m.Skipped), failed.Int(m.Failed))
	case observe.Asked:
		what := ""
		if m.Failed {
			what = "failed"
		}
		o.past(ctx, p, "ask "+string(m.Question), m.Took, what)
	case observe.Waiting:
		event(s, p, "waiting", calls.Int(m.Calls))
	case observe.Stored:
		o.stored(ctx, p, m)
	case observe.LeaseLost:
		event(s, p, "lease lost")
	case observe.Committed:
		event(s, p, "committed", version.Int64(m.Version), record.String(string(m.Record)), turnID.String(m.TurnID))
	}
	return ctx
}

func (o *observer) stored(ctx context.Context, p observe.Place, m observe.Stored) {
	what, attrs := "", []attribute.KeyValue{call.String(string(m.Call))}
	if m.Err != nil {
		what = "store"
		attrs = append(attrs, errorType.String(what))
	}
	o.past(ctx, p, "store "+string(m.Call), m.Took, what, call.String(string(m.Call)), version.Int64(m.Version))
	o.meters.stores.Record(ctx, m.Took.Seconds(), metric.WithAttributes(attrs...))
}

func (o *observer) ended(ctx context.Context, s span, p observe.Place, m observe.Ended) {
	if m.Next != "" { // a step, but not the last one
		s.SetAttributes(next.String(string(m.Next)))
		s.End(trace.WithTimestamp(p.At))
		return
	}
	end := string(m.Status)
	s.SetAttributes(status.String(end), reason.String(m.Reason), turnID.String(m.TurnID), version.Int64(m.Version),
		attempts.Int(m.Attempts), retryCount.Int(m.Retries), replayed.Bool(m.Replayed))
	attrs := []attribute.KeyValue{instruction.String(p.Instruction), status.String(end)}
	what := ""
	switch {
	case m.Err != nil:
		what = "error"
	case m.Status == turn.Failed:
		what = m.Reason
	}
	if fail(s, what); what != "" {
		attrs = append(attrs, errorType.String(what))
	}
	s.End(trace.WithTimestamp(p.At))
	o.meters.instructions.Record(ctx, m.Took.Seconds(), metric.WithAttributes(attrs...))
}
