// Package memstore keeps campaigns in memory: for tests, for demonstrations, and
// for programs that save elsewhere. It is a real store: records go through their
// stored form, so what a database would refuse or lose shows here too. But it
// forgets everything when the program ends, and no second process sees it: of the
// exam in campaign/storetest it passes all but the cases about a restart.
package memstore
