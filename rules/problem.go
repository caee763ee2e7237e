package rules

import "github.com/talewright/talewright"

// The codes of [Compile]. Package vet has more.
const (
	Unreadable    talewright.Code = "unreadable"   // not an object, or a member of the wrong type
	BadTrigger    talewright.Code = "trigger"      // missing or unknown trigger: the rule is inert
	BadConditions talewright.Code = "conditions"   // missing or unreadable conditions
	BadActions    talewright.Code = "actions"      // missing or unreadable actions or effects
	BadPattern    talewright.Code = "pattern"      // an event pattern that can never match
	DuplicateID   talewright.Code = "duplicate-id" // two of one id share counters and switches
	MissingID     talewright.Code = "missing-id"   // nothing can switch or count it
	UnknownID     talewright.Code = "unknown-id"   // names something that is not declared
	BadFormula    talewright.Code = "formula"      // unreadable, or part of a cycle
	Ignored       talewright.Code = "ignored"      // an option that this library does not have
	NeverFires    talewright.Code = "never-fires"  // no event can get it past its gates
)
