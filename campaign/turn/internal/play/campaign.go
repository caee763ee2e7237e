package play

import (
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
)

// StagedCampaign returns the campaign with the staged changes of an instruction between turns.
func StagedCampaign(t *Turn) state.Campaign {
	KeepSecrets(t)
	next := t.Next
	next.State = t.Stage.Pending.State
	next.State.Random = t.Stage.Dice.Cursor
	return next
}

// KeepSecrets records who knows the texts that the turn has left in the state. If the prompts had
// private content, only the actor knows the variables that macros wrote.
func KeepSecrets(t *Turn) {
	before, after, byMacros := &t.Next.State, &t.Stage.Pending.State, t.Order.In.Audience
	if !before.Macros.Chat.Equal(after.Macros.Chat) || !before.Macros.Global.Equal(after.Macros.Global) {
		if prepare.Private(t.Window(), t.Found.Memories) {
			byMacros = []string{t.Order.In.ActorID}
		}
	}
	secret.Keep(before, after, t.Order.In.Audience, byMacros, t.Game.CopiedFrom)
}

// Unplayed returns the campaign for a turn without a result. It has only the changes of the
// acceptance.
func Unplayed(t *Turn) state.Campaign {
	next := t.Next
	if t.Order.Renewal != nil {
		next.State = t.Order.Renewal.HeadState
	}
	return next
}
