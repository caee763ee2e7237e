package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	wb "github.com/talewright/talewright/worldbook"
)

// findings lists what Vet says about a book.
func findings(t *testing.T, set wb.ProfileSettings, context int, entries ...wb.Entry) talewright.Problems {
	t.Helper()
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
	return c.Vet(context, nil)
}

// vetRow is a book with one mistake, and the expected problem.
type vetRow struct {
	reason  string
	set     func(*wb.ProfileSettings)
	entries []wb.Entry
	want    string // code, path and the important part of the message; "": no problem
}

func (row *vetRow) check(t *testing.T) {
	t.Helper()
	set := wb.Exact()
	if row.set != nil {
		row.set(&set)
	}
	var got []string
	for _, p := range findings(t, set, 4096, row.entries...) {
		got = append(got, string(p.Code)+" "+p.Path+": "+p.Text)
	}
	switch {
	case row.want == "" && len(got) > 0:
		t.Errorf("%s: %q", row.reason, got)
	case row.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], row.want)):
		t.Errorf("%s:\ngot  %q\nwant %q", row.reason, got, row.want)
	}
}

// lore is an entry without mistakes.
func lore(uid string, change func(*wb.Entry)) wb.Entry {
	e := wb.Entry{UID: uid, Keys: []string{"dragon" + uid}, Content: "Text of " + uid + "."}
	if change != nil {
		change(&e)
	}
	return e
}

// TestVetFindings has one row per mistake (WB-41), and similar correct entries that must not be
// reported.
func TestVetFindings(t *testing.T) {
	t.Parallel()
	one := func(change func(*wb.Entry)) []wb.Entry { return []wb.Entry{lore("1", change)} }
	keys := func(list ...string) []wb.Entry {
		return one(func(e *wb.Entry) { e.Keys = append(list, "dragon") })
	}
	rows := []vetRow{
		{"nothing to say", nil, one(nil), ""},
		{"an empty key", nil, keys(""), `dead_key b.entries[0].key[0]: "" can never be found`},
		{"two keys with a full-width comma are one key", nil, keys("剑，刀", "/剑，刀/"), `joined_keys b.entries[0].key[0]: "剑，刀" is one key`},
		{"a window begins with U+0001, never with a word", nil, keys("/^dragon$/"),
			`dead_key b.entries[0].key[0]: "/^dragon$/"`},
		{"with flag m a line may begin with a word", nil, keys("/^dragon$/m"), ""},
		{"one branch can match", nil, keys(`/(?:^|\W)dragon/`), ""},
		{"a blank key is found everywhere", nil, keys(" "), ""},
		{"unless that quirk is off",
			func(s *wb.ProfileSettings) { s.QuirksOff = []wb.Quirk{"blank-key"} },
			keys(" "), "dead_key b.entries[0].key[0]"},
		{"whole words may have edges of punctuation", nil, keys("!", "(x)", "$5"), ""},
		{"a regex that backtracks without end", nil, keys(`/(\w+\s?)+\1/`),
			`slow_regex b.entries[0].key[0]: /(\w+\s?)+\1/`},
		{"one that a linear engine takes", nil, keys(`/(a+)+$/`), ""},
		{"a dead secondary key", nil, one(func(e *wb.Entry) {
			e.Selective, e.SecondaryKeys = true, []string{"fire", ""}
		}), `dead_key b.entries[0].keysecondary[1]`},
		{"secondary keys that are switched off", nil, one(func(e *wb.Entry) {
			e.SecondaryKeys = []string{""}
		}), "dead_key b.entries[0].keysecondary: the secondary keys are ignored"},
		{"an option beside the others", nil, one(func(e *wb.Entry) {
			e.Extra = map[string]json.RawMessage{"stickyRounds": []byte("3"), "color": []byte("1")}
		}), "bad_option b.entries[0].stickyRounds: is ignored here"},
		{"no text", nil, one(func(e *wb.Entry) { e.Content = " \n" }), "empty_content b.entries[0].content"},
		{"no such position", nil, one(func(e *wb.Entry) { e.Position = wb.PositionNone }),
			"unplaced b.entries[0].position"},
		{"an outlet without a name", nil, one(func(e *wb.Entry) { e.Position = wb.PositionInOutlet }),
			"unplaced b.entries[0].outletName"},
		{"a group of two", nil, []wb.Entry{
			lore("1", func(e *wb.Entry) { e.Group = "sky" }), lore("2", func(e *wb.Entry) { e.Group = "sky" }),
		}, ""},
		{"a group of one and a disabled one", nil, []wb.Entry{
			lore("1", func(e *wb.Entry) { e.Group = "sky" }),
			lore("2", func(e *wb.Entry) { e.Group, e.Disable = "sky", true }),
		}, `group_of_one b.entries[0].group: group "sky"`},
		{"a disabled entry may be anything", nil, one(func(e *wb.Entry) {
			e.Disable, e.Keys, e.Content, e.Group = true, nil, "", "sky"
		}), ""},
		{"the same uid twice", nil, []wb.Entry{lore("1", nil), lore("1", nil)},
			"duplicate_uid b.entries[1].uid: b.1"},
	}
	for _, row := range rows {
		row.check(t)
	}
	both := findings(t, wb.Exact(), 4096, one(func(e *wb.Entry) { e.Group = "weather, sky" })...)
	if len(both) != 2 || both[0].Code != "group_of_one" || both[1].Code != "group_of_one" {
		t.Errorf("alone in two groups: %v", both)
	}
}

// TestVetUnreachable tests the reasons why an entry is never active.
func TestVetUnreachable(t *testing.T) {
	t.Parallel()
	const path = "unreachable b.entries[0]: nothing activates the entry: "
	zero := 0
	recursionOff := func(s *wb.ProfileSettings) { s.Recursive = false }
	for _, row := range []struct {
		reason string
		set    func(*wb.ProfileSettings)
		change func(*wb.Entry)
		want   string
	}{
		{"no keys", nil, func(e *wb.Entry) { e.Keys = nil }, "it has no keys"},
		{"no keys, but a retriever can force it", nil,
			func(e *wb.Entry) { e.Keys, e.Vectorized = nil, true }, ""},
		{"no keys, but constant", nil, func(e *wb.Entry) { e.Keys, e.Constant = nil, true }, ""},
		{"probability 0", nil, func(e *wb.Entry) { e.UseProbability = true }, "its probability is 0"},
		{"probability 0 that is not used", nil, func(e *wb.Entry) { e.Probability = 0 }, ""},
		{"a decorator", nil, func(e *wb.Entry) { e.Content = "@@dont_activate\nx" },
			"its decorator is @@dont_activate"},
		{"waits for what it is excluded from", nil,
			func(e *wb.Entry) { e.DelayUntilRecursion, e.ExcludeRecursion = 1, true },
			"it waits for recursion and is excluded"},
		{"waits for what is off", recursionOff,
			func(e *wb.Entry) { e.DelayUntilRecursion = 1 }, "it waits for recursion, which is switched off"},
		{"waits for a second loop", func(s *wb.ProfileSettings) { s.MaxRecursionSteps = 1 },
			func(e *wb.Entry) { e.DelayUntilRecursion = 1 }, "it waits for recursion, and only one loop"},
		{"scan depth 0", nil, func(e *wb.Entry) { e.ScanDepth = &zero }, "its scan depth is 0"},
		{"scan depth 0, but a blank key", nil,
			func(e *wb.Entry) { e.ScanDepth, e.Keys = &zero, []string{" "} }, ""},
		{"unknown triggers", nil, func(e *wb.Entry) { e.Triggers = []string{"always"} },
			"all of its triggers are unknown"},
		{"a known trigger", nil, func(e *wb.Entry) { e.Triggers = []string{"x", "quiet"} }, ""},
		{"no such logic", nil, func(e *wb.Entry) {
			e.Selective, e.SecondaryKeys, e.Logic = true, []string{"fire"}, 7
		}, "its selective logic"},
		{"NOT_ANY of what is found everywhere", nil, func(e *wb.Entry) {
			e.Selective, e.SecondaryKeys, e.Logic = true, []string{"fire", " "}, wb.NotAny
		}, "its secondary keys rule it out"},
		{"NOT_ALL of one of those", nil, func(e *wb.Entry) {
			e.Selective, e.SecondaryKeys, e.Logic = true, []string{"fire", " "}, wb.NotAll
		}, ""},
	} {
		want := ""
		if row.want != "" {
			want = path + row.want
		}
		(&vetRow{row.reason, row.set, []wb.Entry{lore("1", row.change)}, want}).check(t)
	}
	// Each dead key is reported separately, and then the entry that has only dead keys.
	dead := lore("1", func(e *wb.Entry) {
		e.Selective, e.SecondaryKeys, e.Logic = true, []string{"fire", ""}, wb.AndAll
	})
	list := findings(t, wb.Exact(), 4096, dead)
	if len(list) != 2 || list[1].Code != "unreachable" {
		t.Errorf("AND_ALL with a dead key: %v", list)
	}
	dead.Keys, dead.SecondaryKeys = []string{"", "/^x/"}, nil
	if list = findings(t, wb.Exact(), 4096, dead); len(list) != 3 ||
		!strings.Contains(list[2].Text, "no key of it can be found") {
		t.Errorf("only dead keys: %v", list)
	}
}

// TestVetCycles: connected cycles are one finding.
func TestVetCycles(t *testing.T) {
	t.Parallel()
	speaks := func(uid, key, text string, change func(*wb.Entry)) wb.Entry {
		e := wb.Entry{UID: uid, Keys: []string{key}, Content: text}
		if change != nil {
			change(&e)
		}
		return e
	}
	exclude := func(e *wb.Entry) { e.ExcludeRecursion = true }
	prevent := func(e *wb.Entry) { e.PreventRecursion = true }
	ring := func(n int) (list []wb.Entry) {
		for i := range n {
			name := func(i int) string { return string(rune('a' + i%n)) }
			list = append(list, speaks(name(i), "ring"+name(i), "See ring"+name(i+1)+".", nil))
		}
		return list
	}
	king := speaks("king", "king", "He owns the castle.", nil)
	castle := speaks("castle", "castle", "It has a moat.", nil)
	moat := speaks("moat", "moat", "It keeps the king safe.", nil)
	for _, row := range []vetRow{
		{"three in a circle", nil, []wb.Entry{king, castle, moat}, "recursion_cycle b.entries[0]: " +
			"3 entries activate each other, so that one of them brings the others along: b.king, b.castle, b.moat"},
		{"recursion off", func(s *wb.ProfileSettings) { s.Recursive = false }, []wb.Entry{king, castle, moat}, ""},
		{"no way back", nil, []wb.Entry{king, castle}, ""},
		{"an entry that names itself", nil, []wb.Entry{speaks("1", "sun", "The sun.", nil)}, ""},
		{"one takes no part", nil, []wb.Entry{king, speaks("castle", "castle", "A moat.", exclude), moat}, ""},
		{"one gives nothing", nil, []wb.Entry{king, speaks("castle", "castle", "A moat.", prevent), moat}, ""},
		{"a regex is a way too", nil, []wb.Entry{king, speaks("castle", `/cast\w+/`, "The king's.", nil)},
			"recursion_cycle b.entries[0]: 2 entries activate each other, so that one of them brings the others along: b.king, b.castle"},
		{"short ways within a long one", nil, []wb.Entry{king, castle, moat,
			speaks("gate", "gate", "Over the moat to the castle of the king.", nil),
			speaks("smith", "smith", "He made the gate.", nil),
			speaks("road", "castle", "It leads to the gate.", nil)},
			"recursion_cycle b.entries[0]: 5 entries activate each other, so that one of them brings the others along: " +
				"b.king, b.castle, b.moat, b.gate, b.road"},
		{"a long circle", nil, ring(10), "recursion_cycle b.entries[0]: 10 entries activate each other, so that one of them brings the others along: " +
			"b.a, b.b, b.c, b.d, b.e, b.f, b.g, b.h and 2 more"},
	} {
		row.check(t)
	}
	list := findings(t, wb.Exact(), 4096,
		speaks("sun", "sun", "The moon.", nil), speaks("ebb", "ebb", "The flood. The sun.", nil),
		speaks("moon", "moon", "The sun.", nil), speaks("flood", "flood", "The ebb.", nil))
	if len(list) != 2 || list[0].ID != "b.sun" || list[1].ID != "b.ebb" {
		t.Errorf("two circles, of which one leads to the other: %v", list)
	}
}

// TestVetBudget: constants that use the whole budget, or exceed it.
func TestVetBudget(t *testing.T) {
	t.Parallel()
	law := func(change func(*wb.Entry)) wb.Entry {
		e := wb.Entry{UID: "1", Constant: true, Content: strings.Repeat("word", 20)}
		if change != nil {
			change(&e)
		}
		return e
	}
	for _, row := range []struct {
		reason  string
		context int
		entry   wb.Entry
		tight   bool
	}{
		{"24 tokens, reaching the budget is too much", 96, law(nil), true},
		{"24 of 25 tokens", 100, law(nil), false},
		{"free of charge", 40, law(func(e *wb.Entry) { e.IgnoreBudget = true }), false},
		{"disabled", 40, law(func(e *wb.Entry) { e.Disable = true }), false},
		{"no constant", 40, law(func(e *wb.Entry) { e.Constant, e.Keys = false, []string{"x"} }), false},
	} {
		list := findings(t, wb.Exact(), row.context, row.entry)
		if tight := len(list) == 1 && list[0].Code == "tight_budget"; tight != row.tight || len(list) > 1 {
			t.Errorf("%s: %v", row.reason, list)
		}
	}
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{law(nil)}}}}, wb.Exact())
	list := c.Vet(320, func(text string) int { return len(text) })
	if len(list) != 1 || !strings.Contains(list[0].Text, "need 81 tokens, the budget is 80") {
		t.Errorf("a counter of the host's own: %v", list)
	}
}

// TestVetJSON pins the form that hosts show and store.
func TestVetJSON(t *testing.T) {
	t.Parallel()
	list := findings(t, wb.Exact(), 4096, lore("1", func(e *wb.Entry) { e.Position = wb.PositionInOutlet }))
	got, err := json.Marshal(list)
	want := `[{"path":"b.entries[0].outletName","id":"b.1","code":"unplaced","severity":"warning",` +
		`"text":"an outlet needs a name: the text is not placed"}]`
	if err != nil || string(got) != want {
		t.Errorf("got %s %v, want %s", got, err, want)
	}
}
