// Package logbook reads what the records of a log say that has changed, without a game: a
// [Follower] applies them to a campaign, a [Reader] keeps what the head of a campaign has no room
// for, and [Turns] is a list of turns that grows without being copied.
//
// Nothing here is safe for concurrent use.
package logbook
