package game

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

// This file reads the extensions of cards.

// defaultsCBS returns the default values of the variables of a card of RisuAI: lines of the form
// name=value in the member defaultVariables of its extension.
func defaultsCBS(c *card.Card) map[string]string {
	lines := textOf(jsonOf(c.Extensions["risuai"]).Get("defaultVariables"))
	defaults := map[string]string{}
	for line := range strings.SplitSeq(lines, "\n") {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r"), "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		defaults[name] = strings.TrimSpace(value)
	}
	return defaults
}

// jsonOf reads an extension. Invalid JSON counts as absent.
func jsonOf(raw json.RawMessage) tree.Value {
	v, _ := tree.ParseValue(raw)
	return v
}

func textOf(v tree.Value) string {
	text, _ := v.AsText()
	return text
}
