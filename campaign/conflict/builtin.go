package conflict

import "slices"

// A row describes a built-in detector that reads patterns. To add a detector, add a row here, and its
// texts and patterns to the files patterns_*.txt of package lexicon.
type row struct {
	name  string
	field string   // the part of the state; the questions and conflicts of a row share it
	kinds []string // of conflicts
	asks  []string // kinds of questions and patterns
	who   bool     // the claims are about characters
	// compare compares a claim with the state. Without it, a claim is a conflict of the first kind
	// unless an action of the turn affects the field.
	compare func(r *Reading, c claim, is *Character, before *history) (Conflict, bool)
}

var rows = []*row{
	{"hp", FieldHP, []string{hpChangeUnsettled, hpAmountMismatch, hpValueMismatch},
		[]string{askLoss, askGain, askHP, askValue, askPart, askFull, askEmpty, readListedLoss, readListedGain, readOfMax}, true, (*Reading).compareHP},
	{qualitativeName, "wounds", []string{woundUnsettled}, []string{readWound, readRecovery}, true, (*Reading).compareWounds},
	{"life", FieldAliveState, []string{lifeStateUnsettled}, []string{askDead, askUnconscious, askFallen, askAlive}, true, (*Reading).compareLife},
	{"location", FieldPosition, []string{locationUnsettled, locationMismatch}, []string{askArrival, askPresence, readPlace}, true, (*Reading).comparePlace},
	{"world_rules", FieldWorldRules, []string{worldRuleRewrite}, []string{askRule}, false, nil},
	{"map", FieldMap, []string{mapRewrite}, []string{askMap, readSealed, readPath}, false, (*Reading).compareMap},
	{"card", FieldCard, []string{cardRewrite}, []string{askCard}, true, (*Reading).compareCard},
	{"goal", FieldGoal, []string{goalRewrite, HiddenGoalLeak}, []string{askGoal}, false, nil},
	{"dice", "dice", []string{diceClaimUnsettled}, []string{askDice, readRoll}, false, (*Reading).compareDice},
}

// The kinds of patterns that only read. No question has such a kind.
const (
	readListedLoss = "hp_minus" // HP-3
	readListedGain = "hp_plus"
	readOfMax      = "hp_of" // 3/8
	readWound      = "wound"
	readRecovery   = "recovery"
	readPlace      = "place"  // Location: Hall
	readSealed     = "sealed" // a closed area
	readPath       = "path"   // two connected areas
	readRoll       = "roll"   // a character rolls
)

// The kinds of conflict that the built-in detectors report. A host's own detectors and a judge may
// use others. The kinds about lists of claims come from the detector "claims".
const (
	hpChangeUnsettled    = "hp_change_unsettled"    // a loss or gain without any settlement
	hpAmountMismatch     = "hp_amount_mismatch"     // settled, but with a different amount
	hpValueMismatch      = "hp_value_mismatch"      // a value that the character does not have
	woundUnsettled       = "wound_unsettled"        // wounds or healing without numbers
	lifeStateUnsettled   = "life_state_unsettled"   // death or unconsciousness
	locationUnsettled    = "location_unsettled"     // an arrival without a move
	locationMismatch     = "location_mismatch"      // a character is not in the place of the text
	worldRuleRewrite     = "world_rule_rewrite"     // changed rules of the game
	mapRewrite           = "map_rewrite"            // areas destroyed, connected or invented
	cardRewrite          = "card_rewrite"           // changed fields of a character card
	goalRewrite          = "goal_rewrite"           // a different goal
	HiddenGoalLeak       = "hidden_goal_leak"       // the words of a hidden goal
	diceClaimUnsettled   = "dice_claim_unsettled"   // a roll that was not made
	StructuredStateWrite = "structured_state_write" // state in members next to the text
	MalformedOutput      = "malformed_output"       // an output that cannot be read
	EmptyOutput          = "empty_output"           // neither text nor calls
	TruncatedOutput      = "truncated_output"       // an output truncated by its length
	FilteredOutput       = "filtered_output"        // an output truncated by the provider's filter
	ClaimUnlisted        = "claim_unlisted"         // claimed in the text, but not in the model's list of claims
	ClaimUnsupported     = "claim_unsupported"      // in the list, but without a call or state that supports it
	ClaimsMalformed      = "claims_malformed"       // a list that cannot be read
)

// The kinds of questions.
const (
	askLoss        = "hp_loss"     // a character loses hit points
	askGain        = "hp_gain"     // a character regains hit points
	askHP          = "hp"          // a character loses, regains or has hit points
	askValue       = "hp_value"    // a character has so many hit points now
	askFull        = "hp_full"     // a character has all hit points
	askEmpty       = "hp_empty"    // a character has no hit points left
	askDead        = "dead"        // a character is dead or dies
	askUnconscious = "unconscious" // a character is unconscious or faints
	askFallen      = "fallen"      // a character is dead or unconscious
	askAlive       = "alive"       // a dead person lives again
	askArrival     = "arrival"     // a character arrives in a place
	askPresence    = "presence"    // a character is in a place
	askRule        = "rule"        // the rules of the game change
	askMap         = "map"         // a place is destroyed, closed, new or connected
	askCard        = "card"        // the attributes, the level or the skills of a character change
	askGoal        = "goal"        // the goal of the campaign changes
	askDice        = "dice"        // dice are rolled
)

// askPart is the kind of the question whether a character has such a part of the maximum of its hit
// points now. Its value is in per cent.
const askPart = "hp_part"

// Builtin returns the built-in detectors in the order in which they run. The caller may modify the
// slice. The kinds of their conflicts:
//
//   - hp_change_unsettled: a loss or gain without any settlement
//   - hp_amount_mismatch: settled, but with a different amount
//   - hp_value_mismatch: a value that the character does not have
//   - wound_unsettled: wounds or healing without numbers
//   - life_state_unsettled: death or unconsciousness
//   - location_unsettled: an arrival without a move
//   - location_mismatch: a character is not in the place of the text
//   - world_rule_rewrite: changed rules of the game
//   - map_rewrite: areas destroyed, connected or invented
//   - card_rewrite: changed fields of a character card
//   - goal_rewrite: a different goal
//   - dice_claim_unsettled: a roll that was not made
func Builtin() []Named {
	out := make([]Named, 0, len(rows)+1)
	for _, d := range rows {
		out = append(out, Named{d.name, slices.Clone(d.kinds), d})
	}
	return append(out, Named{structuredName, []string{StructuredStateWrite}, DetectorFunc(detectStructured)})
}

// rowOf returns the row of a kind of question, pattern or conflict. For an unknown kind it returns a row
// without detectors.
func rowOf(kind string) *row {
	for _, d := range rows {
		if slices.Contains(d.asks, kind) || slices.Contains(d.kinds, kind) {
			return d
		}
	}
	return &row{field: kind}
}

// stateKeys are the top-level members of a model's output that would write state without the tools.
var stateKeys = []string{
	"state", "state_updates", "state_update", "hp", "position", "positions", "map", "world",
	"world_rules", "characters", "character", "character_card", "goal", "settings", "milestone",
}

// detectStructured reports every state key among the structured members, in the order of the keys.
func detectStructured(r *Reading) []Conflict {
	var out []Conflict
	for _, key := range stateKeys {
		if _, is := r.Structured[key]; is {
			out = append(out, Conflict{
				Kind:        StructuredStateWrite,
				Severity:    Block,
				Field:       key,
				Expected:    Facts{"written_by": "tools"},
				Found:       Facts{"key": key},
				Instruction: r.instruction(StructuredStateWrite),
			})
		}
	}
	return out
}

// compareDice compares a roll with the rolls of the turn. A roll that is read is a warning if the model
// may not request checks.
func (r *Reading) compareDice(c claim, _ *Character, before *history) (Conflict, bool) {
	n := 0
	if c.value != nil {
		n = *c.value
	}
	v := &r.View
	if v.rollSupports(n, c.who) || c.value == nil && v.rollCount() > 0 || !v.CheckAllowed && before == nil {
		return Conflict{}, false
	}
	return Conflict{Kind: diceClaimUnsettled, Field: "dice", Expected: Facts{"rolls": v.rollCount()}, Found: Facts{"claimed_roll": n}}, true
}
