// Package keyindex finds which of many keys occur in a text.
//
// [Fold] lower-cases as JavaScript does. [Build] makes an immutable index over folded (or
// deliberately unfolded) keys. [Index.Scan] returns the ids of all keys that occur in a text,
// including overlapping ones. Its time is nearly independent of the number of keys. Keys and texts
// must have been prepared in the same way, because the index compares bytes.
//
// A [Graph] is for vocabularies whose entries stand for many words each. Its [Words] are read
// character by character.
package keyindex
