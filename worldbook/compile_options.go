package worldbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// compiledOptions are the compiled [Options] of an entry.
type compiledOptions struct {
	when    *expression // nil without one
	sources []string    // of the texts that are searched, as written; empty means all
	filter  uint16      // of the messages, for the sources; 0 means all messages
	parts   match.Parts // that the sources add

	maxTokens int // of the text; 0 means no limit
	atStart   bool

	requires, excludes []string // names of entries
	set                string   // of entries that replace each other
}

// trimStart is the value of [Options.Trim] that cuts the beginning.
const trimStart = "start"

// The sources that are not speakers.
const (
	fromPlayer = "player"
	fromModel  = "model"
	fromLore   = "lore"
	fromNote   = "note"
)

// sourceParts returns the parts of a window that sources add.
func sourceParts(sources []string) (parts match.Parts) {
	for _, s := range sources {
		switch s {
		case fromLore:
			parts |= match.PartRecursion
		case fromNote:
			parts |= match.PartInjection
		}
	}
	return parts
}

// isFrom reports whether a message comes from one of the sources.
func (m *Message) isFrom(sources []string) bool {
	return slices.ContainsFunc(sources, func(s string) bool {
		switch s {
		case fromPlayer:
			return m.Role == roleUser
		case fromModel:
			return m.Role == roleAssistant
		case fromLore, fromNote:
			return false
		}
		isNamed := func(name string) bool { return strings.EqualFold(name, s) }
		return isNamed(m.Name) || slices.ContainsFunc(m.Aliases, isNamed)
	})
}

// reportNegative reports the numbers below 0, which count as 0.
func (o *Options) reportNegative(report func(member, text string)) {
	for _, f := range o.fields() {
		if n, ok := f.at.(*int); ok && *n < 0 {
			report(f.name, "must not be below 0: 0 is used")
		}
	}
}

// compileOptions compiles the options of an entry. It calls report for each mistake in them, with
// the member; "" is the object of all members.
func compileOptions(e *Entry, report func(member, text string)) *compiledOptions {
	_, mistakes := readOptions(e.Extensions)
	for _, m := range mistakes {
		report(m.member, m.text)
	}
	o := e.Options
	if o == nil {
		return nil
	}
	o.reportNegative(report)
	own := new(compiledOptions)
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
	if len(o.From) > 0 {
		own.sources, own.parts = o.From, sourceParts(o.From)
	}
	switch o.Trim {
	case "", "end", trimStart:
	default:
		report("trim", "must be end or start: end is used")
	}
	own.maxTokens, own.atStart = max(o.MaxTokens, 0), o.Trim == trimStart
	if _, unknown := match.FormOf(o.Fold); unknown != "" {
		report("fold", fmt.Sprintf(noSuchFold, unknown))
	}
	own.requires, own.excludes, own.set = o.Requires, o.Excludes, o.Replaces
	return own
}
