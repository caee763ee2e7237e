package question

// Route asks which dialog type a submission belongs to.
type Route struct {
	Input    string   // the player's line
	Manual   string   // the type that the player chose
	Known    []string // the registered types
	Campaign string
}
