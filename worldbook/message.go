package worldbook

// Message is one visible line of a chat.
type Message struct {
	// Name is the speaker. With [Settings.IncludeNames] the text that keys are
	// searched in is "Name: Text".
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}
