package campaign_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// TestLoreConditions: in every imported form, lore with conditions is active exactly when they
// hold.
func TestLoreConditions(t *testing.T) {
	t.Parallel()
	const night = `{"variableId": "night", "operator": "eq", "value": true}`
	const rain = `{"variableId": "rain", "operator": "eq", "value": true}`
	for _, row := range []struct {
		reason, conditions, variables string
		want                          bool
	}{
		{"a list, all hold", `[` + night + `,` + rain + `]`, `{"night": true, "rain": true}`, true},
		{"a list, one does not", `[` + night + `,` + rain + `]`, `{"night": true, "rain": false}`, false},
		{"an object means all", `{"conditions": [` + night + `,` + rain + `]}`, `{"night": true, "rain": false}`, false},
		{"all", `{"conditions": [` + night + `,` + rain + `], "conditionLogic": "all"}`,
			`{"night": true, "rain": true}`, true},
		{"any, one holds", `{"conditions": [` + night + `,` + rain + `], "conditionLogic": "any"}`,
			`{"night": false, "rain": true}`, true},
		{"any, none holds", `{"conditions": [` + night + `,` + rain + `], "conditionLogic": "any"}`,
			`{"night": false, "rain": false}`, false},
		{"no logic is given", `{"conditions": [` + night + `], "conditionLogic": null}`, `{"night": true}`, true},
		{"a single one", night, `{"night": true}`, true},
		{"a single one does not hold", night, `{"night": false}`, false},
		{"none", `null`, `{}`, true},
		{"an empty list", `{"conditions": []}`, `{}`, true},
		{"values of characters", `[{"variableId": "hp.ren", "operator": "lt", "value": 20}]`, `{}`, true},
	} {
		book := lore("main", "Wolves howl.")
		book.Book.Entries[0].Conditions = json.RawMessage(row.conditions)
		m := begin(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book}}}, `{"variables": `+row.variables+`}`)
		if got := strings.Contains(promptOf(t, m, "I listen."), "Wolves howl."); got != row.want {
			t.Errorf("%s: the entry is in the prompt: %v", row.reason, got)
		}
	}
}

// TestLoreConditionsReported: conditions that cannot be read disable their entry, and Compile says
// where they are and what to write. Conditions that can never hold are warnings.
func TestLoreConditionsReported(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ conditions, want string }{
		{`"at night"`, `books.main.entries[0].conditions: neither a list of conditions nor an object`},
		{`{"if": []}`, `main.entries[0].conditions: neither a list`},
		{`[17]`, `condition 0 is not an object`},
		{`{"conditions": [], "conditionLogic": "some"}`, `"some" is neither "all" nor "any"`},
		{`{"conditions": [], "conditionLogic": 1}`, `1 is neither "all" nor "any"`},
	} {
		book := lore("main", "Wolves howl.")
		book.Book.Entries[0].Conditions = json.RawMessage(row.conditions)
		c := game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book}}}
		g, problems := game.Compile(c)
		err := problems.Err()
		if err != nil || len(problems) != 1 || problems[0].Severity == talewright.Warning ||
			!strings.Contains(problems[0].String(), row.want) {
			t.Errorf("%s: %v %v", row.conditions, problems, err)
			continue
		}
		start, err := turn.Begin(g, cave(t))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(promptOf(t, turn.NewMachine(g, start), "I listen."), "Wolves howl.") {
			t.Errorf("%s: the entry is active", row.conditions)
		}
	}
	book := lore("main", "Wolves howl.")
	book.Book.Entries[0].Conditions = json.RawMessage(
		`{"conditions": [{"variableId": "nihgt", "operator": "equals", "value": true}], "conditionLogic": "any"}`)
	_, problems := game.Compile(game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book}},
		Rules: game.Rules{Variables: []rules.Variable{{ID: "night", Type: rules.TypeBoolean}}}})
	err := problems.Err()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range problems {
		if strings.HasPrefix(p.Path, "books.") && p.Severity == talewright.Warning {
			texts = append(texts, p.String())
		}
	}
	wantHas(t, "the doubts", strings.Join(texts, "\n"),
		`main.entries[0].conditions[0].operator: unknown operator "equals"`,
		`main.entries[0].conditions[0]`, `"nihgt"`, `night`)
}
