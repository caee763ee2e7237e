package worldbook

import (
	"github.com/talewright/talewright/worldbook/internal/match"
)

// ownRules are the compiled [Options] of an entry.
type ownRules struct {
	when *expression // nil without one
}

// compileOptions compiles the options of an entry. It calls report for each mistake in them, with
// the member; "" is the object of all members.
func compileOptions(e *Entry, report func(member, text string)) *ownRules {
	_, mistakes := readOptions(e.Extensions)
	for _, m := range mistakes {
		report(m.member, m.text)
	}
	o := e.Options
	if o == nil {
		return nil
	}
	own := new(ownRules)
	if o.When != "" {
		x, hints := parseExpression(match.Valid(o.When))
		if x.err != nil {
			report("when", x.err.Error())
		}
		for _, hint := range hints {
			report("when", hint)
		}
		own.when = x
	}
	return own
}
