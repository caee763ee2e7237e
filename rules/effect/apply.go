package effect

import (
	"errors"
	"reflect"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// Effects come from authors, as JSON, and from hosts, hooks and tools, as Go values with any
// content. Applied effects are recorded, and a record must read back unchanged. Otherwise a game
// that continues in memory could not be loaded again. So each effect is first converted to the form
// that its JSON has. An effect without a JSON form is refused.

// readsBack is a cheap check of an effect of this package: true means that it certainly reads back
// from its JSON unchanged. That is so for nearly all effects. Lists and pointers are not examined.
func readsBack(e Effect) bool {
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		isPlain := true
		switch field := v.Field(i); field.Kind() {
		case reflect.String:
			isPlain = utf8.ValidString(field.String())
		case reflect.Struct:
			switch part := field.Interface().(type) {
			case tree.Value:
				isPlain = report.PlainValue(part)
			case event.Event:
				isPlain = part.Plain() && !part.Fields.Get("type").Exists()
			}
		case reflect.Map, reflect.Slice, reflect.Pointer:
			isPlain = field.IsNil()
		}
		if !isPlain {
			return false
		}
	}
	return true
}

// ReadBack writes an effect as JSON and reads it back. An engine that applies the result applies the
// same effect as its log contains. Invalid UTF-8 becomes U+FFFD. The error says why the effect has no
// JSON form. The reasons:
//
//   - It is a pointer, or a type of the host.
//   - It is an action that could not be read.
//   - It has NaN or an infinite number.
//   - It has a value that is nested deeper than [tree.MaxDepth] levels.
func ReadBack(e Effect) (Effect, error) {
	back, why := Enter(e)
	if why.Reason != "" {
		return nil, errors.New("effect: " + why.In(nil))
	}
	return back, nil
}

// Enter is [ReadBack] with a refusal instead of an error.
func Enter(e Effect) (Effect, Why) {
	if _, isCustom := e.(Custom); !isCustom && isEffectValue(e) && readsBack(e) {
		return e, Why{}
	}
	if e == nil || reflect.TypeOf(e).Kind() == reflect.Pointer {
		return e, Deny(reasonNotReadable, "%T is not an effect; effects are values", e)
	}
	if isUnreadable(e) {
		return e, Deny(reasonNotReadable, "an action that cannot be read")
	}
	data, err := Marshal(e)
	if err != nil {
		return e, Deny(reasonNotReadable, "cannot be written as JSON: %v", err)
	}
	if openjson.Deeper(data, tree.MaxDepth+ownLevels) {
		return e, tooDeep
	}
	back, err := Unmarshal(data)
	if err != nil {
		return e, Deny(reasonNotReadable, "cannot be read from its JSON: %v", err)
	}
	return back, Why{}
}

// applier is implemented by the effects that this package applies. All others go to the host.
type applier interface{ apply(t Target, c Attributed) }

// Apply applies one effect. An effect that the target does not apply itself goes to the host. An
// unreadable effect does not: the host may have its type, but its fields cannot be trusted.
func Apply(t Target, c Attributed) {
	if !fits(t, c) {
		return
	}
	if e, ok := c.Effect.(applier); ok {
		e.apply(t, c)
		return
	}
	if isUnreadable(c.Effect) {
		t.Refuse(c, c.Effect.EffectType(), tree.Value{}, Deny(reasonNotReadable, "an action that cannot be read"))
		return
	}
	toHost(t, c, c.Effect)
}
