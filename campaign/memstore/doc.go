// Package memstore keeps campaigns in memory: for tests, for demonstrations, and
// for programs that save elsewhere. It is a real store: everything goes through
// its JSON form, so what a database would refuse or lose shows here too.
package memstore
