package conflict

// A Severity says what the host should do about a conflict.
type Severity string

const (
	// Block means that the text must not be shown as it is.
	Block Severity = "block"
	// Warn means that the claim is doubtful and only for the log.
	Warn Severity = "warn"
)

// Facts are named values: ints, strings or booleans. They encode to a JSON object with sorted
// members. Ints that are read back from JSON are float64.
type Facts map[string]any

// A Conflict is one claim that the state does not support.
type Conflict struct {
	// Detector is the name of the detector that found it, "judge" or "output".
	Detector string `json:"detector"`
	// Kind says what is wrong; see the constants, and [Builtin] for the kinds about the text itself.
	Kind string `json:"kind"`
	// Severity is Block or Warn, after the options were applied.
	Severity Severity `json:"severity"`
	// Field names the part of the state, such as hp.current, area_id,
	// alive_state, card.strength, map, world.rules, goal, dice.
	Field string `json:"field"`
	// EntityID is the character of the claim, empty if the claim is not about a character's state.
	EntityID string `json:"entity_id,omitempty"`
	// Expected is what the state says.
	Expected Facts `json:"expected,omitempty"`
	// Found is what the text claims.
	Found Facts `json:"found,omitempty"`
	// Quote is an exact substring of the narration. It is empty for a conflict that is not in the
	// text (structured_state_write).
	Quote string `json:"quote"`
	// Instruction tells the model, in the language of the narration, how to settle or remove the
	// claim. It names the tool.
	Instruction string `json:"instruction"`
	// Asked is set if the conflict was found by asking.
	Asked *Asked `json:"asked,omitempty"`
}

// Asked is the question and the answer of a conflict that was found by asking.
type Asked struct {
	Kind string `json:"kind"` // of the question
	// Answer is the answer, as it was used.
	Answer Verdict `json:"answer"`
}
