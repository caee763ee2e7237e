// Package place finds and writes the places of a document: the nodes of one without a schema, the
// leaves on the way to them, and the places of declared variables.
package place
