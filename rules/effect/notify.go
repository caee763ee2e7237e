package effect

import (
	"cmp"
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Notify shows the player a notice; the host does it.
type Notify struct {
	Message string `json:"message"`
	// Style is info (also empty), achievement, warning, danger or moment. Other styles are passed
	// to the host unchanged, because a host may have its own styles.
	Style string `json:"style,omitempty"`
	Title string `json:"title,omitempty"`
	Image string `json:"image,omitempty"`
	// Quiet notices raise no [event.TypeNotification] event, so that no rule can match them.
	Quiet bool `json:"quiet,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "notify-player".
func (Notify) EffectType() string { return "notify-player" }

func (Notify) effect() {}

// readNotify accepts an empty message and refuses a missing one: an empty message may be intended,
// a missing one is a mistake.
func readNotify(f *authorjson.Fields) (Effect, bool) {
	e, ok := noticeOf(f)
	e.Extra = f.Rest()
	return e, ok
}

func (e Notify) asEvent() (event.Event, bool) { return noticeEvent(e), !e.Quiet }

// noticeEvent always sets a style, because patterns match it.
func noticeEvent(e Notify) event.Event {
	return event.New(event.TypeNotification,
		tree.Member{Key: "message", Value: tree.Text(e.Message)},
		textField("style", cmp.Or(e.Style, "info")),
		textField("title", e.Title),
		textField("image", e.Image))
}

// noticeOf needs a message. Other fields of the wrong type are dropped. Quiet is not a field of authors
// and events.
func noticeOf(f *authorjson.Fields) (Notify, bool) {
	_, ok := f.Peek("message").AsText()
	return Notify{
		Message: f.Text("message"),
		Style:   f.Text("style"),
		Title:   f.Text("title"),
		Image:   f.Text("image"),
	}, ok
}

func (e Notify) fill(with *filler) Effect {
	with.texts(&e.Message, &e.Style, &e.Title, &e.Image)
	return e
}

// apply raises the event, unless the notice is quiet. A quiet notice is a message of the engine to
// the player that no rule should answer.
func (e Notify) apply(t Target, c Attributed) {
	if !e.Quiet {
		t.Raise(noticeEvent(e))
	}
	showNotice(t, c, e)
}

// showNotice sends a notice to the host. It sets the default style, so that hosts need not know it.
func showNotice(t Target, c Attributed, e Notify) {
	e.Style = cmp.Or(e.Style, "info")
	e.Message, e.Title = t.Expand(e.Message), t.Expand(e.Title)
	toHost(t, c, e)
}
