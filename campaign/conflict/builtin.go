package conflict

import "slices"

// A row describes a built-in detector that reads patterns. To add a kind of claim, add a row here, its
// patterns to the files of package lexicon, and its comparison with the state to decide.go.
type row struct {
	name  string
	field string   // the part of the state; the questions and conflicts of a row share it
	kinds []string // of conflicts
	asks  []string // kinds of questions and patterns
	who   bool     // the claims are about characters
}

var rows = []row{
	{"hp", FieldHP, []string{HPChangeUnsettled, HPAmountMismatch, HPValueMismatch},
		[]string{AskLoss, AskGain, AskHP, AskValue, AskFull, AskEmpty, readListedLoss, readListedGain, readOfMax}, true},
	{qualitativeName, "wounds", []string{WoundUnsettled}, []string{readWound, readRecovery}, true},
	{"life", FieldAliveState, []string{LifeStateUnsettled}, []string{AskDead, AskUnconscious, AskAlive}, true},
	{"location", FieldPosition, []string{LocationUnsettled, LocationMismatch}, []string{AskArrival, AskPresence, readPlace}, true},
	{"world_rules", FieldWorldRules, []string{WorldRuleRewrite}, []string{AskRule}, false},
	{"map", FieldMap, []string{MapRewrite}, []string{AskMap, readSealed, readPath}, false},
	{"card", FieldCard, []string{CardRewrite}, []string{AskCard}, true},
	{"goal", FieldGoal, []string{GoalRewrite, HiddenGoalLeak}, []string{AskGoal}, false},
	{"dice", "dice", []string{DiceClaimUnsettled}, []string{AskDice, readRoll}, false},
}

// Kinds of patterns that are no kinds of questions.
const (
	readListedLoss = "hp_minus" // HP-3
	readListedGain = "hp_plus"
	readOfMax      = "hp_of" // 3/8
	readWound      = "wound"
	readRecovery   = "recovery"
	readPlace      = "place"  // Location: Hall
	readSealed     = "sealed" // a closed area
	readPath       = "path"   // two connected areas
	readRoll       = "roll"   // a roll of somebody
)

// Builtin returns the built-in detectors in the order in which they run. The caller may modify the
// slice.
func Builtin() []Named {
	out := make([]Named, 0, len(rows)+1)
	for i := range rows {
		out = append(out, Named{rows[i].name, slices.Clone(rows[i].kinds), rows[i]})
	}
	return append(out, Named{structuredName, []string{StructuredStateWrite}, DetectorFunc(detectStructured)})
}

// rowOf returns the row of a kind of question, pattern or conflict; an empty one if there is none.
func rowOf(kind string) row {
	for _, d := range rows {
		if slices.Contains(d.asks, kind) || slices.Contains(d.kinds, kind) {
			return d
		}
	}
	return row{field: kind}
}
