package observe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// RuleGraph shows how rules, reactions and hooks, variables and events depend on each other. The
// rules need not compile.
type RuleGraph struct {
	Title string
	Rules game.Rules
	// Texts has the language and the words of the page, see [game.Texts.Pages]; nil means English.
	Texts *game.Texts
	// Language is "en" or "zh". If it is empty, the language of Texts is used.
	Language string
}

// maxDrawn limits the rules in the picture. The table has all of them.
const maxDrawn = 300

// WriteHTML writes the graph as one page that loads nothing: a picture, and the same in words. The
// error is an error of w.
func (g RuleGraph) WriteHTML(w io.Writer) error {
	p := &rulesPage{Title: g.Title, words: wordsIn(cmp.Or(g.Texts, &game.Texts{}), g.Language), byID: map[string]int{}, nodes: map[nodeKey]*graphNode{}}
	p.Title = cmp.Or(p.Title, p.Of("graph"))
	r := g.Rules
	for _, rule := range r.Rules {
		p.row(rule.ID, rule.Name, "k0")
	}
	for _, reaction := range r.Reactions {
		p.row(reaction.ID, reaction.Name, "k0")
	}
	content := rules.Content{Variables: r.Variables, Modules: r.Modules, Rules: r.Rules, Handlers: reactions.Handlers(r.Reactions)}
	named := names{}
	for _, v := range r.Variables {
		named[v.ID] = v.Name
	}
	used := map[string]bool{}
	for _, rel := range rules.Relations(content) {
		used[rel.Object] = true
		p.relate(p.row(rel.From, "", "k0"), string(rel.Verb), named.name(rel.Object))
	}
	for _, h := range r.Hooks {
		i := p.row(cmp.Or(h.ID, h.Name), h.Name, "k4")
		for _, e := range h.Event {
			p.relate(i, "hears", e)
		}
		for _, a := range h.Actions {
			p.relate(i, "does", a.Type())
		}
	}
	for _, v := range r.Variables {
		if !used[v.ID] {
			p.Idle = append(p.Idle, pageFact{cmp.Or(v.Name, v.ID), v.ID})
		}
	}
	p.draw()
	p.Facts = []pageFact{{p.Of("fact.rules"), fmt.Sprint(len(r.Rules) + len(r.Reactions))}, {p.Of("section.hooks"), fmt.Sprint(len(r.Hooks))},
		{p.Of("section.changes"), fmt.Sprint(len(r.Variables))}}
	return render(w, "rules", p)
}

// rulesPage is the data of the page of rules.
type rulesPage struct {
	words
	Title, Left string
	Facts       []pageFact
	Legend      []pageFact
	Rows        []*ruleRow
	Drawn       []*ruleRow
	Nodes       []*graphNode
	Idle        []pageFact
	Height      float64
	byID        map[string]int
	nodes       map[nodeKey]*graphNode
	byBand      int // rules in the bands so far
}

type (
	ruleRow struct {
		ID, Name, Label, Full, Stroke string
		When, Then                    []pageFact // a verb and its object
		Edges                         []graphEdge
		Y, TextY                      float64
	}
	graphEdge struct{ Class, Path string }
	nodeKey   struct {
		side, band int
		kind, text string
	}
	graphNode struct {
		Full, Label, Stroke string
		X, Y, TextX, TextY  float64
		rules               []int
		side                int // 0: of conditions, 1: of effects
	}
)

// verbKinds are the verbs of the side of the condition and of the side of the effect, each with the
// colour of its object.
var (
	whenKinds = map[string]string{"reads": "5", "watches": "5", "hears": "1"}
	thenKinds = map[string]string{"writes": "5", "emits": "1", "toggles": "0", "triggers": "0", "injects": "7", "removes": "7", "switches": "2", "does": "3"}
)

// row returns the index of a rule, reaction or hook, and adds it if it is new. class is its colour.
func (p *rulesPage) row(id, name, class string) int {
	i, known := p.byID[class+id]
	if !known {
		i = len(p.Rows)
		p.byID[class+id] = i
		name = cmp.Or(name, id)
		p.Rows = append(p.Rows, &ruleRow{ID: id, Name: name, Full: name + " (" + id + ")", Label: fitLabel(name), Stroke: "s" + class[1:]})
	}
	return i
}

// relate adds a use to the words of a rule, and to the picture.
func (p *rulesPage) relate(i int, verb, object string) {
	row, fact := p.Rows[i], pageFact{p.either("verb", verb), cmp.Or(object, p.Of("anything"))}
	kind, isWhen := whenKinds[verb]
	side, column := &row.When, 0
	if !isWhen {
		kind, side, column = cmp.Or(thenKinds[verb], "8"), &row.Then, 1
	}
	if slices.Contains(*side, fact) {
		return
	}
	*side = append(*side, fact)
	key := nodeKey{column, i / bandSize, kind, fact.Text}
	if p.nodes[key] == nil {
		p.nodes[key] = &graphNode{Full: fact.Text, Label: fitLabel(fact.Text), Stroke: "s" + kind, side: column}
	}
	p.nodes[key].rules = append(p.nodes[key].rules, i)
}

// mean returns the middle of the rules that use an object.
func (n *graphNode) mean() float64 {
	sum := 0
	for _, i := range n.rules {
		sum += i
	}
	return float64(sum) / float64(len(n.rules))
}

// fitLabel shortens a label to the width of its box: a Chinese character has twice the width.
func fitLabel(text string) string {
	width, runes := 0, []rune(text)
	for i, r := range runes {
		if width++; r > 0x2e80 {
			width++
		}
		if width > 36 {
			return string(runes[:i]) + "…"
		}
	}
	return text
}

// bandSize is the number of rules in a band of the picture. An object that rules of several
// bands use is in each of them, so lines stay short.
const bandSize = 10

// draw places the rules in the middle, and each object to the left or right of the rules that use it.
func (p *rulesPage) draw() {
	const pitch = 32
	p.Drawn, p.Height = p.Rows[:min(len(p.Rows), maxDrawn)], 24
	if n := len(p.Rows) - len(p.Drawn); n > 0 {
		p.Left = p.say("rules.left", n)
	}
	nodes := slices.SortedFunc(maps.Values(p.nodes), func(a, b *graphNode) int {
		return cmp.Or(cmp.Compare(a.rules[0], b.rules[0]), cmp.Compare(a.Full, b.Full), cmp.Compare(a.Stroke, b.Stroke), cmp.Compare(a.side, b.side))
	})
	for band := range slices.Chunk(p.Drawn, bandSize) {
		var sides [2][]*graphNode // objects of conditions, objects of effects
		for len(nodes) > 0 && nodes[0].rules[0] < p.byBand+len(band) {
			n := nodes[0]
			sides[n.side], nodes = append(sides[n.side], n), nodes[1:]
		}
		most := max(len(band), len(sides[0]), len(sides[1]))
		y := func(i, of int) float64 { return p.Height + pitch*(float64(i)+float64(most-of)/2) }
		for i, r := range band {
			r.Y = y(i, len(band))
			r.TextY = r.Y + 16
		}
		for side, list := range sides {
			slices.SortStableFunc(list, func(a, b *graphNode) int { return cmp.Compare(a.mean(), b.mean()) })
			for i, n := range list {
				n.X, n.Y = float64(730*side), y(i, len(list))
				n.TextX, n.TextY = n.X+12, n.Y+16
				for _, i := range n.rules {
					r := p.Drawn[i]
					from, to := [2]float64{270, n.Y + 12}, [2]float64{365, r.Y + 12}
					if side == 1 {
						from, to = [2]float64{635, r.Y + 12}, [2]float64{730, n.Y + 12}
					}
					r.Edges = append(r.Edges, graphEdge{n.Stroke, fmt.Sprintf("M%.0f %.1fC%.0f %.1f %.0f %.1f %.0f %.1f",
						from[0], from[1], from[0]+48, from[1], to[0]-48, to[1], to[0], to[1])})
				}
			}
			p.Nodes = append(p.Nodes, list...)
		}
		p.byBand += len(band)
		p.Height += float64(most)*pitch + 8
	}
	for _, l := range [][2]string{{"k0", "rule"}, {"k4", "hook"}, {"k5", "variable"}, {"k1", "event"}, {"k2", "entry"}, {"k7", "directive"}, {"k3", "action"}} {
		drawn := func(n *graphNode) bool { return n.Stroke[1:] == l[0][1:] }
		if l[1] != "rule" && l[1] != "hook" && !slices.ContainsFunc(p.Nodes, drawn) ||
			l[1] == "hook" && !slices.ContainsFunc(p.Drawn, func(r *ruleRow) bool { return r.Stroke == "s4" }) {
			continue
		}
		p.Legend = append(p.Legend, pageFact{l[0], p.Of(l[1])})
	}
}
