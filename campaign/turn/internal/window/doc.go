// Package window is the part of a campaign's past that a turn looks back at: the conversation as it goes on
// ([Window]), which turns of the head or of the log that takes, the lines and the room that a prompt has for
// them, and what is kept of all that from one turn to the next ([Past]). In go a view of the turn and what is
// kept; out come messages, turns and numbers.
//
// Nothing here is safe for concurrent use.
package window
