package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
)

// labels are the words and the punctuation around the texts of tools, in both documents.
type labels struct {
	refuses, reason                 string // formats of a line with a code and its text, for models and for people
	beforeType, optional, afterType string // around the type of an argument
	beforeText                      string // before the description of an argument
	changes, separator, stop        string // around and between the state fields that a tool changes
	outside, approval               string // sentences about tools with Outside and with Approval
}

// labelsIn are the labels by language. The empty language is English.
var labelsIn = map[string]labels{
	"": {refuses: "- refuses as `%s`: %s\n", beforeType: " (", optional: ", may be left out", afterType: ")", beforeText: ": ",
		reason: "- `%s`: %s\n", changes: "Changes: ", separator: ", ", stop: ".", outside: " Asks outside of the game.",
		approval: " People may be asked first."},
	"zh": {refuses: "- 拒绝，代码 `%s`：%s\n", beforeType: "（", optional: "，可省略", afterType: "）", beforeText: "：",
		reason: "- `%s`：%s\n", changes: "会改变：", separator: "、", stop: "。", outside: "会查询游戏之外的信息。",
		approval: "生效前可能须经人批准。"},
}

func (t Set) labels() labels { return cmp.Or(labelsIn[t.language], labelsIn[""]) }

// writeReasons writes a line for each reason of a tool to refuse, and an empty line after them.
func writeReasons(b *strings.Builder, format string, reasons map[state.CallCode]string) {
	for _, code := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(b, format, code, reasons[code])
	}
	if len(reasons) > 0 {
		b.WriteByte('\n')
	}
}

// ForModels returns a document about the tools for models and for authors of prompts, as Markdown
// in the order of the names. For each tool it has the description, the JSON Schema of the
// arguments, and the reasons to refuse. Prompts say the same about the tools that a campaign
// allows.
func (t Set) ForModels() string {
	var b strings.Builder
	words := t.labels()
	for _, name := range t.Names() {
		tool := t.byName[name]
		fmt.Fprintf(&b, "## %s\n\n%s\n\n```json\n%s\n```\n\n", name, tool.Description, tool.Schema())
		writeReasons(&b, words.refuses, tool.Reasons)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ForPeople returns a document about the tools for the people who run a campaign, as Markdown in
// the order of the names. For each tool it has the manual, the arguments, the changes, the reasons
// to refuse, and whether approval may be needed.
func (t Set) ForPeople() string {
	var b strings.Builder
	words := t.labels()
	for _, name := range t.Names() {
		tool := t.byName[name]
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, tool.Manual)
		words.describe(&b, tool.Params, "")
		if len(tool.Params) > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(words.changes + strings.Join(tool.Affects, words.separator) + words.stop)
		if tool.Outside != nil {
			b.WriteString(words.outside)
		}
		if tool.Approval != nil {
			b.WriteString(words.approval)
		}
		b.WriteString("\n\n")
		writeReasons(&b, words.reason, tool.Reasons)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// describe lists arguments and their members.
func (words labels) describe(b *strings.Builder, params map[string]Param, indent string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		p := params[name]
		b.WriteString(indent + "- " + name + words.beforeType + string(p.Type))
		if !p.Required {
			b.WriteString(words.optional)
		}
		b.WriteString(words.afterType)
		if p.Description != "" {
			b.WriteString(words.beforeText + p.Description)
		}
		b.WriteByte('\n')
		words.describe(b, p.Fields, indent+"  ")
		if p.Items != nil {
			words.describe(b, p.Items.Fields, indent+"  ")
		}
	}
}
