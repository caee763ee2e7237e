package play

import (
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
)

// StagedCampaign is the campaign with what happened on a stage between turns.
func StagedCampaign(t *Turn) state.Campaign {
	KeepSecrets(t)
	next := t.Next
	next.State = t.Stage.Staged.State
	next.State.Random = t.Stage.Dice.Cursor
	return next
}

// KeepSecrets notes who knows the texts that the turn has left in the state. What macros have
// written the actor knows, if the prompts had anything private to write.
func KeepSecrets(t *Turn) {
	before, after, byMacros := &t.Next.State, &t.Stage.Staged.State, t.Order.In.Audience
	if !before.Macros.Chat.Equal(after.Macros.Chat) || !before.Macros.Global.Equal(after.Macros.Global) {
		if prepare.Private(t.Window(), t.Found.Memories) {
			byMacros = []string{t.Order.In.ActorID}
		}
	}
	secret.Keep(before, after, t.Order.In.Audience, byMacros, t.Game.CopiedFrom)
}

// Unplayed is the campaign that is left if nothing comes of the turn: with what its
// acceptance changed.
func Unplayed(t *Turn) state.Campaign {
	next := t.Next
	if t.Order.Renewal != nil {
		next.State = t.Order.Renewal.HeadState
	}
	return next
}
