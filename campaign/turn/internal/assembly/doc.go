// Package assembly makes the request of a turn: it fills a scene with what the view of the turn,
// the lore and the memories say, has it laid out, and says in the trace what the prompt consists
// of. In goes what a turn has found ([Prompter]), out comes a [Written] prompt, and the state and
// the trace as writing it has left them.
package assembly
