package prepare

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
)

// Private reports whether prompts of a turn with such memories may contain something that not
// everybody who hears the turn knows.
func Private(w past.Window, memories []string) bool {
	if w.Viewer().Shared && w.Suggestions == 0 {
		return false
	}
	marked := slices.ContainsFunc(w.WholeChat().Sources, func(s draft.MessageSource) bool { return len(s.Only) > 0 })
	return blockSource{Window: w, Memories: memories, Marked: marked}.hasSecrets()
}

// secrecy explains the marks to the model, if there may be any, and names the characters who hear
// the turn.
func (src blockSource) secrecy() string {
	viewer := src.Viewer()
	if !viewer.Marks || viewer.Shared && len(viewer.Group) == 0 || !src.hasSecrets() {
		return ""
	}
	text := "\n" + src.Game.Texts().Secrecy
	if only := viewer.Mark(src.In.Audience); len(only) > 0 {
		text += src.Game.Texts().Marks.Gap + src.FillNames(src.Game.Texts().Whispered, only)
	}
	return text
}

// hasSecrets reports whether the prompt may contain marked content.
func (src blockSource) hasSecrets() bool {
	return src.Marked || slices.ContainsFunc(src.State.World.Rules, func(r state.WorldRule) bool { return len(r.VisibleTo) > 0 }) ||
		len(src.State.Summary.Private) > 0 || len(src.State.Secrets) > 0 || hasPrivateLore(src.Game) ||
		slices.ContainsFunc(src.Memories, func(line string) bool { return strings.Contains(line, src.markBegins()) })
}

// hasPrivateLore reports whether there are entries that not everybody may see.
func hasPrivateLore(g *game.Game) bool {
	for range g.PrivateLore() {
		return true
	}
	return false
}

// markBegins returns the common beginning of all marks.
func (src blockSource) markBegins() string {
	begin, _, _ := strings.Cut(src.Game.Texts().Witnessed, "{names}")
	return begin
}
