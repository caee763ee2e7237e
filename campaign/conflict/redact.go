package conflict

// Redact returns a text without the words that would give a hidden goal away, for
// people who must not read it: each run of the goal that the detector of a
// [HiddenGoalLeak] looks for, also with one more word or character in it. Whatever
// stands between the words stays. The cost is linear in the text.
func Redact(text, goal string) string {
	return redact(text, goal)
}
