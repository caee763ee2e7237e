package worldbook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// featureBeforeAfter: two entries of equal order with different positions.
func featureBeforeAfter(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "1", "constant": true, "content": "town", "position": "after"}`,
		`{"uid": "2", "constant": true, "content": "world", "position": "before"}`)
	r, _ := c.Scan(says("Hi."), wb.State{})
	wantText(t, "before", wb.Join(r.Before), "world")
	wantText(t, "after", wb.Join(r.After), "town")
}

// featureNoteExamples: entries around the author's note are shown only on turns with a note.
// Examples are in one list that records the side of each.
func featureNoteExamples(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "1", "constant": true, "content": "top", "position": "ANTop"}`,
		`{"uid": "2", "constant": true, "content": "bottom", "position": "ANBottom"}`,
		`{"uid": "3", "constant": true, "content": "ahead", "position": "EMTop"}`,
		`{"uid": "4", "constant": true, "content": "behind", "position": "EMBottom"}`)
	in := says("Hi.")
	r, _ := c.Scan(in, wb.State{})
	wantText(t, "note", r.Note("Write tersely."), "top\nWrite tersely.\nbottom")
	var examples []string
	for _, x := range r.Examples {
		examples = append(examples, fmt.Sprintf("%s after=%t", x.Text, x.After))
	}
	wantText(t, "examples", strings.Join(examples, ", "), "ahead after=false, behind after=true")
	wantText(t, "beside the character", wb.Join(r.Before)+wb.Join(r.After), "")

	in.NoteOmitted = true
	r, _ = c.Scan(in, wb.State{})
	wantText(t, "turn without a note", r.Note("Write tersely."), "")
}

// featureAtDepth: texts of one depth and one role form a group. The groups are in the order in
// which the first of their entries was placed.
func featureAtDepth(t *testing.T) {
	at := func(uid string, depth int, role wb.Role) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: uid, Position: wb.PositionAtDepth,
			Depth: depth, Role: role}
	}
	set := wb.Exact()
	set.QuirksOff = wb.AllQuirks()
	c := featureBook(t, set, at("law", 4, wb.RoleSystem), at("thought", 0, wb.RoleAssistant),
		at("plea", 0, wb.RoleUser), at("custom", 4, wb.RoleSystem))
	r, _ := c.Scan(says("Hi."), wb.State{})
	var groups []string
	for _, g := range r.Depth {
		text := strings.ReplaceAll(wb.Join(g.Entries), "\n", "+")
		groups = append(groups, fmt.Sprintf("%d %s: %s", *g.Depth, g.Role, text))
	}
	want := []string{"4 system: law+custom", "0 assistant: thought", "0 user: plea"}
	if diff := cmp.Diff(want, groups); diff != "" {
		t.Error(diff)
	}
}

// featureOutlet: named slots, each with its texts in order. The macro that reads a slot is in
// package macro.
func featureOutlet(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "1", "constant": true, "content": "bread", "order": 2,
			"position": "outlet", "outletName": "shop"}`,
		`{"uid": "2", "constant": true, "content": "a sword", "order": 1,
			"position": "outlet", "outletName": "shop"}`,
		`{"uid": "3", "constant": true, "content": "a rumour",
			"position": "outlet", "outletName": "tavern"}`)
	r, _ := c.Scan(says("Hi."), wb.State{})
	wantText(t, "shop", r.Outlet("shop"), "a sword\nbread")
	wantText(t, "tavern", r.Outlet("tavern"), "a rumour")
	wantText(t, "unknown", r.Outlet("harbour"), "")
	wantText(t, "elsewhere", wb.Join(r.Before)+wb.Join(r.After), "")
}

// featureOrder: both profiles place texts by ascending order. They differ in the order of
// examination and in the order of ties.
func featureOrder(t *testing.T) {
	entry := func(uid string, order float64, p wb.Position) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: uid, Order: order, Position: p}
	}
	entries := []wb.Entry{
		entry("events", 300, wb.PositionBeforeCharacter), entry("place-a", 200, wb.PositionBeforeCharacter),
		entry("end", 2, wb.PositionAfterCharacter), entry("place-b", 200, wb.PositionBeforeCharacter),
		entry("rules", 10, wb.PositionBeforeCharacter), entry("start", 1, wb.PositionAfterCharacter),
	}
	for _, profile := range []struct {
		name              string
		set               wb.ProfileSettings
		before, activated string
	}{
		{"RoleplayConfig: ties in file order", wb.Roleplay(),
			"rules\nplace-a\nplace-b\nevents", "start end rules place-a place-b events"},
		{"exact: ties reversed", wb.Exact(),
			"rules\nplace-b\nplace-a\nevents", "events place-a place-b rules end start"},
	} {
		r, _ := featureBook(t, profile.set, entries...).Scan(says("Hi."), wb.State{})
		wantText(t, profile.name, wb.Join(r.Before), profile.before)
		wantText(t, profile.name, wb.Join(r.After), "start\nend")
		wantText(t, profile.name, uids(r), profile.activated)
	}
}

// featureBooks: chat and persona come first under every strategy. A book that is attached twice has
// the highest of its ranks: global, chat, persona, character.
func featureBooks(t *testing.T) {
	attach := func(name string, order float64, sources ...wb.Source) wb.Attachment {
		return wb.Attachment{Sources: sources, Book: wb.Book{Name: name, Entries: []wb.Entry{
			{UID: name + "-low", Constant: true, Content: name, Order: order},
			{UID: name + "-high", Constant: true, Content: name, Order: order + 10},
		}}}
	}
	books := []wb.Attachment{
		attach("world", 2, wb.SourceGlobal), attach("hero", 1, wb.SourceCharacter),
		attach("self", 3, wb.SourcePersona), attach("log", 4, wb.SourceChat),
		// A book that is attached again does not count twice.
		attach("world", 2, wb.SourceChat, wb.SourceCharacter), attach("log", 4, wb.SourcePersona),
	}
	const first = "log-high log-low self-high self-low "
	for strategy, want := range map[wb.Strategy]string{
		wb.StrategyEvenly:         first + "world-high hero-high world-low hero-low",
		wb.StrategyCharacterFirst: first + "hero-high hero-low world-high world-low",
		wb.StrategyGlobalFirst:    first + "world-high world-low hero-high hero-low",
	} {
		set := wb.Exact()
		set.CharacterStrategy = strategy
		c, problems := wb.Compile(books, set)
		if len(problems) > 0 || c.Len() != 8 {
			t.Errorf("strategy %d: %d entries, problems %v", strategy, c.Len(), problems)
		}
		wantText(t, fmt.Sprint("strategy ", strategy), scanned(c, says("Hi.")), want)
	}
}
