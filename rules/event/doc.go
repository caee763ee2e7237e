// Package event has what happened in a game, as plain data: the [Event], and those that the engine
// itself raises. Rules and reactions hear them; see package rules.
package event
