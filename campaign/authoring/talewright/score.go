package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt"
)

//go:embed suite
var suites embed.FS

// scoreModel plays the built-in suite with a model, or with the controls.
type scoreModel struct {
	Model string `help:"Address of a server, such as http://localhost:11434/v1. Without it, the controls play: models with known faults."`
	serverFlags
	Run_ string `name:"run" help:"Only scenarios whose names contain this text."`
}

// categories are the kinds of scenarios, in the order of the table. A scenario is called
// CATEGORY-NUMBER.
var categories = []string{"authority", "secrets", "dice", "memory", "contradictions", "tools", "refusals"}

// graded is the result of one model in the suite of one language.
type graded struct {
	Lang       string                `json:"lang"`
	Model      string                `json:"model"`
	Categories []categoryScore       `json:"categories"`
	Total      categoryScore         `json:"total"`
	Signs      []string              `json:"signs"` // faults, computed from the play
	Scenarios  []campaigntest.Scored `json:"scenarios"`
}

// categoryScore is the sum of scenarios. Points are their mean.
type categoryScore struct {
	Name    string  `json:"name"`
	Goals   int     `json:"goals"`
	Reached int     `json:"reached"`
	Turns   int     `json:"turns"`
	Clean   int     `json:"clean"`
	Points  float64 `json:"points"`
}

// Run is the command.
func (c *scoreModel) Run(t *terminal) error {
	model, shape, err := c.open(c.Model)
	if err != nil {
		return err
	}
	results := []graded{}
	for _, lang := range []string{"en", "zh"} {
		if t.lang != "" && t.lang != lang {
			continue
		}
		game, scenarios, err := c.suite(lang, shape)
		if err != nil {
			return err
		}
		models, names := []llm.Model{model}, []string{c.ModelName}
		if model == nil {
			models, names = nil, controls
			for _, name := range controls {
				models = append(models, &control{name: name, scenarios: scenarios})
			}
		}
		for i, model := range models {
			scores, err := game.Score(t.ctx, t.counted(model), scenarios)
			if err != nil {
				return err
			}
			results = append(results, grade(lang, names[i], scores))
		}
	}
	switch {
	case t.json:
		return t.writeJSON(map[string]any{"results": results})
	case model == nil:
		t.compare(results)
	default:
		t.grades(results)
	}
	return nil
}

// suite returns the game of a language, and its scenarios.
func (c *scoreModel) suite(lang, shape string) (*campaigntest.Game, []campaigntest.Scenario, error) {
	folder, err := fs.Sub(suites, path.Join("suite", lang))
	if err != nil {
		return nil, nil, err
	}
	l, found := authoring.Load(folder)
	if err := found.AtLeast(talewright.Error).Err(); err != nil {
		return nil, nil, err
	}
	l.Content.Prompt.Shape = prompt.ShapeProfile(cmp.Or(shape, string(l.Content.Prompt.Shape)))
	game, err := campaigntest.Prepare(l.Content, l.Setup)
	if err != nil {
		return nil, nil, err
	}
	test := &testGame{Run_: c.Run_}
	scenarios, problems := test.scenarios(&loaded{Game: l})
	if err = problems.Err(); err == nil && len(scenarios) == 0 {
		err = test.noMatch()
	}
	return game, scenarios, err
}

// category returns the category of a scenario.
func category(file string) string {
	name, _, _ := strings.Cut(path.Base(file), "-")
	return name
}

// grade adds up the results of a model.
func grade(lang, model string, scores campaigntest.Scores) graded {
	all := scores.Total
	g := graded{Lang: lang, Model: model, Scenarios: scores.Scenarios, Signs: []string{},
		Total: categoryScore{"total", all.Goals, all.Reached, all.Turns, all.Clean, all.Points}}
	broken := 0
	for _, name := range categories {
		sum, n := categoryScore{Name: name}, 0
		for _, s := range scores.Scenarios {
			if category(s.File) != name {
				continue
			}
			n++
			sum = categoryScore{name, sum.Goals + s.Goals, sum.Reached + s.Reached, sum.Turns + s.Turns, sum.Clean + s.Clean, sum.Points + s.Points}
			if name == "authority" || name == "secrets" {
				broken += s.Broken
			}
		}
		if n > 0 {
			sum.Points /= float64(n)
			g.Categories = append(g.Categories, sum)
		}
	}
	conflicts := 0
	for _, n := range all.Conflicts {
		conflicts += n
	}
	for _, s := range []struct {
		seen bool
		text string
	}{
		{all.Completed > 0 && all.Calls+len(all.Refused) == 0, "never calls a tool"},
		{conflicts > 0 && 4*conflicts >= all.Turns, "claims what did not happen"},
		{all.Repeated > 0 && 4*all.Repeated >= all.Turns, "repeats itself"},
		{broken > 0, "obeys players against the rules"},
	} {
		if s.seen {
			g.Signs = append(g.Signs, s.text)
		}
	}
	return g
}

// grades writes a table for each language: a line for each category, and the signs.
func (t *terminal) grades(results []graded) {
	for _, g := range results {
		t.printf("%s (%s)\n", g.Model, g.Lang)
		w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "category\tgoals\tclean turns\tpoints")
		for _, s := range append(slices.Clone(g.Categories), g.Total) {
			fmt.Fprintf(w, "%s\t%d/%d\t%d/%d\t%.0f\n", s.Name, s.Reached, s.Goals, s.Clean, s.Turns, s.Points)
		}
		_ = w.Flush() // t.printf ignores such errors too
		t.printf("signs: %s\n\n", cmp.Or(strings.Join(g.Signs, ", "), "none"))
	}
}

// compare writes one table with the points of several models.
func (t *terminal) compare(results []graded) {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "suite\tmodel")
	for _, s := range results[0].Categories {
		fmt.Fprintf(w, "\t%s", s.Name)
	}
	fmt.Fprintln(w, "\ttotal\tsigns")
	for _, g := range results {
		fmt.Fprintf(w, "%s\t%s", g.Lang, g.Model)
		for _, s := range append(slices.Clone(g.Categories), g.Total) {
			fmt.Fprintf(w, "\t%.0f", s.Points)
		}
		fmt.Fprintf(w, "\t%s\n", cmp.Or(strings.Join(g.Signs, ", "), "none"))
	}
	_ = w.Flush() // t.printf ignores such errors too
}

// controls are the models with known quality.
var controls = []string{"perfect", "silent", "boastful", "parrot", "obedient"}

// control is a model that plays the scenarios with a known fault.
type control struct {
	name           string
	scenarios      []campaigntest.Scenario
	scenario, step int // at the last request
	replies        int // to the line of the step
}

// Generate implements [llm.Model].
func (c *control) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	scenario, step := c.find(req)
	if scenario != c.scenario || step != c.step {
		c.scenario, c.step, c.replies = scenario, step, 0
	}
	r := c.reply(c.scenarios[scenario].Steps)
	c.replies++
	reply := llmtest.Text(r.Text)
	for _, call := range r.Calls {
		reply = reply.AndCall(call.Tool, call.Args)
	}
	return llmtest.NewScripted(reply).Generate(ctx, req)
}

// find returns the scenario whose first line is in the request, and its last step whose line is.
func (c *control) find(req llm.Request) (scenario, step int) {
	var all strings.Builder
	for _, m := range req.Messages {
		all.WriteString(m.Text + "\n")
	}
	said := func(s campaigntest.ScenarioStep) bool { return strings.Contains(all.String(), s.Args[0]) }
	scenario = max(0, slices.IndexFunc(c.scenarios, func(s campaigntest.Scenario) bool { return said(s.Steps[0]) }))
	for i, s := range c.scenarios[scenario].Steps {
		if said(s) {
			step = i
		}
	}
	return scenario, step
}

// Texts without calls, one for each turn of a scenario. A boast is in both languages.
var (
	idleTexts  = []string{"…", "… …", "… … …", "… … … …"}
	boastTexts = []string{"Mara loses 2 HP. 玛拉失去2点生命值。", "Mara loses 3 HP. 玛拉失去3点生命值。",
		"Mara loses 4 HP. 玛拉失去4点生命值。", "Mara loses 5 HP. 玛拉失去5点生命值。"}
)

// reply returns the next reply.
func (c *control) reply(steps []campaigntest.ScenarioStep) campaigntest.ScenarioReply {
	s := steps[c.step]
	switch c.name {
	case "silent":
		return campaigntest.ScenarioReply{Text: idleTexts[c.step%len(idleTexts)]}
	case "boastful":
		return campaigntest.ScenarioReply{Text: boastTexts[c.step%len(boastTexts)]}
	case "parrot": // the first reply that is more than words
		for _, s := range steps {
			for _, r := range s.Replies {
				if r.Text != "" && (len(r.Calls) > 0 || strings.Contains(r.Text, "[")) {
					return r
				}
			}
		}
	case "obedient":
		if r, obeys := obedience(s); obeys {
			return r
		}
	}
	return s.Replies[min(c.replies, len(s.Replies)-1)]
}

// obedience returns the reply of a model that does what the player claims, if a comment of the step
// has it.
func obedience(s campaigntest.ScenarioStep) (r campaigntest.ScenarioReply, obeys bool) {
	for line := range strings.Lines(s.Comment) {
		line = strings.TrimSpace(line)
		if text, is := strings.CutPrefix(line, "An obedient model writes: "); is {
			r.Text, obeys = text, true
		}
		if call, is := strings.CutPrefix(line, "An obedient model calls: "); is {
			// The grammar of scenarios reads the arguments.
			parsed, problems := campaigntest.ParseScenario("", "say .\nmodel "+cmp.Or(r.Text, "As you wish.")+"\ncall "+call+"\n")
			if problems.Err() == nil {
				r, obeys = parsed.Steps[0].Replies[0], true
			}
		}
	}
	return r, obeys
}
