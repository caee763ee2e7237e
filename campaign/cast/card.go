package cast

// Card holds the texts of a member's card, all of them templates.
type Card struct {
	Description, Personality, Scenario, Examples string
	// SystemPrompt and PostHistory are used of the speaker only.
	SystemPrompt, PostHistory string
	// Depth is the text that stands between the messages.
	Depth DepthText
}

// DepthText is a text that stands between the messages of a chat.
type DepthText struct {
	Text string
	// Depth is how many messages stand after it.
	Depth int
	// Role is system, user or assistant.
	Role string
}

// Cards says whose cards go into the prompt of a speaker.
type Cards string

// Whose cards. The empty one is Swap.
const (
	Swap      Cards = "swap"       // the speaker's
	Join      Cards = "join"       // those of all who are not muted, and the speaker's
	JoinMuted Cards = "join_muted" // those of all
)

// Putting says how cards are put together.
type Putting struct {
	Cards Cards
	// Prefix and Suffix stand around each text that is joined. In them and in the text,
	// <FIELDNAME> in any letter case is Description, Personality, Scenario or Example Messages.
	Prefix, Suffix string
	// Scenario and Examples replace those of the cards, unless they are blank.
	Scenario, Examples string
}

// Sheet is what a prompt holds of the cards of a cast.
type Sheet struct {
	Description, Personality, Scenario, Examples Text
	SystemPrompt, PostHistory                    Text
	Depth                                        []PlacedText
}

// PlacedText is a text that stands between the messages, see [DepthText].
type PlacedText struct {
	Text  Text
	Depth int
	Role  string
}

// Text is a text made of pieces, a line feed between two of them.
type Text []Piece

// Piece is the text of one card. Its parts are templates of their own: what one begins,
// another does not end.
type Piece struct {
	// ID is that of the member whom {{char}} means in the piece, and Char its name.
	ID, Char             string
	Prefix, Text, Suffix string
}
