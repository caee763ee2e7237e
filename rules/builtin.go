package rules

import (
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The events with a built-in meaning, and the effects they stand for. A rule's
// notice is an event that others hear, and an emitted "ui:notification" is a notice.

// A field that is absent from an effect is absent from its event, but for those with a default
// that patterns match on: the style of a notice, the role of a context, the action of a sound.
// The way back drops fields of the wrong type one by one, and gives up only where a notice has
// no message or a sound no track.

// textField is a member, absent if it would be empty: events carry what was said and nothing
// else, and [NewEvent] leaves out what is absent.
func textField(key, s string) tree.Member {
	if s == "" {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Text(s)}
}

// numberField is a member, absent if there is no number.
func numberField(key string, f *float64) tree.Member {
	if f == nil {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Float(*f)}
}

// orElse gives an empty text its default.
func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// EventOf returns the event that an effect raises besides what it does, and whether
// it raises one.
func EventOf(e Effect) (Event, bool) {
	switch e := e.(type) {
	case Notify:
		return noticeEvent(e), !e.Quiet
	case PlayAudio:
		return audioEvent(e), true
	case SendContext:
		return contextEvent(e), true
	case ShowMoment:
		return momentEvent(e), true
	case TriggerRule:
		return TriggerByHand(e.ID), true
	case Emit:
		return e.Event, true
	}
	return Event{}, false
}

// noticeEvent always names a style: patterns match on it.
func noticeEvent(e Notify) Event {
	return NewEvent(TypeNotification,
		tree.Member{Key: "message", Value: tree.Text(e.Message)},
		textField("style", orElse(e.Style, "info")),
		textField("title", e.Title),
		textField("image", e.Image))
}

// EffectOf returns the effect that an emitted event has besides being heard, and whether it has
// one: the other direction of [EventOf]. A field of the wrong type costs the effect only where it
// cannot do without it.
func EffectOf(e Event) (Effect, bool) {
	switch e.Type {
	case TypeMoment:
		return momentOf(e), true
	case TypeNotification:
		return orNone(noticeOf(e))
	case TypeAudio:
		return orNone(audioOf(e))
	case TypeContext:
		return orNone(contextOf(e))
	}
	return nil, false
}

func orNone[E Effect](e E, ok bool) (Effect, bool) {
	if !ok {
		return nil, false
	}
	return e, true
}

// noticeOf needs a message; the other fields may be of any type and are dropped if wrong.
func noticeOf(e Event) (Notify, bool) {
	f := authorjson.Of(e.Fields)
	_, ok := f.Peek("message").AsText()
	return Notify{
		Message: f.Text("message"),
		Style:   f.Text("style"),
		Title:   f.Text("title"),
		Image:   f.Text("image"),
	}, ok
}

// contextEvent always names a role.
func contextEvent(e SendContext) Event {
	return NewEvent(TypeContext,
		tree.Member{Key: "message", Value: tree.Text(e.Message)},
		textField("role", orElse(e.Role, "system")))
}

// contextOf needs a message.
func contextOf(e Event) (SendContext, bool) {
	f := authorjson.Of(e.Fields)
	_, ok := f.Peek("message").AsText()
	return SendContext{Message: f.Text("message"), Role: f.Text("role")}, ok
}

// audioEvent always names an action.
func audioEvent(e PlayAudio) Event {
	return NewEvent(TypeAudio,
		textField("trackId", e.TrackID),
		textField("action", orElse(e.Action, "play")),
		textField("channel", e.Channel),
		numberField("volume", e.Volume),
		numberField("fadeDuration", e.FadeDuration),
		textField("chainTo", e.ChainTo),
		numberField("maxDuration", e.MaxDuration))
}

// audioOf needs a track. Unknown members belong to the event and stay there.
func audioOf(e Event) (PlayAudio, bool) {
	effect, ok := readPlayAudio(authorjson.Of(e.Fields))
	audio, _ := effect.(PlayAudio)
	audio.Extra = nil
	return audio, ok
}

// momentEvent carries what the author wrote, the collecting variable too.
func momentEvent(e ShowMoment) Event {
	return NewEvent(TypeMoment,
		textField("title", e.Title),
		textField("message", e.Message),
		textField("image", e.Image),
		textField("collect", e.Collect))
}

// momentOf reads the moment of an emitted event.
func momentOf(e Event) ShowMoment {
	f := authorjson.Of(e.Fields)
	return ShowMoment{
		Title:   f.Text("title"),
		Message: f.Text("message"),
		Image:   f.Text("image"),
		Collect: f.Text("collect"),
	}
}

// expand replaces {{variable}} by the variable's value; an unknown name stays.
func (w *writer) expand(text string) string {
	// Values are not expanded again: what a player typed into a variable stays text.
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			b.WriteString("{{" + rest)
			return b.String()
		}
		if b.Len() > maxFilled {
			b.WriteString("{{" + rest)
			return b.String()
		}
		if v := w.value(strings.TrimSpace(name)); v.Exists() {
			b.WriteString(printed(v))
		} else {
			b.WriteString("{{" + name + "}}")
		}
		text = after
	}
}
