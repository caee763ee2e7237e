package imports

import (
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// In a world of Yumina, {{hp}} is the value of the variable hp. Here the macro {{var::hp}} shows it, so
// the texts for prompts are rewritten. The opening gets the value with which the story begins.

// bareMacro finds a macro without arguments. Yumina knows no other names of variables.
var bareMacro = regexp.MustCompile(`\{\{(\w+)\}\}`)

// worldMacros rewrites the macros of a world.
type worldMacros struct {
	names   map[string]bool
	program *rules.Program
	begin   tree.Document
}

// newWorldMacros returns the macros of the variables of a world. A built-in macro has precedence, as in
// Yumina.
func newWorldMacros(w reactions.YuminaWorld) worldMacros {
	program, _ := rules.Compile(w.Content()) // game.Compile reports the problems
	m := worldMacros{map[string]bool{}, program, program.Complete(rules.State{}).Variables}
	for _, v := range w.Content().Variables {
		m.names[v.ID] = len(macro.Compile("{{"+v.ID+"}}").Vet()) > 0
	}
	return m
}

// rewrite returns a text with the macros of this library.
func (m worldMacros) rewrite(text string) string {
	return m.replace(text, func(id string) string { return "{{var::" + id + "}}" })
}

// fill returns a text with the values at the beginning.
func (m worldMacros) fill(text string) string {
	return m.replace(text, func(id string) string {
		v, _ := m.program.Declared(m.begin, id)
		if text, ok := v.AsText(); ok {
			return text
		}
		return v.String()
	})
}

func (m worldMacros) replace(text string, by func(id string) string) string {
	return bareMacro.ReplaceAllStringFunc(text, func(found string) string {
		if id := strings.Trim(found, "{}"); m.names[id] {
			return by(id)
		}
		return found
	})
}

// world returns the world with its texts for prompts rewritten. The argument does not change.
func (m worldMacros) world(w reactions.YuminaWorld) reactions.YuminaWorld {
	w.Entries, w.Rules, w.Reactions = slices.Clone(w.Entries), slices.Clone(w.Rules), slices.Clone(w.Reactions)
	for i := range w.Entries {
		if w.Entries[i].Role != "greeting" {
			w.Entries[i].Content = m.rewrite(w.Entries[i].Content)
		}
	}
	for i := range w.Rules {
		w.Rules[i].Actions = effect.Actions(m.effects(w.Rules[i].Actions))
	}
	for i := range w.Reactions {
		w.Reactions[i].Then = reactions.Effects(m.effects(w.Reactions[i].Then))
	}
	return w
}

// effects returns effects with rewritten texts.
func (m worldMacros) effects(list []effect.Effect) []effect.Effect {
	list = slices.Clone(list)
	for i, e := range list {
		switch e := e.(type) {
		case effect.InjectDirective:
			e.Content = m.rewrite(e.Content)
			list[i] = e
		case effect.SendContext:
			e.Message = m.rewrite(e.Message)
			list[i] = e
		case effect.SetVariable:
			if strings.HasPrefix(e.Path, "@prompt.") || e.Path == "@ai.context" {
				e.Value = m.value(e.Value)
				list[i] = e
			}
		}
	}
	return list
}

// value returns the value of an @ path with rewritten texts.
func (m worldMacros) value(v tree.Value) tree.Value {
	if text, ok := v.AsText(); ok {
		return tree.Text(m.rewrite(text))
	}
	if text, ok := v.Get("content").AsText(); ok {
		return v.With("content", tree.Text(m.rewrite(text)))
	}
	return v
}
