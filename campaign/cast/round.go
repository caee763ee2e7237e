package cast

import (
	"errors"

	"github.com/talewright/talewright/worldbook"
)

// Order says how the speakers of a round are chosen.
//
// Its values:
//
//   - natural: named members, and members whose draw says so
//   - list: all members, in list order
//   - manual: no member after a line of the player, else one is drawn
//   - pooled: one of the members who have not spoken since the player's last line
type Order string

// The orders. The empty one means natural.
const (
	orderNatural Order = "natural"
	orderList    Order = "list"
	orderManual  Order = "manual"
	orderPooled  Order = "pooled"
)

// Auto is the kind of a round without the player: Input is ignored. [worldbook.GenerationType] has the
// other kinds; the empty one means [worldbook.Normal].
const Auto worldbook.GenerationType = "auto"

// By says who wrote a line.
type By string

// The writers of lines. The empty one means ByMember.
const (
	ByMember   By = "member"
	ByPlayer   By = "player"
	ByNarrator By = "narrator"
)

// Line is one message of the chat.
type Line struct {
	By By
	// ID is the ID of the member who spoke, empty if unknown. The member may have left the cast.
	ID string
	// Name is the name shown with the line, also for players and narrators.
	Name string
	Text string
	// Hidden lines are not in prompts.
	Hidden bool
}

// Round has all data that decides who speaks. [Choose] does not modify it.
type Round struct {
	Kind  worldbook.GenerationType
	Order Order
	// SelfReply allows the last speaker to speak again in a round without player input, if the
	// order is Natural.
	SelfReply bool
	// Members is the cast, in list order.
	Members []Member
	// Strangers are characters with a card that are no longer in the cast. If the newest line is
	// theirs, they may answer again.
	Strangers []Member
	// Force is the ID of the member that must speak, muted or not. No other member speaks.
	Force string
	// Chat holds the lines so far, oldest first. It may begin with the newest line of the player,
	// or with the newest visible line of a member if that is older.
	Chat []Line
	// Input is the line of the player that begins the round and is not yet in Chat. The empty text
	// means no line; blanks are a line.
	Input string
	// Random returns numbers in [0, 1). [Choice.Draws] records each number.
	Random func() float64
}

// The errors for impossible rounds. Errors of [Choose] wrap one of them.
var (
	// ErrEmpty: the cast has no members.
	ErrEmpty = errors.New("cast: it has no members")
	// ErrGone: the member who must speak has no card, or is not in the cast.
	ErrGone = errors.New("cast: there is no card of the speaker")
	// ErrNoLine: there is no line to answer again or to continue.
	ErrNoLine = errors.New("cast: there is no line yet")
	// ErrNoRandom: a number must be drawn, and the round has no source.
	ErrNoRandom = errors.New("cast: the round has no source of random numbers")
	// ErrUnknown: the order or the kind is not one of the constants.
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
