package memvars

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The pass files implement the automatic rules. After the commands of a message: the inventory, the
// derived fields and the limit of the difficulty. At the end of a turn: the clock, the task,
// stocks, summaries and green lights. [Passes] says when each runs.

// clamp limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may be set in either order. A lower level
// also lowers a difficulty that was set earlier. An unknown level has no limit; there is no lower
// limit.
func clamp(b *batch) {
	prof := b.Profile
	name, ok := prof.Content(b.Root(), withinModule(prof.Status, prof.WorldLevel)).AsText()
	if !ok {
		return
	}
	difficulty := withinModule(prof.Status, prof.Difficulty)
	n, ok := b.Number(difficulty)
	if !ok {
		return
	}
	for _, l := range prof.Levels {
		if limit := tree.Number(strconv.Itoa(l.Max)); l.Name == strings.TrimSpace(name) && n.Cmp(limit) > 0 {
			b.Update(difficulty, tree.Num(limit), "clamp")
		}
	}
}
