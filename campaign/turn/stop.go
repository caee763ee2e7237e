package turn

import "github.com/talewright/talewright/campaign/turn/internal/play"

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

// The rows to which a row other than the one above leads, or at which an instruction begins.
const (
	idle         Stop = "idle" // the end of every instruction
	atRoute      Stop = "route"
	atSpeaker         = Stop(play.ToSpeaker)
	atHistory    Stop = "history"
	atModel           = Stop(play.ToModel)
	atCalls           = Stop(play.ToCalls)
	atNarration       = Stop(play.ToNarration)
	atDecide          = Stop(play.ToDecide)
	atApproval        = Stop(play.ToApproval)
	atPassed          = Stop(play.ToPassed)
	atOverridden Stop = "overridden"
	atSpoken          = Stop(play.ToSpoken)
	atSettle          = Stop(play.ToSettle)
	atRecord     Stop = "record"
	atCommit     Stop = "commit"
	atContinue        = Stop(play.ToContinue)
	atNarrate         = Stop(play.ToNarrate)
	atDenied          = Stop(play.ToDenied)
	atRetry           = Stop(play.ToRetry)
	atGiveUp          = Stop(play.ToGiveUp)
	atReport          = Stop(play.ToReport)
	atNoRoom          = Stop(play.ToNoRoom)
	atSuggest    Stop = "suggest"
	atClock      Stop = "clock"
	atAnnounce   Stop = "announce"
	atPast       Stop = "state"
)
