package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// FaultTrials configures which random plans to try. The zero value is useful.
type FaultTrials struct {
	// Seeds is the number of plans; 0 means 100. First is the first seed.
	Seeds, First int
	// Rate is the fraction of faulty calls, from 0 to 1; 0 means 0.2.
	Rate float64
	// Sleep becomes [FaultPlan].Sleep; nil: no call is late.
	Sleep func(ctx context.Context, d time.Duration) error
}

// FaultFinding is a reduced plan that makes a run fail.
type FaultFinding struct {
	Seed int
	// Faults is the number of faults in the original run.
	Faults int
	// Plan has the faults that are left. Err is the failure that they cause.
	Plan []PlannedFault
	Err  error
}

// String returns the failure and the plan.
func (f FaultFinding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %v\nof %d faults these are left:\n", f.Seed, f.Err, f.Faults)
	for _, one := range f.Plan {
		fmt.Fprintln(&b, one)
	}
	return b.String()
}

// FaultT is the part of *testing.T that this package uses.
type FaultT interface {
	Helper()
	Errorf(format string, args ...any)
}

// ExploreFaults calls run with random plans and fails the test with the first [FaultFinding]. A run
// fails if it returns an error or panics. run gets a new plan each time. Apart from the faults it
// must do the same each time.
func ExploreFaults(t FaultT, trials FaultTrials, run func(*FaultPlan) error) {
	t.Helper()
	if found := trials.Find(run); found != nil {
		t.Errorf("%s", found)
	}
}

// Find does the same as [ExploreFaults] outside a test. It returns the first finding, or nil.
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

// try makes one run.
func (e FaultTrials) try(plan *FaultPlan, run func(*FaultPlan) error) (err error) {
	plan.Sleep = e.Sleep
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("panic: %v", what)
		}
	}()
	return run(plan)
}

// mostTrials limits how often run is called while a plan is reduced.
const mostTrials = 500

// shrink removes faults, many at a time first, as long as the run fails. The next list is what
// happened in the run, so faults of calls that are no longer made go too.
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

// distinct removes duplicates from a list: two stores may share a plan.
func distinct(list []PlannedFault) (out []PlannedFault) {
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}
