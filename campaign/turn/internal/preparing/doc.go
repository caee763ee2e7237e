// Package preparing holds the steps of a turn before the model is asked: the type of its dialog, what the host
// and the player did, what the past, the memory and the world book give, and the request.
package preparing
