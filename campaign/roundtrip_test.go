package campaign_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestRoundTripStoredTypes: stored values read back unchanged, including unknown members.
func TestRoundTripStoredTypes(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	inputs := []turn.Input{
		turn.Submit{}, turn.Routed{}, turn.HooksRan{}, turn.Replied{},
		turn.GenerateFailed{}, turn.Judged{}, turn.Committed{}, turn.CommitFailed{},
		turn.Summarized{}, turn.PatchSettings{}, turn.SelectActor{}, turn.SetCharacter{},
		turn.SetTools{}, turn.SetLocks{}, turn.RaiseEvents{}, turn.AdvanceMilestone{},
		turn.EndCampaign{}, turn.MakeCheckpoint{}, turn.RollBack{}, turn.UndoRollBack{},
		turn.SwitchBranch{}, turn.ResolveConflict{}, turn.Announce{},
		turn.PassTime{}, turn.SetTimer{}, turn.Travel{}, turn.Retrieved{}, turn.Recalled{}, turn.Answered{},
		turn.Regenerate{}, turn.Choose{}, turn.Continue{}, turn.EditText{}, turn.Proceed{}, turn.Suggest{},
	}
	types := []any{state.Campaign{}, state.State{}, state.Turn{}, turn.Record{},
		state.Setup{}, state.Delta{}, state.ConflictReport{}, state.Character{}, turn.Outcome{}}
	for _, in := range inputs {
		types = append(types, in)
	}
	for _, zero := range types {
		t.Run(fmt.Sprintf("%T", zero), func(t *testing.T) {
			for seed := range 40 {
				x := reflect.New(reflect.TypeOf(zero))
				filltest.New(seed, false).Fill(x.Elem(), 5)
				first, err := json.Marshal(x.Interface())
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				y := reflect.New(reflect.TypeOf(zero))
				if err := json.Unmarshal(first, y.Interface()); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, first)
				}
				second, err := json.Marshal(y.Interface())
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := cmp.Diff(plainJSON(t, first), plainJSON(t, second)); diff != "" {
					t.Fatalf("seed %d (-first +second):\n%s", seed, diff)
				}
			}
		})
	}
}

func plainJSON(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRoundTripOfEveryEffect: for any effects that tools, hooks and rules build in Go, the
// committed state can be loaded. The campaign in memory, the loaded one and the rebuilt one are the
// same.
func TestRoundTripOfEveryEffect(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for seed := range testkit.Cases(100, 16) {
		f := filltest.New(seed, true)
		g, problems := game.Compile(game.Content{
			Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(string) effect.List { return filltest.New(seed+1000, true).Effects(4) })}},
			Rules: game.Rules{
				Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions(f.Effects(4))}},
				Hooks: []hooks.Hook{hearing("h1", act.BeforeTurnStarted), hearing("h2", act.AfterTurnFinished)},
			},
		})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		start, err := turn.Begin(g, cave(t, `{"allowlist": ["say", "hp_delta"]}`, vaultVariables))
		if err != nil {
			t.Fatal(err)
		}
		log := newLog(t, g, start)
		for range 3 {
			log.play(seed, turn.Submit{Text: f.Text() + "I wait.", Channel: f.Text(), UserID: f.Text()},
				func(*hooks.State) effect.List { return f.Effects(3) },
				`{"text":"`+quiet+`","tool_calls":[{"tool":"say","args":{"text":"x"}}]}`)
		}
		log.play(seed, turn.RaiseEvents{Events: []rules.Event{event.New(f.Text(), tree.Member{Key: f.Text(), Value: f.Value(2)})}}, nil)
		log.play(seed, turn.Summarized{Summary: state.Summary{Text: f.Text(), Pins: []string{f.Text()}, Facts: f.Value(2)}}, nil)
		log.check(fmt.Sprint("seed ", seed))
	}
}

// hearing is a hook on an event; the test decides what it does.
func hearing(id, event string) hooks.Hook {
	return hooks.Hook{ID: id, Name: id, Event: hooks.On(event), Actions: []act.Action{
		act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("heard")})}}
}

// testLog is a machine with the log that a store would hold.
type testLog struct {
	t       *testing.T
	game    *game.Game
	m       *turn.Machine
	records []turn.Record
}

func newLog(t *testing.T, g *game.Game, start state.Campaign) *testLog {
	t.Helper()
	first := turn.Record{Version: 1, Kind: "create", At: start.CreatedAt, Campaign: json.RawMessage(jsonOf(t, start))}
	return &testLog{t: t, game: g, m: turn.NewMachine(g, start), records: []turn.Record{first}}
}

// play runs an instruction. The function heard returns the effects of hooks.
func (l *testLog) play(seed int, in turn.Input, heard func(*hooks.State) effect.List, outputs ...string) turn.Todo {
	l.t.Helper()
	if err := l.m.Step(in); err != nil {
		l.t.Fatalf("seed %d: %T: %v", seed, in, err)
	}
	for l.m.Phase() != turn.Idle {
		todo := l.m.Todo()
		var answer turn.Input
		switch {
		case todo.Generate != nil:
			text := quiet
			if len(outputs) > 0 {
				text, outputs = outputs[0], outputs[1:]
			}
			answer = turn.Replied{Text: text}
		case todo.Hooks != nil:
			ran := turn.HooksRan{Result: todo.Hooks.Run(l.t.Context())}
			if heard != nil {
				ran.Result.Effects = append(ran.Result.Effects, heard(&ran.Result.State)...)
			}
			answer = ran
		case todo.Commit != nil:
			l.append(*todo.Commit)
			answer = turn.Committed{}
		default:
			l.t.Fatalf("seed %d: no answer to %+v", seed, todo)
		}
		if err := l.m.Step(answer); err != nil {
			l.t.Fatalf("seed %d: %T: %v", seed, answer, err)
		}
	}
	return l.m.Todo()
}

// append stores a record as a store does: as bytes.
func (l *testLog) append(rec turn.Record) {
	l.t.Helper()
	kept, err := entries(l.t, rec)[0].Record()
	if err != nil {
		l.t.Fatal(err)
	}
	l.records = append(l.records, kept)
}

// check compares the campaign in memory with the loaded and the rebuilt one.
func (l *testLog) check(what string) {
	l.t.Helper()
	live := jsonOf(l.t, l.m.Campaign())
	loaded, err := campaign.Restore(campaign.Saved{Entries: entries(l.t, l.records...)})
	if err != nil {
		l.t.Fatalf("%s: restore: %v", what, err)
	}
	if diff := cmp.Diff(live, jsonOf(l.t, loaded)); diff != "" {
		l.t.Fatalf("%s: live and loaded differ:\n%s", what, diff)
	}
	var snapshot state.Campaign
	if err := json.Unmarshal([]byte(live), &snapshot); err != nil {
		l.t.Fatalf("%s: snapshot: %v", what, err)
	}
	if diff := cmp.Diff(live, jsonOf(l.t, snapshot)); diff != "" {
		l.t.Fatalf("%s: live and snapshot differ:\n%s", what, diff)
	}
	rebuilt, err := campaign.Rebuild(l.game, logOf(l.t, l.records...))
	if err != nil {
		l.t.Fatalf("%s: rebuild: %v", what, err)
	}
	if diff := cmp.Diff(live, jsonOf(l.t, rebuilt)); diff != "" {
		l.t.Fatalf("%s: live and rebuilt differ:\n%s", what, diff)
	}
}

// TestLogCanAlwaysBeLoaded: effects that a reader of the log drops or changes do not stay in the
// campaign in memory.
func TestLogCanAlwaysBeLoaded(t *testing.T) {
	t.Parallel()
	huge := 1 << 40
	for _, c := range []struct {
		name, reason string
		effect       effect.Effect
	}{
		{"context without a message", "an empty one is no context", effect.SendContext{}},
		{"directive without an id", "it could neither be replaced nor removed", effect.InjectDirective{Content: "x"}},
		{"duration beyond 32 bits", "it reads back smaller", effect.InjectDirective{ID: "d", Content: "x", Duration: &huge}},
		{"text that is no UTF-8", "it reads back as U+FFFD", effect.InjectPrompt{Key: "\xff", Content: "\xff", Scope: "session"}},
		{"infinite volume", "no JSON holds it", effect.PlayAudio{TrackID: "t", Volume: new(math.Inf(1))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, problems := game.Compile(game.Content{
				Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(string) effect.List { return effect.List{c.effect} })}},
				Rules: game.Rules{
					Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{c.effect}}},
					Hooks: []hooks.Hook{hearing("h", act.AfterTurnFinished)},
				},
			})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			start, err := turn.Begin(g, cave(t, `{"allowlist": ["say"]}`))
			if err != nil {
				t.Fatal(err)
			}
			log := newLog(t, g, start)
			for range 3 {
				todo := log.play(0, turn.Submit{Text: "I wait."},
					func(*hooks.State) effect.List { return effect.List{c.effect} },
					`{"text":"`+quiet+`","tool_calls":[{"tool":"say","args":{"text":"x"}}]}`)
				if todo.Outcome.Status != turn.Completed {
					t.Fatalf("%s: the turn ended %s %s %s", c.reason, todo.Outcome.Status, todo.Outcome.Reason, todo.Outcome.Detail)
				}
			}
			log.check(c.reason)
		})
	}
}
