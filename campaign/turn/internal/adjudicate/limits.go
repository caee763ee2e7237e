package adjudicate

// Bounds of what the calls of one answer can make grow.
const (
	// MaxCallsListed is how many calls beyond turn.max_tool_calls have a ruling each;
	// those behind them share one.
	MaxCallsListed = 4
	// maxViolations bounds what is listed about the arguments of one call.
	maxViolations = 16
)
