package play

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// TestPayloads: what each event of a turn carries, when everything that it can carry is there. The
// table of cases is the set of methods of Turn, so that a new one is missed.
func TestPayloads(t *testing.T) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	iva := state.Character{ID: "iva", Name: "Iva",
		Mood:         object(t, `{"mood": "calm", "mood_intensity": 0.5, "energy": 7, "hidden": 1}`),
		Relationship: object(t, `{"affection": 3, "trust": 4, "since": "spring"}`)}
	occasion := func() *Turn {
		c := state.Campaign{ID: "crypt", CreatedAt: noon.Add(-48 * time.Hour), ClockPassed: noon.Add(-time.Hour),
			State: state.State{Characters: []state.Character{iva}, HeadTurnID: "turn_0001"},
			Turns: []state.Turn{{ID: "turn_0001", Timestamp: noon.Add(-24 * time.Hour)}}}
		o := New(g, c, state.Submission{Text: "I ring the bell.", Channel: "harbor", ActorID: "ann", UserID: "u1", At: noon, Elapsed: 90},
			g.Settings().Freeze(nil, nil))
		o.Dialog.Kind.ID = "dialogue"
		o.Casting = Casting{Decided: true, Speakers: []string{"iva"}, Spoken: []state.Reply{{Speaker: "bob", Text: "No."}, {Speaker: "iva", Text: "Yes."}}, kept: true}
		o.Found = Found{Memories: make([]string, 2), Forced: make([]worldbook.Forced, 3), Scan: worldbook.Result{Activated: make([]worldbook.Activation, 4)}}
		o.Out.Reply = Reply{First: "The", Usage: &llm.Usage{PromptTokens: 10, CompletionTokens: 5}}
		o.Out.Last.Text = "The bell rings."
		o.Out.Calling.Call = answer.RawCall{Tool: "move", Args: object(t, `{"to": "crypt"}`)}
		o.Out.Calling.Ruling.Judgement.Result = tree.Text("moved")
		o.Stage.Pending.Changes = []tree.Change{{Path: tree.Path{"hp"}, Old: tree.Int(10), New: tree.Int(6)}}
		return o
	}
	refused := occasion()
	refused.Out.Calling.Ruling.Failed, refused.Casting.kept = &state.FailedCall{Reason: "not_connected"}, false
	payload := func(o *Turn, name string) string {
		m := reflect.ValueOf(o).MethodByName(name)
		if !m.IsValid() {
			return "there is no such event"
		}
		members := m.Call(nil)[0].Interface().([]tree.Member)
		data, err := json.Marshal(tree.Object(members...))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	tested := map[string]bool{}
	testkit.Run(t, "testdata/payloads.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string {
			tested[c.Name] = true
			if c.Name == "Question" {
				return printQuestion(t, occasion())
			}
			full, less := payload(occasion(), c.Name), payload(refused, c.Name)
			if full == less {
				return full
			}
			return full + "\nrefused or dropped: " + less
		}
	})
	for m := range reflect.TypeFor[*Turn]().Methods() {
		if m.Type.NumOut() == 1 && m.Type.Out(0) == reflect.TypeFor[[]tree.Member]() && !tested[m.Name] {
			t.Errorf("there is no case for %s", m.Name)
		}
	}
}

func object(t *testing.T, text string) (v tree.Value) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// printQuestion prints the event of a question to hooks, and the data that they may read.
func printQuestion(t *testing.T, o *Turn) string {
	t.Helper()
	q := o.HookQuestion("character.after_turn.finished", o.LinePayload())
	event, err := json.Marshal(q.Event)
	if err != nil {
		t.Fatal(err)
	}
	others, err := json.Marshal(q.Env.Others)
	if err != nil {
		t.Fatal(err)
	}
	mood, err := json.Marshal([]tree.Value{q.Env.Character, q.Env.Relationship})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join([]string{string(event), q.Env.Now.String(), string(mood), string(others)}, "\n")
}
