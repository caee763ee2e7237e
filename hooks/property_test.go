package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// script is a random list of hooks with a host whose handlers and sinks fail the first times,
// separately for each action.
type script struct {
	rng     *rand.Rand
	actions *act.Table
	hooks   []hooks.Hook

	mu        sync.Mutex // handlers run on other goroutines, but one at a time
	fails     map[string]int
	calls     map[string]int
	successes map[string]int
}

func newScript(t *testing.T, seed uint64) *script {
	t.Helper()
	s := &script{
		rng: rand.New(rand.NewPCG(seed, 1)), actions: new(act.Table),
		fails: map[string]int{}, calls: map[string]int{}, successes: map[string]int{},
	}
	for typ, internal := range map[string]bool{"outer": false, "inner": true} {
		err := s.actions.Register(typ, act.Type{
			Internal: internal,
			Handler: func(_ context.Context, call act.Call) (act.Outcome, error) {
				gold, _ := call.Character.Get("gold").AsNumber()
				return act.Outcome{Effects: []effect.Effect{
					effect.ChangeState{Field: "gold", New: tree.Num(gold.Add("1"))},
					effect.AddMessage{Content: call.Key},
				}}, s.outcome(call)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1 + s.rng.IntN(5) {
		s.hooks = append(s.hooks, s.hook(i))
	}
	return s
}

// outcome fails or panics as often as drawn for the action.
func (s *script) outcome(call act.Call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[call.Key]++
	switch n := s.calls[call.Key]; {
	case n <= s.fails[call.Key] && n%3 == 2:
		panic("scripted")
	case n <= s.fails[call.Key]:
		return errors.New("scripted")
	}
	s.successes[call.Key]++
	return nil
}

func (s *script) hook(i int) hooks.Hook {
	h := hooks.Hook{
		ID: fmt.Sprint("h", i), Name: "n", Priority: new(i * 10),
		Event:      hooks.On([]string{"e", "*", "state.changed", "e"}[s.rng.IntN(4)]),
		MaxRetries: s.rng.IntN(4), Atomic: s.rng.IntN(3) == 0,
	}
	if s.rng.IntN(3) == 0 {
		h.OnError = hooks.Abort
	}
	if s.rng.IntN(3) == 0 {
		h.Conditions = value(fmt.Sprintf(`{"gold_gte":%d}`, 990+s.rng.IntN(20)))
	}
	for j := range s.rng.IntN(6) {
		h.Actions = append(h.Actions, act.Action{JSON: value([]string{
			`{"type":"outer"}`, `{"type":"inner"}`, `{"type":"memory_write","content":"m"}`,
			`{"type":"state_delta","field":"gold","delta":-1}`, `{"type":"message","content":"plain"}`,
			`{"type":"prompt_inject","content":"p"}`, `{"type":"nope"}`,
		}[s.rng.IntN(7)])})
		s.fails[fmt.Sprintf("evt/h%d/%d", i, j)] = s.rng.IntN(4)
	}
	return h
}

// run emits one event to the hooks, with all counters at zero.
func (s *script) run(t *testing.T, list []hooks.Hook) hooks.Result {
	t.Helper()
	clear(s.calls)
	clear(s.successes)
	set, _ := hooks.Compile(list, s.actions)
	env := hooks.Env{
		Character: value(`{"gold":1000}`),
		Fields:    map[string]act.Field{"gold": {Add: true}},
		Sinks: act.Sinks{Memory: func(_ context.Context, call act.Call, _ effect.WriteMemory) error {
			return s.outcome(call)
		}},
	}
	return hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
}

const scripts = 400

// A retry, a failure and a panic never double or halve an effect: every success in the results
// happened once, and nothing else happened (HK-15, HK-21).
func TestPropertyNothingTwice(t *testing.T) {
	t.Parallel()
	retried := 0
	for seed := range uint64(scripts) {
		s := newScript(t, seed)
		res := s.run(t, s.hooks)
		for key, n := range s.successes {
			if n > 1 {
				t.Fatalf("seed %d: %s succeeded %d times", seed, key, n)
			}
		}
		gold, messages, delivered, prompts := 1000, 0, 0, 0
		for _, log := range res.Logs {
			if log.Attempts > 1 {
				retried++
			}
			committed := log.Status == act.StatusSuccess || log.Status == act.StatusPartial
			for _, r := range log.Results {
				if !r.Success {
					continue
				}
				switch r.ActionType {
				case "memory_write":
					delivered++
				case "outer":
					if committed {
						gold++
						messages++
					}
				case "inner":
					gold++
					messages++
				case "state_delta":
					gold--
				case "message":
					messages++
				case "prompt_inject":
					prompts++
				}
			}
		}
		got := map[string]int{}
		for _, e := range res.Effects {
			got[e.EffectType()]++
		}
		if !res.Character.Get("gold").Equal(tree.Int(int64(gold))) {
			t.Fatalf("seed %d: %s, want %d:\n%s", seed, res.Character, gold, toJSON(t, res.Logs))
		}
		if got["add-message"] != messages || got["prompt-inject"] != prompts ||
			len(res.Delivered) != delivered {
			t.Fatalf("seed %d: %v and %d delivered, want %d messages, %d prompts, %d delivered:\n%s",
				seed, got, len(res.Delivered), messages, prompts, delivered, toJSON(t, res.Logs))
		}
	}
	if retried < scripts/10 {
		t.Errorf("only %d hooks were retried: the scripts test too little", retried)
	}
}

// Disabled hooks change nothing, wherever they are in the list.
func TestPropertyDisabledHookChangesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(scripts) {
		s := newScript(t, seed)
		want := toJSON(t, s.run(t, s.hooks))
		var list []hooks.Hook
		for i, h := range s.hooks {
			off := s.hook(i)
			off.ID, off.Enabled, off.Priority = fmt.Sprint("off", i), new(false), new(s.rng.IntN(60))
			list = append(list, off, h)
		}
		s2 := newScript(t, seed) // the same failures: hook used random numbers of s
		if got := toJSON(t, s2.run(t, list)); got != want {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// Hooks of different priority may be registered in any order.
func TestPropertyOrderOfRegistration(t *testing.T) {
	t.Parallel()
	for seed := range uint64(scripts) {
		s := newScript(t, seed)
		want := toJSON(t, s.run(t, s.hooks))
		s.rng.Shuffle(len(s.hooks), func(i, j int) { s.hooks[i], s.hooks[j] = s.hooks[j], s.hooks[i] })
		if got := toJSON(t, s.run(t, s.hooks)); got != want {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, got, want)
		}
	}
}
