package game

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
)

// buildToolTexts builds the texts of all tools.
func (g *compiler) buildToolTexts() {
	g.toolTexts = map[string]toolText{}
	for _, name := range g.tools.Names() {
		tool, _ := g.tools.Get(name)
		schema := tool.Schema()
		colon := g.texts.Marks.Colon
		text := name + colon + tool.Description + "\n  " + g.texts.Args + colon + string(schema)
		if len(tool.Reasons) > 0 {
			text += "\n  " + g.texts.Refuses + colon + g.reasons(tool)
		}
		tokens := g.Counter().Count(name + " " + tool.Description + " " + string(schema))
		g.toolTexts[name] = toolText{text, schema, tokens}
	}
	// The engine's own tool for claims is not in g.tools. Only its size and schema are needed.
	if _, taken := g.toolTexts[declared.ToolName]; !taken {
		tokens := g.Counter().Count(declared.ToolName + " " + g.texts.ListClaims + " " + string(declared.Schema()))
		g.toolTexts[declared.ToolName] = toolText{schema: declared.Schema(), tokens: tokens}
	}
}

// toolLanguage returns the language of the tools: the language of the engine's own texts.
func toolLanguage(c Content) string {
	if c.Extensions.Texts == nil {
		return English().Hints
	}
	return cmp.Or(c.Extensions.Texts.Hints, English().Hints)
}

// reasons lists the reasons for which a tool refuses, sorted.
func (g *Game) reasons(tool tool.Tool) string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(tool.Reasons)) {
		out = append(out, g.texts.Marks.Aside(string(code), g.ReasonText(tool, code)))
	}
	return strings.Join(out, g.texts.Marks.Item)
}

// ReasonText returns the text of a refusal. Its language is the language of the engine's texts, if
// they or the tool have a text in it. The tool must come from [Game.Tools].
func (g *Game) ReasonText(tool tool.Tool, code state.CallCode) string {
	if text := g.texts.Reasons[code]; text != "" && (isBuiltin(tool.Name) || tool.Reasons[code] == "") {
		return text
	}
	return cmp.Or(tool.Reasons[code], g.Reason(code))
}

func isBuiltin(tool string) bool { return tool == "move" || tool == "hp_delta" || tool == "check" }

// ToolText returns the description of a tool in the prompt.
func (g *Game) ToolText(name string) string { return g.toolTexts[name].text }

// ToolSchema returns the JSON Schema of a tool's arguments, "" for a tool that is not registered.
func (g *Game) ToolSchema(name string) json.RawMessage { return g.toolTexts[name].schema }

// ToolTokens returns the number of tokens of a tool in a request that lists it, by the game's token
// counter.
func (g *Game) ToolTokens(name string) int { return g.toolTexts[name].tokens }

// Reason returns the text of one of the engine's reasons.
func (g *Game) Reason(code state.CallCode) string {
	return cmp.Or(g.texts.Reasons[code], english().Reasons[code])
}

// ReasonNotWritable gives the model no further reason.
const ReasonNotWritable state.CallCode = "not_writable"

// reasonTooManyBlocks refuses passages over the limit for one reply.
const reasonTooManyBlocks state.CallCode = "too_many_passages"
