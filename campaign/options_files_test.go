package campaign_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// takes returns a drama that begins with the result of an importer for a file.
func (d *drama) takes(t *testing.T, start imports.Start, problems talewright.Problems) {
	t.Helper()
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	d.content = start.Content
	d.setup = []string{jsonOf(t, map[string]any{"greeting": start.Setup.Greeting, "greeting_id": start.Setup.GreetingID})}
}

// entry returns a book of one entry with additional members.
func entry(t *testing.T, members string) worldbook.Attachment {
	t.Helper()
	var e worldbook.Entry
	if err := json.Unmarshal([]byte(`{"uid": 1, "key": ["storm", "brass", "Orin"], "content": "LORE", "position": 0, `+members+`}`), &e); err != nil {
		t.Fatal(err)
	}
	return worldbook.Attachment{Book: worldbook.Book{Name: "own", Entries: []worldbook.Entry{e}}}
}

func cardOptions(t *testing.T) []option {
	t.Helper()
	orin := card.Card{Spec: card.V3, Name: "Orin", FirstMes: "Come in.", AlternateGreetings: []string{"Go away."}}
	// The card is written to a file and imported, together with a book of the host.
	file := func(change func(*card.Card), greeting int, beside ...worldbook.Attachment) func(*drama) {
		return func(d *drama) {
			c := orin
			change(&c)
			data, err := card.Encode(c, card.V3, card.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			start, odd := imports.Parse(data, imports.Options{Greeting: greeting})
			d.takes(t, start, odd)
			d.content.Lore.Books = append(d.content.Lore.Books, beside...)
		}
	}
	same := func(*card.Card) {}
	row := func(field string, change func(*card.Card), beside ...worldbook.Attachment) option {
		return option{"card.Card." + field, file(same, 0, beside...), file(change, 0, beside...)}
	}
	cast := func(c card.Card) func(*drama) { // a group of one member, which opens with its first greeting
		return func(d *drama) {
			d.content.People.Cast, d.setup = []game.CastMember{{CharacterID: "orin", Card: &c}}, []string{`{"greeting_id": "0"}`}
		}
	}
	return []option{
		row("Name", func(c *card.Card) { c.Name = "Bryn" }, entry(t, `"constant": true, "characterFilter": {"names": ["Bryn"], "tags": [], "isExclude": false}`)),
		row("Description", func(c *card.Card) { c.Description = "Orin keeps the lighthouse." }),
		row("Personality", func(c *card.Card) { c.Personality = "Gruff." }),
		row("Scenario", func(c *card.Card) { c.Scenario = "A storm is near." }),
		row("FirstMes", func(c *card.Card) { c.FirstMes = "Who is there?" }),
		row("MesExample", func(c *card.Card) { c.MesExample = "<START>\n{{user}}: Hello.\n{{char}}: Hm." }),
		row("CreatorNotes", func(c *card.Card) { c.CreatorNotes = "Play the storm." }, entry(t, `"matchCreatorNotes": true`)),
		row("PostHistoryInstructions", func(c *card.Card) { c.PostHistoryInstructions = "Be brief." }),
		{"card.Card.AlternateGreetings", file(same, 1), file(func(c *card.Card) { c.AlternateGreetings = []string{"Oh, you."} }, 1)},
		{"card.Card.GroupOnlyGreetings", cast(card.Card{Name: "Orin", FirstMes: "Come in."}),
			cast(card.Card{Name: "Orin", FirstMes: "Come in.", GroupOnlyGreetings: []string{"Come in, all of you."}})},
		row("CharacterBook", func(c *card.Card) {
			c.CharacterBook = json.RawMessage(`{"entries": [{"keys": ["lamp"], "content": "The lamp is broken.", "enabled": true, "insertion_order": 1}]}`)
		}),
		row("Tags", func(c *card.Card) { c.Tags = []string{"keeper"} },
			entry(t, `"constant": true, "characterFilter": {"names": [], "tags": ["keeper"], "isExclude": false}`)),
		row("Extensions", func(c *card.Card) {
			c.Extensions = map[string]json.RawMessage{"depth_prompt": json.RawMessage(`{"prompt": "He hides a brass key."}`)}
		}, entry(t, `"matchCharacterDepthPrompt": true`)),
		row("Nickname", func(c *card.Card) { c.Description, c.Nickname = "", "Old Orin" }, entry(t, `"constant": true, "content": "{{char}} sleeps."`)),
	}
}

// inn is a world with everything that the rows below change.
func inn() reactions.YuminaWorld {
	return reactions.YuminaWorld{Name: "The Inn",
		Variables: []rules.Variable{{ID: "night", Type: rules.TypeBoolean}, {ID: "rain", Type: rules.TypeBoolean, Default: tree.Bool(true)}},
		Entries: []reactions.YuminaEntry{
			{ID: "e1", Content: "The lamp is old.", Keywords: []string{"lamp"}},
			{ID: "e2", Content: "A lampshade of brass.", Keywords: []string{"brass"}},
		}}
}

// worldFile writes a world as its original program does.
func worldFile(t *testing.T, w reactions.YuminaWorld) []byte {
	t.Helper()
	return []byte(jsonOf(t, map[string]any{"name": w.Name, "variables": w.Variables, "worldbooks": w.Modules,
		"rules": w.Rules, "reactions": w.Reactions, "entries": w.Entries, "replyRules": w.ReplyRules}))
}

func worldOptions(t *testing.T) []option {
	t.Helper()
	file := func(changes ...func(*reactions.YuminaWorld)) func(*drama) {
		return func(d *drama) {
			w := inn()
			for _, change := range changes {
				change(&w)
			}
			start, odd := imports.Parse(worldFile(t, w), imports.Options{})
			d.takes(t, start, odd)
			d.replies = []string{"Dust. 【状态】药水：4【/状态】"}
			d.content.Lore.Settings = worldbook.Exact()
			d.content.Lore.Settings.Recursive = true
		}
	}
	row := func(field string, change func(*reactions.YuminaWorld), before ...func(*reactions.YuminaWorld)) option {
		return option{"reactions.Yumina" + field, file(before...), file(append(before, change)...)}
	}
	first := func(field string, change func(*reactions.YuminaEntry), before ...func(*reactions.YuminaWorld)) option {
		return row("Entry."+field, func(w *reactions.YuminaWorld) { change(&w.Entries[0]) }, before...)
	}
	cellar := func(w *reactions.YuminaWorld) {
		w.Modules = []rules.Module{{ID: "cellar", Activation: rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}}
	}
	conditions := func(w *reactions.YuminaWorld) {
		w.Entries[0].Conditions = []rules.Condition{is("night", tree.Bool(true)), is("rain", tree.Bool(true))}
	}
	secondary := func(w *reactions.YuminaWorld) { w.Entries[0].SecondaryKeywords = []string{"oil"} }
	toggles := func(w *reactions.YuminaWorld) { w.Rules = []rules.Rule{everyTurn("r", effect.ToggleEntry{ID: "e1"})} }
	off := false
	return []option{
		row("World.Variables", func(w *reactions.YuminaWorld) { w.Variables[1].Default = tree.Bool(false) }, conditions),
		row("World.Modules", cellar, func(w *reactions.YuminaWorld) { w.Entries[0].BookID = "cellar" }),
		row("World.Rules", func(w *reactions.YuminaWorld) {
			w.Rules = []rules.Rule{everyTurn("r", set("night", effect.Set, tree.Bool(true)))}
		}),
		row("World.Reactions", func(w *reactions.YuminaWorld) {
			w.Reactions = []reactions.Reaction{{ID: "r", When: reactions.Pattern{EventType: event.TypeTurnComplete},
				Then: reactions.Effects{set("night", effect.Set, tree.Bool(true))}}}
		}),
		row("World.ReplyRules", func(w *reactions.YuminaWorld) { w.ReplyRules = statusRule(true) }, func(w *reactions.YuminaWorld) { w.Variables = potions() }),
		row("World.Entries", func(w *reactions.YuminaWorld) { w.Entries = nil }),
		first("ID", func(e *reactions.YuminaEntry) { e.ID = "e3" }, toggles),
		first("Name", func(e *reactions.YuminaEntry) { e.Name = "Lamp" }),
		first("Role", func(e *reactions.YuminaEntry) { e.Role = "greeting" }),
		first("Content", func(e *reactions.YuminaEntry) { e.Content = "The lamp is new." }),
		first("Enabled", func(e *reactions.YuminaEntry) { e.Enabled = &off }),
		first("AlwaysSend", func(e *reactions.YuminaEntry) { e.Keywords, e.AlwaysSend = []string{"never"}, true }),
		first("Keywords", func(e *reactions.YuminaEntry) { e.Keywords = []string{"oil"} }),
		first("MatchWholeWords", func(e *reactions.YuminaEntry) { e.MatchWholeWords = true },
			func(w *reactions.YuminaWorld) { w.Entries[0].Keywords = []string{"lam"} }),
		first("SecondaryKeywords", func(e *reactions.YuminaEntry) { e.SecondaryKeywords = []string{"oil"} }),
		first("SecondaryKeywordLogic", func(e *reactions.YuminaEntry) { e.SecondaryKeywordLogic = rules.NotAny }, secondary),
		first("Conditions", func(e *reactions.YuminaEntry) { e.Conditions = []rules.Condition{is("night", tree.Bool(true))} }),
		first("ConditionLogic", func(e *reactions.YuminaEntry) { e.ConditionLogic = rules.Any }, conditions),
		first("Position", func(e *reactions.YuminaEntry) { e.Position = tree.Int(5) }, func(w *reactions.YuminaWorld) { w.Entries[0].AlwaysSend, w.Entries[1].AlwaysSend = true, true }),
		first("PreventRecursion", func(e *reactions.YuminaEntry) { e.PreventRecursion = true },
			func(w *reactions.YuminaWorld) { w.Entries[0].Content = "Brass, all of it." }),
		row("Entry.ExcludeRecursion", func(w *reactions.YuminaWorld) { w.Entries[1].ExcludeRecursion = true },
			func(w *reactions.YuminaWorld) { w.Entries[0].Content = "Brass, all of it." }),
		first("BookID", func(e *reactions.YuminaEntry) { e.BookID = "cellar" }, cellar),
	}
}

func configOptions(t *testing.T) []option {
	t.Helper()
	// The config is written in its documented form, and imported.
	file := func(members ...string) func(*drama) {
		return func(d *drama) {
			start, odd := imports.Parse([]byte("{"+strings.Join(members, ",")+"}"), imports.Options{Name: "main"})
			d.takes(t, start, odd)
		}
	}
	book := `"worldBookEntries": [{"uid": "1", "keywords": ["lamp"], "content": "The lamp is old."}]`
	return []option{
		{"format.Roleplay.CharacterCard", file(book), file(book, `"characterCard": "You are a young mage."`)},
		{"format.Roleplay.Book", file(`"worldBookEntries": []`), file(book)},
		{"format.Roleplay.Settings", file(book), file(book, `"scanDepth": 1`)},
	}
}

// importOptions are the options of a host for an import.
func importOptions(t *testing.T) []option {
	t.Helper()
	orin := card.Card{Spec: card.V3, Name: "Orin", FirstMes: "Come in, {{user}}.", AlternateGreetings: []string{"Go away."},
		Scenario: "Luck: {{pick::1::2::3::4::5::6::7::8::9}}.", Personality: "{{getvar::mood}}", CharacterBook: json.RawMessage(
			`{"entries": [{"keys": [], "comment": "[InitVar]", "enabled": false, "insertion_order": 0, "content": "_luck: 1\nday: '{{isodate}}'"}]}`),
		Extensions: map[string]json.RawMessage{"regex_scripts": json.RawMessage(`[{"scriptName": "mend", "findRegex": "Fine", "replaceString": "Good", "placement": [2]}]`)}}
	data, err := card.Encode(orin, card.V3, card.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	denied, _ := imports.Parse(data, imports.Options{Regex: func(script.List) bool { return false }})
	with := func(o imports.Options) func(*drama) {
		return func(d *drama) {
			start, odd := imports.Parse(data, o)
			d.takes(t, start, odd)
			d.start = &start.Setup
			d.replies = []string{"Fine.<UpdateVariable>_.set('_luck', 2);</UpdateVariable>"}
		}
	}
	config := func(name string) func(*drama) {
		return func(d *drama) {
			start, odd := imports.Parse([]byte(`{"characterCard": "{{char}} is a mage.", "worldBookEntries": []}`), imports.Options{Name: name})
			d.takes(t, start, odd)
		}
	}
	return []option{
		{"imports.Options.Name", config(""), config("Mira")},
		{"imports.Options.ID", with(imports.Options{}), with(imports.Options{ID: "storm"})},
		{"imports.Options.Player", with(imports.Options{}), with(imports.Options{Player: "Mara"})},
		{"imports.Options.Clock", with(imports.Options{}), with(imports.Options{Clock: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)})},
		{"imports.Options.Chat", with(imports.Options{}), with(imports.Options{Chat: true})},
		{"imports.Options.Greeting", with(imports.Options{}), with(imports.Options{Greeting: 1})},
		{"imports.Options.Regex", with(imports.Options{}), with(imports.Options{Regex: func(script.List) bool { return false }})},
		{"imports.Options.Settings", with(imports.Options{}), with(imports.Options{Settings: denied.Setup.Settings})},
		{"imports.Options.CBS", with(imports.Options{}), with(imports.Options{CBS: true})},
		{"imports.Options.Texts", with(imports.Options{}), with(imports.Options{Texts: new(game.Chinese())})},
		{"imports.Options.MVU", with(imports.Options{}), with(imports.Options{MVU: mvu.Options{ReadonlyPrefix: "_"}})},
	}
}
