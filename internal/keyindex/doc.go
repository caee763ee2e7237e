// Package keyindex finds which of many keys occur in a text.
//
// [Fold] lower-cases as JavaScript does. [Build] makes an immutable index over
// folded (or deliberately unfolded) keys; [Index.Scan] reports the ids of all
// keys that occur in a text, overlapping ones included, in time nearly
// independent of their number. Both sides must have been prepared alike: the
// index compares bytes.
package keyindex
