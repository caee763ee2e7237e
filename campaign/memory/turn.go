package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// maxTurnBytes is the maximum size of the stored texts of one turn, in bytes: of the player's line
// and the answer together, and separately of the summary. Longer texts are cut.
const maxTurnBytes = 256 << 10

// Turn is the part of a committed turn that a memory stores.
type Turn struct {
	// ID is unique in its campaign. Parent is the turn before it. For the first turn it is "" or an
	// unknown ID.
	ID     string `json:"turn_id"`
	Parent string `json:"parent_turn_id,omitempty"`
	Index  int    `json:"index"` // place on its branch, from 1

	Player string `json:"player,omitempty"` // the player's line
	Text   string `json:"text,omitempty"`   // the answer
	// Summary is the summary of the campaign up to this turn, if one was made after it.
	Summary string `json:"summary,omitempty"`
	// Witnesses are the characters who know the turn; empty means everybody.
	Witnesses []string `json:"witnesses,omitempty"`
}

// Hash identifies the text of the turn: the player's line and the answer. A memory returns it with
// each [Item]. An item is not used if the text of its turn has changed since.
func (t Turn) Hash() string {
	sum := sha256.New()
	sum.Write([]byte(t.Player))
	sum.Write([]byte{0xff}) // this byte does not occur in UTF-8
	sum.Write([]byte(t.Text))
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// storedText returns the text of the turn as it is stored: the line of the player and the narration.
func (t Turn) storedText() string {
	text := t.Text
	if strings.TrimSpace(t.Player) != "" {
		text = t.Player + "\n" + t.Text
	}
	return utf8text.Cut(text, maxTurnBytes)
}
