// Package match finds the keys of world books in the texts of a chat.
//
// A [Builder] gives every distinct key an atom and a [Ref] to it. The [Index] that it builds is
// immutable and finds all atoms of a text in one pass. A [Search] belongs to one scan. It gets the
// texts ([Search.Prepare], [Search.ExtendTo], [Search.AddRecursion]). Then it reports which keys are in a
// [Window] of them ([Search.Found], [Search.First]) and where ([Search.Describe]).
//
// Keys are decided in two steps. First, the atoms of each text are looked up once and stored in a
// [Cache]. For a window these marks answer yes, no or maybe. The answer maybe is for regexes and
// for keys that reach over more than one text. Only then the texts are joined and searched.
package match
