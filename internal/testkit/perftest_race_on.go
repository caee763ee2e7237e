//go:build race

package testkit

// Race reports whether the race detector is on: it makes everything slower, and pools drop their
// contents.
const Race = true
