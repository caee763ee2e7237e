package match

import (
	"fmt"
	"strings"
)

// Extra are the keys of one scan: an index of their own, and what each dynamic reference
// of the book's keys means in it. The zero value is none.
type Extra struct {
	Index *Index
	Refs  []Ref
}

// NewExtra makes the index of keys as they read with their macros expanded.
func NewExtra(rules Rules, specs []Spec, texts []string) Extra {
	b := NewBuilder(rules)
	refs := make([]Ref, len(texts))
	for i, text := range texts {
		refs[i], _ = b.AddKind(text, specs[i])
	}
	return Extra{Index: b.Build(), Refs: refs}
}

// ExtraName is equal for equal keys of equal rules only.
func ExtraName(specs []Spec, texts []string) string {
	var name strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&name, "%q %t %t %d ", texts[i], spec.Rules.CaseSensitive, spec.Rules.WholeWords, spec.Kind)
	}
	return name.String()
}
