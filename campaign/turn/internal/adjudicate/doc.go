// Package adjudicate judges the calls of one answer of a model, in their order: what a campaign lets a
// tool be called for, and then what the tool itself says.
package adjudicate
