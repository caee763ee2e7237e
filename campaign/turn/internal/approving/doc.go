// Package approving holds the steps in which people are asked about calls of an output that has passed
// everything else. What they edit or deny is judged by the same steps as the calls of the model.
package approving
