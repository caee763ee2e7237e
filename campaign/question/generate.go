package question

// Generate is a request for the model.
type Generate struct {
	Request Request
	// Attempt counts the outputs of the turn, from 1.
	Attempt int
	// Retry says why the model is asked again: "" for a first request or a continuation, else the
	// classes of the faults, such as "refused_calls".
	Retry string
	// Intercept forbids showing any part of the answer before the turn is committed.
	Intercept bool
	// Updates marks the second request of a turn, see the setting variables.second_model: only the commands for
	// variables in the answer count. If it fails, the turn continues without it.
	Updates bool
	// Continues reports whether the answer is appended to the text of the newest turn, which stays.
	Continues bool
	// Key identifies the call. The same request of the same campaign at the same version has the
	// same key in every process. [campaign.Engine] sets it.
	Key string
	// First asks for [turn.Replied.First], because a hook waits for it.
	First bool
	// Audience lists the characters who may see the result; empty: everybody.
	Audience []string

	// Seen is the number of messages of the request that the model already received in this turn.
	Seen int
}
