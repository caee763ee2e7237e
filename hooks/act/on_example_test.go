package act_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleMatchType() {
	fmt.Println(act.MatchType("pipeline.*", "model.before_call")) // through an alias
	fmt.Println(act.MatchType("*.changed", "plot.node.changed"))
	// Output:
	// true
	// false
}

func ExampleEvent_Channel() {
	event := act.Event{
		Payload:  tree.Object(tree.Member{Key: "channel", Value: tree.Text("")}),
		Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text("web")}),
	}
	fmt.Println(event.Channel())
	// Output:
	// web
}

func ExampleClockPayload() {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println(act.ClockPayload(noon, noon.Add(time.Hour), noon.Add(-30*time.Minute)))
	// Output:
	// {"from":"2026-05-01T12:00:00Z","to":"2026-05-01T13:00:00Z","active":"2026-05-01T11:30:00Z","idle_minutes":90}
}

func ExampleTypeNames_Match() {
	var own [1]string
	fmt.Println(act.TypeNamesOf("model.after_call", &own))
	fmt.Println(act.TypeNamesOf("model.after_call", &own).Match("character.model.*"))
	// Output:
	// [model.after_call pipeline.after_model_call character.model.generated]
	// true
}

func ExampleKnownTypes() {
	fmt.Println(slices.Contains(act.KnownTypes(), "pipeline.before_model_call"))
	// Output: true
}

// A host uses names outside the engine's spaces for its own events.
func ExampleInEngineSpace() {
	fmt.Println(act.InEngineSpace("model.before_call"), act.InEngineSpace("tavern.closed"))
	// Output: true false
}

func ExampleIsExactType() {
	fmt.Println(act.IsExactType("model.before_call"), act.IsExactType("model.*"))
	// Output: true false
}
