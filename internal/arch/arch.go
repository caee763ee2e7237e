// Package arch contains the tests for the structure of the module: which package may import which,
// which code may read the clock or use the network, and that everything is documented.
package arch
