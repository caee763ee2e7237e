package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// requiredMember maps the actions that only campaigns apply to the member that each needs.
var requiredMember = map[string]string{
	"start-timer": "timerId", "pause-timer": "timerId", "resume-timer": "timerId", "cancel-timer": "timerId",
	"lock-path": "pathId", "unlock-path": "pathId", "lock-area": "areaId", "unlock-area": "areaId", "enter-scene": "sceneId",
}

// vetActions reports the actions of campaigns that no campaign can apply as they are written.
func (g *compiler) vetActions() {
	g.content.Rules.eachEffect(func(path, id string, e effect.Effect) {
		if custom, ok := e.(effect.Custom); ok {
			g.vetAction(path, id, custom)
		}
	})
}

// vetAction checks the members of one action.
func (g *compiler) vetAction(path, id string, e effect.Custom) {
	member, known := requiredMember[e.Type]
	if !known {
		return
	}
	report := func(member, format string, args ...any) {
		g.problems.warn(rules.BadActions, path+"."+member, id, format, args...)
	}
	name, _ := e.Data.Get(member).AsText()
	if name == "" {
		report(member, "%s needs a text as %s; nothing is done", e.Type, member)
		return
	}
	hasID := func(s rules.SpatialScene) bool { return s.ID == name }
	if e.Type == "enter-scene" && !slices.ContainsFunc(g.content.Rules.Scenes, hasID) {
		report(member, "there is no scene %q; nothing is done; add it to Rules.Scenes, or write the ID of one", name)
	}
	if duration := e.Data.Get("duration"); e.Type == "start-timer" && duration.Exists() {
		if n, isNumber := duration.AsFloat(); !isNumber || n < 0 {
			report("duration", "must be a number that is not below 0; the countdown ends as soon as time passes")
		}
	}
}

// vetHookConditions reports conditions of hooks on variables that are not declared, if the name is
// similar to a declared one. Other names may be free paths of the document.
func (g *compiler) vetHookConditions() {
	var declared []string
	for _, v := range g.content.Rules.Variables {
		declared = append(declared, v.ID)
	}
	var vet func(path, id string, conditions tree.Value)
	vet = func(path, id string, conditions tree.Value) {
		for key, want := range conditions.Members() {
			at := path + "." + key
			switch name, isVariable := strings.CutPrefix(key, "vars."); {
			case key == "not":
				vet(at, id, want)
			case key == "all" || key == "any":
				for i, e := range want.Elements() {
					vet(at+"["+strconv.Itoa(i)+"]", id, e)
				}
			case isVariable && !state.IsView(name):
				g.vetHookVariable(at, id, name, declared)
			}
		}
	}
	for i, h := range g.content.Rules.Hooks {
		vet(fmt.Sprintf("hooks[%d].conditions", i), h.ID, h.Conditions)
	}
}

// vetHookVariable checks the name of a variable, or of a path into one.
func (g *compiler) vetHookVariable(path, id, name string, declared []string) {
	root := name
	if p, err := tree.ParsePath(name); err == nil {
		root = p[0]
	}
	if slices.Contains(declared, name) || slices.Contains(declared, root) {
		return
	}
	word, ok := utf8text.Suggest(name, declared)
	if !ok {
		word, ok = utf8text.Suggest(root, declared)
	}
	if ok {
		g.problems.warn(rules.UnknownID, path, id, "no variable %q is declared; did you mean %q?", name, word)
	}
}
