// Package yaml reads the whole of YAML for initial variables of package mvu: anchors and
// aliases, merge keys, tags, keys in any form of a scalar.
//
//	vars, problems := mvu.Init(mvu.Variables{}, books, opening, mvu.Options{YAML: yaml.Decode})
//
// Package mvu alone reads the block and flow style in which most cards are written, and reports
// an entry with anything else as a problem. With [Decode] such an entry counts too. What models
// write is never given to it.
//
// The values are those of YAML 1.2, whatever the parser's age says: 017 is seventeen and 1_000
// a text. It is a module of its own, so that the parser is linked only where it is wanted.
package yaml
