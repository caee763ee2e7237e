package effect

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Reading an author's action never fails. A known action without its required fields is kept as
// written and does nothing. This reader is separate from the strict decoder of effects: it reads
// data of people and other programs, while the strict decoder reads data that this library wrote.

// ParseActions reads a list and keeps every element at its index, so that problems can name it.
func ParseActions(list tree.Value) Actions {
	return authorjson.ReadList(list, Parse)
}

// Parse reads one action or effect as authors write it. It never fails: a value that cannot be read
// becomes a [Custom] that is kept and does nothing. The strict reader is [Unmarshal].
func Parse(v tree.Value) Effect {
	typ, ok := v.Get("type").AsText()
	if !ok {
		return Custom{Data: v}
	}
	f := authorjson.Of(v)
	f.Take("type")
	known := actionNamed(typ)
	if known == nil {
		e, err := Unmarshal(v.AppendJSON(nil))
		if err != nil {
			return unreadableAction(typ, v)
		}
		return e
	}
	e, complete := known.read(f)
	if !complete {
		return unreadableAction(typ, v)
	}
	return e
}

// unreadableAction keeps a known action without its required fields. No host can have registered
// its type, so it does nothing.
func unreadableAction(typ string, v tree.Value) Effect {
	return Custom{Type: typ, Data: v.Without("type")}
}

// Types returns the action types that authors write, in the order of the documentation.
func Types() []string {
	var out []string
	for i := range effectKinds {
		if k := &effectKinds[i]; k.read != nil {
			out = append(out, k.action)
		}
	}
	return out
}

// Mistake describes the mistake in an action that [Parse] could not read, or that lacks a required
// field and has unknown members instead. It returns "" if there is no mistake.
func Mistake(e Effect) string {
	if e != nil && !isUnreadable(e) {
		return misspelt(e)
	}
	return actionShape(e)
}

// misspelt describes what an effect in its strict form lacks, if it has unknown members. Without
// unknown members the effect may be as its author wants it.
func misspelt(e Effect) string {
	unknown, _ := extraOf(e)
	k := kindNamed(e.EffectType())
	if len(unknown) == 0 || k == nil {
		return ""
	}
	if k.action == k.typ && k.read != nil {
		return "" // the form of authors has required members, which its reader has checked
	}
	missing := k.missingMembers(e)
	if missing == nil {
		return ""
	}
	return "not readable: " + k.typ + " needs " + strings.Join(missing, ", ") + "; unused members: " +
		strings.Join(slices.Sorted(maps.Keys(unknown)), ", ")
}

// missingMembers returns the names of the texts and whole numbers of an effect that are zero and have
// no option omitempty.
func (k *effectKind) missingMembers(e Effect) (names []string) {
	v := reflect.ValueOf(e)
	for i := range k.of.NumField() {
		name, options, _ := strings.Cut(k.of.Field(i).Tag.Get("json"), ",")
		kind := v.Field(i).Kind()
		isRequired := name != "-" && options == "" && (kind == reflect.String || kind == reflect.Int)
		if isRequired && v.Field(i).IsZero() {
			names = append(names, name)
		}
	}
	return names
}

// actionShape describes what an unreadable action needs.
func actionShape(e Effect) string {
	c, ok := e.(Custom)
	if !ok || c.Type == "" {
		return "not readable: an action is an object with a type, " +
			"as in {\"type\": \"notify-player\", …}"
	}
	if k := actionNamed(c.Type); k != nil {
		return "not readable: " + c.Type + " needs " + k.needs
	}
	members := []tree.Member{{Key: "type", Value: tree.Text(c.Type)}}
	for k, m := range c.Data.Members() {
		members = append(members, tree.Member{Key: k, Value: m})
	}
	if _, err := Unmarshal(tree.Object(members...).AppendJSON(nil)); err != nil {
		return "not readable: " + strings.TrimPrefix(err.Error(), "effect: ")
	}
	return "not readable: " + c.Type + " is not an action of this form"
}

// Write writes one action as authors write it, for [Parse]. A variable write has a different name
// there, and members that could not be read are unchanged. The strict form is [Marshal].
func Write(e Effect) ([]byte, error) {
	if c, ok := e.(Custom); ok && c.Type == "" {
		return json.Marshal(c.Data)
	}
	if set, ok := e.(SetVariable); ok {
		return authorjson.Encode(set.authored(), set.Extra)
	}
	data, err := Marshal(e)
	if err != nil {
		return nil, err
	}
	extra, _ := extraOf(e)
	return authorjson.Encode(json.RawMessage(data), extra)
}

// Unreadable reports whether c is an action of this package that could not be read, or not an
// action at all. It does nothing and never reaches the host.
func (c Custom) Unreadable() bool {
	return c.Type == "" || actionNamed(c.Type) != nil || kindNamed(c.Type) != nil
}

// isUnreadable reports whether e is such a Custom.
func isUnreadable(e Effect) bool {
	c, ok := e.(Custom)
	return ok && c.Unreadable()
}

// Actions is the DO list of a [rules.Rule]: effects in the JSON form of authors, where a
// [SetVariable] is called "modify-variable" and its path "variableId". The actions with an author
// form are [SetVariable], [InjectDirective], [RemoveDirective], [ToggleEntry], [ToggleRule],
// [Notify], [PlayAudio], [SendContext] and [TriggerRule]. Any other effect is allowed too.
//
// An unknown element becomes [Custom] and goes to the host. A known action without its required
// fields, or an element that is not an object, becomes a [Custom] that is kept and does nothing.
type Actions []Effect

// MarshalJSON writes the list in the author's form.
func (a Actions) MarshalJSON() ([]byte, error) { return openjson.MarshalList(a, Write) }

// UnmarshalJSON reads the list in the author's form.
func (a *Actions) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, a, ParseActions)
}
