package pass

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/internal/batch"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// Clamp limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may come in either order,
// and so that a lower level pulls a difficulty down that was set long ago. An
// unknown level limits nothing; there is no lower limit.
func Clamp(b *batch.Batch) {
	prof := b.Profile
	name, ok := prof.Content(b.Root(), profile.Within(prof.Status, prof.WorldLevel)).AsText()
	if !ok {
		return
	}
	difficulty := profile.Within(prof.Status, prof.Difficulty)
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
