package conflict

// Redact returns a text without the words that reveal a hidden goal, for people who must not read
// it. It removes each run of the goal that the detector of [HiddenGoalLeak] finds, also with one
// additional word or character in it. The characters between the words stay. The cost is linear in
// the text.
func Redact(text, goal string) string {
	return redact(text, goal)
}
