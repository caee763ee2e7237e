package worldbook_test

import (
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestQuirksOff: each switch changes the behaviour of its name.
func TestQuirksOff(t *testing.T) {
	t.Parallel()
	missingDepth := wb.Entry{}
	if err := missingDepth.UnmarshalJSON([]byte(`{"uid":1,"constant":true,"position":4,"content":"x","order":1}`)); err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		quirk   wb.Quirk
		entries []wb.Entry
		set     func(*wb.ProfileSettings)
		look    func(wb.Result) string
		on, off string
	}{
		{"blank-key", []wb.Entry{{UID: "1", Keys: []string{" "}, Content: "x"}}, nil,
			func(r wb.Result) string { return strings.Join(activated(&r), ",") }, "1", ""},
		{"reversed-ties", []wb.Entry{{UID: "1", Constant: true, Content: "x"}, {UID: "2", Constant: true, Content: "y"}}, nil,
			func(r wb.Result) string { return wb.Join(r.Before) }, "y\nx", "x\ny"},
		{"decorators-only", []wb.Entry{{UID: "1", Content: "@@activate"}}, nil,
			func(r wb.Result) string { return wb.Join(r.Before) }, "@@activate", ""},
		{"missing-depth", []wb.Entry{missingDepth}, nil, func(r wb.Result) string {
			if r.Depth[0].Depth == nil {
				return "none"
			}
			return "four"
		}, "none", "four"},
		{"waiting-levels", []wb.Entry{
			{UID: "1", Constant: true, DelayUntilRecursion: 1, Content: "x"},
			{UID: "2", Constant: true, DelayUntilRecursion: 2, Content: "y"},
		}, func(s *wb.ProfileSettings) { s.Recursive = false },
			func(r wb.Result) string { return strings.Join(activated(&r), ",") }, "1,2", ""},
		{"extra-depth", []wb.Entry{{UID: "1", Keys: []string{"old"}, Content: "x"}},
			func(s *wb.ProfileSettings) { s.Depth, s.MinActivations, s.MinActivationsDepthMax = 1, 1, 1 },
			func(r wb.Result) string { return strings.Join(activated(&r), ",") }, "1", ""},
	}
	for _, row := range rows {
		for _, off := range []bool{false, true} {
			settings := wb.Exact()
			want := row.on
			if row.set != nil {
				row.set(&settings)
			}
			if off {
				settings.QuirksOff, want = []wb.Quirk{row.quirk}, row.off
			}
			c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: row.entries}}}, settings)
			r, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: "old"}, {Text: "new"}}, ContextSize: 4096}, wb.State{})
			if got := row.look(r); got != want {
				t.Errorf("%s, off %v: %q, want %q", row.quirk, off, got, want)
			}
		}
	}
}

// quirkRow is a scan that a quirk decides.
type quirkRow struct {
	quirk   wb.Quirk
	set     func(*wb.ProfileSettings)
	in      func(*wb.Input)
	entries []wb.Entry
	turns   int    // of the same chat, each two messages longer; 0 is one
	on, off string // what is active on the last turn
}

// TestQuirksOfLoops goes through the quirks that need several entries, loops or
// turns to show.
func TestQuirksOfLoops(t *testing.T) {
	t.Parallel()
	always := func(uid string, order float64, group string) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: "x", Order: order, Group: group}
	}
	override := func(e wb.Entry) wb.Entry { e.GroupOverride = true; return e }
	for _, row := range []quirkRow{
		{quirk: "group-removal", // both overrides remove "both", the second removal hits an unrelated entry
			entries: []wb.Entry{
				override(always("g", 9, "g")), override(always("h", 8, "h")),
				always("both", 7, "g, h"), always("stranger", 1, ""),
			}, on: "g h", off: "g h stranger"},
		{quirk: "group-cooldown", turns: 2,
			entries: []wb.Entry{{UID: "1", Constant: true, Content: "x", Group: "g", Sticky: 5, Cooldown: 5}},
			on:      "", off: "1"},
		{quirk: "raw-group-keys", set: func(s *wb.ProfileSettings) { s.UseGroupScoring = true },
			entries: []wb.Entry{
				{UID: "blanks", Keys: []string{" old "}, Content: "x", Group: "g", Order: 2},
				{UID: "plain", Keys: []string{"old"}, Content: "x", Group: "g", Order: 1},
			}, on: "plain", off: "blanks"},
		{quirk: "forgotten-texts", set: func(s *wb.ProfileSettings) { s.BudgetCap = 25 },
			entries: []wb.Entry{
				{UID: "quiet", Constant: true, Content: strings.Repeat("word", 10), PreventRecursion: true, Order: 3},
				{UID: "loud", Constant: true, Content: "king", Order: 2},
				{UID: "long", Keys: []string{"king"}, Content: strings.Repeat("word", 15), Order: 1},
			}, on: "quiet loud long", off: "quiet loud"},
		{quirk: "forced-reroll", in: func(in *wb.Input) {
			in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "1"}}}
			in.Random = roller([]float64{0.9, 0.1})
		}, entries: []wb.Entry{
			{UID: "1", Content: "x", UseProbability: true, Probability: 50}, always("2", 5, ""),
		}, on: "2 1", off: "2"},
	} {
		for _, off := range []bool{false, true} {
			set, want := wb.Exact(), row.on
			if row.set != nil {
				row.set(&set)
			}
			if off {
				set.QuirksOff, want = []wb.Quirk{row.quirk}, row.off
			}
			wantText(t, string(row.quirk), row.play(featureBook(t, set, row.entries...)), want)
		}
	}
}

// play scans as many turns as the row asks for.
func (row *quirkRow) play(c *wb.Compiled) string {
	in := says("It is old.")
	if row.in != nil {
		row.in(&in)
	}
	r, state := c.Scan(in, wb.State{})
	for range row.turns - 1 {
		in.Messages = append(in.Messages, wb.Message{Text: "…"}, wb.Message{Text: "Well."})
		r, state = c.Scan(in, state)
	}
	return uids(r)
}
