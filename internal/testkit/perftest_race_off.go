//go:build !race

package testkit

// Race says whether the race detector is on: it makes everything slower, and pools
// lose what they hold.
const Race = false
