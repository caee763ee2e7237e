package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/campaigntest"
)

// vetGame reports all problems of a game.
type vetGame struct {
	Dir    string `arg:"" help:"A folder, a card or a world book."`
	SARIF  bool   `name:"sarif" help:"Write SARIF 2.1 for code hosts."`
	Strict bool   `help:"Warnings are problems too."`
}

// reportedProblem is a problem in JSON.
type reportedProblem struct {
	File     string              `json:"file,omitempty"`
	Line     int                 `json:"line,omitempty"`
	Column   int                 `json:"column,omitempty"`
	Path     string              `json:"path,omitempty"`
	ID       string              `json:"id,omitempty"`
	Code     talewright.Code     `json:"code,omitempty"`
	Severity talewright.Severity `json:"severity"`
	Text     string              `json:"text"`
	// Translated is the text in the language of the game, if that is not English.
	Translated string `json:"translated,omitempty"`
}

// reportedProblems returns problems for JSON.
func reportedProblems(w *words, list talewright.Problems) []reportedProblem {
	out := make([]reportedProblem, len(list))
	for i, p := range list.Translated(w.Language) {
		at, path := authoring.Position(p)
		out[i] = reportedProblem{at.Filename, at.Line, at.Column, path, p.ID, p.Code, p.Severity, list[i].Text, ""}
		if p.Text != list[i].Text {
			out[i].Translated = p.Text
		}
	}
	return out
}

// Run is the command.
func (v *vetGame) Run(t *terminal) error {
	l, err := t.load(v.Dir)
	if err != nil {
		return err
	}
	list := l.vet()
	switch {
	case v.SARIF:
		err = t.writeJSON(sarif(l.texts, list))
	case t.json:
		err = t.writeJSON(map[string]any{"problems": reportedProblems(l.texts, list)})
	default:
		t.list(l.texts, list)
	}
	least := talewright.Error
	if v.Strict {
		least = talewright.Warning
	}
	if err == nil && len(list.AtLeast(least)) > 0 {
		err = errProblems
	}
	return err
}

// vet returns all problems, also of the scenarios, in the order of the files.
func (l *loaded) vet() talewright.Problems {
	list := append(slices.Clone(l.problems), l.Vet(l.compiled)...)
	for _, name := range sortedKeys(l.Tests) {
		_, mistakes := campaigntest.ParseScenario(name, l.Tests[name])
		for _, p := range mistakes {
			p.Severity = talewright.Error
			p.Path += ":1"
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, byPlace)
	return slices.Compact(list)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// byPlace orders problems by file, line and column.
func byPlace(a, b talewright.Problem) int {
	x, p := authoring.Position(a)
	y, q := authoring.Position(b)
	return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line),
		cmp.Compare(x.Column, y.Column), cmp.Compare(p, q), cmp.Compare(a.Text, b.Text))
}

// list prints problems and their number.
func (t *terminal) list(w *words, list talewright.Problems) {
	colors := map[talewright.Severity]string{talewright.Warning: yellow, talewright.Error: red, talewright.Fatal: red}
	for _, p := range list.Translated(w.Language) {
		t.printf("%s: %s\n", t.paint(colors[p.Severity], w.Severity[p.Severity]), printable(p.String()))
	}
	if len(list) == 0 {
		t.printf("%s\n", t.paint(green, w.NoProblems))
		return
	}
	wrong := len(list.AtLeast(talewright.Error))
	t.printf(w.Summary+"\n", wrong, len(list)-wrong)
}

// sarif returns the problems in the format of code hosts.
func sarif(w *words, list talewright.Problems) map[string]any {
	levels := map[talewright.Severity]string{
		talewright.Warning: "warning", talewright.Error: "error", talewright.Fatal: "error",
	}
	results := make([]map[string]any, len(list))
	for i, p := range list.Translated(w.Language) {
		at, path := authoring.Position(p)
		text := p.Text
		if path != "" {
			text = path + ": " + text
		}
		place := map[string]any{"artifactLocation": map[string]any{"uri": at.Filename}}
		if at.Line > 0 {
			place["region"] = map[string]any{"startLine": at.Line, "startColumn": at.Column}
		}
		results[i] = map[string]any{
			"ruleId": string(p.Code), "level": levels[p.Severity], "message": map[string]any{"text": text},
			"locations": []any{map[string]any{"physicalLocation": place}},
		}
	}
	tool := map[string]any{"driver": map[string]any{"name": "talewright"}}
	return map[string]any{
		"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"runs": []any{map[string]any{"tool": tool, "language": w.Language, "results": results}},
	}
}
