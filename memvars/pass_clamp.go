package memvars

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The pass part holds the automatic rules that follow the commands of a message and end a turn:
// the inventory, the derived fields, the limit of the difficulty; the clock, the task, stocks,
// summaries, green lights. Package memvars says when each runs.

// clamp limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may come in either order,
// and so that a lower level pulls a difficulty down that was set long ago. An
// unknown level limits nothing; there is no lower limit.
func clamp(b *batch) {
	prof := b.Profile
	name, ok := prof.Content(b.Root(), WithinModule(prof.Status, prof.WorldLevel)).AsText()
	if !ok {
		return
	}
	difficulty := WithinModule(prof.Status, prof.Difficulty)
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
