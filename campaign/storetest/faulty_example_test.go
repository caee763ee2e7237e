package storetest_test

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/storetest"
)

// reporter stands for the *testing.T of a test: it prints what the test would report.
type reporter struct{}

func (reporter) Helper()                           {}
func (reporter) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A program that loses an entry when a store says nothing fails with the plan that shows it: every
// fault that the failure does not need is left out.
func ExampleExploreFaults() {
	storetest.ExploreFaults(reporter{}, storetest.FaultTrials{Seeds: 5, Rate: 0.5}, func(plan *storetest.FaultPlan) error {
		for range 4 {
			if plan.Store(storetest.FaultCall{Op: storetest.OnAppend}).After != nil {
				return errors.New("an entry was lost")
			}
		}
		return nil
	})
	// Output:
	// seed 0: an entry was lost
	// of 1 faults these are left:
	// append 0 unheard
}

// The ways in which a model writes what nobody can read.
func ExampleGarblings() {
	fmt.Println(storetest.Garblings()[0])
	// Output: empty
}
