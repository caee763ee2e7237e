package turn

// Stop names a place in the course of an instruction: one row of the table in
// course.go. [Machine.Stop] says at which one a machine stands. The names are for people and
// logs; what to do is in [Machine.Todo].
type Stop string

// The moves that are no names of rows.
const (
	onward Stop = ""      // to the row below
	again  Stop = "again" // to the same row: a loop, whose place the turn knows
	wait   Stop = "wait"  // nowhere: what the row asks is not answered yet
)

// The rows that others than the one above lead to, or instructions begin at.
const (
	idle        Stop = "idle" // the end of every instruction
	atRoute     Stop = "route"
	atSpeaker        = Stop(toSpeaker)
	atHistory   Stop = "history"
	atModel          = Stop(toModel)
	atCalls          = Stop(toCalls)
	atNarration      = Stop(toNarration)
	atDecide         = Stop(toDecide)
	atApproval       = Stop(toApproval)
	atPassed         = Stop(toPassed)
	atKeep      Stop = "keep"
	atSpoken         = Stop(toSpoken)
	atSettle         = Stop(toSettle)
	atRecord    Stop = "record"
	atCommit    Stop = "commit"
	atContinue       = Stop(toContinue)
	atNarrate        = Stop(toNarrate)
	atDenied         = Stop(toDenied)
	atRetry          = Stop(toRetry)
	atGiveUp         = Stop(toGiveUp)
	atReport         = Stop(toReport)
	atNoRoom         = Stop(toNoRoom)
	atSuggest   Stop = "suggest"
	atClock     Stop = "clock"
	atAnnounce  Stop = "announce"
	atPast      Stop = "state"
)
