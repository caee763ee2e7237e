// Package vet reads rules and reactions before anyone plays.
//
// [Vet] finds what compiles and is probably not meant, [Relations] lists what rules have to do
// with each other, and [Cycles] the circles in which they cause each other. Nothing here runs
// a rule. All of it is pure and safe for concurrent use.
package vet

import "github.com/talewright/talewright"

// The codes that [Vet] has beside those of package rules.
const (
	Cycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	Contradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	UnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	Conflict        talewright.Code = "conflict"         // two rules write one variable for one event
)
