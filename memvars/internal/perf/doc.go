// Package perf makes the documents and messages that the benchmarks of memvars
// and mvu measure with: a world with as many characters as fit into a size, and
// messages of n commands on random ones.
package perf
