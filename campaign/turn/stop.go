package turn

// Stop names one row in the course of an instruction, in the table of course.go. [Machine.Stop]
// returns the present stop of a machine. The names are for people and logs; what to do is in
// [Machine.Todo].
type Stop string

// The moves of a machine that are not names of rows.
const (
	rowBelow Stop = ""      // to the row below
	sameRow  Stop = "again" // to the same row: a loop, whose position the turn knows
	wait     Stop = "wait"  // no move: the question of the row is not answered yet
)

// The rows to which a row other than the one above leads, or at which an instruction begins. Package
// play names the rows to which its steps lead.
const (
	idle         Stop = "idle" // the end of every instruction
	atRoute      Stop = "route"
	atHistory    Stop = "history"
	atOverridden Stop = "overridden"
	atRecord     Stop = "record"
	atCommit     Stop = "commit"
	atSuggest    Stop = "suggest"
	atClock      Stop = "clock"
	atAnnounce   Stop = "announce"
	atPast       Stop = "state"
)
