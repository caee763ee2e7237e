package effect

import (
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Texts for a prompt are templates: an author may write macros into them. A variable or a parameter
// of an event that is inserted during play may be a player's or a model's text. It is data and is
// escaped, so that its braces stay braces.

// dataMarker is implemented by the effects that add texts to prompts. asData returns the effect with
// these texts as data.
type dataMarker interface{ asData() Effect }

// AsData returns an effect in which every text for prompts is data. Use it for effects of a tool or
// a hook that passes on a model's text. Without it package prompt/macro expands the texts of
// effects. For an entry of a world book it sets [AddEntry.Literal].
func AsData(e Effect) Effect {
	if p, ok := e.(dataMarker); ok && isEffectValue(e) {
		return p.asData()
	}
	return e
}

// entryPath begins the path of an entry: a text is its new content, an object changes the members
// it has, false removes the entry.
const entryPath = "@lore.entry."

// goesIntoPrompts reports whether a value written to the path becomes part of prompts.
func goesIntoPrompts(path string) bool {
	return path == "@prompt.context" || path == "@ai.context" || strings.HasPrefix(path, "@prompt.directive.") ||
		strings.HasPrefix(path, entryPath)
}

// asData escapes the text that a value adds to a prompt: the value itself, or its member content.
func asData(v tree.Value) tree.Value {
	if s, ok := v.AsText(); ok {
		return tree.Text(utf8text.Escape(s))
	}
	content, ok := v.Get("content").AsText()
	if !ok || utf8text.Escape(content) == content {
		return v
	}
	return v.With("content", tree.Text(utf8text.Escape(content)))
}
