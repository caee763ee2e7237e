// Package repair says what is wrong with a stored campaign, and what was done about it.
//
// A log is played again to see whether it still says what was played: package campaign does so with
// Engine.Rebuild, and mends what differs with Engine.Repair. The record that it writes has a
// [Note], and so has the campaign from then on: the history says what happened to it. Nothing of a
// log is ever removed.
package repair
