package turn_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// TestEveryMemberIsPrinted checks that the texts for people and the values for players have all
// members that they should have.
func TestEveryMemberIsPrinted(t *testing.T) {
	t.Parallel()
	outcome := filltest.Full[turn.Outcome]()
	const viewer = "ann"
	outcome.Audience, outcome.Turn.Audience = []string{viewer}, []string{viewer}
	outcome.Approval.ActorID, outcome.Report.ActorID, outcome.Turn.ActorID = viewer, viewer, viewer
	text := func(v any) string {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	answers := map[string]func() string{
		"todo": func() string { return printedTodos(t) },
		"players": func() string {
			shown, ok := outcome.ForPlayers(viewer)
			if !ok {
				t.Error("the viewer may not see it")
			}
			return text(shown)
		},
		"history": func() string {
			shown := filltest.Full[state.HistoryTurn]().Shown()
			return text(shown.Turn) + text(shown.Others)
		},
	}
	testkit.Run(t, "testdata/full.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string { return answers[c.Name]() }
	})
}

// printedTodos prints a todo for each of its members.
func printedTodos(t *testing.T) string {
	var out strings.Builder
	all := reflect.ValueOf(filltest.Full[turn.Todo]())
	for i := range all.NumField() {
		var one turn.Todo
		reflect.ValueOf(&one).Elem().Field(i).Set(all.Field(i))
		name := all.Type().Field(i).Name
		text := one.String()
		if text == "" && name != "HostAudience" {
			t.Errorf("of %s nothing is printed", name)
		}
		if name == "Generate" { // also as a later request, and as a request that is shown while it is generated
			one.Generate.Seen = 1
			text += one.String()
			first := question.Generate{Attempt: 1, Request: one.Generate.Request}
			text += turn.Todo{Generate: &first}.String()
		}
		out.WriteString("# " + name + "\n" + text)
	}
	return out.String()
}
