package conflict

// Builtin returns the built-in detectors in the order in which they run. The caller may modify the
// slice.
func Builtin() []Named {
	return []Named{
		{"hp", []string{HPChangeUnsettled, HPAmountMismatch, HPValueMismatch},
			DetectorFunc(detectHP)},
		{qualitativeName, []string{WoundUnsettled}, DetectorFunc(detectWounds)},
		{"life", []string{LifeStateUnsettled}, DetectorFunc(detectLife)},
		{"location", []string{LocationUnsettled, LocationMismatch}, DetectorFunc(detectLocation)},
		{"world_rules", []string{WorldRuleRewrite}, DetectorFunc(detectWorldRules)},
		{"map", []string{MapRewrite}, DetectorFunc(detectMap)},
		{"card", []string{CardRewrite}, DetectorFunc(detectCard)},
		{"goal", []string{GoalRewrite, HiddenGoalLeak}, DetectorFunc(detectGoal)},
		{"dice", []string{DiceClaimUnsettled}, DetectorFunc(detectDice)},
		{structuredName, []string{StructuredStateWrite}, DetectorFunc(detectStructured)},
	}
}
