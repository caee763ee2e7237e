package tool

import (
	"cmp"
	_ "embed" // texts.zh.yaml
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/yaml"
)

// Translation has the texts of a [Tool] in a different language. Empty or missing texts are not
// replaced.
type Translation struct {
	Description string
	Manual      string
	// Params has the descriptions of arguments and of their parts, by place: name, name.member,
	// name[] for the elements of a list, and name[].member.
	Params  map[string]string
	Reasons map[state.CallCode]string
}

//go:embed texts.zh.yaml
var textsZh string

var chinese = yaml.Embedded[map[string]Translation](textsZh)

// inChinese returns the translations of a tool of this package.
func inChinese(name string) map[string]Translation {
	in := chinese()[name]
	in.Params, in.Reasons = maps.Clone(in.Params), maps.Clone(in.Reasons)
	return map[string]Translation{"zh": in}
}

// In returns the tool with its texts in a language, or unchanged if it has no translation into it.
func (t Tool) In(language string) Tool {
	in := t.Translations[language]
	t.Description, t.Manual = cmp.Or(in.Description, t.Description), cmp.Or(in.Manual, t.Manual)
	t.Params = withDescriptions(t.Params, "", 1, func(at string, own Param) string { return cmp.Or(in.Params[at], own.Description) })
	t.Reasons = maps.Clone(t.Reasons)
	maps.Copy(t.Reasons, in.Reasons)
	return t
}

// withDescriptions replaces the descriptions of parameters and of their parts by text(place).
func withDescriptions(params map[string]Param, within string, depth int, text func(at string, own Param) string) map[string]Param {
	out := maps.Clone(params)
	for name, p := range params {
		out[name] = p.withDescriptions(within+name, depth, text)
	}
	return out
}

func (p Param) withDescriptions(at string, depth int, text func(at string, own Param) string) Param {
	p.Description = text(at, p)
	if depth > maxParamDepth { // With refuses this tool; the parameter may contain itself
		return p
	}
	p.Fields = withDescriptions(p.Fields, at+".", depth+1, text)
	if p.Items != nil {
		p.Items = new(p.Items.withDescriptions(at+"[]", depth+1, text))
	}
	return p
}

// In returns the set with the texts of all tools in a language. Its two documents are then also in
// that language if it is "zh", and otherwise in English.
func (t Set) In(language string) Set {
	out := Set{maps.Clone(t.byName), language}
	for name, tool := range t.byName {
		out.byName[name] = tool.In(language)
	}
	return out
}

// checkTranslations lists translated texts that are blank or that belong to nothing in the tool.
func (t Tool) checkTranslations() (wrong []string) {
	if len(t.Translations) == 0 {
		return nil
	}
	var places []string // withDescriptions visits each place of the parameters
	withDescriptions(t.Params, "", 1, func(at string, _ Param) string { places = append(places, at); return "" })
	for _, language := range slices.Sorted(maps.Keys(t.Translations)) {
		in := t.Translations[language]
		for _, reason := range slices.Sorted(maps.Keys(in.Reasons)) {
			if _, known := t.Reasons[reason]; !known || strings.TrimSpace(in.Reasons[reason]) == "" {
				wrong = append(wrong, fmt.Sprintf("the reason %q in the language %q has no text, or none in Reasons; write it, or correct the code", reason, language))
			}
		}
		for _, at := range slices.Sorted(maps.Keys(in.Params)) {
			if !slices.Contains(places, at) || strings.TrimSpace(in.Params[at]) == "" {
				wrong = append(wrong, fmt.Sprintf("the parameter %q in the language %q has no text, or is not in Params; write it, or correct the name", at, language))
			}
		}
	}
	return wrong
}
