// Package timer keeps the countdowns of a running game, in whatever unit of time the
// host counts, and turns those that end into events for rules and reactions.
//
// Nothing here reads a clock: the host says how much time has passed.
//
//	timers = timers.Start("bomb", "Bomb", 60, false)
//	timers, events := timers.Tick(dt)
//	outcome := program.Run(state, events, options)
package timer
