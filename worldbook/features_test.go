package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/seedbook"
)

// TestFeatures shows one promise of the feature list per subtest, each with
// a book of a few entries that reads like its explanation.
func TestFeatures(t *testing.T) {
	t.Parallel()
	run := func(name string, check func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t)
		})
	}
	run("WB-04 AND_ANY", featureAndAny)
	run("WB-05 AND_ALL NOT_ANY NOT_ALL", featureOtherLogic)
	run("WB-06 case sensitive", featureCaseSensitive)
	run("WB-07 whole words", featureWholeWords)
	run("WB-09 before and after the card", featureBeforeAfter)
	run("WB-10 note and examples", featureNoteExamples)
	run("WB-11 at depth with a role", featureAtDepth)
	run("WB-12 outlet", featureOutlet)
	run("WB-13 order", featureOrder)
	run("WB-14 constant and disable", featureConstantDisable)
	run("WB-16 cooldown", featureCooldown)
	run("WB-17 delay", featureDelay)
	run("WB-19 probability", featureProbability)
	run("WB-21 recursion", featureRecursion)
	run("WB-23 state", featureState)
	run("WB-27 triggers and character filter", featureTriggersFilter)
	run("WB-28 recursion levels", featureLevels)
	run("WB-28 minimum activations", featureMinActivations)
	run("WB-29 keys in character and persona", featureScanData)
	run("WB-31 several books", featureBooks)
	run("WB-35 conditions", featureConditions)
}

// featureBook compiles entries as the book "b" and accepts no problem.
func featureBook(t *testing.T, set wb.Settings, entries ...wb.Entry) *wb.Compiled {
	t.Helper()
	book := wb.Book{Name: "b", Entries: entries}
	c, problems := wb.Compile([]wb.Attachment{{Book: book}}, set)
	if len(problems) > 0 {
		t.Fatal(wb.Problems(problems).Err())
	}
	return c
}

// seedBook compiles entries in the notation of the seed's document, with its
// profile. fields are further members of the config, each with its comma.
func seedBook(t *testing.T, fields string, entries ...string) *wb.Compiled {
	t.Helper()
	text := "{" + fields + `"worldBookEntries": [` + strings.Join(entries, ",") + "]}"
	config, problems, err := seedbook.Parse("b", []byte(text))
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return featureBook(t, config.Settings, config.Book.Entries...)
}

// says is a scan input whose chat is made of the given messages.
func says(messages ...string) wb.Input {
	in := wb.Input{ContextSize: 8192}
	for _, m := range messages {
		in.Messages = append(in.Messages, wb.Message{Text: m})
	}
	return in
}

// uids lists the activated entries, in activation order.
func uids(r wb.Result) string { return strings.Join(activated(&r), " ") }

// scanned scans a new chat and lists the activated entries.
func scanned(c *wb.Compiled, in wb.Input) string {
	r, _ := c.Scan(in, wb.State{})
	return uids(r)
}

// timeline plays a chat message by message and writes x where anything was
// active and a dot elsewhere.
func timeline(c *wb.Compiled, messages ...string) string {
	line := ""
	var state wb.State
	for i := range messages {
		var r wb.Result
		r, state = c.Scan(says(messages[:i+1]...), state)
		line += ".x"[min(len(r.Activated), 1):][:1]
	}
	return line
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func featureAndAny(t *testing.T) {
	c := seedBook(t, "", `{"uid": "battle-skills", "content": "战斗技巧", "keywords": ["战斗", "攻击"],
		"secondaryKeywords": ["剑", "魔法"], "selectiveLogic": "AND_ANY"}`)
	wantText(t, "primary alone", scanned(c, says("开始战斗")), "")
	wantText(t, "secondary alone", scanned(c, says("我的剑")), "")
	wantText(t, "first of each", scanned(c, says("用剑进行战斗")), "battle-skills")
	wantText(t, "second of each", scanned(c, says("用魔法进行攻击")), "battle-skills")
}

func featureOtherLogic(t *testing.T) {
	c := seedBook(t, "",
		`{"uid": "all", "content": "1", "keywords": ["Boss"],
			"secondaryKeywords": ["城堡", "决战"], "selectiveLogic": "AND_ALL"}`,
		`{"uid": "none", "content": "2", "keywords": ["魔法"],
			"secondaryKeywords": ["黑暗"], "selectiveLogic": "NOT_ANY"}`,
		`{"uid": "not-both", "content": "3", "keywords": ["战斗"],
			"secondaryKeywords": ["剑", "盾"], "selectiveLogic": "NOT_ALL"}`)
	for message, want := range map[string]string{
		"Boss在城堡": "", "Boss在城堡决战": "all", "城堡决战": "",
		"学习魔法": "none", "黑暗魔法": "", "黑暗": "",
		"战斗": "not-both", "用剑战斗": "not-both", "用剑和盾战斗": "", "剑": "",
	} {
		wantText(t, message, scanned(c, says(message)), want)
	}
}

func featureCaseSensitive(t *testing.T) {
	yes, no := true, false
	entries := []wb.Entry{
		{UID: "strict", Keys: []string{"Rose"}, Content: "1", CaseSensitive: &yes},
		{UID: "loose", Keys: []string{"Rose"}, Content: "2", CaseSensitive: &no},
		{UID: "default", Keys: []string{"Rose"}, Content: "3"},
	}
	set := wb.Exact()
	c := featureBook(t, set, entries...)
	wantText(t, "as written", scanned(c, says("Rose waves.")), "strict loose default")
	wantText(t, "setting off", scanned(c, says("a rose")), "loose default")
	set.CaseSensitive = true
	wantText(t, "setting on", scanned(featureBook(t, set, entries...), says("a rose")), "loose")
}

func featureWholeWords(t *testing.T) {
	yes, no := true, false
	entries := []wb.Entry{
		{UID: "whole", Keys: []string{"cat"}, Content: "1", MatchWholeWords: &yes},
		{UID: "part", Keys: []string{"cat"}, Content: "2", MatchWholeWords: &no},
		{UID: "default", Keys: []string{"cat"}, Content: "3"},
	}
	set := wb.Exact()
	c := featureBook(t, set, entries...)
	wantText(t, "the word", scanned(c, says("A cat!")), "whole part default")
	wantText(t, "setting on", scanned(c, says("two cats")), "part")
	wantText(t, "inside a word", scanned(c, says("concatenate")), "part")
	set.MatchWholeWords = false
	c = featureBook(t, set, entries...)
	wantText(t, "setting off", scanned(c, says("two cats")), "part default")
}

func featureBeforeAfter(t *testing.T) {
	c := seedBook(t, "",
		`{"uid": "1", "constant": true, "content": "town", "position": "after"}`,
		`{"uid": "2", "constant": true, "content": "world", "position": "before"}`)
	r, _ := c.Scan(says("Hi."), wb.State{})
	wantText(t, "before", wb.Join(r.Before), "world")
	wantText(t, "after", wb.Join(r.After), "town")
}

func featureNoteExamples(t *testing.T) {
	c := seedBook(t, "",
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

func featureAtDepth(t *testing.T) {
	at := func(uid string, depth int, role wb.Role) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: uid, Position: wb.AtDepth,
			Depth: depth, Role: role}
	}
	set := wb.Exact()
	set.QuirksOff = wb.Quirks()
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

// The macro that reads an outlet belongs to the package of the macros.
func featureOutlet(t *testing.T) {
	c := seedBook(t, "",
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

func featureOrder(t *testing.T) {
	entry := func(uid string, order float64, p wb.Position) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: uid, Order: order, Position: p}
	}
	entries := []wb.Entry{
		entry("events", 300, wb.BeforeCharacter), entry("place-a", 200, wb.BeforeCharacter),
		entry("end", 2, wb.AfterCharacter), entry("place-b", 200, wb.BeforeCharacter),
		entry("rules", 10, wb.BeforeCharacter), entry("start", 1, wb.AfterCharacter),
	}
	for _, profile := range []struct {
		name              string
		set               wb.Settings
		before, activated string
	}{
		{"seed: ties in file order", wb.Seed(),
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

func featureConstantDisable(t *testing.T) {
	c := seedBook(t, "",
		`{"uid": "world-rules", "constant": true, "content": "这个世界遵循以下基本规则", "order": 10}`,
		`{"uid": "off", "disable": true, "constant": true, "keywords": ["魔法"], "content": "never"}`)
	for _, message := range []string{"魔法", "anything", ""} {
		wantText(t, message, scanned(c, says(message)), "world-rules")
	}
	wantText(t, "empty chat", scanned(c, says()), "world-rules")
}

func featureCooldown(t *testing.T) {
	c := seedBook(t, "",
		`{"uid": "special-event", "keywords": ["宝箱"], "cooldown": 5, "content": "神秘的宝箱"}`)
	wantText(t, "a chest in every message", timeline(c, "我发现了一个宝箱", "又看到一个宝箱",
		"宝箱", "宝箱", "宝箱", "这次宝箱更大", "宝箱"), "x....x.")
}

func featureDelay(t *testing.T) {
	chat := slices.Repeat([]string{"然后呢"}, 15)
	chat[4], chat[14] = "我想知道真相", "告诉我真相"
	c := seedBook(t, "",
		`{"uid": "plot-twist", "keywords": ["真相"], "delay": 10, "content": "真相是"}`)
	wantText(t, "messages 5 and 15", timeline(c, chat...), "..............x")

	c = seedBook(t, "", `{"uid": "1", "constant": true, "delay": 10, "content": "Later."}`)
	wantText(t, "first message that is late enough", timeline(c, chat...), ".........xxxxxx")
}

func featureProbability(t *testing.T) {
	entries := []wb.Entry{{UID: "always", Constant: true, Content: "Sky.", Probability: 0}}
	for i := range 20 {
		entries = append(entries, wb.Entry{UID: fmt.Sprint(i), Constant: true, Content: "Rain.",
			Probability: 50, UseProbability: true})
	}
	c := featureBook(t, wb.Exact(), entries...)
	in := says("How is the weather?")
	in.Random = rand.New(rand.NewPCG(1, 2)).Float64
	r, _ := c.Scan(in, wb.State{})
	if n := len(r.Activated); n < 3 || n > 19 || r.Activated[0].ID.UID != "always" || len(r.Rolls) != 20 {
		t.Fatalf("%s active after %d rolls", uids(r), len(r.Rolls))
	}
	var recorded []float64
	for _, roll := range r.Rolls {
		recorded = append(recorded, roll.Value)
		is := func(a wb.Activation) bool { return a.ID == roll.ID }
		if active := slices.ContainsFunc(r.Activated, is); active != (roll.Value*100 <= 50) {
			t.Errorf("roll %v, active %t", roll, active)
		}
	}
	in.Random = roller(recorded)
	replay, _ := c.Scan(in, wb.State{})
	wantText(t, "replay", uids(replay), uids(r))
	if diff := cmp.Diff(r.Rolls, replay.Rolls); diff != "" {
		t.Error(diff)
	}
}

func featureRecursion(t *testing.T) {
	king := wb.Entry{UID: "king", Keys: []string{"king"}, Content: "He owns the castle."}
	castle := wb.Entry{UID: "castle", Keys: []string{"castle"}, Content: "It has a moat."}
	moat := wb.Entry{UID: "moat", Keys: []string{"moat"}, Content: "Back to the king."}
	set := wb.Exact()
	run := func(message string, entries ...wb.Entry) string {
		return scanned(featureBook(t, set, entries...), says(message))
	}
	wantText(t, "a circle ends", run("The king!", king, castle, moat), "king castle moat")
	shy, mute := castle, castle
	shy.ExcludeRecursion = true
	wantText(t, "excludeRecursion", run("The king!", king, shy, moat), "king")
	wantText(t, "excludeRecursion, in the chat", run("A castle!", king, shy), "castle")
	mute.PreventRecursion = true
	wantText(t, "preventRecursion", run("The king!", king, mute, moat), "king castle")
	set.Recursive = false
	wantText(t, "recursion off", run("The king!", king, castle, moat), "king")

	for fields, want := range map[string]string{"": "1", `"enableRecursion": true,`: "1 2"} {
		c := seedBook(t, fields, `{"uid": "1", "keywords": ["国王"], "content": "住在城堡"}`,
			`{"uid": "2", "keywords": ["城堡"], "content": "很高"}`)
		wantText(t, "seed "+fields, scanned(c, says("国王")), want)
	}
}

func featureState(t *testing.T) {
	c := seedBook(t, "",
		`{"uid": "forest", "keywords": ["forest"], "content": "Trees.", "sticky": 3, "cooldown": 4}`)
	_, state := c.Scan(says("Into the forest."), wb.State{})
	stored := throughJSON(t, state)
	if diff := cmp.Diff(state, stored); diff != "" {
		t.Error(diff)
	}
	rows := seedbook.Rows(state, "b", 1)
	if len(rows) != 1 || rows[0].EntryUID != "forest" || rows[0].StickyRemaining == 0 {
		t.Fatalf("rows: %+v", rows)
	}

	// The chat goes on from the value, from its JSON and from the seed's rows.
	for _, st := range []wb.State{state, stored, c.Adopt(seedbook.FromRows(rows, "b", 1))} {
		r, _ := c.Scan(says("Into the forest.", "Nice weather."), st)
		if uids(r) != "forest" || r.Activated[0].Reason.Kind != wb.BySticky {
			t.Errorf("second message: %+v", r.Activated)
		}
	}
	// The zero value has forgotten the forest: nothing is sticky, nothing cools down.
	wantText(t, "cleared, no key", scanned(c, says("Nice weather.")), "")
	wantText(t, "cleared, the key", scanned(c, says("Into the forest.")), "forest")
	if rows := seedbook.Rows(wb.State{}, "b", 2); len(rows) != 0 {
		t.Errorf("rows of a cleared chat: %+v", rows)
	}
}

func featureTriggersFilter(t *testing.T) {
	filter := func(uid string, f wb.CharacterFilter) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Content: uid, CharacterFilter: &f}
	}
	c := featureBook(t, wb.Exact(),
		wb.Entry{UID: "retry", Constant: true, Content: "1", Triggers: []string{"swipe", "regenerate"}},
		filter("ann", wb.CharacterFilter{Names: []string{"Ann"}}),
		filter("not-ann", wb.CharacterFilter{Names: []string{"Ann"}, IsExclude: true}),
		filter("elves", wb.CharacterFilter{Tags: []string{"elf"}}),
		filter("no-elves", wb.CharacterFilter{Tags: []string{"elf"}, IsExclude: true}))
	for _, row := range []struct {
		kind    wb.GenerationType
		speaker wb.Speaker
		want    string
	}{
		{wb.Swipe, wb.Speaker{Name: "Ann", Tags: []string{"elf"}}, "retry ann elves"},
		{wb.Regenerate, wb.Speaker{Name: "Bo"}, "retry not-ann no-elves"},
		{wb.Normal, wb.Speaker{Name: "Ann", Tags: []string{"orc"}}, "ann no-elves"},
		{wb.Quiet, wb.Speaker{Name: "Bo", Tags: []string{"orc", "elf"}}, "not-ann elves"},
	} {
		in := says("Hi.")
		in.Type, in.Speaker = row.kind, row.speaker
		wantText(t, string(row.kind), scanned(c, in), row.want)
	}
}

func featureLevels(t *testing.T) {
	late := func(uid string, level int) wb.Entry {
		return wb.Entry{UID: uid, Keys: []string{"dragon"}, Content: uid, DelayUntilRecursion: level}
	}
	dragon := wb.Entry{UID: "first", Keys: []string{"dragon"}, Content: "A beast."}
	c := featureBook(t, wb.Exact(), late("fourth", 3), late("third", 2), late("second", 1), dragon)
	r, _ := c.Scan(says("A dragon!"), wb.State{})
	wantText(t, "levels", uids(r), "first second third fourth")
	var loops []int
	for _, a := range r.Activated {
		loops = append(loops, a.Loop)
	}
	// A level begins when what the one before activated has led to nothing more.
	wantText(t, "loops", fmt.Sprint(loops), "[0 1 3 5]")

	set := wb.Exact()
	for steps, want := range []string{"a b c d", "a", "a b", "a b c"} {
		set.MaxRecursionSteps = steps
		c := featureBook(t, set, wb.Entry{UID: "a", Keys: []string{"a"}, Content: "b"},
			wb.Entry{UID: "b", Keys: []string{"b"}, Content: "c"},
			wb.Entry{UID: "c", Keys: []string{"c"}, Content: "d"},
			wb.Entry{UID: "d", Keys: []string{"d"}, Content: "end"})
		wantText(t, fmt.Sprint("steps ", steps), scanned(c, says("a")), want)
	}
}

func featureMinActivations(t *testing.T) {
	set := wb.Exact()
	set.QuirksOff = wb.Quirks()
	set.Depth = 1
	in := says("An orc.", "A dragon.", "And then?", "Go on.")
	for _, row := range []struct {
		least, deepest int
		want           string
	}{{0, 0, ""}, {1, 0, "dragon"}, {2, 0, "dragon orc"}, {2, 3, "dragon"}, {1, 2, ""}} {
		set.MinActivations, set.MinActivationsDepthMax = row.least, row.deepest
		c := featureBook(t, set, wb.Entry{UID: "orc", Keys: []string{"orc"}, Content: "Green."},
			wb.Entry{UID: "dragon", Keys: []string{"dragon"}, Content: "A beast."})
		what := fmt.Sprintf("at least %d within %d messages", row.least, row.deepest)
		wantText(t, what, scanned(c, in), row.want)
	}
}

func featureScanData(t *testing.T) {
	keys := []string{"sea"}
	c := featureBook(t, wb.Exact(),
		wb.Entry{UID: "persona", Keys: keys, Content: "1", MatchPersonaDescription: true},
		wb.Entry{UID: "description", Keys: keys, Content: "2", MatchCharacterDescription: true},
		wb.Entry{UID: "personality", Keys: keys, Content: "3", MatchCharacterPersonality: true},
		wb.Entry{UID: "depth prompt", Keys: keys, Content: "4", MatchCharacterDepthPrompt: true},
		wb.Entry{UID: "scenario", Keys: keys, Content: "5", MatchScenario: true},
		wb.Entry{UID: "creator notes", Keys: keys, Content: "6", MatchCreatorNotes: true},
		wb.Entry{UID: "chat only", Keys: keys, Content: "7"})
	const text = "Grew up by the sea."
	for place, data := range map[string]wb.ScanData{
		"persona":       {PersonaDescription: text},
		"description":   {CharacterDescription: text},
		"personality":   {CharacterPersonality: text},
		"depth prompt":  {CharacterDepthPrompt: text},
		"scenario":      {Scenario: text},
		"creator notes": {CreatorNotes: text},
	} {
		in := says("Hi.")
		in.Data = data
		r, _ := c.Scan(in, wb.State{})
		if uids(r) != place || r.Activated[0].Reason.Place.Kind != place {
			t.Errorf("%s: %+v", place, r.Activated)
		}
	}
}

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
		wb.Evenly:         first + "world-high hero-high world-low hero-low",
		wb.CharacterFirst: first + "hero-high hero-low world-high world-low",
		wb.GlobalFirst:    first + "world-high world-low hero-high hero-low",
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

func featureConditions(t *testing.T) {
	below := func(n string) json.RawMessage { return json.RawMessage(`{"below": ` + n + `}`) }
	c := featureBook(t, wb.Exact(),
		wb.Entry{UID: "wounded", Constant: true, Content: "1", Conditions: below("5")},
		wb.Entry{UID: "fit", Keys: []string{"fight"}, Content: "2", Conditions: below("100")},
		wb.Entry{UID: "ungated", Constant: true, Content: "3"})
	for _, row := range []struct {
		hp            int
		message, want string
	}{
		{3, "A fight!", "wounded fit ungated"},
		{3, "Peace.", "wounded ungated"}, // a condition does not replace a key
		{50, "A fight!", "fit ungated"},
		{100, "A fight!", "ungated"},
	} {
		in := says(row.message)
		in.Condition = func(raw json.RawMessage) bool {
			var gate struct{ Below int }
			return json.Unmarshal(raw, &gate) == nil && row.hp < gate.Below
		}
		wantText(t, fmt.Sprint(row.hp, " hit points, ", row.message), scanned(c, in), row.want)
	}
}
