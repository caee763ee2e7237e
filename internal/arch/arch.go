// Package arch contains the tests for the structure of the module. They check the imports of
// packages, the code that may read the clock or use the network, and that everything is documented.
package arch
