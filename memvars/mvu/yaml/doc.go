// Package yaml reads all of YAML for initial variables of package mvu: anchors and aliases, merge
// keys, tags, keys in any scalar form.
//
//	vars, problems := mvu.Init(mvu.Variables{}, books, opening, mvu.Options{YAML: yaml.Parse})
//
// Package mvu alone reads the block and flow style of most cards, and reports an entry with
// anything else as a problem. With [Parse] such an entry is read too. Text of models is never
// passed to it.
//
// The values follow YAML 1.2, although the parser is older: 017 is seventeen and 1_000 a text. This
// is a separate module, so that the parser is linked only where it is used.
package yaml
