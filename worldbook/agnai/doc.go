// Package agnai reads Agnai memory books: {"kind": "memory", "entries": [...]}.
//
// An entry becomes a world book entry in this way; everything else of it is as
// the editor makes a new one, but not selective:
//
//	keywords   keys
//	entry      content
//	name       comment
//	weight     order
//	enabled    not disabled; missing is enabled
//
// Everything else does not act and is reported, priority among it: Agnai drops
// entries of low priority first, where a world book goes by its order.
package agnai
