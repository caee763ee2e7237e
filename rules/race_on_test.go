//go:build race

package rules_test

// raceEnabled: the race detector makes pools forget at random, so memory is not counted.
const raceEnabled = true
