package effect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// ShowMoment shows a collectable moment, as a notice of the style moment. With Collect it is
// shown once: a title that the list holds already is neither shown nor heard again. A moment
// without a title is shown every time and never collected.
type ShowMoment struct {
	Title   string `json:"title,omitempty"`
	Message string `json:"message,omitempty"`
	Image   string `json:"image,omitempty"`
	Collect string `json:"collect,omitempty"` // list variable that keeps the titles shown

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "show-moment".
func (ShowMoment) EffectType() string { return "show-moment" }

func (ShowMoment) effect() {}

func (e ShowMoment) raised() (event.Event, bool) { return momentEvent(e), true }

// momentEvent carries what the author wrote, the collecting variable too.
func momentEvent(e ShowMoment) event.Event {
	return event.New(event.TypeMoment,
		textField("title", e.Title),
		textField("message", e.Message),
		textField("image", e.Image),
		textField("collect", e.Collect))
}

// momentOf reads the moment of an emitted event.
func momentOf(e event.Event) ShowMoment {
	f := authorjson.Of(e.Fields)
	return ShowMoment{
		Title:   f.Text("title"),
		Message: f.Text("message"),
		Image:   f.Text("image"),
		Collect: f.Text("collect"),
	}
}

func (e ShowMoment) fill(with filler) Effect {
	with.texts(&e.Title, &e.Message, &e.Image, &e.Collect)
	return e
}

func (e ShowMoment) apply(t Target, c Caused) { moment(t, c, e, momentEvent(e)) }

// moment shows a moment that the player does not have yet, and raises its event. One that
// is in the list already raises nothing: for those who listen it did not happen again.
func moment(t Target, c Caused, e ShowMoment, heard event.Event) {
	// The list is asked and extended in one step, so that two moments of one title in a
	// batch are one. One without a title cannot be told from others, and is never collected.
	if e.Collect != "" && strings.TrimSpace(e.Title) != "" {
		title := tree.Text(e.Title)
		if slices.ContainsFunc(elements(t.Value(e.Collect)), title.Equal) {
			return
		}
		t.Set(c, SetVariable{Path: e.Collect, Operation: Push, Value: title})
	}
	t.Raise(heard)
	notify(t, c, Notify{Message: e.Message, Style: "moment", Title: e.Title, Image: e.Image})
}
