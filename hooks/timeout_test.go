package hooks_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// limitedHook lowers energy by 10 and then calls the action "slow" with a limit of 50 ms.
const limitedHook = `[{"id":"h","name":"h","event":"e","timeout_ms":50,"max_retries":1,"actions":[
	{"type":"state_delta","field":"energy","delta":-10},{"type":"slow"},{"type":"message","content":"m"}]}]`

func slowTable(t *testing.T, h act.Handler) *act.Table {
	t.Helper()
	actions := new(act.Table)
	if err := actions.Register("slow", act.Type{Handler: h}); err != nil {
		t.Fatal(err)
	}
	return actions
}

func tired() hooks.Env { return hooks.Env{Character: value(`{"energy":80}`)} }

// A handler that ignores its context times out, and its late result changes neither the result nor
// a later attempt (HK-15).
func TestLateResultIsDiscarded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var finished atomic.Int32
		actions := slowTable(t, func(context.Context, act.Call) (act.Outcome, error) {
			time.Sleep(400 * time.Millisecond)
			finished.Add(1)
			return act.Outcome{Effects: []effect.Effect{
				effect.ChangeState{Field: "energy", New: value(`1`)},
				effect.AddMessage{Content: "late"},
			}}, nil
		})
		began := time.Now()
		res := hooks.Run(t.Context(), mustCompile(t, actions, limitedHook),
			act.Event{ID: "evt", Type: "e"}, hooks.State{}, tired())
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("two attempts of 50 ms took %v", took)
		}
		before := toJSON(t, res)
		time.Sleep(time.Second)
		synctest.Wait()
		if n := finished.Load(); n != 2 {
			t.Errorf("%d late handlers ended, want both", n)
		}
		if after := toJSON(t, res); after != before {
			t.Errorf("a late handler changed the result:\n%s\n%s", before, after)
		}
		log := res.Logs[0]
		if log.Status != act.StatusTimeout || log.Attempts != 2 || log.ActionsExecuted != 0 ||
			log.Error != "Timeout" {
			t.Errorf("log: %s", toJSON(t, log))
		}
		if len(res.Effects) > 0 || !res.Character.Equal(tired().Character) {
			t.Errorf("effects %v, character %s: nothing may be committed", res.Effects, res.Character)
		}
		wantCodes(t, log, act.CodeRolledBack, act.CodeTimeout, act.CodeTimeout)
	})
}

// A handler that watches its context and returns its error is a timeout too.
func TestContextErrorIsTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		actions := slowTable(t, func(ctx context.Context, _ act.Call) (act.Outcome, error) {
			<-ctx.Done()
			return act.Outcome{}, ctx.Err()
		})
		res := hooks.Run(t.Context(), mustCompile(t, actions, limitedHook),
			act.Event{ID: "evt", Type: "e"}, hooks.State{}, tired())
		wantCodes(t, res.Logs[0], act.CodeRolledBack, act.CodeTimeout, act.CodeTimeout)
	})
}

// After the deadline every action ends as timeout, even where an error would abort the rest.
func TestTimeoutUnderAbort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		actions := slowTable(t, func(ctx context.Context, _ act.Call) (act.Outcome, error) {
			<-ctx.Done()
			return act.Outcome{}, ctx.Err()
		})
		set := mustCompile(t, actions, `[{"name":"h","event":"e","on_error":"abort","actions":[
			{"type":"slow"},{"type":"message","content":"m"}]}]`)
		res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, hooks.Env{})
		wantCodes(t, res.Logs[0], act.CodeTimeout, act.CodeTimeout)
	})
}

// An effect that a sink accepted before the deadline is kept, counts and is not repeated (HK-15,
// HK-21).
func TestDeliveredEffectSurvivesTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		actions := slowTable(t, func(ctx context.Context, _ act.Call) (act.Outcome, error) {
			<-ctx.Done()
			return act.Outcome{}, ctx.Err()
		})
		set := mustCompile(t, actions, `[{"id":"h","name":"h","event":"e","timeout_ms":50,"max_retries":2,
			"actions":[{"type":"memory_write","content":"m"},
			{"type":"workflow","workflow":"w"},{"type":"slow"}]}]`)
		var keys []string
		env := hooks.Env{Sinks: act.Sinks{
			Memory: func(_ context.Context, call act.Call, _ effect.WriteMemory) error {
				keys = append(keys, call.Key)
				return nil
			},
		}}
		res := hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
		wantCodes(t, res.Logs[0], act.CodeOK, act.CodeRolledBack, act.CodeTimeout)
		if len(keys) != 1 || keys[0] != "evt/h/0" {
			t.Errorf("deliveries: %v, want one of evt/h/0", keys)
		}
		if len(res.Delivered) != 1 || len(res.Effects) != 0 || res.Logs[0].ActionsExecuted != 1 {
			t.Errorf("delivered %v, effects %v; the undelivered workflow must be dropped",
				res.Delivered, res.Effects)
		}
	})
}

// The end of the caller's context ends the running hook, and no other hook starts.
func TestCanceledRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	actions := slowTable(t, func(ctx context.Context, _ act.Call) (act.Outcome, error) {
		cancel()
		<-ctx.Done()
		return act.Outcome{}, ctx.Err()
	})
	set := mustCompile(t, actions, `[
		{"id":"a","name":"a","event":"e","max_retries":9,"actions":[
			{"type":"message","content":"a"},{"type":"slow"}]},
		{"id":"b","name":"b","event":"e","actions":[{"type":"message","content":"b"}]}]`)
	res := hooks.Run(ctx, set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, hooks.Env{})
	if len(res.Logs) != 1 || res.Logs[0].Status != act.StatusTimeout || res.Logs[0].Attempts != 1 {
		t.Errorf("logs: %s", toJSON(t, res.Logs))
	}
	if len(res.Dropped) != 1 || res.Dropped[0].Reason != "canceled" || len(res.Effects) != 0 {
		t.Errorf("dropped %v, effects %v", res.Dropped, res.Effects)
	}
}

// A panic, an exit and an error stop neither the hook's other actions nor other
// hooks (HK-21).
func TestBadHandlers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		handler act.Handler
		code    act.ResultCode
		detail  string
	}{
		"panic": {
			func(context.Context, act.Call) (act.Outcome, error) { panic("boom") },
			act.CodePanic, "panic: boom",
		},
		"exit": {
			func(context.Context, act.Call) (act.Outcome, error) {
				runtime.Goexit()
				return act.Outcome{}, nil
			},
			act.CodeHandlerError, "the handler ended its goroutine",
		},
		"error": {
			func(context.Context, act.Call) (act.Outcome, error) { return act.Outcome{}, errors.New("no") },
			act.CodeHandlerError, "no",
		},
		"failure": {
			func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{}, &act.Failure{Code: act.CodeNotFound, Detail: "no such door"}
			},
			act.CodeNotFound, "no such door",
		},
		"failure with a code that is not the handler's to give": {
			func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{}, &act.Failure{Code: act.CodeOK, Detail: "odd"}
			},
			act.CodeHandlerError, "ok: odd",
		},
		"error that cannot be read": {
			func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{}, (*act.Failure)(nil)
			},
			act.CodePanic, "panic: runtime error: invalid memory address or nil pointer dereference",
		},
		"bad effect": {
			func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{Effects: []effect.Effect{
					effect.AddMessage{Content: "half"}, effect.ChangeState{Field: "id", New: value(`1`)},
				}}, nil
			},
			act.CodeProtectedField, "effect 1: id is protected",
		},
		"nil effect": {
			func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{Effects: []effect.Effect{nil}}, nil
			},
			act.CodeHandlerError, "effect 0: the handler returned no effect at all",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := mustCompile(t, slowTable(t, tt.handler), limitedHook)
			env := tired()
			env.Trace = true
			res := hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
			wantCodes(t, res.Logs[0], act.CodeOK, tt.code, act.CodeOK)
			if got := res.Logs[0].Error; got != tt.detail {
				t.Errorf("error %q, want %q", got, tt.detail)
			}
			if res.Logs[0].Status != act.StatusPartial || len(res.Effects) != 2 {
				t.Errorf("status %s, effects %v", res.Logs[0].Status, res.Effects)
			}
			stack := slices.ContainsFunc(res.Trace, func(s hooks.Step) bool {
				return s.Gate == "panic" && strings.Contains(s.Detail, "goroutine")
			})
			if stack != (tt.code == act.CodePanic) {
				t.Errorf("a stack in the trace: %v\n%s", stack, res.Trace)
			}
		})
	}
}

// The limits of a run limit the settings of content.
func TestLimitsBoundContent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32 // calls may overlap a call that timed out
		actions := slowTable(t, func(ctx context.Context, _ act.Call) (act.Outcome, error) {
			calls.Add(1)
			<-ctx.Done()
			return act.Outcome{}, ctx.Err()
		})
		set := mustCompile(t, actions, `[{"name":"greedy","event":"e","timeout_ms":9000000000000,
			"max_retries":9000000000000,"actions":[{"type":"slow"}]}]`)
		env := hooks.Env{Limits: hooks.Limits{MaxTimeout: time.Second, MaxRetries: new(3)}}
		began := time.Now()
		res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, env)
		if took := time.Since(began); calls.Load() != 4 || took != 4*time.Second || res.Logs[0].Attempts != 4 {
			t.Errorf("%d calls in %v, want 4 in 4s", calls.Load(), took)
		}
	})
}

// The default timeout of a hook, and the greatest timeout that it may request.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	for hook, want := range map[string]struct {
		attempts int
		took     time.Duration
	}{
		``:                                               {1, 3 * time.Second},
		`"timeout_ms":0,`:                                {1, 3 * time.Second},
		`"timeout_ms":1,`:                                {1, time.Millisecond},
		`"max_retries":2,"timeout_ms":50,`:               {3, 150 * time.Millisecond},
		`"max_retries":-2,"timeout_ms":50,`:              {1, 50 * time.Millisecond},
		`"max_retries":100,"timeout_ms":50,`:             {101, 5050 * time.Millisecond},
		`"max_retries":101,"timeout_ms":50,`:             {101, 5050 * time.Millisecond},
		`"timeout_ms":600001,`:                           {1, 10 * time.Minute},
		`"timeout_ms":9000000000000,"max_retries":9e12,`: {101, 1010 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			set := mustCompile(t, failing(t), `[{"name":"h","event":"e",`+hook+`"actions":[{"type":"hang"}]}]`)
			began := time.Now()
			res := emit(t, set, act.Event{Type: "e"}, hooks.Env{})
			if took := time.Since(began); took != want.took || res.Logs[0].Attempts != want.attempts {
				t.Errorf("%s %d attempts in %v, want %d in %v",
					hook, res.Logs[0].Attempts, took, want.attempts, want.took)
			}
		})
	}
}

// DurationMS comes only from the clock of Env.
func TestDuration(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	env := hooks.Env{Clock: func() time.Time { now = now.Add(7 * time.Millisecond); return now }}
	set := mustCompile(t, nil, `[{"name":"h","event":"e"}]`)
	res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, env)
	if got := res.Logs[0].DurationMS; got != 7 {
		t.Errorf("duration %d ms, want 7", got)
	}
}

func wantCodes(t *testing.T, log act.Log, want ...act.ResultCode) {
	t.Helper()
	for i, r := range log.Results {
		if r.Code != want[i] || r.Success != (want[i] == act.CodeOK) {
			t.Errorf("result %d: %s, want %s", i, toJSON(t, r), want[i])
		}
	}
	if len(log.Results) != len(want) {
		t.Errorf("%d results, want %d", len(log.Results), len(want))
	}
}
