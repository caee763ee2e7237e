package conflict

// A Severity says what the host should do about a conflict.
type Severity string

const (
	// Block means that the text must not be shown as it is.
	Block Severity = "block"
	// Warn means that the claim is doubtful and only for the log.
	Warn Severity = "warn"
)

// The kinds of conflict that the built-in detectors report. A host's own detectors and a judge may
// use others. The kinds about lists of claims come from the detector "claims".
const (
	HPChangeUnsettled    = "hp_change_unsettled"    // a loss or gain without any settlement
	HPAmountMismatch     = "hp_amount_mismatch"     // settled, but with a different amount
	HPValueMismatch      = "hp_value_mismatch"      // a value that the character does not have
	WoundUnsettled       = "wound_unsettled"        // wounds or healing without numbers
	LifeStateUnsettled   = "life_state_unsettled"   // death or unconsciousness
	LocationUnsettled    = "location_unsettled"     // an arrival without a move
	LocationMismatch     = "location_mismatch"      // a character is not in the place of the text
	WorldRuleRewrite     = "world_rule_rewrite"     // changed rules of the game
	MapRewrite           = "map_rewrite"            // areas destroyed, connected or invented
	CardRewrite          = "card_rewrite"           // changed fields of a character card
	GoalRewrite          = "goal_rewrite"           // a different goal
	HiddenGoalLeak       = "hidden_goal_leak"       // the words of a hidden goal
	DiceClaimUnsettled   = "dice_claim_unsettled"   // a roll that was not made
	StructuredStateWrite = "structured_state_write" // state in members next to the text
	MalformedOutput      = "malformed_output"       // an output that cannot be read
	EmptyOutput          = "empty_output"           // neither text nor calls
	TruncatedOutput      = "truncated_output"       // an output truncated by its length
	FilteredOutput       = "filtered_output"        // an output truncated by the provider's filter
	ClaimUnlisted        = "claim_unlisted"         // claimed in the text, but not in the model's list of claims
	ClaimUnsupported     = "claim_unsupported"      // in the list, but without a call or state that supports it
	ClaimsMalformed      = "claims_malformed"       // a list that cannot be read
)

// Facts are named values: ints, strings or booleans. They encode to a JSON object with sorted
// members. Ints that are read back from JSON are float64.
type Facts map[string]any

// A Conflict is one claim that the state does not support.
type Conflict struct {
	// Detector is the name of the detector that found it, "judge" or "output".
	Detector string `json:"detector"`
	// Kind says what is wrong; see the constants.
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
