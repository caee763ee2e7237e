package draft

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
)

// Dice is the chance of a turn. What it has shown no re-generation takes back.
type Dice struct {
	Seed   uint64
	Cursor uint64           // random draws so far
	Draws  []float64        // those of this turn, of undone attempts too
	Rolls  map[string][]int // by call; a re-generation finds them again
}

// draw returns the next random number and records it.
func (d *Dice) draw(g *game.Game) float64 {
	x := g.Random(d.Seed, d.Cursor)
	d.Cursor++
	d.Draws = append(d.Draws, x)
	return x
}

// Keep has the dice of an earlier answer show the same again.
func (d *Dice) Keep(rolls map[string][]int) {
	for call, list := range rolls {
		d.Rolls[call] = slices.Clone(list)
	}
}

// Kept are the dice of the turn, for further answers to its line.
func (d *Dice) Kept() map[string][]int {
	if len(d.Rolls) == 0 {
		return nil
	}
	out := make(map[string][]int, len(d.Rolls))
	for call, rolls := range d.Rolls {
		out[call] = slices.Clone(rolls)
	}
	return out
}
