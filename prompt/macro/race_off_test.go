//go:build !race

package macro_test

// raceEnabled says that the tests run many times slower.
const raceEnabled = false
