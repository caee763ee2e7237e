package game

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
)

// IsCBSEntry reports whether an entry, by its full ID, is in the curly-brace language of RisuAI.
func (g *Game) IsCBSEntry(id string) bool { return g.lore.templates.cbs[id] }

// CardCBS returns the form of the texts of a card if they are in the curly-brace language of RisuAI, with
// the defaults of its variables, else nil. The card may be nil. once is true for texts that are
// expanded once.
func (g *Game) CardCBS(c *card.Card, once bool) *macro.CBS {
	if c == nil || !g.content.Prompt.writesCBS(c.Name) {
		return nil
	}
	return &macro.CBS{Defaults: defaultsCBS(c), Once: once}
}

// BookCBS returns the form of the lore in the language of RisuAI. The defaults are those of the
// card.
func (g *Game) BookCBS() *macro.CBS { return &macro.CBS{Defaults: defaultsCBS(g.content.People.Card)} }

// defaultsCBS returns the default values of the variables of a card of RisuAI: lines of the form
// name=value in the member defaultVariables of its extension. The card may be nil.
func defaultsCBS(c *card.Card) map[string]string {
	if c == nil {
		return nil
	}
	lines := textOf(jsonOf(c.Extensions["risuai"]).Get("defaultVariables"))
	var defaults map[string]string
	for line := range strings.SplitSeq(lines, "\n") {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r"), "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		if defaults == nil {
			defaults = map[string]string{}
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
