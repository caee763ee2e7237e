// Package scripting runs the regex scripts and macros of a game over the texts of a turn: lines as they are
// stored, lines of the history and lore as they are prompted, replies as players see them. In goes what a
// turn sees of the past; [Texts] has the state and the trace that come of it.
package scripting
