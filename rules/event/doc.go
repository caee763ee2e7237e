// Package event describes what happened in a game, as plain data: the [Event], and the events that
// the engine itself raises. Rules and reactions match them; see package rules.
package event
