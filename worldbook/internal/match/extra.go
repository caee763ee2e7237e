package match

import (
	"fmt"
	"strings"
)

// Extra holds the keys of one scan: their own index, and the meaning in it of each dynamic
// reference of the book's keys. The zero value has no keys.
type Extra struct {
	Index *Index
	Refs  []Ref
}

// NewExtra builds the index of keys; texts are the keys with macros expanded.
func NewExtra(rules Rules, specs []Spec, texts []string) Extra {
	b := NewBuilder(rules)
	refs := make([]Ref, len(texts))
	for i, text := range texts {
		refs[i], _ = b.AddKind(text, specs[i])
	}
	return Extra{Index: b.Build(), Refs: refs}
}

// ExtraName returns a text that is equal only for equal keys with equal rules.
func ExtraName(specs []Spec, texts []string) string {
	var name strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&name, "%q %t %t %d %d ", texts[i], spec.Rules.CaseSensitive, spec.Rules.WholeWords, spec.Rules.Form, spec.Kind)
	}
	return name.String()
}
