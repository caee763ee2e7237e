package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars"
)

// The events with a built-in meaning, and the effects they stand for. A rule's
// notice is an event that others hear, and an emitted "ui:notification" is a notice.

type fieldList []memvars.Member

// text adds a member unless it is empty, so that events carry what was said and nothing
// else.
func (l *fieldList) text(key, s string) {
	if s != "" {
		*l = append(*l, memvars.Member{Key: key, Value: memvars.Text(s)})
	}
}

// number adds a member unless it is absent.
func (l *fieldList) number(key string, f *float64) {
	if f != nil {
		*l = append(*l, memvars.Member{Key: key, Value: memvars.Float(*f)})
	}
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
	fields := fieldList{{Key: "message", Value: memvars.Text(e.Message)}}
	fields.text("style", orElse(e.Style, "info"))
	fields.text("title", e.Title)
	fields.text("image", e.Image)
	return NewEvent(TypeNotification, fields...)
}

// noticeOf needs a message; the other fields may be of any type and are dropped if wrong.
func noticeOf(e Event) (Notify, bool) {
	f := FieldsOf(e.Fields)
	_, ok := f.obj("message").AsText()
	return Notify{
		Message: f.Text("message"),
		Style:   f.Text("style"),
		Title:   f.Text("title"),
		Image:   f.Text("image"),
	}, ok
}

// contextEvent always names a role.
func contextEvent(e SendContext) Event {
	fields := fieldList{{Key: "message", Value: memvars.Text(e.Message)}}
	fields.text("role", orElse(e.Role, "system"))
	return NewEvent(TypeContext, fields...)
}

// contextOf needs a message.
func contextOf(e Event) (SendContext, bool) {
	f := FieldsOf(e.Fields)
	_, ok := f.obj("message").AsText()
	return SendContext{Message: f.Text("message"), Role: f.Text("role")}, ok
}

// audioEvent always names an action.
func audioEvent(e PlayAudio) Event {
	var fields fieldList
	fields.text("trackId", e.TrackID)
	fields.text("action", orElse(e.Action, "play"))
	fields.text("channel", e.Channel)
	fields.number("volume", e.Volume)
	fields.number("fadeDuration", e.FadeDuration)
	fields.text("chainTo", e.ChainTo)
	fields.number("maxDuration", e.MaxDuration)
	return NewEvent(TypeAudio, fields...)
}

// audioOf needs a track. Unknown members belong to the event and stay there.
func audioOf(e Event) (PlayAudio, bool) {
	effect, ok := readPlayAudio(FieldsOf(e.Fields))
	audio, _ := effect.(PlayAudio)
	audio.Extra = nil
	return audio, ok
}

// momentEvent carries what the author wrote, the collecting variable too.
func momentEvent(e ShowMoment) Event {
	var fields fieldList
	fields.text("title", e.Title)
	fields.text("message", e.Message)
	fields.text("image", e.Image)
	fields.text("collect", e.Collect)
	return NewEvent(TypeMoment, fields...)
}

// momentOf reads the moment of an emitted event.
func momentOf(e Event) ShowMoment {
	f := FieldsOf(e.Fields)
	return ShowMoment{
		Title:   f.Text("title"),
		Message: f.Text("message"),
		Image:   f.Text("image"),
		Collect: f.Text("collect"),
	}
}

// expand replaces {{variable}} by the variable's value; an unknown name stays.
func (w *writer) expand(text string) string {
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
		if v := w.value(strings.TrimSpace(name)); v.Exists() {
			b.WriteString(printed(v))
		} else {
			b.WriteString("{{" + name + "}}")
		}
		text = after
	}
}
