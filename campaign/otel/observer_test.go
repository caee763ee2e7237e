package otel_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/otel"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// lab stores all spans and metrics in memory.
type lab struct {
	spans  *tracetest.InMemoryExporter
	traces *trace.TracerProvider
	reader *metric.ManualReader
	meters *metric.MeterProvider
}

func newLab() lab {
	l := lab{spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	l.traces = trace.NewTracerProvider(trace.WithSyncer(l.spans))
	l.meters = metric.NewMeterProvider(metric.WithReader(l.reader))
	return l
}

func (l lab) observer(t testing.TB) observe.Observer {
	t.Helper()
	o, err := otel.New(otel.Config{Traces: l.traces, Metrics: l.meters, Provider: "openai"})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// answers returns a model that first calls an unknown tool.
func answers() llm.Model {
	usage := &llm.Usage{PromptTokens: 900, CompletionTokens: 30, CachedTokens: 500}
	return llmtest.NewScripted(
		llmtest.Reply{Calls: []llm.ToolCall{{ID: "c1", Name: "canary-tool", Arguments: `{}`}}, Usage: usage},
		llmtest.Reply{Text: "A canary sings.", Usage: usage})
}

// turnWith plays a turn. The clock advances one millisecond at each call.
func turnWith(t testing.TB, ctx context.Context, o observe.Observer, model llm.Model, store campaign.Store) (turn.Outcome, error) {
	t.Helper()
	return opened(t, ctx, o, model, store).Turn(ctx, "mill", line)
}

var line = turn.Submit{Text: "I look for the canary.", ActorID: "ann"}

func opened(t testing.TB, ctx context.Context, o observe.Observer, model llm.Model, store campaign.Store) *campaign.Engine {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model, ModelName: "bard-1", Observe: o,
		Clock: func() time.Time { at = at.Add(time.Millisecond); return at }})
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := e.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSpansOfSteps checks an instruction that runs step by step: each step is a span, and the
// metrics count one instruction (EX-13).
func TestSpansOfSteps(t *testing.T) {
	t.Parallel()
	l := newLab()
	e := opened(t, t.Context(), l.observer(t), answers(), &campaign.MemoryStore{})
	j, err := turn.JournalOf(turn.Stamp(line, time.Unix(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	steps, over := 0, false
	for ; steps < 50 && !over; steps++ {
		step, err := e.Step(t.Context(), "mill", j, nil)
		if err != nil {
			t.Fatal(err)
		}
		j, over = j.Then(step), step.Outcome != nil
	}
	spans, last := 0, 0
	for _, s := range l.spans.GetSpans() {
		if got := attrs(s.Attributes); s.Name == "campaign submit" {
			if spans++; got["talewright.step"] == "" {
				t.Errorf("a step without a number: %v", got)
			}
			if got["talewright.next"] == "" {
				last++
			}
		}
	}
	if spans < 3 || last != 1 {
		t.Errorf("%d steps, %d spans of which %d say that it is over", steps, spans, last)
	}
	if text := fmt.Sprint(l.points(t)); strings.Count(text, "talewright.instruction.duration") != 1 {
		t.Errorf("%s", text)
	}
}

// tree prints spans below their parents, in the order of their start.
func tree(spans tracetest.SpanStubs) string {
	var out strings.Builder
	var write func(parent string, depth int)
	write = func(parent string, depth int) {
		var below tracetest.SpanStubs
		for _, s := range spans {
			id := ""
			if s.Parent.IsValid() {
				id = s.Parent.SpanID().String()
			}
			if id == parent {
				below = append(below, s)
			}
		}
		slices.SortStableFunc(below, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
		for _, s := range below {
			fmt.Fprintf(&out, "%s%s", strings.Repeat("  ", depth), s.Name)
			for _, e := range s.Events {
				fmt.Fprintf(&out, " (%s)", e.Name)
			}
			out.WriteString("\n")
			write(s.SpanContext.SpanID().String(), depth+1)
		}
	}
	write("", 0)
	return out.String()
}

// TestSpans checks that a turn is a span with its phases below it and the requests below those,
// with the names of the conventions (EX-13).
func TestSpans(t *testing.T) {
	t.Parallel()
	l := newLab()
	inner := answers()
	model := llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		_, s := l.traces.Tracer("adapter").Start(ctx, "HTTP POST")
		defer s.End()
		return inner.Generate(ctx, req)
	})
	if _, err := turnWith(t, t.Context(), l.observer(t), model, &campaign.MemoryStore{}); err != nil {
		t.Fatal(err)
	}
	const want = `campaign submit
  store acquire
  store load
  phase prompting (prompt)
  phase generating
    store answer
    chat bard-1
      HTTP POST
    store save_answer
  phase adjudicating (call refused)
  phase retrying
  phase generating (retrying)
    store answer
    chat bard-1
      HTTP POST
    store save_answer
  phase adjudicating
  phase settling
  phase committing
    store append
  store release
`
	spans := l.spans.GetSpans()
	if diff := cmp.Diff(want, strings.ReplaceAll(tree(spans), "campaign submit (committed)", "campaign submit")); diff != "" {
		t.Error(diff)
	}
	got := attrs(spans[slices.IndexFunc(spans, func(s tracetest.SpanStub) bool { return s.Name == "chat bard-1" })].Attributes)
	for name, want := range map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "bard-1",
		"gen_ai.conversation.id": "mill", "gen_ai.usage.input_tokens": "900", "gen_ai.usage.output_tokens": "30",
		"gen_ai.usage.cache_read.input_tokens": "500", "gen_ai.response.finish_reasons": `["tool_calls"]`, "talewright.calls": "1",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if got["gen_ai.input.messages"] != "" || strings.Contains(fmt.Sprint(spans), "canary") {
		t.Error("texts were told")
	}
	for _, s := range spans {
		if s.EndTime.Before(s.StartTime) || s.StartTime.Year() != 2026 && s.Name != "HTTP POST" {
			t.Errorf("%s lasts from %v to %v", s.Name, s.StartTime, s.EndTime)
		}
	}
}

func attrs(list []attribute.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		out[string(a.Key)] = a.Value.String()
	}
	return out
}

// TestTexts: if the observer is verbose, spans have texts, in the JSON form of the conventions.
func TestTexts(t *testing.T) {
	t.Parallel()
	l := newLab()
	const args = `{"target_character_id":"ann","delta":-1,"cause":"a peck"}`
	model := llmtest.NewScripted(
		llmtest.Reply{Text: "Hm.", Calls: []llm.ToolCall{{ID: "c1", Name: "canary-tool", Arguments: "{"}}},
		llmtest.Reply{Reasoning: "A peck.", Calls: []llm.ToolCall{{ID: "c2", Name: "hp_delta", Arguments: args}}},
		llmtest.Reply{Text: "A canary sings."})
	if _, err := turnWith(t, t.Context(), observe.Verbose(l.observer(t)), model, &campaign.MemoryStore{}); err != nil {
		t.Fatal(err)
	}
	var asked, answered []string
	for _, s := range l.spans.GetSpans() {
		if s.Name == "chat bard-1" {
			got := attrs(s.Attributes)
			asked, answered = append(asked, got["gen_ai.input.messages"]), append(answered, got["gen_ai.output.messages"])
		}
	}
	want := []string{
		`[{"role":"assistant","parts":[{"type":"text","content":"Hm."},{"type":"tool_call","id":"c1","name":"canary-tool","arguments":"{"}],"finish_reason":"tool_call"}]`,
		`[{"role":"assistant","parts":[{"type":"reasoning","content":"A peck."},{"type":"tool_call","id":"c2","name":"hp_delta","arguments":` + args + `}],"finish_reason":"tool_call"}]`,
		`[{"role":"assistant","parts":[{"type":"text","content":"A canary sings."}],"finish_reason":"stop"}]`}
	if diff := cmp.Diff(want, answered); diff != "" {
		t.Error(diff)
	}
	if line := `{"role":"user","parts":[{"type":"text","content":"I look for the canary."}]}`; !strings.Contains(asked[0], line) {
		t.Errorf("%s lacks %s", asked[0], line)
	}
	if result := `{"role":"tool","parts":[{"type":"tool_call_response","id":"c2","response":"`; !strings.Contains(asked[2], result) {
		t.Errorf("%s lacks %s", asked[2], result)
	}
}

// points returns all measurements as "name attributes: count sum".
func (l lab) points(t *testing.T) map[string]string {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := l.reader.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	put := func(name string, set attribute.Set, value string) {
		var words []string
		for _, a := range set.ToSlice() {
			words = append(words, string(a.Key)+"="+a.Value.String())
		}
		out[strings.TrimSpace(name+" "+strings.Join(words, " "))] = value
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, fmt.Sprint(p.Count))
				}
			case metricdata.Histogram[int64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, fmt.Sprint(p.Count, " ", p.Sum))
				}
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, fmt.Sprint(p.Value))
				}
			}
		}
	}
	return out
}

// TestMetrics checks the measurements of a turn, with attributes that have few values (EX-13).
func TestMetrics(t *testing.T) {
	t.Parallel()
	l := newLab()
	if _, err := turnWith(t, t.Context(), l.observer(t), answers(), &campaign.MemoryStore{}); err != nil {
		t.Fatal(err)
	}
	got := l.points(t)
	const chat = " gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=bard-1"
	for name, want := range map[string]string{
		"gen_ai.client.operation.duration" + chat:                                                   "2",
		"gen_ai.client.operation.time_to_first_chunk" + chat:                                        "2",
		"gen_ai.client.token.usage" + chat + " gen_ai.token.type=input":                             "2 1800",
		"gen_ai.client.token.usage" + chat + " gen_ai.token.type=output":                            "2 60",
		"talewright.instruction.duration talewright.instruction=submit talewright.status=completed": "1",
		"talewright.calls gen_ai.tool.name=other talewright.code=tool_unknown":                      "1",
		"talewright.retries": "1",
		"talewright.phase.duration talewright.phase=generating": "2",
		"talewright.store.duration talewright.call=append":      "1",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	for name := range got {
		if strings.Contains(name, "mill") || strings.Contains(name, "canary") {
			t.Errorf("%s has a value of its own for each campaign", name)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// broken is a store whose Append fails.
type broken struct{ campaign.MemoryStore }

func (s *broken) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if e.Version > 1 {
		return errors.New("disk full")
	}
	return s.MemoryStore.Append(ctx, id, e, snapshot)
}

// TestFailures checks that failures are marked in their spans and counted by their codes.
func TestFailures(t *testing.T) {
	t.Parallel()
	failing := llmtest.NewScripted(llmtest.Reply{Err: &llm.Error{Code: llm.CodeRateLimit, Message: "canary", Retry: true}})
	for _, tc := range []struct {
		name, span, code, metric string
		model                    llm.Model
		store                    campaign.Store
	}{
		{"the model", "chat bard-1", "rate_limit", "gen_ai.client.operation.duration error.type=rate_limit gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=bard-1",
			failing, &campaign.MemoryStore{}},
		{"the store", "store append", "store", "talewright.store.duration error.type=store talewright.call=append", answers(), &broken{}},
	} {
		l := newLab()
		_, _ = turnWith(t, t.Context(), l.observer(t), tc.model, tc.store)
		spans := l.spans.GetSpans()
		at := slices.IndexFunc(spans, func(s tracetest.SpanStub) bool { return s.Name == tc.span })
		if at < 0 || spans[at].Status.Code != codes.Error || attrs(spans[at].Attributes)["error.type"] != tc.code {
			t.Errorf("%s: no failed span %s in %s", tc.name, tc.span, tree(spans))
		}
		if last := spans[len(spans)-1]; last.Name != "campaign submit" || last.Status.Code != codes.Error {
			t.Errorf("%s: the last span is %s with %v", tc.name, last.Name, last.Status)
		}
		if got := l.points(t); got[tc.metric] != "1" {
			t.Errorf("%s: %s was not counted: %v", tc.name, tc.metric, got)
		}
	}
}

// TestTwoObservers checks that two observers do not end each other's spans, or spans of the host.
func TestTwoObservers(t *testing.T) {
	t.Parallel()
	a, b := newLab(), newLab()
	ctx, host := a.traces.Tracer("host").Start(t.Context(), "request")
	if _, err := turnWith(t, ctx, observe.All(a.observer(t), b.observer(t)), answers(), &campaign.MemoryStore{}); err != nil {
		t.Fatal(err)
	}
	if !host.IsRecording() {
		t.Error("the host's span was ended")
	}
	host.End()
	for _, l := range []lab{a, b} {
		n := 0
		for _, s := range l.spans.GetSpans() {
			if strings.HasPrefix(s.Name, "phase ") {
				n++
			}
		}
		if n != 8 {
			t.Errorf("%d phases:\n%s", n, tree(l.spans.GetSpans()))
		}
	}
	if text := tree(a.spans.GetSpans()); !strings.HasPrefix(text, "request\n  campaign submit") {
		t.Errorf("the turn is not below the host's span:\n%s", text)
	}
}

// TestWordsOfStrangersAreBounded checks that long IDs, codes and reasons from servers, models and
// players are cut. No attribute, status or event has more than a few hundred bytes of them. It
// tests a whole campaign and single moments.
func TestWordsOfStrangersAreBounded(t *testing.T) {
	t.Parallel()
	l, long := newLab(), strings.Repeat("x", 1<<20)
	o := l.observer(t)
	said := line
	said.ActorID, said.ClientTurnID = "ann", long
	e := opened(t, t.Context(), o, llmtest.NewScripted(
		llmtest.Reply{Calls: []llm.ToolCall{{ID: long, Name: long, Arguments: `{}`}}, Finish: llm.FinishReason(long)},
		llmtest.Fail(&llm.Error{Code: llm.ErrorCode(long), Message: long})), &campaign.MemoryStore{})
	if _, err := e.Turn(t.Context(), "mill", said); err != nil {
		t.Fatal(err)
	}
	place := observe.Place{Campaign: "mill", Instruction: "submit", At: time.Unix(1, 0)}
	ctx := o.Observe(t.Context(), place, observe.Begun{ActorID: long})
	for _, m := range []observe.Moment{
		observe.LoreActivated{IDs: append(make([]string, 9999), long)}, observe.RulesFired{IDs: []string{long}},
		observe.Retrying{Why: long}, observe.CallRefused{Tool: long, Code: state.CallCode(long)}, observe.HooksRan{Event: long},
		observe.ConflictFound{Kind: long}, observe.Committed{TurnID: long},
		observe.Ended{Status: turn.Failed, Reason: long, TurnID: long},
	} {
		o.Observe(ctx, place, m)
	}
	for _, s := range l.spans.GetSpans() {
		if text := fmt.Sprint(s.Name, s.Status, s.Attributes, s.Events); len(text) > 16<<10 {
			t.Errorf("the span %.40s holds %d bytes", s.Name, len(text))
		}
	}
	if text := fmt.Sprint(l.points(t)); len(text) > 64<<10 {
		t.Errorf("the metrics hold %d bytes", len(text))
	}
}
