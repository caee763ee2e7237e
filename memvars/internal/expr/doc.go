// Package expr is the arithmetic of derived fields: sums, products, a few functions, names of
// attributes and paths. It reads up to 10,000 bytes and 100 levels, and always ends.
package expr
