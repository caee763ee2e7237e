// Package vet checks rules and reactions before play.
//
// [Vet] finds content that compiles but is probably a mistake. [Relations] lists how rules depend
// on each other. [Cycles] lists the cycles in which rules cause each other. Nothing here runs a
// rule. Everything is pure and safe for concurrent use.
package vet

import "github.com/talewright/talewright"

// The codes that [Vet] reports in addition to those of package rules.
const (
	Cycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	Contradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	UnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	Conflict        talewright.Code = "conflict"         // two rules write one variable for one event
)
