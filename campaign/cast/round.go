package cast

import "errors"

// Order says how the speakers of a round are found.
type Order string

// The orders. The empty one is Natural.
const (
	Natural Order = "natural" // who is named, and who feels like speaking
	List    Order = "list"    // everybody, in list order
	Manual  Order = "manual"  // nobody after a line of the player, else one drawn
	Pooled  Order = "pooled"  // one of those who have not spoken since the player's last line
)

// Kind is what a round is for.
type Kind string

// The kinds. The empty one is Normal.
const (
	Normal      Kind = "normal"
	Auto        Kind = "auto"        // a round without the player: Input is not read
	Swipe       Kind = "swipe"       // another answer in the place of the newest
	Continue    Kind = "continue"    // the newest answer goes on
	Quiet       Kind = "quiet"       // a text that is not shown
	Impersonate Kind = "impersonate" // a line for the player
)

// By says who wrote a line.
type By string

// The writers of lines. The empty one is ByMember.
const (
	ByMember   By = "member"
	ByPlayer   By = "player"
	ByNarrator By = "narrator"
)

// Line is one message of the chat.
type Line struct {
	By By
	// ID is that of the member who spoke, empty where it is not known. It may be of one
	// who has left the cast.
	ID string
	// Name is what stands over the line, also over those of players and narrators.
	Name string
	Text string
	// Hidden lines are kept out of prompts.
	Hidden bool
}

// Round is all that decides who speaks. It is only read.
type Round struct {
	Kind  Kind
	Order Order
	// SelfReply allows the last speaker to go on in a round without player input, where the
	// order is Natural.
	SelfReply bool
	// Members is the cast, in list order.
	Members []Member
	// Strangers are characters that have a card and are in the cast no more. One whose line
	// is newest may answer it anew.
	Strangers []Member
	// Force is the id of a member that the host calls, muted or not; it alone speaks.
	Force string
	// Chat holds the lines so far, oldest first. It may begin with the newest line of the
	// player, or with the newest visible line of a member if that is older.
	Chat []Line
	// Input is the line of the player that begins the round, and not yet in Chat. The empty
	// text is none; blanks are a line.
	Input string
	// Random returns numbers in [0, 1). Each one taken is in [Choice.Draws].
	Random func() float64
}

// What makes a round impossible. Errors of [Choose] wrap one of them.
var (
	// ErrEmpty: the cast has no members.
	ErrEmpty = errors.New("cast: it has no members")
	// ErrGone: who has to speak has no card, or is not in the cast.
	ErrGone = errors.New("cast: there is no card of the speaker")
	// ErrNoLine: there is no line to answer anew or to continue.
	ErrNoLine = errors.New("cast: there is no line yet")
	// ErrNoRandom: a number has to be drawn, and the round has no source of them.
	ErrNoRandom = errors.New("cast: the round has no source of random numbers")
	// ErrUnknown: the round has an order or a kind that is none of the constants.
	ErrUnknown = errors.New("cast: unknown order or kind")
)

// input returns the player's line that begins the round.
func (r *Round) input() (string, bool) {
	if r.Kind == Auto {
		return "", false
	}
	return r.Input, r.Input != ""
}

// newest returns the last line of the chat.
func (r *Round) newest() (Line, bool) {
	if len(r.Chat) == 0 {
		return Line{}, false
	}
	return r.Chat[len(r.Chat)-1], true
}

func (l Line) byMember() bool { return l.By != ByPlayer && l.By != ByNarrator }
