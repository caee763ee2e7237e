// Package judging holds the steps that judge an output of a model: it is read, its calls are
// adjudicated one by one, its narration is compared with the state, and then it is decided whether
// it counts.
package judging
