package question

// Route asks for the dialog type of a submission.
type Route struct {
	Input    string   // the player's line
	Manual   string   // the type that the player chose
	Known    []string // the registered types
	Campaign string
}
