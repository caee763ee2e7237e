package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestGates pins the stable texts of the trace (WB-25).
func TestGates(t *testing.T) {
	t.Parallel()
	half := func() float64 { return 0.71 }
	rows := []struct {
		name  string
		entry wb.Entry
		in    wb.Input
		want  string
	}{
		{"disabled", wb.Entry{Constant: true, Disable: true}, wb.Input{}, "b.1: stopped: disabled"},
		{"trigger", wb.Entry{Constant: true, Triggers: []string{"swipe"}}, wb.Input{}, "b.1: stopped: trigger normal not among swipe"},
		{"name", wb.Entry{Constant: true, CharacterFilter: &wb.CharacterFilter{Names: []string{"Ann"}}},
			wb.Input{Speaker: wb.Speaker{Name: "Bo"}}, `b.1: stopped: character filter by name: "Bo"`},
		{"tag", wb.Entry{Constant: true, CharacterFilter: &wb.CharacterFilter{Tags: []string{"x"}}},
			wb.Input{Speaker: wb.Speaker{Name: "Bo", Tags: []string{"y", "z"}}}, `b.1: stopped: character filter by tag: "y, z"`},
		{"conditions", wb.Entry{Constant: true, Conditions: json.RawMessage(`["hp<5"]`)},
			wb.Input{Condition: func(json.RawMessage) bool { return false }}, "b.1: stopped: conditions do not hold"},
		{"delay", wb.Entry{Constant: true, Delay: 4}, wb.Input{}, "b.1: stopped: delay 3 more"},
		{"level", wb.Entry{Constant: true, DelayUntilRecursion: 2}, wb.Input{}, ""},
		{"key", wb.Entry{Keys: []string{"elf"}}, wb.Input{}, "b.1: stopped: no key found"},
		{"secondary", wb.Entry{Keys: []string{"boss"}, SecondaryKeys: []string{"城堡", "决战"}, Selective: true, Logic: wb.AndAll},
			wb.Input{}, "b.1: stopped: secondary AND_ALL: missing 决战"},
		{"not any", wb.Entry{Keys: []string{"boss"}, SecondaryKeys: []string{"城堡"}, Selective: true, Logic: wb.NotAny},
			wb.Input{}, "b.1: stopped: secondary NOT_ANY: found 城堡"},
		{"probability", wb.Entry{Constant: true, UseProbability: true, Probability: 50}, wb.Input{Random: half},
			"b.1: stopped: probability 71 > 50, after constant"},
		{"budget", wb.Entry{Keys: []string{"boss"}, Content: strings.Repeat("word", 30)}, wb.Input{ContextSize: 80},
			`b.1: stopped: budget 0+31 > 20, after key "boss" in message 0`},
		{"decorator", wb.Entry{Constant: true, Content: "@@dont_activate\nx"}, wb.Input{}, "b.1: stopped: decorator @@dont_activate"},
		{"scan data", wb.Entry{Keys: []string{"sea"}, MatchScenario: true, Content: "x"},
			wb.Input{Data: wb.ScanData{Scenario: "At sea."}}, `b.1: active by key "sea" in scenario`},
		{"blank key", wb.Entry{Keys: []string{" "}, Content: "x"}, wb.Input{}, `b.1: active by key " " in anywhere`},
		{"title", wb.Entry{Constant: true, Comment: "Law", Content: "x"}, wb.Input{}, "b.1 (Law): active by constant"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.entry.UID = "1"
			settings := wb.Exact()
			settings.Recursive = false
			c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{row.entry}}}}, settings)
			row.in.Messages = []wb.Message{{Text: "The boss in the 城堡"}}
			if row.in.ContextSize == 0 {
				row.in.ContextSize = 4096
			}
			row.in.Explain = true
			r, _ := c.Scan(row.in, wb.State{})
			if row.want == "" {
				row.want = "b.1: stopped: waits for recursion level 2"
			}
			if got := strings.TrimSpace(r.Trace.String()); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestGroupAndCooldownGates need a second entry or a second scan.
func TestGroupAndCooldownGates(t *testing.T) {
	t.Parallel()
	entries := []wb.Entry{
		{UID: "12", Constant: true, Group: "weather", GroupOverride: true, Content: "Sun.", Order: 2, Cooldown: 5},
		{UID: "13", Constant: true, Group: "weather", Content: "Rain."},
	}
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	in := wb.Input{Messages: make([]wb.Message, 1), ContextSize: 4096, Explain: true}
	r, st := c.Scan(in, wb.State{})
	want := "b.12: active by constant\nb.13: stopped: group \"weather\" lost to 12, after constant\n"
	if got := r.Trace.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	in.Messages = make([]wb.Message, 4)
	r, _ = c.Scan(in, st)
	want = "b.12: stopped: cooldown 2 left\nb.13: active by constant\n"
	if got := r.Trace.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
