package worldbook_test

import (
	"encoding/json"
	"fmt"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// featureAndAny is scenario 2 of the RoleplayConfig document: a primary key alone does not fire,
// and neither does a secondary one.
func featureAndAny(t *testing.T) {
	c := roleplayBook(t, "", `{"uid": "battle-skills", "content": "战斗技巧", "keywords": ["战斗", "攻击"],
		"secondaryKeywords": ["剑", "魔法"], "selectiveLogic": "AND_ANY"}`)
	wantText(t, "primary alone", scanned(c, says("开始战斗")), "")
	wantText(t, "secondary alone", scanned(c, says("我的剑")), "")
	wantText(t, "first of each", scanned(c, says("用剑进行战斗")), "battle-skills")
	wantText(t, "second of each", scanned(c, says("用魔法进行攻击")), "battle-skills")
}

// featureOtherLogic goes through the other three rules with the examples of that
// document. A primary key must be found under all of them.
func featureOtherLogic(t *testing.T) {
	c := roleplayBook(t, "",
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

// featureCaseSensitive: the entry's own value has precedence, and null means the setting. False is
// a value too.
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

// featureWholeWords: cat is not in cats, if the entry or the setting asks for
// whole words.
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

// featureScanData: each of the six texts is searched only by the entries that ask for it, and the
// reason names the text.
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

// featureTriggersFilter: entries are limited to types of generation, to characters or tags, or to
// all except some. A character without tags fails a filter by tag and passes its opposite.
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

// featureConditions: the host evaluates the conditions; the entry still needs
// its key.
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
