package cast

// Card holds the texts of a member's card. All are templates.
type Card struct {
	Description, Personality, Scenario, Examples string
	// SystemPrompt and PostHistory are used only for the speaker.
	SystemPrompt, PostHistory string
	// Depth is the text that is inserted between the messages.
	Depth DepthText
}

// DepthText is a text that is inserted between the messages of a chat.
type DepthText struct {
	Text string
	// Depth is the number of messages after it.
	Depth int
	// Role is system, user or assistant.
	Role string
}

// Cards selects the cards in the prompt of a speaker.
//
// Its values:
//
//   - swap: the card of the speaker
//   - join: the cards of all who are not muted, and of the speaker
//   - join_muted: the cards of all members
type Cards string

// The selections. The empty one means swap.
const (
	cardsSwap      Cards = "swap"
	cardsJoin      Cards = "join"
	cardsJoinMuted Cards = "join_muted"
)

// Putting says how the texts of cards are combined.
type Putting struct {
	Cards Cards
	// Prefix and Suffix are put around each text that is joined. In them and in the text,
	// <FIELDNAME> in any letter case is replaced by Description, Personality, Scenario or Example
	// Messages.
	Prefix, Suffix string
	// Scenario and Examples replace the same fields of the cards, unless they are blank.
	Scenario, Examples string
}

// Sheet has the texts of a cast's cards for a prompt.
type Sheet struct {
	Description, Personality, Scenario, Examples Text
	SystemPrompt, PostHistory                    Text
	Depth                                        []PlacedText
}

// PlacedText is a text that is inserted between the messages, see [DepthText].
type PlacedText struct {
	Text  Text
	Depth int
	Role  string
}

// Text is a text in pieces, with a line feed between them.
type Text []Piece

// Piece is the text of one card. Each part is a separate template: a macro cannot begin in one part
// and end in a different one.
type Piece struct {
	// ID and Char are the ID and the name of the member that {{char}} means in the piece.
	ID, Char             string
	Prefix, Text, Suffix string
}
