package on_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleMatch() {
	fmt.Println(on.Match("pipeline.*", "model.before_call")) // through an alias
	fmt.Println(on.Match("*.changed", "plot.node.changed"))
	// Output:
	// true
	// false
}

func ExampleEvent_Channel() {
	event := on.Event{
		Payload:  tree.Object(tree.Member{Key: "channel", Value: tree.Text("")}),
		Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text("web")}),
	}
	fmt.Println(event.Channel())
	// Output:
	// web
}

func ExampleClockPayload() {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println(on.ClockPayload(noon, noon.Add(time.Hour), noon.Add(-30*time.Minute)))
	// Output:
	// {"from":"2026-05-01T12:00:00Z","to":"2026-05-01T13:00:00Z","active":"2026-05-01T11:30:00Z","idle_minutes":90}
}

func ExampleNames_Match() {
	var own [1]string
	fmt.Println(on.NamesOf("model.after_call", &own))
	fmt.Println(on.NamesOf("model.after_call", &own).Match("character.model.*"))
	// Output:
	// [model.after_call pipeline.after_model_call character.model.generated]
	// true
}

func ExampleKnown() {
	fmt.Println(slices.Contains(on.Known(), "pipeline.before_model_call"))
	// Output: true
}

// A host takes names outside the engine's space for its own events.
func ExampleInEngineSpace() {
	fmt.Println(on.InEngineSpace("model.before_call"), on.InEngineSpace("tavern.closed"))
	// Output: true false
}

func ExampleIsExact() {
	fmt.Println(on.IsExact("model.before_call"), on.IsExact("model.*"))
	// Output: true false
}
