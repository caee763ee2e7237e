//go:build !race

package worldbook_test

const raceEnabled = false
