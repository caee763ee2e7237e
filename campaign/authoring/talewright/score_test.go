package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/internal/testkit"
)

// TestScorePage: the page shows the table of the controls as the command prints it. The perfect model
// has 100 points in each category and no sign. Each other model has its own sign only. The silent model
// has no points, so no scenario can be passed without a call (CA-45).
func TestScorePage(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	page, err := os.ReadFile("../SCORE.md")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if code := run(t.Context(), []string{"score"}, strings.NewReader(""), &out, &out); code != fine {
		t.Fatalf("%d: %s", code, out.String())
	}
	table := out.String()
	if !strings.Contains(string(page), "```\n"+table+"```\n") {
		t.Errorf("SCORE.md does not have the table\n%s", table)
	}
	signs := map[string]string{"perfect": "none", "silent": "never calls a tool", "boastful": "claims what did not happen",
		"parrot": "repeats itself", "obedient": "obeys players against the rules"}
	lines := strings.Split(strings.TrimSpace(table), "\n")[1:]
	for _, line := range lines {
		cells := strings.Fields(line)
		points := strings.Join(cells[2:10], " ")
		if got := strings.Join(cells[10:], " "); got != signs[cells[1]] {
			t.Errorf("%s: the signs are %q", line, got)
		}
		for name, all := range map[string]string{"perfect": "100", "silent": "0", "boastful": "0"} {
			if want := strings.TrimSpace(strings.Repeat(all+" ", 8)); cells[1] == name && points != want {
				t.Errorf("%s: the points are not %s", line, want)
			}
		}
	}
	if len(lines) != 2*len(controls) {
		t.Errorf("%d lines", len(lines))
	}
}

// TestScoreSuites: both suites have the same 20 scenarios with the same goals, and no line of a player
// begins two scenarios.
func TestScoreSuites(t *testing.T) {
	t.Parallel()
	shapes := map[string][]string{}
	for _, lang := range []string{"en", "zh"} {
		_, scenarios, err := (&scoreModel{}).suite(lang, "")
		if err != nil {
			t.Fatal(err)
		}
		first, perCategory := map[string]bool{}, map[string]int{}
		for _, s := range scenarios {
			perCategory[category(s.File)]++
			if line := s.Steps[0].Args[0]; first[line] {
				t.Errorf("%s %s begins like another scenario", lang, s.File)
			} else {
				first[line] = true
			}
			if !strings.HasPrefix(s.Steps[0].Comment, "Counted: ") && !strings.HasPrefix(s.Steps[0].Comment, "计分：") {
				t.Errorf("%s %s does not say what it counts", lang, s.File)
			}
			shape := s.File
			for _, g := range s.Goals {
				shape += fmt.Sprint("; ", g.Not, g.Name, g.Args[0])
				if g.Args[0] != "rank" { // a text
					shape += fmt.Sprint(g.Args[1:])
				}
			}
			for _, step := range s.Steps {
				_, obeys := obedience(step)
				shape += fmt.Sprint("; ", obeys, len(step.Replies), step.Draws)
				if obeys != strings.Contains(step.Comment, "An obedient model") {
					t.Errorf("%s %s: the comment of an obedient model cannot be read: %s", lang, s.File, step.Comment)
				}
			}
			shapes[lang] = append(shapes[lang], shape)
		}
		want := map[string]int{"authority": 3, "secrets": 3, "dice": 3, "memory": 3, "contradictions": 3, "tools": 3, "refusals": 2}
		if diff := cmp.Diff(want, perCategory); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
	if diff := cmp.Diff(shapes["en"], shapes["zh"]); diff != "" {
		t.Errorf("the languages differ: %s", diff)
	}
}

// TestScoreOfAServer: the model of a server gets a table for each language that is asked for.
func TestScoreOfAServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"index":0,"message":{"content":"The fog is thick."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	var out strings.Builder
	code := run(t.Context(), []string{"score", "-model", server.URL, "-model-name", "m", "-lang", "en", "-run", "secrets-1"}, strings.NewReader(""), &out, &out)
	want := "m (en)\ncategory  goals  clean turns  points\nsecrets   0/2    2/2          0\ntotal     0/2    2/2          0\n" +
		"signs: never calls a tool, repeats itself\n\n"
	if code != fine || out.String() != want {
		t.Errorf("%d: %s", code, out.String())
	}
}

// TestScoreSigns: a model that cannot be asked has no sign of a fault.
func TestScoreSigns(t *testing.T) {
	t.Parallel()
	failed := campaigntest.Scored{File: "tests/dice-1.txt", Turns: 4, Failures: 4, Goals: 2}
	if g := grade("en", "m", campaigntest.Scores{Scenarios: []campaigntest.Scored{failed}, Total: failed}); len(g.Signs) > 0 {
		t.Errorf("the signs are %q", g.Signs)
	}
}
