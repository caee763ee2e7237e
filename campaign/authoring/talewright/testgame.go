package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/llm"
)

// testGame plays the scenarios.
type testGame struct {
	Dir    string `arg:"" help:"A folder with tests/*.txt."`
	Run_   string `name:"run" help:"Only scenarios whose names contain this text."`
	Update bool   `help:"Write what happened below the lines ----."`
	Model  string `help:"Address of a server; its model plays the scenarios and is scored."`
	serverFlags
}

// scenarioResult is the result of one scenario in JSON.
type scenarioResult struct {
	File    string        `json:"file"`
	Passed  bool          `json:"passed"`
	Faults  []string      `json:"faults,omitempty"`
	Time    time.Duration `json:"time"`
	Updated bool          `json:"updated,omitempty"`
}

// Run is the command.
func (c *testGame) Run(t *terminal) error {
	model, shape, err := c.open(c.Model)
	if err != nil {
		return err
	}
	l, err := t.loadWithout(talewright.Error, &loaded{shape: shape}, c.Dir)
	if err != nil {
		return err
	}
	game, err := campaigntest.Prepare(l.Content, l.Setup)
	if err != nil {
		return err
	}
	scenarios, problems := c.scenarios(l)
	switch {
	case problems.Err() != nil:
		t.list(l.texts, problems)
		return errProblems
	case len(scenarios) == 0 && len(l.Tests) > 0:
		return c.noMatch()
	case len(scenarios) == 0:
		t.printf("%s\n", l.texts.NoTests)
		return nil
	case model != nil:
		return t.score(game, model, scenarios)
	}
	results := make([]scenarioResult, len(scenarios))
	passed := 0
	for i, s := range scenarios {
		t.reportStep("(%d/%d)", i+1, len(scenarios))
		results[i] = c.play(t, game, s)
		if results[i].Passed {
			passed++
		}
		if !t.json {
			t.printResult(l.texts, results[i])
		}
	}
	if t.json {
		err = t.writeJSON(map[string]any{"tests": results})
	} else {
		t.printf(l.texts.Passed+"\n", passed, len(scenarios))
	}
	if err == nil && passed < len(scenarios) {
		err = errProblems
	}
	return err
}

// scenarios returns the scenarios that the flag -run selects, and the mistakes in their files.
func (c *testGame) scenarios(l *loaded) (out []campaigntest.Scenario, wrong talewright.Problems) {
	for _, name := range sortedKeys(l.Tests) {
		if !strings.Contains(path.Base(name), c.Run_) {
			continue
		}
		s, problems := campaigntest.ParseScenario(name, l.Tests[name])
		out, wrong = append(out, s), append(wrong, problems...)
	}
	return out, wrong
}

// noMatch is the error of -run if it selects no scenario.
func (c *testGame) noMatch() error {
	return fmt.Errorf("%w: -run: no scenario has %q in its name", errWrongUse, c.Run_)
}

// play plays one scenario. With -update it first writes what happens below its lines ----.
func (c *testGame) play(t *terminal, game *campaigntest.Game, s campaigntest.Scenario) scenarioResult {
	began := time.Now()
	out := scenarioResult{File: s.File}
	var err error
	if c.Update {
		s, err = c.update(t, game, s)
		out.Updated = err == nil
	}
	if err == nil {
		var report campaigntest.Report
		report, err = game.Verify(t.ctx, s)
		out.Faults = report.Faults
	}
	if err != nil {
		out.Faults = append(out.Faults, err.Error())
	}
	out.Passed, out.Time = len(out.Faults) == 0, time.Since(began)
	return out
}

// update writes what happens into the file of a scenario, and returns the scenario as it is now.
func (c *testGame) update(t *terminal, game *campaigntest.Game, s campaigntest.Scenario) (campaigntest.Scenario, error) {
	dir := os.DirFS(c.Dir)
	if err := game.Update(t.ctx, dir, s.File); err != nil {
		return s, err
	}
	text, err := fs.ReadFile(dir, s.File)
	if err != nil {
		return s, err
	}
	s, problems := campaigntest.ParseScenario(s.File, string(text))
	return s, problems.Err()
}

// printResult prints the result of a scenario.
func (t *terminal) printResult(w *words, r scenarioResult) {
	if r.Passed {
		t.printf("%s %s\n", t.paint(green, "ok  "), r.File)
		return
	}
	t.printf("%s %s\n", t.paint(red, w.Failed), r.File)
	for _, f := range r.Faults {
		t.printf("  %s\n", strings.ReplaceAll(printable(strings.TrimRight(f, "\n")), "\n", "\n  "))
	}
}

// score plays the scenarios with a real model.
func (t *terminal) score(game *campaigntest.Game, model llm.Model, scenarios []campaigntest.Scenario) error {
	scores, err := game.Score(t.ctx, t.counted(model), scenarios)
	if t.json {
		return cmp.Or(err, t.writeJSON(scores))
	}
	fmt.Fprintln(t.out, scores)
	return err
}
