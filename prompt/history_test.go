package prompt_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// oracle chooses lines by the documented rules, with every line in a list. Required lines come
// first. The others follow by keep, and then the newest first, until one does not fit.
func oracle(history []prompt.Line, layout prompt.Layout, start, room int) []prompt.Status {
	status := make([]prompt.Status, len(history))
	newest := len(history) - 1
	keep := func(i int) int {
		switch {
		case history[i].Keep != nil:
			return *history[i].Keep
		case i > newest-cmp.Or(layout.Recent, 4):
			return cmp.Or(layout.RecentKeep, 800)
		}
		return cmp.Or(layout.OlderKeep, 400)
	}
	var optional []int
	for i, l := range history {
		if i == newest || l.Required {
			status[i] = prompt.Kept
			room -= len(l.Text)
		} else {
			optional = append(optional, i)
		}
	}
	slices.SortFunc(optional, func(i, j int) int {
		return cmp.Or(cmp.Compare(keep(j), keep(i)), cmp.Compare(j, i))
	})
	stop := 0
	for _, i := range optional {
		switch {
		case i < start:
			status[i] = "before_start"
		case i < stop:
			status[i] = prompt.Dropped
		case len(history[i].Text) > room:
			status[i], stop = prompt.Dropped, i
		default:
			status[i] = prompt.Kept
			room -= len(history[i].Text)
		}
	}
	return status
}

// TestHistoryChoice compares the choice, which loads lines one by one from the newest back, with a
// choice that reads all of them.
func TestHistoryChoice(t *testing.T) {
	t.Parallel()
	rounds := uint64(1500)
	if testkit.Race {
		rounds = 200
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 3))
		layout := plain()
		layout.Recent = []int{0, 1, 3, 40}[r.IntN(4)]
		layout.OlderKeep = []int{0, 800}[r.IntN(2)]
		in := prompt.Input{HistoryStart: r.IntN(6) * r.IntN(2)}
		total := 0
		for range 1 + r.IntN(16) {
			l := prompt.Line{Role: llm.User, Text: strings.Repeat("x", 1+r.IntN(9))}
			switch r.IntN(7) {
			case 0:
				l.Keep = new([]int{100, 400, 500, 800, 900}[r.IntN(5)])
			case 1:
				l.Required = r.IntN(2) == 0
			}
			total += len(l.Text)
			in.History = append(in.History, l)
		}
		room := r.IntN(total + 8)
		got, err := prompt.Assemble(layout, in, prompt.Env{}, prompt.Budget{
			Context: room + 3, Counter: runeCounter{}, PerMessage: new(0)})
		if err != nil {
			continue // the required lines alone are too large
		}
		start := min(in.HistoryStart, len(in.History)-1)
		want := oracle(in.History, layout, start, room)
		var status []prompt.Status
		for l := range got.Report.All() {
			if l.Key != fmt.Sprint("history.", len(status)) || l.Role != llm.User {
				t.Fatalf("seed %d: line %d is %+v", seed, len(status), l)
			}
			status = append(status, l.Status)
		}
		if diff := gocmp.Diff(want, status); diff != "" {
			t.Fatalf("seed %d, room %d: (-want +got):\n%s\n%s", seed, room, diff, got.Report)
		}
	}
}

// TestSharedLines checks lines of the report that summarize several history lines (PR-06).
func TestSharedLines(t *testing.T) {
	t.Parallel()
	in := prompt.Input{HistoryStart: 3}
	for i := range 9 {
		role := llm.User
		if i == 5 {
			role = llm.Assistant
		}
		in.History = append(in.History,
			prompt.Line{Role: role, Text: "xxxx"},
			prompt.Line{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "c"}}})
	}
	got := assemble(t, plain(), in, prompt.Budget{Context: 11})
	type row struct {
		Key, Role, Status string
		Count             int
	}
	var rows []row
	for _, l := range got.Report.Lines {
		rows = append(rows, row{l.Key, string(l.Role), string(l.Status) + " " + l.Reason, l.Count})
	}
	want := []row{
		{"history.0", "user", "before_start ", 3},
		{"history.3", "", "dropped history_stop", 3}, // several roles
		{"history.6", "user", "dropped budget", 0},
		{"history.7", "user", "kept ", 0},
		{"history.8", "user", "kept ", 0},
		{"tools.0", "assistant", "disabled no_tools", 9},
	}
	if diff := gocmp.Diff(want, rows); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	keys := map[string]prompt.Status{}
	for l := range got.Report.All() {
		if _, twice := keys[l.Key]; twice || l.Count != 0 {
			t.Errorf("line %+v", l)
		}
		keys[l.Key] = l.Status
		if one, ok := got.Report.Line(l.Key); !ok || one != l {
			t.Errorf("Line(%q) = %+v, want %+v", l.Key, one, l)
		}
	}
	if len(keys) != 18 || keys["tools.8"] != prompt.Disabled ||
		keys["history.2"] != "before_start" {
		t.Errorf("%d lines one by one: %v", len(keys), keys)
	}
	for _, key := range []string{"history.9", "tools.9", "history.-1", "history.", "", "tools"} {
		if l, ok := got.Report.Line(key); ok {
			t.Errorf("Line(%q) = %+v", key, l)
		}
	}
	for range got.Report.All() {
		break // an iteration may end early
	}
}

// TestContinuedLineIsTheNewest: if the newest line is being continued, no other line is required.
func TestContinuedLineIsTheNewest(t *testing.T) {
	t.Parallel()
	in := prompt.Input{
		History: []prompt.Line{
			{Role: llm.User, Text: strings.Repeat("x", 90)}, {Role: llm.Assistant, Text: "And so"},
		},
		Generation: worldbook.Continue,
	}
	got := assemble(t, plain(), in, prompt.Budget{Context: 20})
	if texts(got) != "a:And so" {
		t.Errorf("%q\n%s", texts(got), got.Report)
	}
}

// TestContinuedLineIsRequired: the error lists the continued line under its own name.
func TestContinuedLineIsRequired(t *testing.T) {
	t.Parallel()
	_, err := prompt.Assemble(plain(), prompt.Input{
		History: []prompt.Line{
			{Role: llm.User, Text: "hi"}, {Role: llm.Assistant, Text: strings.Repeat("x", 90)},
		},
		Generation: worldbook.Continue,
	}, prompt.Env{}, prompt.Budget{Context: 20, Counter: runeCounter{}, PerMessage: new(0)})
	tooSmall, ok := errors.AsType[*prompt.BudgetError](err)
	if !ok {
		t.Fatal(err)
	}
	want := []prompt.Part{{Key: "history.1", Kind: prompt.KindHistory, Tokens: 90}}
	if diff := gocmp.Diff(want, tooSmall.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

// PR-08: a literal line is data, with any layout.
func TestLiteralLine(t *testing.T) {
	t.Parallel()
	for _, mode := range []macro.Mode{"", macro.Names, macro.Full} {
		layout := prompt.Default()
		layout.HistoryMacros = mode
		in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "{{user}}\r\n<USER>{{setvar::x::1}}", Literal: true}}}
		got, err := prompt.Assemble(layout, in, prompt.Env{User: "Mara"}, prompt.Budget{})
		if err != nil || len(got.Messages) != 2 || got.Messages[1].Text != "{{user}}\n<USER>{{setvar::x::1}}" {
			t.Errorf("%s: %+v, %v", mode, got.Messages, err)
		}
	}
}

// TestBlankLineHasNoName: a line of which the expansion leaves nothing is left out, also if lines have
// the names of their speakers.
func TestBlankLineHasNoName(t *testing.T) {
	t.Parallel()
	for _, names := range []prompt.NameStyle{"", prompt.NamesForced, prompt.NamesContent} {
		layout := prompt.Default()
		layout.Names, layout.HistoryMacros = names, macro.Full
		got, err := prompt.Assemble(layout, prompt.Input{History: []prompt.Line{
			{Role: llm.User, Name: "Ren", Forced: true, Text: "I wait."},
			{Role: llm.Assistant, Name: "Ash", Forced: true, Text: "{{//nothing}}"},
			{Role: llm.User, Name: "Ren", Forced: true, Text: " {{setvar::a::b}}\n"},
			{Role: llm.User, Name: "Mei", Forced: true, Text: "I look."},
		}}, prompt.Env{User: "Ren", Char: "Ash"}, prompt.Budget{})
		var texts []string
		for _, m := range got.Messages {
			if m.Role != llm.System {
				texts = append(texts, m.Text)
			}
		}
		if diff := gocmp.Diff([]string{"Ren: I wait.", "Mei: I look."}, texts); err != nil || diff != "" {
			t.Errorf("%q: %v %s", names, err, diff)
		}
	}
}
