package effect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// ShowMoment shows a collectable moment, as a notice of the style moment. With Collect it is shown
// once: a title that the list already contains is not shown and raises no event. A moment without a
// title is shown every time and never collected.
type ShowMoment struct {
	Title   string `json:"title,omitempty"`
	Message string `json:"message,omitempty"`
	Image   string `json:"image,omitempty"`
	Collect string `json:"collect,omitempty"` // list variable that stores the shown titles

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "show-moment".
func (ShowMoment) EffectType() string { return "show-moment" }

func (ShowMoment) effect() {}

func (e ShowMoment) asEvent() (event.Event, bool) { return momentEvent(e), true }

// momentEvent contains the author's fields, including the collecting variable.
func momentEvent(e ShowMoment) event.Event {
	return event.New(event.TypeMoment,
		textField("title", e.Title),
		textField("message", e.Message),
		textField("image", e.Image),
		textField("collect", e.Collect))
}

// momentOf returns the moment of an emitted event.
func momentOf(e event.Event) ShowMoment {
	return authorjson.Filled[ShowMoment](authorjson.Of(e.Fields))
}

func (e ShowMoment) fill(with *filler) Effect {
	with.texts(&e.Title, &e.Message, &e.Image, &e.Collect)
	return e
}

func (e ShowMoment) apply(t Target, c Attributed) { showMoment(t, c, e, momentEvent(e)) }

// showMoment shows a moment that the player does not have yet, and raises an event. A moment that is
// already in the list raises no event, because it did not happen again.
func showMoment(t Target, c Attributed, e ShowMoment, raised event.Event) {
	// The list is read and extended in one step, so that two moments with one title in a batch are
	// one. A moment without a title cannot be distinguished from others and is never collected.
	if e.Collect != "" && strings.TrimSpace(e.Title) != "" {
		title := tree.Text(e.Title)
		if slices.ContainsFunc(t.Value(e.Collect).List(), title.Equal) {
			return
		}
		t.Set(c, SetVariable{Path: e.Collect, Operation: Push, Value: title})
	}
	t.Raise(raised)
	showNotice(t, c, Notify{Message: e.Message, Style: "moment", Title: e.Title, Image: e.Image})
}
