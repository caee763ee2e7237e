// Package vet checks rules and reactions before play.
//
// [Vet] finds content that compiles but is probably a mistake. [Relations] lists how rules depend
// on each other. cycles lists the cycles in which rules cause each other. Nothing here runs a
// rule. Everything is pure and safe for concurrent use.
//
// # Codes of problems
//
//   - cycle: emits, writes or toggles that come back to themselves
//   - contradiction: conditions that exclude each other
//   - unused-directive: removed but never injected, or empty
//   - conflict: two rules write one variable for one event
package vet

import "github.com/talewright/talewright"

// The codes that [Vet] reports in addition to the codes of package rules.
const (
	codeCycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	codeContradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	codeUnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	codeConflict        talewright.Code = "conflict"         // two rules write one variable for one event
)
