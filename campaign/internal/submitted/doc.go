// Package submitted knows submissions again that come twice: the turn that one has led to, however
// long ago ([Turns]), and the time of one that had no answer ([Times]).
//
// Both are safe for concurrent use.
package submitted
