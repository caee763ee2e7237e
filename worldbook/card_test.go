package worldbook_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	wb "github.com/talewright/talewright/worldbook"
)

// cardScan compiles one entry in the Card V3 way and scans one message.
func cardScan(t *testing.T, content string, in wb.Input, st wb.State) (wb.Result, wb.State, talewright.Problems) {
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
		problem       talewright.Code
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
		{name: "fallback", content: "@@nonsense\n@@@dont_activate\nx", problem: "unknown_decorator"},
		{name: "fallback of a bad value", content: "@@depth x\n@@@dont_activate\nx", problem: "bad_value"},
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
			var code talewright.Code
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
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	entry := wb.Entry{UID: "1", Constant: true, Content: "@@depth 2\nx", Role: wb.RoleAssistant}
	c := featureBook(t, settings, entry)
	if r, _ = c.Scan(wb.Input{ContextSize: 4096}, wb.State{}); r.Depth[0].Role != wb.RoleAssistant {
		t.Errorf("an entry keeps its role without @@role: %+v", r.Depth)
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

// cardBook scans a book of constants in the Card V3 way.
func cardBook(t *testing.T, in wb.Input, entries ...wb.Entry) wb.Result {
	t.Helper()
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	for i := range entries {
		entries[i].UID = strconv.Itoa(i + 1)
		entries[i].Constant = len(entries[i].Keys) == 0
	}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, settings)
	if len(problems) > 0 {
		t.Error(problems)
	}
	if in.ContextSize == 0 {
		in.ContextSize = 4096
	}
	r, _ := c.Scan(in, wb.State{})
	return r
}

// TestInjectLore: an entry's text is placed inside a different entry's text (WB-34).
func TestInjectLore(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"@@inject_lore Town, old\nIt burns.":                               "The town.\nIt burns.",
		"@@inject_lore Town, old\n@@inject_prepend\nIt burns.":             "It burns.\nThe town.",
		"@@inject_lore Town, old\n@@inject_replace The town\nThe ruin":     "The ruin.",
		"@@inject_lore Town, old\n@@inject_replace no such text\nThe ruin": "The town.",
		"@@inject_lore Nowhere\nIt burns.":                                 "The town.",
	} {
		r := cardBook(t, wb.Input{}, wb.Entry{Comment: "Town, old", Content: "The town."}, wb.Entry{Content: content})
		if got := wb.Join(r.Before); got != want || len(r.Before) != 1 {
			t.Errorf("%q: got %q in %d texts, want %q", content, got, len(r.Before), want)
		}
	}
}

// TestInjectAt: a text for a part of the host's prompt is passed to the host and placed nowhere
// else (WB-34).
func TestInjectAt(t *testing.T) {
	t.Parallel()
	r := cardBook(t, wb.Input{}, wb.Entry{Content: "@@inject_at jailbreak\n@@inject_replace be nice\nbe fair"})
	in := r.Activated[0].Inject
	if in == nil || *in != (wb.Injection{Into: "jailbreak", How: wb.Replace, Old: "be nice"}) || len(r.Before) > 0 {
		t.Fatalf("injection %+v, before %v", in, r.Before)
	}
	if got := in.Apply("Please be nice.", r.Activated[0].Text); got != "Please be fair." {
		t.Errorf("the host's text becomes %q", got)
	}
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	stray := wb.Entry{UID: "1", Content: "@@inject_prepend\nx"}
	if _, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{stray}}}}, settings); len(problems) != 1 {
		t.Errorf("without a target: %v", problems)
	}
}

// TestPriority: the priority decides who pays first, not the order (WB-34).
func TestPriority(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 20) // 25 tokens
	entries := []wb.Entry{
		{Order: 100, Content: text}, {Order: 1, Content: "@@priority 500\n" + text}, {Order: 50, Content: text},
	}
	r := cardBook(t, wb.Input{ContextSize: 250, CountTokens: quarter}, entries...) // 62 tokens
	if got := activated(&r); !slices.Equal(got, []string{"2", "1"}) {
		t.Errorf("active %v", got)
	}
}

// TestUseRegex: with use_regex keys are patterns, secondary and excluding keys do
// not count, and a bad pattern never matches (Card V3).
func TestUseRegex(t *testing.T) {
	t.Parallel()
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	for _, row := range []struct {
		reason, content string
		keys            []string
		want            bool
		problems        int
	}{
		{"a bare pattern ignores case", "x", []string{"DRAG(on|ake)"}, true, 0},
		{"slashes have flags of their own", "x", []string{"/DRAGON/"}, false, 0},
		{"an exclusion does not count", "@@exclude_keys red\nx", []string{"dragon"}, true, 0},
		{"additional keys are patterns", "@@additional_keys r.d\nx", []string{"dragon"}, true, 0},
		{"a bad pattern", "x", []string{"dragon", "("}, false, 1},
	} {
		e := wb.Entry{
			UID: "1", Keys: row.keys, SecondaryKeys: []string{"fog"}, Selective: true, Content: row.content,
			Extra: map[string]json.RawMessage{"use_regex": json.RawMessage("true")},
		}
		c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{e}}}}, settings)
		r, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: "a dragon, red"}}, ContextSize: 4096}, wb.State{})
		if got := len(r.Activated) == 1; got != row.want || len(problems) != row.problems {
			t.Errorf("%s: active %v, problems %v", row.reason, got, problems)
		}
	}
}

// TestForcedCopyIsScoredByItsKeys: an override that changes the keys of a forced
// entry changes its score in a group (WB-26, WB-30).
func TestForcedCopyIsScoredByItsKeys(t *testing.T) {
	t.Parallel()
	entries := []wb.Entry{
		{UID: "1", Keys: []string{"fog"}, Group: "g", Content: "forced", GroupWeight: 1},
		{UID: "2", Keys: []string{"red"}, Group: "g", Content: "found", GroupWeight: 1},
	}
	settings := wb.Exact()
	settings.UseGroupScoring = true
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, settings)
	for override, want := range map[string]string{
		``: "2", `{"key":["fog","mist"]}`: "2", `{"key":["a dragon","red"]}`: "1", `{"key":["/r.d/","/dr/"]}`: "1",
	} {
		in := wb.Input{Messages: []wb.Message{{Text: "a dragon, red"}}, ContextSize: 4096}
		in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "1"}, Override: json.RawMessage(override)}}
		r, _ := c.Scan(in, wb.State{})
		if got := activated(&r); !slices.Equal(got, []string{want}) {
			t.Errorf("override %s: %v, want %s", override, got, want)
		}
	}
}
