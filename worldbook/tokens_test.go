package worldbook_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/tokens"
	wb "github.com/talewright/talewright/worldbook"
)

// TestEstimate: without a counter the budget is counted like prompts. This is so for texts that are
// known at compile time and for texts of macros.
func TestEstimate(t *testing.T) {
	t.Parallel()
	chinese := strings.Repeat("龙醒了。", 550)
	for _, row := range []struct {
		reason string
		texts  []string
	}{
		{"2,200 Chinese characters", []string{chinese}},
		{"several texts", []string{chinese, "The tower of 1,200 steps.", "  ", "塔\n\n  x"}},
		{"macros", []string{"{{user}} sleeps at {{char}}'s.", "龙 {{user}}"}},
		{"an empty text", []string{""}},
	} {
		var entries []wb.Entry
		whole := ""
		for _, text := range row.texts {
			entries = append(entries, wb.Entry{Constant: true, IgnoreBudget: true, Content: text})
			whole += strings.NewReplacer("{{user}}", "安娜", "{{char}}", "Borin").Replace(text) + "\n"
		}
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
		r, _ := c.Scan(wb.Input{User: "安娜", Char: "Borin", ContextSize: 100}, wb.State{})
		if want := tokens.Estimate(whole); r.Used != want {
			t.Errorf("%s: %d tokens, want %d", row.reason, r.Used, want)
		}
	}
}
