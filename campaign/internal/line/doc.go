// Package line lets instructions of a campaign wait for each other in one process: who holds the
// lock of the campaign carries out an instruction, and hands the lock to the next in line.
//
// A [Queue] is safe for concurrent use.
package line
