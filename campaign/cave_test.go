package campaign_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// caveSetup is the campaign of most tests of this package. It has two heroes before a cave, four
// areas, one of them locked, and a hidden goal.
const caveSetup = `{
	"campaign_id": "cave",
	"title": "The Cave",
	"created_at": "2026-05-01T12:00:00Z",
	"seed": 7,
	"world": {
		"world_id": "w1",
		"background": "A mountain with a cave in it.",
		"rules": [{"id": "r1", "text": "The dead stay dead."}]
	},
	"map": {
		"areas": [
			{"id": "gate", "name": "Gate", "description": "Two stone pillars."},
			{"id": "hall", "name": "Hall"},
			{"id": "vault", "name": "Vault", "locked": true, "disabled_until": "midnight"},
			{"id": "tower", "name": "Tower"}
		],
		"paths": [
			{"id": "p1", "from": "gate", "to": "hall"},
			{"id": "p2", "from": "hall", "to": "vault"},
			{"id": "p3", "from": "hall", "to": "tower", "bidirectional": false},
			{"id": "p4", "from": "gate", "to": "tower", "locked": true, "disabled_until": "dawn"}
		]
	},
	"characters": [
		{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate",
			"attributes": {"strength": 14}, "status": {"alive_state": "alive"}},
		{"character_id": "mei", "name": "Mei", "hp": {"current": 6, "max": 8}, "area_id": "gate",
			"status": {"alive_state": "alive"}}
	],
	"goal": {"ultimate_goal_text": "Wake the sleeping dragon below the mountain", "is_hidden": true}
}`

// noon is the time at which every campaign of the tests begins.
var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// cave returns the setup; members of the given JSON objects replace its own.
func cave(t testing.TB, changes ...string) state.Setup {
	t.Helper()
	members := map[string]json.RawMessage{}
	for _, text := range append([]string{caveSetup}, changes...) {
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			t.Fatalf("setup %s: %v", text, err)
		}
	}
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	var s state.Setup
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func compile(t testing.TB, c game.Content) *game.Game {
	t.Helper()
	g, problems := game.Compile(c)
	err := problems.Err()
	problems = slices.DeleteFunc(problems, func(p talewright.Problem) bool { return p.Severity == talewright.Warning })
	if err != nil || len(problems) > 0 {
		t.Fatalf("compile: %v %v", err, problems)
	}
	return g
}

// begin returns a machine for a new campaign.
func begin(t testing.TB, c game.Content, changes ...string) *turn.Machine {
	t.Helper()
	g := compile(t, c)
	start, err := turn.Begin(g, cave(t, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return turn.NewMachine(g, start)
}

func step(t testing.TB, m *turn.Machine, inputs ...turn.Input) {
	t.Helper()
	for _, in := range inputs {
		if err := m.Step(in); err != nil {
			t.Fatalf("step %T: %v", in, err)
		}
	}
}

// play runs an instruction with scripted model outputs and a store that never fails. It returns the
// outcome.
func play(t testing.TB, m *turn.Machine, in turn.Input, outputs ...string) turn.Outcome {
	t.Helper()
	o, _, left := drive(t, m, in, outputs...)
	if left > 0 {
		t.Errorf("%d outputs of the script are left", left)
	}
	return o
}

// drive is play that also returns all requests to the model, and the number of unused outputs. It
// does not process the requests: benchmarks use it.
func drive(t testing.TB, m *turn.Machine, in turn.Input, outputs ...string) (o turn.Outcome, seen []question.Request, left int) {
	t.Helper()
	step(t, m, in)
	for m.Phase() != turn.Idle && m.Phase() != turn.Approving {
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			seen = append(seen, todo.Generate.Request)
			if len(outputs) == 0 {
				t.Fatalf("the script has no output %d", todo.Generate.Attempt)
			}
			step(t, m, turn.Replied{Text: outputs[0]})
			outputs = outputs[1:]
		case todo.Hooks != nil:
			step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
		case todo.Commit != nil:
			step(t, m, turn.Committed{})
		default:
			t.Fatalf("no answer to %+v", todo)
		}
	}
	if m.Todo().Outcome != nil {
		o = *m.Todo().Outcome
	}
	return o, seen, len(outputs)
}

// say plays a turn of the active actor.
func say(t testing.TB, m *turn.Machine, text string, outputs ...string) turn.Outcome {
	t.Helper()
	return play(t, m, turn.Submit{Text: text}, outputs...)
}

// jsonOf returns the JSON form of a value.
func jsonOf(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func value(t testing.TB, text string) tree.Value {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
