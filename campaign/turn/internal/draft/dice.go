package draft

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
)

// Dice has the random numbers of a turn. A re-generation does not undo them.
type Dice struct {
	Seed   uint64
	Cursor uint64           // number of random draws so far
	Draws  []float64        // draws of this turn, including undone attempts
	Rolls  map[string][]int // by call; a re-generation uses them again
}

// draw returns the next random number and records it.
func (d *Dice) draw(g *game.Game) float64 {
	x := g.Random(d.Seed, d.Cursor)
	d.Cursor++
	d.Draws = append(d.Draws, x)
	return x
}

// Keep makes the checks of this turn repeat the rolls of an earlier answer.
func (d *Dice) Keep(rolls map[string][]int) {
	for call, list := range rolls {
		d.Rolls[call] = slices.Clone(list)
	}
}

// Kept returns the rolls of the turn, for further answers to its line.
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
