package question

// Generate is a request for the model.
type Generate struct {
	Request Request
	// Attempt counts the outputs of the turn, from 1.
	Attempt int
	// Retry says why this is not the first: "" for a first request or a
	// continuation, else the classes of what was wrong, such as "refused_calls".
	Retry string
	// Intercept forbids to show anything of the answer before the turn is
	// committed.
	Intercept bool
	// Continues says that the answer goes after the text of the newest turn, which stays.
	Continues bool
	// Key names the call: in whichever process, the same request of the same campaign at the
	// same version has the same key. [campaign.Engine] sets it.
	Key string
	// First asks for [turn.Replied.First]: a hook waits for it.
	First bool
	// Audience are those who may see what comes of it; empty: everybody.
	Audience []string

	// Seen is how many messages of the request the model was sent before in this turn.
	Seen int
}
