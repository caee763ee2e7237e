package game

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// ruleText is a text of a rule, a reaction or a hook.
type ruleText struct {
	path, id, text string
	notice         bool // for players; other texts are for prompts
}

// ruleTexts returns the texts of rules, reactions and hooks in their order.
func ruleTexts(c Rules) (list []ruleText) {
	add := func(path, id string, e effect.Effect) {
		if member, text, notice := effectText(e); text != "" {
			list = append(list, ruleText{path + member, id, text, notice})
		}
	}
	c.eachEffect(add)
	for i, h := range c.Hooks {
		for n, a := range h.Actions {
			path := fmt.Sprintf("hooks[%d].actions[%d]", i, n)
			if text, _ := a.Get("content").AsText(); a.Type() == act.PromptInject {
				list = append(list, ruleText{path + ".content", h.ID, text, false})
				continue
			}
			add(path, h.ID, effect.Parse(a.JSON))
		}
	}
	return list
}

// effectText returns the text that an effect puts into prompts or shows to players, and its member.
func effectText(e effect.Effect) (member, text string, notice bool) {
	switch e := e.(type) {
	case effect.InjectDirective:
		return ".content", e.Content, false
	case effect.SendContext:
		return ".message", e.Message, false
	case effect.Notify:
		return ".message", e.Message, true
	case effect.SetVariable:
		if e.Path == "@ui.notification" || e.Path == "@prompt.context" || e.Path == "@ai.context" ||
			strings.HasPrefix(e.Path, "@prompt.directive.") {
			return ".value", contentOf(e.Value), e.Path == "@ui.notification"
		}
	}
	return "", "", false
}

// contentOf returns a text, or the text that an object has as content.
func contentOf(v tree.Value) string {
	text, ok := v.AsText()
	if !ok {
		text, _ = v.Get("content").AsText()
	}
	return text
}

// firstMacro returns the name of the first macro in a text.
func firstMacro(text string) (name string, ok bool) {
	_, rest, _ := strings.Cut(text, "{{")
	name, _, ok = strings.Cut(rest, "}}")
	return name, ok
}

// declares reports whether a variable has an ID.
func declares(list []rules.Variable, id string) bool {
	return slices.ContainsFunc(list, func(v rules.Variable) bool { return v.ID == id })
}
