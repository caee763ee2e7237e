package turn

// Phase is the state of a [Machine].
type Phase string

// The phases of a turn. An instruction that is no turn goes from idle straight to
// committing; hooks that hear of an [Announce] are settling.
const (
	Idle         Phase = "idle"
	Prompting    Phase = "prompting"    // the request is being built
	Generating   Phase = "generating"   // the model is asked
	Adjudicating Phase = "adjudicating" // calls and narration are judged
	Retrying     Phase = "retrying"     // feedback is appended, the model is asked again
	Settling     Phase = "settling"     // consequences are worked out
	Committing   Phase = "committing"   // the record waits for the store
)
