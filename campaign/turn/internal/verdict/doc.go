// Package verdict says what is wrong with an answer of a model: what its narration has against the
// state, what it tells of a hidden goal, and in which way it has failed before.
package verdict
