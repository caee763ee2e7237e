package hooks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// hundred compiles 100 hooks on one event: 20 run, 40 are excluded by a condition, 20 by their
// scope and 10 by their pattern, and 10 are disabled.
func hundred(b *testing.B) *hooks.Set {
	b.Helper()
	var list []hooks.Hook
	for i := range 100 {
		h := hooks.Hook{
			ID: fmt.Sprint("h", i), Name: "n", Priority: new(i),
			Event: hooks.On("character.before_turn.finished"),
			Actions: []act.Action{
				{JSON: value(`{"type":"prompt_inject","content":"Speak softly."}`)},
				{JSON: value(`{"type":"state_delta","payload":{"energy":-1,"mood":"calm"}}`)},
			},
		}
		switch {
		case i%5 == 0:
			h.Conditions = value(`{"mood_is":"calm","affection_gte":50}`)
		case i%5 <= 2:
			h.Conditions = value(`{"mood_is":["calm","sad"],"payload.turn":{"gt":5}}`)
		case i%5 == 3:
			h.Scope, h.CharacterID = hooks.ScopeCharacter, "somebody else"
		case i%2 == 0:
			h.Event = hooks.On("character.after_turn.*")
		default:
			h.Enabled = new(false)
		}
		list = append(list, h)
	}
	set, problems := hooks.Compile(list, nil)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	return set
}

var benchmarkEvent = act.Event{
	ID: "evt_123456789abc", Type: "character.before_turn.finished", CharacterID: "ann",
	Payload: value(`{"turn":5}`),
}

func benchmarkEnv() hooks.Env {
	return hooks.Env{
		Character:    value(`{"mood":"calm","mood_intensity":0.5,"energy":80}`),
		Relationship: value(`{"affection":60}`),
	}
}

// BenchmarkRun runs one event for 100 hooks; 20 of them run.
func BenchmarkRun(b *testing.B) {
	set, env := hundred(b), benchmarkEnv()
	b.ReportAllocs()
	for b.Loop() {
		res := hooks.Run(context.Background(), set, benchmarkEvent, hooks.State{}, env)
		energy, _ := res.Character.Get("energy").AsFloat()
		if len(res.Logs) != 20 || len(res.Effects) != 40 || energy != 60 || len(res.Derived) != 20 {
			b.Fatalf("%d logs, %d effects, energy %v", len(res.Logs), len(res.Effects), energy)
		}
	}
}

// BenchmarkRunNothing runs an event; all conditions are false.
func BenchmarkRunNothing(b *testing.B) {
	set, env := hundred(b), benchmarkEnv()
	env.Character = value(`{"mood":"angry"}`)
	b.ReportAllocs()
	for b.Loop() {
		res := hooks.Run(context.Background(), set, benchmarkEvent, hooks.State{}, env)
		if len(res.Logs) != 0 {
			b.Fatalf("%d logs", len(res.Logs))
		}
	}
}

// BenchmarkRunUnwanted runs an event without hooks.
func BenchmarkRunUnwanted(b *testing.B) {
	set, env, event := hundred(b), benchmarkEnv(), benchmarkEvent
	event.Type = "reply.before_send"
	b.ReportAllocs()
	for b.Loop() {
		res := hooks.Run(context.Background(), set, event, hooks.State{}, env)
		if len(res.Logs) != 0 || !res.Character.Exists() {
			b.Fatalf("%d logs", len(res.Logs))
		}
	}
}

// BenchmarkRunSink runs a hook whose effect goes to a sink: a goroutine and a deadline.
func BenchmarkRunSink(b *testing.B) {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "h", Name: "h", Event: hooks.On("e"),
		Actions: []act.Action{{JSON: value(`{"type":"memory_write","content":"m"}`)}},
	}}, nil)
	delivered := 0
	env := hooks.Env{Sinks: act.Sinks{
		Memory: func(context.Context, act.Call, effect.WriteMemory) error { delivered++; return nil },
	}}
	b.ReportAllocs()
	runs := 0
	for b.Loop() {
		hooks.Run(context.Background(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
		runs++
	}
	if delivered != runs {
		b.Fatalf("%d deliveries in %d runs", delivered, runs)
	}
}

// BenchmarkCompile compiles the 100 hooks.
func BenchmarkCompile(b *testing.B) {
	list := hundred(b).Hooks()
	b.ReportAllocs()
	for b.Loop() {
		if set, problems := hooks.Compile(list, nil); set.Len() != 100 || len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}
