package worldbook_test

import (
	"encoding/json"
	"math"
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
		{"budget", wb.Entry{Keys: []string{"boss"}, Content: strings.Repeat("word", 30)}, wb.Input{ContextSize: 80, CountTokens: quarter},
			`b.1: stopped: budget 0+31 > 20, after key "boss" in message 0`},
		{"float noise", wb.Entry{Constant: true, UseProbability: true, Probability: 50},
			wb.Input{Random: func() float64 { return 0.57 }}, "b.1: stopped: probability 57 > 50, after constant"},
		{"a hair too much", wb.Entry{Constant: true, UseProbability: true, Probability: 50},
			wb.Input{Random: func() float64 { return 0.5 + 1.0/(1<<26) }},
			"b.1: stopped: probability 50.00000149011612 > 50, after constant"},
		{"no probability", wb.Entry{Constant: true, UseProbability: true, Probability: math.NaN()},
			wb.Input{}, "b.1: stopped: probability 0 > NaN, after constant"},
		{"budget reached", wb.Entry{Constant: true, Content: strings.Repeat("word", 19)},
			wb.Input{ContextSize: 80, CountTokens: quarter}, "b.1: stopped: budget 0+20 >= 20, after constant"},
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

// explained scans one message and returns the trace as text.
func explained(t *testing.T, c *wb.Compiled, message string) string {
	t.Helper()
	in := says(message)
	in.Explain = true
	r, _ := c.Scan(in, wb.State{})
	return r.Trace.String()
}

// TestRecursionPath: the trace names the entry that led to an entry, and the key that was really
// found (WB-25).
func TestRecursionPath(t *testing.T) {
	t.Parallel()
	entry := func(uid, key, content string) wb.Entry {
		return wb.Entry{UID: uid, Keys: []string{key}, Content: content}
	}
	for _, row := range []struct {
		reason  string
		entries []wb.Entry
		want    string // the line of the last entry
	}{
		{"first cause first", []wb.Entry{
			entry("1", "king", "A castle."), entry("2", "castle", "A moat."), entry("3", "moat", "Water."),
		}, `b.3: active by key "moat" in recursion via b.1 > b.2`},
		{"whole words", []wb.Entry{
			entry("1", "king", "A selfish man."), entry("2", "king", "He hates an elf."), entry("3", "elf", "x"),
		}, `b.3: active by key "elf" in recursion via b.2`},
		{"a regex", []wb.Entry{
			entry("1", "king", "He was crowned 1066."), entry("2", "king", "He lives."), entry("3", `/\d{4}/`, "x"),
		}, `b.3: active by key "/\\d{4}/" in recursion via b.1`},
		{"a regex that only the window decides", []wb.Entry{
			entry("1", "king", "red"), entry("2", "king", "blue"), entry("3", `/[^](?=\w+e$)/`, "x"),
		}, `b.3: active by key "/[^](?=\\w+e$)/" in window via b.2`},
		{"two texts together", []wb.Entry{
			entry("1", "king", "red"), entry("2", "king", "blue"), entry("3", `/red\nblue/`, "x"),
		}, `b.3: active by key "/red\\nblue/" in recursion via b.2`},
		{"a macro", []wb.Entry{
			entry("1", "king", "Hail {{user}}!"), entry("2", "king", "Hail."), entry("3", "Ann", "x"),
		}, `b.3: active by key "Ann" in recursion via b.1`},
		{"a key with a macro", []wb.Entry{
			entry("1", "king", "Hail."), entry("2", "king", "Hail Ann!"), entry("3", "{{user}}", "x"),
		}, `b.3: active by key "{{user}}" in recursion via b.2`},
		{"found in the chat", []wb.Entry{
			entry("1", "king", "x"), {UID: "2", Keys: []string{"king"}, DelayUntilRecursion: 1, Content: "x"},
		}, `b.2: active by key "king" in message 0`},
	} {
		in := says("The king!")
		in.User, in.Explain = "Ann", true
		r, _ := featureBook(t, wb.Exact(), row.entries...).Scan(in, wb.State{})
		wantText(t, row.reason, r.Trace[len(r.Trace)-1].String(), row.want)
	}
}

// TestLaterLoopsSayLess: the gate that stopped a found entry stays in the trace, even if a later
// loop does not search for its keys.
func TestLaterLoopsSayLess(t *testing.T) {
	t.Parallel()
	set := wb.Exact()
	c := featureBook(t, set,
		wb.Entry{UID: "1", Keys: []string{"king"}, Content: "A castle.", Group: "g", GroupOverride: true, Order: 3},
		wb.Entry{UID: "2", Keys: []string{"king"}, Content: "x", Group: "g", ExcludeRecursion: true, Order: 2},
		wb.Entry{UID: "3", Keys: []string{"castle"}, Content: "x", ExcludeRecursion: true, Order: 1},
		wb.Entry{UID: "4", Keys: []string{"moat"}, Content: "x", ExcludeRecursion: true})
	want := `b.1: active by key "king" in message 0
b.2: stopped: group "g" lost to 1, after key "king" in message 0
b.3: stopped: excluded from recursion
b.4: stopped: no key found
`
	wantText(t, "trace", explained(t, c, "The king!"), want)
}

// TestTraceJSON pins the form that hosts store.
func TestTraceJSON(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(),
		wb.Entry{UID: "1", Keys: []string{"龙"}, Content: "It hoards gold.", Comment: "Dragon"},
		wb.Entry{UID: "2", Keys: []string{"gold"}, Content: "Cursed.", UseProbability: true},
		wb.Entry{UID: "3", Keys: []string{"龙"}, SecondaryKeys: []string{"决战"}, Selective: true, Logic: wb.AndAll})
	in := says("一条龙")
	in.Explain, in.Random = true, func() float64 { return 0.71 }
	r, _ := c.Scan(in, wb.State{})
	got, err := json.Marshal(r.Trace)
	want := `[{"id":{"book":"b","uid":"1"},"comment":"Dragon","active":true,` +
		`"reason":{"kind":"key","key":"龙","place":{"kind":"message","message":0}},"loop":0},` +
		`{"id":{"book":"b","uid":"2"},"active":false,` +
		`"reason":{"kind":"key","key":"gold","place":{"kind":"recursion","message":-1}},"loop":1,` +
		`"gate":"probability 71 \u003e 0","path":[{"book":"b","uid":"1"}]},` +
		`{"id":{"book":"b","uid":"3"},"active":false,"loop":1,"gate":"secondary AND_ALL: missing 决战"}]`
	if err != nil || string(got) != want {
		t.Errorf("got  %s %v\nwant %s", got, err, want)
	}
	var back wb.Trace
	if err := json.Unmarshal(got, &back); err != nil || back.String() != r.Trace.String() {
		t.Errorf("read back: %v\n%s", err, back)
	}
}

// TestBudgetTextCountsWhatCameBefore: the tokens of earlier entries are before the plus sign, also
// in the loop of the constants.
func TestBudgetTextCountsWhatCameBefore(t *testing.T) {
	t.Parallel()
	var entries []wb.Entry
	for i, words := range []int{7, 4, 9} {
		entries = append(entries, wb.Entry{UID: string(rune('1' + i)), Constant: true, Content: strings.Repeat("word", words), Order: float64(100 - i)})
	}
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	r, _ := c.Scan(wb.Input{ContextSize: 80, CountTokens: quarter, Explain: true}, wb.State{})
	if got := r.Trace.String(); !strings.Contains(got, "b.3: stopped: budget 12+9 > 20, after constant") {
		t.Errorf("trace\n%s", got)
	}
}
