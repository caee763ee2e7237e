package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// graphGame draws the rules.
type graphGame struct {
	Dir  string `arg:"" help:"A folder, a card or a world."`
	DOT  bool   `name:"dot" help:"Write DOT for Graphviz instead of Mermaid."`
	HTML bool   `name:"html" help:"Write one page of HTML."`
}

// Run is the command.
func (c *graphGame) Run(t *terminal) error {
	l, err := t.loadUsable(c.Dir)
	if err != nil {
		return err
	}
	r := l.Content.Rules
	content := rules.Content{Variables: r.Variables, Modules: r.Modules, Rules: r.Rules,
		Handlers: reactions.Handlers(r.Reactions)}
	switch {
	case t.json:
		return t.writeJSON(map[string]any{"relations": rules.Relations(content), "hooks": l.hooks()})
	case c.HTML:
		texts := l.Content.Extensions.Texts
		return observe.RuleGraph{Title: l.Setup.Title, Rules: r, Texts: texts, Language: t.lang}.WriteHTML(t.out)
	case c.DOT:
		t.printf("%s", withHooks(rules.DOT(content), "}", l.hooks(), func(i int, h hookEdge) string {
			return fmt.Sprintf("  hook%[1]d [shape=component, label=%[2]q];\n"+
				"  hookevent%[1]d [shape=cds, label=%[3]q];\n  hookevent%[1]d -> hook%[1]d;\n", i, label(h.Hook), label(h.Event))
		}))
	default:
		t.printf("%s", withHooks(rules.Mermaid(content), "", l.hooks(), func(i int, h hookEdge) string {
			return fmt.Sprintf("  hookevent%d>%q] --> hook%d[[%q]]\n", i, label(h.Event), i, label(h.Hook))
		}))
	}
	return nil
}

// hookEdge is an event and a hook that it runs.
type hookEdge struct {
	Event string `json:"event"`
	Hook  string `json:"hook"`
}

// hooks returns the events of the hooks of a game.
func (l *loaded) hooks() []hookEdge {
	out := []hookEdge{}
	for _, h := range l.Content.Rules.Hooks {
		for _, e := range h.Event {
			out = append(out, hookEdge{e, cmp.Or(h.ID, h.Name)})
		}
	}
	return out
}

// withHooks adds the hooks before the last line of a drawing that ends with a mark.
func withHooks(drawing, end string, list []hookEdge, line func(int, hookEdge) string) string {
	drawing = strings.TrimRight(drawing, "\n")
	if end != "" {
		drawing = strings.TrimRight(strings.TrimSuffix(drawing, end), "\n")
	}
	var b strings.Builder
	b.WriteString(drawing + "\n")
	for i, h := range list {
		b.WriteString(line(i, h))
	}
	if end != "" {
		b.WriteString(end + "\n")
	}
	return b.String()
}

// label removes what ends a label of a drawing.
func label(text string) string {
	return strings.NewReplacer("\"", "'", "\\", "/", "\n", " ").Replace(printable(text))
}
