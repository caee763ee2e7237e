// Package speaking holds the steps of a cast, several characters that the model plays. Who of them speaks in a
// turn is decided once, after the player's line; then each passes the prompt, the model and the judgement,
// and the turn is settled when the last has spoken.
package speaking
