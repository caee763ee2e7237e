package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/hooks/act"
)

// FromEngine returns a condition: the host did not list the event in the submission. If the host
// listed it, the event is raised with the host's data, and the engine does not raise it again.
func FromEngine(event string) func(*Turn) bool {
	return func(t *Turn) bool {
		for _, e := range t.Order.In.Events {
			var names [1]string // a buffer: most events have one name
			if slices.Contains(act.TypeNamesOf(event, &names), e.Event) {
				return false
			}
		}
		return true
	}
}

// HasSpeaker reports whether a member of a cast is speaking.
func HasSpeaker(t *Turn) bool { return t.Casting.Speaking() != "" }

// FirstReply reports whether no one has spoken yet in this turn.
func FirstReply(t *Turn) bool { return t.Casting.Index == 0 }

// Intercepted reports whether no part of an output may be shown before it is accepted, or ever.
func Intercepted(t *Turn) bool {
	return t.Values.Bool(settingkey.InterceptOutput) || prepare.RewritesReplies(t.Game) || t.Casting.Speaking() != "" ||
		draft.ListsClaims(t.Values) || t.View().Planning()
}

// Streamed reports whether the beginning of the answer is known and the host did not list the
// event.
func Streamed(t *Turn) bool { return t.Out.Reply.First != "" && FromEngine(act.StreamChunk)(t) }

// OpenDialog sets the fields that depend on the dialog type.
func OpenDialog(t *Turn) {
	v := t.View()
	t.Calls.DialogOK = v.OffersTools()
	t.Stage.Viewer, t.Stage.Heard = v.Viewer(), v.In.Audience
	t.Stage.ReadOnly = !v.AllowsChanges()
}

// HasProfile reports whether the game has a character card.
func HasProfile(t *Turn) bool { return t.Game.Content().People.Card != nil }

// HasLine reports whether there is a player's line.
func HasLine(t *Turn) bool { return t.Order.HasLine }

// HasChanges reports whether the turn changed anything.
func HasChanges(t *Turn) bool { return len(t.Stage.Pending.Changes) > 0 }

// SaysSomething reports whether there is a reply for the player.
func SaysSomething(t *Turn) bool { return len(t.Casting.Texts(t.Narration)) > 0 }
