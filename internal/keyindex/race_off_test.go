//go:build !race

package keyindex_test

const raceEnabled = false
