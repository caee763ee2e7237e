package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
)

// scope is what dialects may know now.
func (sc scenery) scope() game.Scope { return stage.ScopeOf(sc.game, sc.state, sc.number()) }

// cleanNarration is a narration as the player reads it: without what dialects took.
func (t *run) cleanNarration(text string) string {
	if t.cleaned.text != text || t.cleaned.shown == "" {
		t.cleaned.text, t.cleaned.shown = text, t.game.Read(text, t.scenery().scope()).Shown
	}
	return t.cleaned.shown
}
