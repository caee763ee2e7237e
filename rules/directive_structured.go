package rules

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Some prompts ask for the whole reply as JSON. A token limit often cuts such a reply off. The
// received part is closed and used, because a turn with half of its changes is better than raw JSON
// for the player.

// ParseStructuredDirectives reads a reply that is one JSON object:
//
//	{"narrative": "what the player reads",
//	 "stateChanges": [{"variableId": …, "operation": …, "value": …}],
//	 "audioEffects": [{"trackId": …, "action": …}]}
//
// in a fenced block or bare, after blocks of thought. The changes may also be a flat object of
// values to set. A reply that breaks off is closed as well as possible. Entries that cannot be read
// are skipped. Effects beyond the first 1,000 are skipped with an error. ok is false for a reply of
// a different form: pass it to [ParseDirectives]. Only the option Hints is used.
func ParseStructuredDirectives(text string, opts DirectiveOptions) (r DirectiveResult, ok bool) {
	v, ok := objectIn(text)
	if !ok {
		return DirectiveResult{}, false
	}
	narrative, ok := v.Get("narrative").AsText()
	if !ok {
		return DirectiveResult{}, false
	}
	r.Text = strings.TrimSpace(narrative)
	changes := v.Get("stateChanges")
	for _, e := range changes.Elements() {
		if effect, ok := structuredChange(e); ok {
			r.Effects = append(r.Effects, effect)
		}
	}
	// An @ path is a command to the game, not a variable, and a model must not write one here. The
	// list is the documented form; models also write this object.
	for id, value := range changes.Members() {
		if id != "" && id[0] != '@' {
			r.Effects = append(r.Effects, effect.SetVariable{Path: id, Operation: effect.Set, Value: value})
		}
	}
	for _, e := range v.Get("audioEffects").Elements() {
		if effect, ok := structuredAudio(e); ok {
			r.Effects = append(r.Effects, effect)
		}
	}
	if len(r.Effects) > maxEffects {
		r.Effects = r.Effects[:maxEffects]
		r.Errors = []DirectiveError{{Code: directiveTooMany, Near: authorjson.Line(text), Text: opts.words().Say(tooMany)}}
	}
	return r, true
}

// structuredChange reads one change. It needs all of its members. The operation has no default
// here: a model that omits it has left the schema, and assuming set would turn a loss of three
// points into three points.
func structuredChange(e tree.Value) (effect.Effect, bool) {
	id, _ := e.Get("variableId").AsText()
	op, _ := e.Get("operation").AsText()
	value := e.Get("value")
	if op == string(effect.Toggle) && !value.Exists() {
		value = tree.Bool(true)
	}
	ok := id != "" && id[0] != '@' && op != "" && value.Exists()
	return effect.SetVariable{Path: id, Operation: effect.Operation(op), Value: value}, ok
}

// structuredAudio reads one sound. It needs a track.
func structuredAudio(e tree.Value) (effect.Effect, bool) {
	a := authorjson.Filled[effect.PlayAudio](authorjson.Of(e))
	a.Action, a.Channel = cmp.Or(a.Action, "play"), "" // @ paths choose the channel, not models
	return a, a.TrackID != ""
}

// objectIn returns the JSON object of a reply, complete or broken off.
func objectIn(text string) (tree.Value, bool) {
	s := strings.TrimSpace(withoutThoughts(text))
	// A fence that was cut off has no end. A closed fence may have blanks after it.
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		_, s, _ = strings.Cut(rest, "\n")
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "```"))
	}
	if !strings.HasPrefix(s, "{") {
		return tree.Value{}, false
	}
	if v, err := tree.ParseValue([]byte(s)); err == nil {
		return v, true
	}
	repaired, end, isClosed := modeltext.First(s)
	if isClosed && strings.TrimSpace(s[end:]) != "" {
		return tree.Value{}, false
	}
	v, err := tree.ParseValue([]byte(repaired))
	return v, err == nil && v.IsObject()
}

// withoutThoughts removes the silent blocks at the beginning of a reply, because models think
// before they answer.
func withoutThoughts(text string) string {
	p := &directiveParser{text: text, lower: modeltext.Lower(text), unclosed: make(map[string]bool)}
	for p.pos += leadingSpace(text); p.pos < len(text); p.pos += leadingSpace(text[p.pos:]) {
		end := p.pos
		for _, tag := range silent {
			if _, at, ok := p.element(tag, p.pos); ok {
				end = at
			}
		}
		if end == p.pos {
			break
		}
		p.pos = end
	}
	return text[p.pos:]
}

// leadingSpace returns the number of bytes of white space at the start.
func leadingSpace(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\r\n")) }
