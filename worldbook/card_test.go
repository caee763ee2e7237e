package worldbook_test

import (
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// cardScan compiles one entry in the Card V3 way and scans one message.
func cardScan(t *testing.T, content string, in wb.Input, st wb.State) (wb.Result, wb.State, []wb.Problem) {
	t.Helper()
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	entry := wb.Entry{UID: "1", Keys: []string{"dragon"}, Content: content}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry}}}}, settings)
	if in.Messages == nil {
		in.Messages = []wb.Message{{Text: "a dragon, red"}}
	}
	in.ContextSize = 4096
	r, next := c.Scan(in, st)
	return r, next, problems
}

// TestCardDecorators goes through the table of Card V3 and RisuAI (WB-34).
func TestCardDecorators(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, content string
		in            wb.Input
		active        bool
		problem       wb.Code
	}{
		{name: "activate wins", content: "@@dont_activate\n@@activate\nx", active: true},
		{name: "dont_activate", content: "@@dont_activate\nx"},
		{name: "after, too early", content: "@@activate_only_after 3\nx", in: wb.Input{Replies: 2}},
		{name: "after, in time", content: "@@activate_only_after 3\nx", in: wb.Input{Replies: 3}, active: true},
		{name: "every, off", content: "@@activate_only_every 2\nx", in: wb.Input{Replies: 3}},
		{name: "every, on", content: "@@activate_only_every 2\nx", in: wb.Input{Replies: 4}, active: true},
		{name: "every 0 is no value", content: "@@activate_only_every 0\nx", active: true, problem: "bad_value"},
		{name: "greeting", content: "@@is_greeting 1\nx"},
		{name: "greeting, right", content: "@@is_greeting 1\nx", in: wb.Input{Greeting: 1}, active: true},
		{name: "icon", content: "@@is_user_icon crown\nx", in: wb.Input{Icon: "hat"}},
		{name: "additional, each line by itself", content: "@@additional_keys red, blue\n@@additional_keys green\nx"},
		{name: "additional, found", content: "@@additional_keys red, blue\nx", active: true},
		{name: "exclude", content: "@@exclude_keys red\nx"},
		{name: "exclude all, one missing", content: "@@exclude_keys_all red, blue\nx", active: true},
		{name: "scan depth 0", content: "@@scan_depth 0\nx"},
		{name: "full words", content: "@@match_full_word\nx", in: wb.Input{Messages: []wb.Message{{Text: "dragons"}}}},
		{name: "unknown", content: "@@nonsense 1\nx", active: true, problem: "unknown_decorator"},
		{name: "fallback", content: "@@nonsense\n@@@dont_activate\nx"},
		{name: "fallback of a bad value", content: "@@depth x\n@@@dont_activate\nx"},
		{name: "fallback not needed", content: "@@depth 1\n@@@dont_activate\nx", active: true},
		{name: "stray fallback", content: "@@@dont_activate\nx", active: true, problem: "stray_fallback"},
		{name: "duplicate", content: "@@depth 1\n@@depth 2\nx", active: true, problem: "duplicate"},
		{name: "probability 0", content: "@@probability 0\nx", in: wb.Input{Random: func() float64 { return 0.5 }}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r, _, problems := cardScan(t, row.content, row.in, wb.State{})
			if got := len(r.Activated) == 1; got != row.active {
				t.Errorf("active %v, want %v", got, row.active)
			}
			if row.active && r.Activated[0].Text != "x" {
				t.Errorf("text %q", r.Activated[0].Text)
			}
			var code wb.Code
			if len(problems) > 0 {
				code = problems[0].Code
			}
			if code != row.problem {
				t.Errorf("problems %v, want %q", problems, row.problem)
			}
		})
	}
}

func TestCardPlacement(t *testing.T) {
	t.Parallel()
	chat := make([]wb.Message, 5)
	chat[4].Text = "dragon"
	in := wb.Input{Messages: chat}
	r, _, _ := cardScan(t, "\n@@depth 2\n\n@@role user\n\ntext\n@@depth 9", in, wb.State{})
	if g := r.Depth; len(g) != 1 || *g[0].Depth != 2 || g[0].Role != wb.RoleUser || g[0].Entries[0].Text != "text\n@@depth 9" {
		t.Errorf("depth groups %+v", g)
	}
	r, _, _ = cardScan(t, "@@reverse_depth 1\nx", in, wb.State{})
	if g := r.Depth; len(g) != 1 || *g[0].Depth != 4 {
		t.Errorf("reverse depth %+v", g)
	}
	r, _, _ = cardScan(t, "@@position pt_map\n@@depth 1\nx", in, wb.State{})
	if r.Outlet("map") != "x" || len(r.Depth) > 0 {
		t.Errorf("outlets %+v", r.Outlets)
	}
	r, _, _ = cardScan(t, "@@disable_ui_prompt system_prompt\nx", in, wb.State{})
	if got := strings.Join(r.Activated[0].Hides, ","); got != "system_prompt" {
		t.Errorf("hides %q", got)
	}
}

// TestCardMemory: decorators that look at an earlier match.
func TestCardMemory(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		content string
		first   bool
		second  bool // on the next turn, without the key
		third   bool // on the turn after, with the key
	}{
		{"@@keep_activate_after_match\nx", true, true, true},
		{"@@dont_activate_after_match\nx", true, false, false},
		{"x", true, false, true},
	} {
		var st wb.State
		var chat []wb.Message
		for i, want := range []bool{row.first, row.second, row.third} {
			text := []string{"dragon", "fog", "dragon"}[i]
			chat = append(chat, wb.Message{Text: "…"}, wb.Message{Text: "…"}, wb.Message{Text: text})
			r, next, _ := cardScan(t, row.content, wb.Input{Messages: chat}, st)
			if got := len(r.Activated) == 1; got != want {
				t.Errorf("%q turn %d: %v, want %v", row.content, i, got, want)
			}
			again, _, _ := cardScan(t, row.content, wb.Input{Messages: chat}, next)
			if len(again.Activated) != len(r.Activated) {
				t.Errorf("%q turn %d: another answer on the same length", row.content, i)
			}
			st = next
		}
	}
}

// TestInjectLore: an entry's text stands inside another one.
func TestInjectLore(t *testing.T) {
	t.Parallel()
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Constant: true, Comment: "Town", Content: "The town."},
		{UID: "2", Constant: true, Content: "@@inject_lore Town\nIt burns."},
	}}}}, settings)
	r, _ := c.Scan(wb.Input{ContextSize: 4096}, wb.State{})
	if got := wb.Join(r.Before); got != "The town.\nIt burns." || len(r.Before) != 1 {
		t.Errorf("got %q in %d texts", got, len(r.Before))
	}
}
