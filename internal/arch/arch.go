// Package arch holds the tests that keep the shape of the module: who may import
// whom, what may read the clock or the net, and that everything is documented.
package arch
