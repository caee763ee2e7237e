package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// MaxTurnBytes is what is remembered of the texts of one turn, in bytes: of the player's line
// and the answer together, and again of the summary. What is longer is cut.
const MaxTurnBytes = 256 << 10

// Turn is what there is to remember of a committed turn.
type Turn struct {
	// ID is the turn's own, unique in its campaign; Parent is the turn before it, "" or an
	// unknown one before the first.
	ID     string `json:"turn_id"`
	Parent string `json:"parent_turn_id,omitempty"`
	Index  int    `json:"index"` // place on its branch, from 1

	Player string `json:"player,omitempty"` // the player's line
	Text   string `json:"text,omitempty"`   // what was answered
	// Summary is that of the campaign up to this turn, if one was made after it.
	Summary string `json:"summary,omitempty"`
	// Witnesses are the characters who know of the turn; empty means everybody.
	Witnesses []string `json:"witnesses,omitempty"`
}

// Hash identifies what was said in the turn: the player's line and the answer. A memory
// returns it with each [Item], and an item of a turn that reads otherwise by now is not used.
func (t Turn) Hash() string {
	sum := sha256.New()
	sum.Write([]byte(t.Player))
	sum.Write([]byte{0xff}) // in no UTF-8
	sum.Write([]byte(t.Text))
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// said is the text of the turn that is remembered.
func (t Turn) said() string {
	text := t.Text
	if strings.TrimSpace(t.Player) != "" {
		text = t.Player + "\n" + t.Text
	}
	return utf8text.Cut(text, MaxTurnBytes)
}
