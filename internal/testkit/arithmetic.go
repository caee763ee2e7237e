package testkit

import "math"

// Sum is a sum and its result in each language of formulas: the formulas of rules, the derived fields of
// memvars, the values of MVU, and the calculations of macros. NaN means that the language does not have
// it.
type Sum struct {
	Text                          string
	Rules, Derived, Values, Macro float64
}

// Sums returns sums on which the languages agree, and the differences between them.
func Sums() []Sum {
	none := math.NaN()
	list := []Sum{
		// A sign binds tighter than a power in rules only, and only their powers join from the left.
		{"-2 ^ 2", 4, none, -4, -4}, {"2 ^ 3 ^ 2", 64, none, 512, 512}, {"2 * 3 ^ 2", 18, none, 18, 18},
		// A remainder has the sign of the divisor in MVU. Elsewhere it has the sign of the dividend.
		{"7 % 4", 3, none, 3, 3}, {"(0 - 7) % 4", -3, none, 1, -3},
		// Rules read a division by zero as zero.
		{"6 / 0", 0, none, none, math.Inf(1)},
		// Only derived fields compute in decimals. MVU rounds.
		{"0.1 + 0.2", 0.30000000000000004, 0.3, 0.3, 0.30000000000000004},
		{"min(4, 2 + 1)", 3, 3, 3, none}, {"max(1, 2) - floor(1.5)", 1, 1, 1, none}, {"round(2.5) + abs(1 - 3)", 5, 5, 5, none},
		{"1 < 2", 1, none, none, 1}, {"1 == 2 || 3 > 2 && 1 != 2", 1, none, none, 1}, {"!0 + 1", 2, none, none, 2},
	}
	for text, result := range map[string]float64{
		"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "10 - 4 - 3": 3, "100 / 10 / 5": 2, "2 + 8 / 4 - 1": 3, "-3 + 5": 2, "2 * -3": -6,
		"-(2 + 3) * 2": -10, "1.5*4": 6, " 7/2 ": 3.5, "2*(3+4)-5/(1+1)": 11.5, "1 - -1": 2, "(((1 + 1)))": 2,
	} {
		list = append(list, Sum{text, result, result, result, result})
	}
	return list
}
