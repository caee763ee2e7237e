// Package view is the read-only view of a turn from which its prompts and texts are made: what is played
// ([Turn]), by which names those who take part go, what of the state the one for whom the prompt is written
// may know, and what macros and conditions read. A view is a value that points to the state of the turn as
// it stands; nothing here changes it.
package view
