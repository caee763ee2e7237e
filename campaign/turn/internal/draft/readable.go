package draft

import (
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
)

// Readable returns the effects as they read back from their JSON. It refuses effects without a JSON
// form and effects that read back differently: a message without a text, a directive without an ID,
// an infinite volume.
func Readable(by string, effects effect.List) (effect.List, []state.TraceRefusedEffect) {
	var out effect.List
	var refused []state.TraceRefusedEffect
	for _, e := range effects {
		if back, err := effect.ReadBack(e); err != nil {
			refused = append(refused, state.TraceRefusedEffect{By: by, Path: typeOf(e),
				Reason: reasonUnreadable, Text: utf8text.Cut(valid(err.Error()), MaxText)})
		} else {
			out = append(out, back)
		}
	}
	return out, refused
}

// reasonUnreadable is the reason for an effect that cannot be stored.
const reasonUnreadable = "unreadable_effect"

func typeOf(e effect.Effect) string {
	if e == nil {
		return ""
	}
	return valid(e.EffectType())
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// MaxText limits a text in a trace or in a message to a model, in bytes.
const MaxText = 400
