package effect

import (
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Texts for a prompt are templates: an author may write macros into them. What is put into
// them while the game runs, a variable or a parameter of an event, may be a player's or a
// model's text. It is data: escaped, so that its braces stay braces.

// prompting effects bring texts to prompts.
type prompting interface{ asData() Effect }

// AsData returns an effect with everything that it brings to prompts as data: of a tool
// or a hook that passes on what a model wrote. Package prompt/macro expands the texts of
// effects otherwise. An entry of a world book becomes [AddEntry.Literal].
func AsData(e Effect) Effect {
	if p, ok := e.(prompting); ok && genuine(e) {
		return p.asData()
	}
	return e
}

// entryPath begins the path of an entry: a text is its new content, an object changes what it
// names, false removes it.
const entryPath = "@lore.entry."

// goesIntoPrompts reports whether what is written to a path becomes a part of prompts.
func goesIntoPrompts(path string) bool {
	return path == "@prompt.context" || path == "@ai.context" || strings.HasPrefix(path, "@prompt.directive.") ||
		strings.HasPrefix(path, entryPath)
}

// asData escapes the text that a value brings to a prompt: its own, or that of its member
// content.
func asData(v tree.Value) tree.Value {
	if s, ok := v.AsText(); ok {
		return tree.Text(utf8text.Escape(s))
	}
	content, ok := v.Get("content").AsText()
	if !ok || utf8text.Escape(content) == content {
		return v
	}
	var members []tree.Member
	for key, member := range v.Members() {
		if key == "content" {
			member = tree.Text(utf8text.Escape(content))
		}
		members = append(members, tree.Member{Key: key, Value: member})
	}
	return tree.Object(members...)
}
