// Package failure says why a turn failed: which part of the world it was, in one word, and whether
// the same submission may succeed later. A [Failure] is the error of turn.Outcome.Err, and stands in
// turn.Outcome.Failure. Nothing of such a turn was kept.
//
// A failure is a plain value; share it only for reading.
package failure
