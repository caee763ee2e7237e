package otel_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/otel"
)

// The host's providers choose the destination of the spans, here memory.
func ExampleNew() {
	spans := tracetest.NewInMemoryExporter()
	watching, err := otel.New(otel.Config{Traces: trace.NewTracerProvider(trace.WithSyncer(spans)), Provider: "openai"})
	if err != nil {
		fmt.Println(err)
		return
	}
	// An engine with Config.Observe: watching does this by itself.
	place := observe.Place{Campaign: "mill", Instruction: "submit"}
	ctx, _ := observe.Tell(context.Background(), watching, place, observe.Begun{})
	_, _ = observe.Tell(ctx, watching, place, observe.Ended{Status: "completed"})
	for _, s := range spans.GetSpans() {
		fmt.Println(s.Name)
	}
	// Output: campaign submit
}
