// Package turntrace holds what a turn tells of itself: which entries of the world book were active
// and why, which rules fired, what hooks did, which memories were found, what the prompt consisted
// of, and what was refused. A [Trace] stands in each turn of a campaign, is stored with it as JSON,
// and is what package report explains to people.
//
// The package starts no goroutines. Share values only for reading.
package turntrace
