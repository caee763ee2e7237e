package game

import (
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// DirectiveOptions are the options of [Directives]. The zero value is useful.
type DirectiveOptions struct {
	// Strict requires a receipt, a line [updates: 2], and accepts the directives of a reply only if
	// all of them are correct; see rules.ParseStrictDirectives.
	Strict bool
	// PatchRoot is the variable that JSON patches apply to; empty means game_state, or without such a
	// variable those that the patches name.
	PatchRoot string
}

// Directives is the dialect of package rules/directive: [hp_potions: -1], patches, sounds, and
// answers that are one object {"narrative", "stateChanges", "audioEffects"}. Brackets are normal
// text if they name no declared variable, by ID or display name. The same is true if the variable
// is never visible to a model: internal variables and those with the access none.
func Directives(o DirectiveOptions) Dialect {
	options := func(s Scope) rules.DirectiveOptions {
		known := make(map[string]bool, 2*len(s.Variables))
		for _, v := range s.Variables {
			if v.Internal || v.AIAccess == rules.AINone {
				continue
			}
			known[v.ID] = true
			if v.Name != "" {
				known[v.Name] = true
			}
		}
		return rules.DirectiveOptions{PatchRoot: o.PatchRoot, Hints: s.Texts.Hints, Known: func(id string) bool { return known[id] }}
	}
	read := func(text string, s Scope) rules.DirectiveResult {
		if o.Strict {
			return rules.ParseStrictDirectives(text, s.Rules, s.State, options(s)).DirectiveResult
		}
		return rules.ParseDirectives(text, options(s))
	}
	return Dialect{
		Name: nameDirectives, Opens: "<[`",
		Read: func(text string, s Scope) []Span {
			r := read(text, s)
			var out []Span
			for _, p := range r.Passages {
				out = append(out, Span{From: p.From, To: p.To, Effects: p.Effects})
			}
			return append(out, directiveErrors(r.Errors)...)
		},
		Answer: func(answer string, s Scope) (string, []Span, bool) {
			r, ok := rules.ParseStructuredDirectives(answer, rules.DirectiveOptions{Hints: s.Texts.Hints})
			var out []Span
			for _, e := range r.Effects {
				out = append(out, Span{Effects: effect.List{e}})
			}
			return r.Text, append(out, directiveErrors(r.Errors)...), ok
		},
		Describe: func(s Scope) string {
			if len(s.Writable()) == 0 {
				return ""
			}
			if o.Strict {
				return s.Texts.Languages[nameDirectives] + s.Texts.Marks.Gap + s.Texts.Languages[nameReceipt]
			}
			return s.Texts.Languages[nameDirectives]
		},
	}
}

func directiveErrors(list []rules.DirectiveError) []Span {
	var out []Span
	for _, e := range list {
		out = append(out, Span{From: e.Offset, To: e.Offset, Refused: string(e.Code) + ": " + e.Text})
	}
	return out
}
