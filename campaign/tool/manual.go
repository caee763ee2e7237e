package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ForModels prints the document of each tool for models and those who build prompts, as Markdown
// in the order of the names: what it is for, the JSON Schema of its arguments, and why it
// refuses. Prompts tell the same of the tools that a campaign allows.
func (t Set) ForModels() string {
	var b strings.Builder
	for _, name := range t.Names() {
		tool := t.byName[name]
		fmt.Fprintf(&b, "## %s\n\n%s\n\n```json\n%s\n```\n\n", name, tool.Description, tool.Schema())
		for _, code := range slices.Sorted(maps.Keys(tool.Reasons)) {
			fmt.Fprintf(&b, "- refuses as `%s`: %s\n", code, tool.Reasons[code])
		}
		if len(tool.Reasons) > 0 {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ForPeople prints the document of each tool for the people who run a campaign, as Markdown in
// the order of the names: its manual, its arguments, what it changes, why it refuses, and whether
// people may be asked first.
func (t Set) ForPeople() string {
	var b strings.Builder
	for _, name := range t.Names() {
		tool := t.byName[name]
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, tool.Manual)
		describeParams(&b, tool.Params, "")
		if len(tool.Params) > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "Changes: %s.", strings.Join(tool.Affects, ", "))
		if tool.Outside != nil {
			b.WriteString(" Asks outside of the game.")
		}
		if tool.Approval != nil {
			b.WriteString(" People may be asked first.")
		}
		b.WriteString("\n\n")
		for _, code := range slices.Sorted(maps.Keys(tool.Reasons)) {
			fmt.Fprintf(&b, "- `%s`: %s\n", code, tool.Reasons[code])
		}
		if len(tool.Reasons) > 0 {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// describeParams lists arguments, and those within them.
func describeParams(b *strings.Builder, params map[string]Param, indent string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		p := params[name]
		fmt.Fprintf(b, "%s- %s (%s", indent, name, p.Type)
		if !p.Required {
			b.WriteString(", may be left out")
		}
		b.WriteString(")")
		if p.Description != "" {
			b.WriteString(": " + p.Description)
		}
		b.WriteByte('\n')
		describeParams(b, p.Fields, indent+"  ")
		if p.Items != nil {
			describeParams(b, p.Items.Fields, indent+"  ")
		}
	}
}
