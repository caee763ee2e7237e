// Package asking holds the steps that ask a model: for the first time, with the results of its
// calls, or again with what was wrong with its output.
package asking
