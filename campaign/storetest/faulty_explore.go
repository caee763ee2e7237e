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
		err := e.runOnce(plan, run)
		if err == nil {
			continue
		}
		all := withoutDuplicates(plan.Happened())
		small, err := e.shrink(all, err, run)
		return &FaultFinding{Seed: seed, Faults: len(all), Plan: small, Err: err}
	}
	return nil
}

// runOnce calls run with a plan and converts its panic into an error.
func (e FaultTrials) runOnce(plan *FaultPlan, run func(*FaultPlan) error) (err error) {
	plan.Sleep = e.Sleep
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("panic: %v", what)
		}
	}()
	return run(plan)
}

// maxTrials limits how often run is called while a plan is reduced.
const maxTrials = 500

// shrink removes faults as long as the run fails: many at a time first, then single ones. After a
// failed run it continues with the faults that happened in it. Faults of calls that the run did not
// make are thereby removed too.
func (e FaultTrials) shrink(list []PlannedFault, err error, run func(*FaultPlan) error) ([]PlannedFault, error) {
	trials := 0
	for size := len(list); size > 0; size /= 2 {
		for from := 0; from < len(list) && trials < maxTrials; trials++ {
			plan := FaultPlanOf(slices.Delete(slices.Clone(list), from, min(from+size, len(list)))...)
			runErr := e.runOnce(plan, run)
			if runErr == nil { // these faults are needed
				from += size
				continue
			}
			list, err = withoutDuplicates(plan.Happened()), runErr
		}
	}
	return list, err
}

// withoutDuplicates returns each fault once. A plan that two stores share has the same fault twice.
func withoutDuplicates(list []PlannedFault) (out []PlannedFault) {
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}
