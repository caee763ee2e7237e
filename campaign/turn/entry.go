package turn

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules"
)

// enter takes an input as the log will keep it: as it reads back from its JSON. What
// is played and what is stored are then the same, whatever a host has built.
func enter(in Input) (Input, error) {
	if isNone(in) {
		return nil, fmt.Errorf("%w: none", ErrInvalidInput)
	}
	if a, ok := in.(untrusted); ok {
		in = a.cleaned()
	}
	data, err := openjson.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	out, err := decode(in.inputType(), data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	return out, nil
}

// untrusted is an answer of which a part may have no place in the log: it is taken out
// before, so that the rest counts.
type untrusted interface{ cleaned() Input }

// readable returns the effects as they read back from their JSON, and refuses those
// that have none or read back as something else: a message without a text, a
// directive without an id, an infinite volume.
func readable(by string, effects rules.Effects) (rules.Effects, []state.RefusedEffect) {
	var out rules.Effects
	var refused []state.RefusedEffect
	for _, e := range effects {
		if back, err := rules.ReadBack(e); err != nil {
			refused = append(refused, state.RefusedEffect{By: by, Path: typeOf(e),
				Reason: reasonUnreadable, Text: utf8text.Cut(valid(err.Error()), maxFeedbackText)})
		} else {
			out = append(out, back)
		}
	}
	return out, refused
}

// reasonUnreadable refuses an effect that cannot be stored.
const reasonUnreadable = "unreadable_effect"

func typeOf(e rules.Effect) string {
	if e == nil {
		return ""
	}
	return valid(e.EffectType())
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// isNone reports whether an input holds nothing: none, or a pointer that is nil.
func isNone(in Input) bool {
	if in == nil {
		return true
	}
	v := reflect.ValueOf(in)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
