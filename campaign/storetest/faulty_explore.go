package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// FaultTrials says which random plans to try. The zero value is useful.
type FaultTrials struct {
	// Seeds is the number of plans, 0 means 100; First is the seed of the first.
	Seeds, First int
	// Rate is how many of all calls go wrong, 0 to 1; 0 means 0.2.
	Rate float64
	// Sleep lets time pass, as that of [FaultPlan]; nil: nothing is late.
	Sleep func(ctx context.Context, d time.Duration) error
}

// FaultFinding is a plan with which a run fails, made small.
type FaultFinding struct {
	Seed int
	// Faults is how many happened in the run that was found.
	Faults int
	// Plan are the faults that are left, and Err is what is wrong with them.
	Plan []PlannedFault
	Err  error
}

// String says what is wrong, and the plan.
func (f FaultFinding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %v\nof %d faults these are left:\n", f.Seed, f.Err, f.Faults)
	for _, one := range f.Plan {
		fmt.Fprintln(&b, one)
	}
	return b.String()
}

// FaultT is what of a *testing.T is used.
type FaultT interface {
	Helper()
	Errorf(format string, args ...any)
}

// ExploreFaults runs something with random plans, and fails with the first [FaultFinding]: run returns what is
// wrong, or panics. It is called with a new plan each time, and has to do the same each time but for
// the faults.
func ExploreFaults(t FaultT, trials FaultTrials, run func(*FaultPlan) error) {
	t.Helper()
	if found := trials.Find(run); found != nil {
		t.Errorf("%s", found)
	}
}

// Find is [ExploreFaults] for what is no test: it returns the first finding, nil if there is none.
func (e FaultTrials) Find(run func(*FaultPlan) error) *FaultFinding {
	seeds, rate := e.Seeds, e.Rate
	if seeds <= 0 {
		seeds = 100
	}
	if rate <= 0 {
		rate = 0.2
	}
	for seed := e.First; seed < e.First+seeds; seed++ {
		plan := RandomFaultPlan(int64(seed), rate)
		err := e.try(plan, run)
		if err == nil {
			continue
		}
		all := distinct(plan.Happened())
		small, err := e.shrink(all, err, run)
		return &FaultFinding{Seed: seed, Faults: len(all), Plan: small, Err: err}
	}
	return nil
}

// try is one run.
func (e FaultTrials) try(plan *FaultPlan, run func(*FaultPlan) error) (err error) {
	plan.Sleep = e.Sleep
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("panic: %v", what)
		}
	}()
	return run(plan)
}

// mostTrials bounds how often something is run while a plan is made small.
const mostTrials = 500

// shrink leaves out faults, many at once at first, as long as something is wrong. What happens in a run
// with fewer counts, so that faults for calls that are not made go too.
func (e FaultTrials) shrink(list []PlannedFault, err error, run func(*FaultPlan) error) ([]PlannedFault, error) {
	trials := 0
	for size := len(list); size > 0; size /= 2 {
		for from := 0; from < len(list) && trials < mostTrials; trials++ {
			plan := FaultPlanOf(slices.Delete(slices.Clone(list), from, min(from+size, len(list)))...)
			again := e.try(plan, run)
			if again == nil {
				from += size
				continue
			}
			list, err = distinct(plan.Happened()), again
		}
	}
	return list, err
}

// distinct is a list without what it has twice: two stores may have one plan.
func distinct(list []PlannedFault) (out []PlannedFault) {
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}
