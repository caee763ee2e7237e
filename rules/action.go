package rules

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Reading an author's action never fails. A known one needs certain fields; without them
// it is kept as it was written and does nothing. That is decided here and not by the
// strict decoder of effects, because the two have different readers: one reads what people
// and other programs write, the other what this library wrote.

// readActions keeps every element at its place, so that problems can name it.
func readActions(list tree.Value) Actions {
	if !list.IsArray() {
		return nil
	}
	out := make(Actions, 0, list.Len())
	for _, v := range list.Elements() {
		out = append(out, ReadEffect(v))
	}
	return out
}

// readKnownAction reads the actions of the author's form. Complete says whether all
// that the action needs was there.
func readKnownAction(typ string, f *authorjson.Fields) (e Effect, complete, known bool) {
	switch typ {
	case "modify-variable":
		e, complete = readModifyVariable(f)
	case "inject-directive":
		e, complete = readInjectDirective(f)
	case "remove-directive":
		id := f.Text("directiveId")
		e, complete = RemoveDirective{ID: id, Extra: f.Rest()}, id != ""
	case "toggle-entry":
		id, on := f.Text("entryId"), f.Flag("enabled")
		complete = id != "" && on != nil
		e = ToggleEntry{ID: id, Enabled: on != nil && *on, Extra: f.Rest()}
	case "toggle-rule":
		id, on := f.Text("ruleId"), f.Flag("enabled")
		complete = id != "" && on != nil
		e = ToggleRule{ID: id, Enabled: on != nil && *on, Extra: f.Rest()}
	case "trigger-rule":
		id := f.Text("ruleId")
		e, complete = TriggerRule{ID: id, Extra: f.Rest()}, id != ""
	case "notify-player":
		e, complete = readNotify(f)
	case "play-audio":
		e, complete = readPlayAudio(f)
	case "send-context":
		_, complete = f.Peek("message").AsText()
		c := SendContext{Message: f.Text("message"), Role: f.Text("role")}
		c.Extra = f.Rest()
		e = c
	default:
		return nil, false, false
	}
	return e, complete, true
}

// readNotify accepts an empty message and refuses a missing one: the first is an author's
// choice, the second a slip.
func readNotify(f *authorjson.Fields) (Effect, bool) {
	_, ok := f.Peek("message").AsText()
	e := Notify{
		Message: f.Text("message"),
		Style:   f.Text("style"),
		Title:   f.Text("title"),
		Image:   f.Text("image"),
	}
	e.Extra = f.Rest()
	return e, ok
}

// readModifyVariable leaves a missing value absent; each operation decides for itself
// whether it needs one.
func readModifyVariable(f *authorjson.Fields) (Effect, bool) {
	e := SetVariable{
		Path:      f.Text("variableId"),
		Operation: Operation(f.Text("operation")),
		Value:     f.Value("value"),
		ValueRef:  f.Text("valueRef"),
		Random:    authorjson.Part(f, "valueRandom", ReadRandom),
	}
	e.Extra = f.Rest()
	return e, e.Path != ""
}

// readInjectDirective takes a missing persistent as false: one round, as documented.
// Importers of worlds that were written for the other default set it afterwards.
func readInjectDirective(f *authorjson.Fields) (Effect, bool) {
	_, ok := f.Peek("content").AsText()
	e := InjectDirective{
		ID:         f.Text("directiveId"),
		Content:    f.Text("content"),
		Position:   f.Text("position"),
		Depth:      f.Whole("depth"),
		Persistent: f.True("persistent"),
		Duration:   f.Whole("duration"),
	}
	e.Extra = f.Rest()
	return e, ok && e.ID != ""
}

// readPlayAudio drops single fields of the wrong type and keeps the sound.
func readPlayAudio(f *authorjson.Fields) (Effect, bool) {
	e := PlayAudio{
		TrackID:      f.Text("trackId"),
		Action:       f.Text("action"),
		Channel:      f.Text("channel"),
		Volume:       f.Number("volume"),
		FadeDuration: f.Number("fadeDuration"),
		ChainTo:      f.Text("chainTo"),
		MaxDuration:  f.Number("maxDuration"),
	}
	e.Extra = f.Rest()
	return e, e.TrackID != ""
}

// ReadEffect reads one action or effect as authors write them, where nothing is an
// error: what cannot be read becomes a [Custom] that survives and does nothing. The
// strict reader is [UnmarshalEffect].
func ReadEffect(v tree.Value) Effect {
	typ, ok := v.Get("type").AsText()
	if !ok {
		return Custom{Data: v}
	}
	f := authorjson.Of(v)
	f.Take("type")
	e, complete, known := readKnownAction(typ, f)
	if !known {
		e, err := UnmarshalEffect(v.AppendJSON(nil))
		if err != nil {
			return unreadableAction(typ, v)
		}
		return e
	}
	if !complete {
		return unreadableAction(typ, v)
	}
	return e
}

// unreadableAction keeps a known action that lacks something it needs. Its type is
// one that no host can have registered, so it does nothing.
func unreadableAction(typ string, v tree.Value) Effect {
	return Custom{Type: typ, Data: withoutKey(v, "type")}
}

// Unreadable reports whether this is an action of this package that could not be read, or no
// action at all. Such a one does nothing, and no host gets to see it.
func (c Custom) Unreadable() bool { return c.Type == "" || knownEffect(c.Type) }

// unreadable reports whether an effect is such a Custom.
func unreadable(e Effect) bool {
	c, ok := e.(Custom)
	return ok && c.Unreadable()
}

// ActionTypes lists the actions that authors write, in the order of the documentation.
func ActionTypes() []string {
	out := make([]string, len(authorActions))
	for i, a := range authorActions {
		out[i] = a.typ
	}
	return out
}

// actionShape says what an action that could not be read needs.
func actionShape(e Effect) string {
	c, ok := e.(Custom)
	if !ok || c.Type == "" {
		return "not readable: an action is an object with a type, " +
			"as in {\"type\": \"notify-player\", …}"
	}
	for _, known := range authorActions {
		if known.typ == c.Type {
			return "not readable: " + c.Type + " needs " + known.needs
		}
	}
	members := []tree.Member{{Key: "type", Value: tree.Text(c.Type)}}
	for k, m := range c.Data.Members() {
		members = append(members, tree.Member{Key: k, Value: m})
	}
	if _, err := UnmarshalEffect(tree.Object(members...).AppendJSON(nil)); err != nil {
		return "not readable: " + strings.TrimPrefix(err.Error(), "rules: ")
	}
	return "not readable: " + c.Type + " is no action of this form"
}

// authorActions are the actions that authors write, with the members that each needs.
var authorActions = [...]struct{ typ, needs string }{
	{"modify-variable", "a variableId"},
	{"inject-directive", "a directiveId, and a content that is a text"},
	{"remove-directive", "a directiveId"},
	{"toggle-entry", "an entryId, and enabled as true or false"},
	{"toggle-rule", "a ruleId, and enabled as true or false"},
	{"trigger-rule", "a ruleId"},
	{"notify-player", "a message that is a text"},
	{"play-audio", "a trackId"},
	{"send-context", "a message that is a text"},
}

// WriteEffect writes one action as authors write it, for [ReadEffect]: the write of a
// variable has another name there, and members that could not be read are what they were.
// The strict form is [MarshalEffect].
func WriteEffect(e Effect) ([]byte, error) {
	switch e := e.(type) {
	case SetVariable:
		form := modifyVariable{"modify-variable", e.Path, e.Operation, e.Value, e.ValueRef, e.Random}
		return authorjson.Encode(form, e.Extra)
	case Custom:
		if e.Type == "" {
			return json.Marshal(e.Data)
		}
	}
	data, err := MarshalEffect(e)
	if err != nil {
		return nil, err
	}
	extra, _ := extraOf(e)
	return authorjson.Encode(json.RawMessage(data), extra)
}

type modifyVariable struct {
	Type       string     `json:"type"`
	VariableID string     `json:"variableId"`
	Operation  Operation  `json:"operation,omitempty"`
	Value      tree.Value `json:"value,omitzero"`
	ValueRef   string     `json:"valueRef,omitempty"`
	Random     *Random    `json:"valueRandom,omitempty"`
}

// knownEffect reports whether the name is one of an effect or action of this
// package. A [Custom] of that name is one that could not be read.
func knownEffect(typ string) bool {
	return typ == "modify-variable" || codecFor(typ) != nil
}
