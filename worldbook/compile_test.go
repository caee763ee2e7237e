package worldbook_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright"
	wb "github.com/talewright/talewright/worldbook"
)

// TestCompileProblems: each mistake has a code, a place and an advice. The rest of the book still
// works.
func TestCompileProblems(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason string
		set    func(*wb.ProfileSettings)
		entry  wb.Entry
		code   talewright.Code
		path   string
	}{
		{"no such quirk", func(s *wb.ProfileSettings) { s.QuirksOff = []wb.Quirk{"Q1"} }, wb.Entry{},
			"unknown_quirk", "settings.quirks_off"},
		{"no such decorators", func(s *wb.ProfileSettings) { s.Decorators = "risu" }, wb.Entry{},
			"unknown_decorators", "settings.decorators"},
		{"no such rule for words", func(s *wb.ProfileSettings) { s.WholeWords = "japanese" }, wb.Entry{},
			"unknown_word_rule", "settings.whole_words"},
		{"a primary key", nil, wb.Entry{Keys: []string{"a", "/(/"}}, wb.CodeBadRegex, "b.entries[0].key[1]"},
		{"a secondary key", nil, wb.Entry{SecondaryKeys: []string{"/a{2,1}/"}},
			wb.CodeBadRegex, "b.entries[0].keysecondary[0]"},
		{"a repeated flag", nil, wb.Entry{Keys: []string{"/a/gg"}}, wb.CodeBadRegex, "b.entries[0].key[0]"},
		{"a probability", nil, wb.Entry{UseProbability: true, Probability: 300}, "out_of_range", "b.entries[0].probability"},
		{"a probability without a roll", nil, wb.Entry{Probability: 300}, "", ""},
		{"a negative time", nil, wb.Entry{Sticky: -3}, "out_of_range", "b.entries[0].sticky"},
		{"a negative pause", nil, wb.Entry{Cooldown: -3}, "out_of_range", "b.entries[0].cooldown"},
		{"a negative delay", nil, wb.Entry{Delay: -3}, "out_of_range", "b.entries[0].delay"},
		{"a negative depth", nil, wb.Entry{Position: wb.PositionAtDepth, Depth: -1}, "out_of_range", "b.entries[0].depth"},
		{"no depth", nil, wb.Entry{Position: wb.PositionAtDepth, Depth: wb.NoDepth}, "", ""},
		{"a negative window", nil, wb.Entry{ScanDepth: new(-1)}, "out_of_range", "b.entries[0].scanDepth"},
		{"slashes inside are no regex at all", nil, wb.Entry{Keys: []string{"/a/b/"}}, "", ""},
	} {
		set := wb.Exact()
		if row.set != nil {
			row.set(&set)
		}
		row.entry.UID, row.entry.Content = "1", "x"
		row.entry.Constant = true
		book := wb.Book{Name: "b", Entries: []wb.Entry{row.entry}}
		c, problems := wb.Compile([]wb.Attachment{{Book: book}}, set)
		wantText(t, row.reason, scanned(c, says("Hi.")), "1")
		switch {
		case row.code == "" && len(problems) == 0:
		case len(problems) != 1 || problems[0].Code != row.code || problems[0].Path != row.path:
			t.Errorf("%s: %v", row.reason, problems)
		case !strings.Contains(problems.Error(), row.path):
			t.Errorf("%s: %v", row.reason, problems)
		}
	}
}

// TestCompileProblemsInOrder: problems are in the order of the books' entries, with any order of
// the entry list.
func TestCompileProblemsInOrder(t *testing.T) {
	t.Parallel()
	set := wb.Exact()
	set.Decorators = wb.DecoratorsCardV3
	bad := []string{"/(/"}
	_, problems := wb.Compile([]wb.Attachment{
		{Book: wb.Book{Name: "a", Entries: []wb.Entry{
			{UID: "1", Keys: bad, Order: 1, Content: "@@depth x\n"}, {UID: "2", Keys: bad, Order: 2},
		}}},
		{Book: wb.Book{Name: "b", Entries: []wb.Entry{{UID: "3", Keys: bad, SecondaryKeys: bad, Order: 3}}}},
	}, set)
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	wantText(t, "paths", strings.Join(paths, " "), "a.entries[0].content a.entries[0].key[0] "+
		"a.entries[1].key[0] b.entries[0].key[0] b.entries[0].keysecondary[0]")
}

// TestCompileCopies: later changes of a book by the caller have no effect.
func TestCompileCopies(t *testing.T) {
	t.Parallel()
	entries := []wb.Entry{{UID: "1", Keys: []string{"elf"}, Content: "Tall.", Triggers: []string{"normal"}}}
	set := wb.Exact()
	set.QuirksOff = wb.AllQuirks()
	c := featureBook(t, set, entries...)
	entries[0].Keys[0], entries[0].Triggers[0], set.QuirksOff[0] = "orc", "quiet", "?"
	c.Settings().QuirksOff[1] = "?"
	in := says("An elf!")
	in.Explain = true
	r, _ := c.Scan(in, wb.State{})
	wantText(t, "reason", r.Trace.String(), "b.1: active by key \"elf\" in message 0\n")
	if got := c.Settings().QuirksOff; got[0] != "blank-key" || got[1] != "group-removal" {
		t.Errorf("quirks %v", got[:2])
	}
}

// TestMacrosOnce: a content is expanded once per scan, even if several loops try the entry. So a
// macro with side effects has them once.
func TestMacrosOnce(t *testing.T) {
	t.Parallel()
	set := wb.Exact()
	c := featureBook(t, set,
		wb.Entry{UID: "1", Constant: true, Content: "{{dice}}", Order: 2},
		wb.Entry{UID: "2", Keys: []string{"rolled"}, Content: "{{dice}} again", Order: 1})
	asked := 0
	in := says("Hi.")
	in.Expand = func(text string) string {
		asked++
		return strings.ReplaceAll(text, "{{dice}}", "rolled")
	}
	r, _ := c.Scan(in, wb.State{})
	wantText(t, "texts", wb.Join(r.Before), "rolled again\nrolled")
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}
