//go:build !race

package prompt_test

// raceEnabled says that the tests run many times slower.
const raceEnabled = false
