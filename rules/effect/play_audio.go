package effect

import (
	"cmp"
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules/event"
)

// PlayAudio is a request to the host's player. Only the track is required. The other fields are the
// author's values, unchecked, and absent if not given.
type PlayAudio struct {
	TrackID string `json:"trackId"`
	Action  string `json:"action,omitempty"` // play (empty), stop, crossfade, volume
	// Channel is bgm, sfx or ambient for requests by those @ paths, otherwise empty.
	Channel      string   `json:"channel,omitempty"`
	Volume       *float64 `json:"volume,omitempty"`       // 0 to 1
	FadeDuration *float64 `json:"fadeDuration,omitempty"` // seconds
	ChainTo      string   `json:"chainTo,omitempty"`      // the track that plays next
	MaxDuration  *float64 `json:"maxDuration,omitempty"`  // seconds

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "play-audio".
func (PlayAudio) EffectType() string { return "play-audio" }

func (PlayAudio) effect() {}

func (e PlayAudio) asEvent() (event.Event, bool) { return audioEvent(e), true }

// audioEvent always sets an action.
func audioEvent(e PlayAudio) event.Event {
	return event.New(event.TypeAudio,
		textField("trackId", e.TrackID),
		textField("action", cmp.Or(e.Action, "play")),
		textField("channel", e.Channel),
		numberField("volume", e.Volume),
		numberField("fadeDuration", e.FadeDuration),
		textField("chainTo", e.ChainTo),
		numberField("maxDuration", e.MaxDuration))
}

// audioOf needs a track. Unknown members stay in the event.
func audioOf(e event.Event) (PlayAudio, bool) {
	audio := authorjson.Filled[PlayAudio](authorjson.Of(e.Fields))
	return audio, audio.TrackID != ""
}

func (e PlayAudio) fill(with *filler) Effect {
	with.texts(&e.TrackID, &e.Action, &e.Channel, &e.ChainTo)
	return e
}

func (e PlayAudio) apply(t Target, c Attributed) {
	t.Raise(audioEvent(e))
	playAudio(t, c, e)
}

// playAudio sends a request to the host. It sets the default action.
func playAudio(t Target, c Attributed, e PlayAudio) {
	e.Action = cmp.Or(e.Action, "play")
	toHost(t, c, e)
}
