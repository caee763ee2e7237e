package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/llm"
)

func passes(context.Context, time.Duration) error { return nil }

var allOps = []storetest.FaultOp{"append", "load", "records", "acquire", "renew", "release",
	"save_answer", "answer", "find", "generate"}

// TestPlansPrintThemselves checks that a random plan and the plan parsed from its text do the same.
// It covers every call, kind of fault, model error code and garbling.
func TestPlansPrintThemselves(t *testing.T) {
	t.Parallel()
	random := storetest.RandomFaultPlan(3, 0.9)
	random.Sleep = passes
	for _, op := range allOps {
		for n := int64(1); n <= 600; n++ {
			ask(random, op, n)
		}
	}
	again, err := storetest.ParseFaultPlan(random.String() + "\n# nothing more\n")
	if err != nil {
		t.Fatal(err)
	}
	again.Sleep = passes
	words := map[string]bool{}
	for _, op := range allOps {
		for n := int64(1); n <= 600; n++ {
			ask(again, op, n)
		}
	}
	if again.String() != random.String() {
		t.Error("made of its text, a plan is another one")
	}
	for _, one := range again.Happened() {
		words[string(one.Op)+" "+string(one.Kind)] = true
		words[one.Word] = true
	}
	for _, want := range []string{"append unsent", "append unheard", "append late", "append twice", "append torn", "load unheard",
		"records cut", "acquire twice", "renew late", "release unsent", "save_answer unheard", "answer late", "find unsent", "generate late",
		"generate failed", "generate cut", "generate ended", "generate twice", "generate repeated", "generate garbled",
		string(llm.CodeAuth), string(llm.CodeUnknown), string(llm.CodeBudget), string("empty"), string("endless")} {
		if !words[want] {
			t.Errorf("no call is %q", want)
		}
	}
}

// ask requests the fault of a call.
func ask(p *storetest.FaultPlan, op storetest.FaultOp, n int64) {
	if op == "generate" {
		p.Model(storetest.FaultCall{Op: op, N: n})
		return
	}
	p.Store(storetest.FaultCall{Op: op, N: n})
}

// TestPlannedErrors checks the planned errors: a store fails with ErrUnavailable, a model with the
// code of the plan and the right value for retries.
func TestPlannedErrors(t *testing.T) {
	t.Parallel()
	plan, err := storetest.ParseFaultPlan("append 1 unsent\nappend 2 unheard\ngenerate 1 failed rate_limit\ngenerate 2 failed auth 3\nappend 3 late 1m")
	if err != nil {
		t.Fatal(err)
	}
	store := func(n int64) storetest.Fault { return plan.Store(storetest.FaultCall{Op: "append", N: n}) }
	if f := store(1); !errors.Is(f.Before, campaign.ErrUnavailable) || f.After != nil {
		t.Errorf("%+v", f)
	}
	if f := store(2); !errors.Is(f.After, campaign.ErrUnavailable) || f.Before != nil {
		t.Errorf("%+v", f)
	}
	if f := store(3); f.Wait != nil {
		t.Error("without Sleep a call is late")
	}
	var slept time.Duration
	plan.Sleep = func(_ context.Context, d time.Duration) error { slept = d; return nil }
	if f := store(3); f.Wait == nil || f.Wait(t.Context()) != nil || slept != time.Minute {
		t.Errorf("late by %s", slept)
	}
	limited := plan.Model(storetest.FaultCall{Op: "generate", N: 1})
	if e, ok := errors.AsType[*llm.Error](limited.Before); !ok || e.Code != llm.CodeRateLimit || !e.Retry || e.RetryAfter == 0 {
		t.Errorf("%+v", limited)
	}
	refused := plan.Model(storetest.FaultCall{Op: "generate", N: 2})
	if e, ok := errors.AsType[*llm.Error](refused.After); !ok || e.Code != llm.CodeAuth || e.Retry || !refused.Breaks || refused.Cut != 3 {
		t.Errorf("%+v", refused)
	}
	if got := len(plan.Happened()); got != 5 {
		t.Errorf("%d faults have happened", got)
	}
}

// TestPlansThatCannotBe checks that every invalid line is named.
func TestPlansThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"append", "append 1", "append x unsent", "append 0 unsent", "append 1 lost", "write 1 unsent",
		"append 1 cut 3", "records 1 cut -3", "records 1 cut many", "records 1 cut 3 4", "append 1 late soon", "append 1 late",
		"generate 1 failed", "generate 1 failed badly", "generate 1 garbled", "generate 1 unsent"} {
		if _, err := storetest.ParseFaultPlan("load 1 unsent\n" + line); err == nil || !strings.Contains(err.Error(), "line 2: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestRandomPlansHaveTheirRate checks the fraction of faulty calls.
func TestRandomPlansHaveTheirRate(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{0, 0.1, 0.5, 1} {
		plan := storetest.RandomFaultPlan(1, rate)
		plan.Sleep = passes
		for n := range int64(2000) {
			ask(plan, "append", n)
		}
		if got := float64(len(plan.Happened())) / 2000; got < rate-0.05 || got > rate+0.05 {
			t.Errorf("%v of the calls go wrong, want %v", got, rate)
		}
	}
}

// recorder is a test that records its failures.
type recorder struct{ failed []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

// calls makes n calls of each op.
func calls(p *storetest.FaultPlan, n int64) {
	for _, op := range allOps {
		for i := range n {
			ask(p, op, i+1)
		}
	}
}

// TestFailuresAreMadeSmall checks that only the faults that the failure needs are left of hundreds,
// also for a panic.
func TestFailuresAreMadeSmall(t *testing.T) {
	t.Parallel()
	for _, panics := range []bool{false, true} {
		needs := func(p *storetest.FaultPlan) error {
			calls(p, 200)
			list := p.Happened()
			torn := slices.ContainsFunc(list, func(f storetest.PlannedFault) bool { return f.Kind == "torn" })
			again := slices.ContainsFunc(list, func(f storetest.PlannedFault) bool { return f.Kind == "repeated" && f.N > 100 })
			switch {
			case !torn || !again:
				return nil
			case panics:
				panic("a torn entry after a reply that came again")
			}
			return errors.New("a torn entry after a reply that came again")
		}
		found := storetest.FaultTrials{Seeds: 3, Rate: 0.5, Sleep: passes}.Find(needs)
		if found == nil || len(found.Plan) != 2 || found.Faults < 500 || found.Err == nil {
			t.Fatalf("%+v", found)
		}
		text := found.String()
		for _, want := range []string{"a torn entry after", " torn\n", " repeated\n", "seed 0"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		again := storetest.FaultPlanOf(found.Plan...)
		if err := func() (err error) {
			defer func() {
				if recover() != nil {
					err = errors.New("panic")
				}
			}()
			return needs(again)
		}(); err == nil {
			t.Error("the small plan does not fail")
		}
		var r recorder
		if storetest.ExploreFaults(&r, storetest.FaultTrials{Seeds: 1, Rate: 0.5, Sleep: passes}, needs); len(r.failed) != 1 || r.failed[0] != text {
			t.Errorf("%q", r.failed)
		}
	}
	var r recorder
	runs := 0
	if storetest.ExploreFaults(&r, storetest.FaultTrials{}, func(*storetest.FaultPlan) error { runs++; return nil }); len(r.failed) != 0 || runs != 100 {
		t.Errorf("%q after %d runs", r.failed, runs)
	}
}

func ExampleRandomFaultPlan() {
	plan := storetest.RandomFaultPlan(7, 0.5)
	for n := range int64(6) {
		plan.Store(storetest.FaultCall{Op: "append", N: n + 1})
		plan.Model(storetest.FaultCall{Op: "generate", N: n + 1})
	}
	fmt.Print(plan)
	// Output:
	// generate 1 garbled unknown
	// append 2 unheard
	// generate 2 garbled odd
	// append 3 twice
	// append 5 torn
	// generate 6 ended 4
}

func ExampleParseFaultPlan() {
	plan, err := storetest.ParseFaultPlan("append 12 unheard\ngenerate 3 failed overloaded # as on Monday")
	fmt.Println(plan.Store(storetest.FaultCall{Op: "append", N: 12}).After, err)
	fmt.Println(plan.Model(storetest.FaultCall{Op: "generate", N: 3}).Before)
	// Output:
	// the connection was lost: the store is unavailable <nil>
	// llm: overloaded: the plan says so (a retry may help)
}

func ExampleFaultPlanOf() {
	plan := storetest.FaultPlanOf(storetest.PlannedFault{Op: "load", N: 1, Kind: "unsent"})
	fmt.Println(plan.Store(storetest.FaultCall{Op: "load", N: 1}).Before != nil, plan.Store(storetest.FaultCall{Op: "load", N: 2}).Before != nil)
	// Output: true false
}

// A program that fails when two answers are lost.
func ExampleFaultTrials_Find() {
	found := storetest.FaultTrials{Rate: 0.4}.Find(func(plan *storetest.FaultPlan) error {
		lost := 0
		for n := range int64(50) {
			if plan.Store(storetest.FaultCall{Op: "append", N: n + 1}).After != nil {
				lost++
			}
		}
		if lost >= 2 {
			return errors.New("it gives up")
		}
		return nil
	})
	fmt.Print(found)
	// Output:
	// seed 0: it gives up
	// of 14 faults these are left:
	// append 25 unheard
	// append 42 unheard
}
