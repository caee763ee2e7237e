// Package match finds the keys of world books in the texts of a chat.
//
// A [Builder] gives every distinct key an atom and a [Ref] to it; the [Index] that it
// builds is immutable and finds all atoms of a text in one pass. A [Search] belongs to one
// scan: it is told the texts ([Search.Prepare], [Search.Reach], [Search.Recur]) and then
// says which keys are in a [Window] of them ([Search.Found], [Search.First]) and where
// ([Search.Describe]).
//
// Keys are decided in two steps. What each text holds by itself is looked up once and
// remembered in a [Cache]; marks then answer for a window with yes, no or maybe. Only for
// maybe, which is for regexes and keys that reach over more than one text, the texts are
// joined and searched.
package match
