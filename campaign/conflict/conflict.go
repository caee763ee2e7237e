package conflict

// A Severity says what a conflict costs.
type Severity string

const (
	// Block means: the text must not be shown as it is.
	Block Severity = "block"
	// Warn means: doubtful, for the log only.
	Warn Severity = "warn"
)

// The kinds of conflict that the built-in detectors report. A host's own
// detectors and a judge may use others. Those about lists of claims are of package claimlist.
const (
	HPChangeUnsettled    = "hp_change_unsettled"    // a loss or gain without any settlement
	HPAmountMismatch     = "hp_amount_mismatch"     // settled, but with another amount
	HPValueMismatch      = "hp_value_mismatch"      // a value the character does not have
	WoundUnsettled       = "wound_unsettled"        // wounds or healing without numbers
	LifeStateUnsettled   = "life_state_unsettled"   // death or unconsciousness told
	LocationUnsettled    = "location_unsettled"     // an arrival nobody moved for
	LocationMismatch     = "location_mismatch"      // being where the character is not
	WorldRuleRewrite     = "world_rule_rewrite"     // the rules of the game told changed
	MapRewrite           = "map_rewrite"            // areas destroyed, connected or invented
	CardRewrite          = "card_rewrite"           // fields of a character card told changed
	GoalRewrite          = "goal_rewrite"           // another goal
	HiddenGoalLeak       = "hidden_goal_leak"       // the words of a hidden goal
	DiceClaimUnsettled   = "dice_claim_unsettled"   // a roll that nobody rolled
	StructuredStateWrite = "structured_state_write" // state written beside the text
	MalformedOutput      = "malformed_output"       // an output that cannot be read
	EmptyOutput          = "empty_output"           // neither text nor calls
	TruncatedOutput      = "truncated_output"       // an output that was cut off by its length
	FilteredOutput       = "filtered_output"        // an output that the provider's filter cut off
	ClaimUnlisted        = "claim_unlisted"         // told, and not in the model's list of claims
	ClaimUnsupported     = "claim_unsupported"      // in the list, and no call or state supports it
	ClaimsMalformed      = "claims_malformed"       // a list that cannot be read
)

// Facts are a few named values: ints, strings or booleans. They encode to a JSON
// object with sorted members; read back from JSON the ints are float64.
type Facts map[string]any

// A Conflict is one claim that the state does not support.
type Conflict struct {
	// Detector is the name of the detector that found it, "judge" or "output".
	Detector string `json:"detector"`
	// Kind says what is wrong; see the constants.
	Kind string `json:"kind"`
	// Severity is Block or Warn after the options have been applied.
	Severity Severity `json:"severity"`
	// Field names the part of the state, such as hp.current, area_id,
	// alive_state, card.strength, map, world.rules, goal, dice.
	Field string `json:"field"`
	// EntityID is the character meant, empty where it is no character's state.
	EntityID string `json:"entity_id,omitempty"`
	// Expected is what the state says.
	Expected Facts `json:"expected,omitempty"`
	// Found is what the text claims.
	Found Facts `json:"found,omitempty"`
	// Quote is an exact substring of the narration, empty for a conflict that
	// is not in its text (structured_state_write).
	Quote string `json:"quote"`
	// Instruction tells the model, in the language of the narration, how to
	// settle or drop the claim. It names the tool.
	Instruction string `json:"instruction"`
}
