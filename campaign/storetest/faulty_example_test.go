package storetest_test

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/storetest"
)

// reporter replaces the *testing.T of a test. It prints what the test would report.
type reporter struct{}

func (reporter) Helper()                           {}
func (reporter) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A program that loses an entry when a store does not answer fails. The report has the plan without
// the faults that the failure does not need.
func ExampleExploreFaults() {
	storetest.ExploreFaults(reporter{}, storetest.FaultTrials{Seeds: 5, Rate: 0.5}, func(plan *storetest.FaultPlan) error {
		for range 4 {
			if plan.Store(storetest.FaultCall{Op: "append"}).After != nil {
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

// The ways in which a reply can be unreadable.
func ExampleGarblings() {
	fmt.Println(storetest.Garblings()[0])
	// Output: empty
}
