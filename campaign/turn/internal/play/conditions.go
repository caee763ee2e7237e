package play

import (
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/hooks/act"
)

// Untold reports whether the host does not list an event among those of the submission. Else
// it is the host who knows when it happened and what it carries.
func Untold(event string) func(*Turn) bool {
	return func(t *Turn) bool {
		for _, e := range t.Order.In.Events {
			var own [1]string
			for _, name := range act.TypeNamesOf(event, &own) {
				if e.Event == name {
					return false
				}
			}
		}
		return true
	}
}

// HasSpeaker reports whether it is a member of a cast who speaks.
func HasSpeaker(t *Turn) bool { return t.Casting.Speaking() != "" }

// FirstReply reports whether nobody has spoken yet in this turn.
func FirstReply(t *Turn) bool { return t.Casting.Index == 0 }

// Intercepted reports whether nothing of an output may be shown before it counts, or ever.
func Intercepted(t *Turn) bool {
	return t.Values.Bool(setting.InterceptOutput) || prepare.RewritesReplies(t.Game) || t.Casting.Speaking() != "" ||
		draft.ListsClaims(t.Values) || t.View().Planning()
}

// Streamed reports whether the beginning of the answer is known, as hooks want it.
func Streamed(t *Turn) bool { return t.Out.Reply.First != "" && Untold(act.StreamChunk)(t) }

// OpenDialog makes ready what depends on the dialog type.
func OpenDialog(t *Turn) {
	v := t.View()
	t.Calls.DialogOK = v.OffersTools()
	t.Stage.Viewer, t.Stage.Heard = v.Viewer(), v.In.Audience
}

// HasProfile reports whether a character card enters the turn.
func HasProfile(t *Turn) bool { return t.Game.Content().Card != nil }

// HasLine reports whether somebody said something.
func HasLine(t *Turn) bool { return t.Order.HasLine }

// HasChanges reports whether the turn changed anything.
func HasChanges(t *Turn) bool { return len(t.Stage.Staged.Changes) > 0 }

// SaysSomething reports whether there is a reply for the player.
func SaysSomething(t *Turn) bool { return len(t.Casting.Texts(t.Narration)) > 0 }
