package game_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// bookOf attaches entries.
func bookOf(entries ...worldbook.Entry) []worldbook.Attachment {
	return []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: entries}}}
}

// cardWith is a card with one extension.
func cardWith(name, extension string) *card.Card {
	return &card.Card{Name: "Orin", Extensions: map[string]json.RawMessage{name: json.RawMessage(extension)}}
}

// everyText is a card with an unknown macro in each text.
func everyText(extensions map[string]json.RawMessage) *card.Card {
	return &card.Card{Name: "Orin", Description: "{{x1}}", Personality: "{{x2}}", Scenario: "{{x3}}", FirstMes: "{{x4}}", MesExample: "{{x5}}",
		SystemPrompt: "{{x6}}", PostHistoryInstructions: "{{x7}}", AlternateGreetings: []string{"{{x8}}"}, Extensions: extensions}
}

// TestUnplayed: content that requests something that no campaign plays is reported as a warning
// with its place. Content that is played, is switched off or only looks similar is not reported.
func TestUnplayed(t *testing.T) {
	t.Parallel()
	own, err := macro.NewSet(macro.Macro{Name: "mood", Text: "calm"})
	if err != nil {
		t.Fatal(err)
	}
	var golden strings.Builder
	texts := tavern.Default()
	texts.NewChat, texts.NewExample, texts.ContinueNudge, texts.Impersonation = "{{x1}}", "{{x2}}", "{{x3}}", "{{x4}}"
	texts.Prefill, texts.ImpersonationPrefill, texts.Replacement = "{{x5}}", "{{x6}}", "{{x7}}"
	preset := tavern.Default()
	preset.Prompts = append(preset.Prompts, tavern.Prompt{ID: "on", Name: "On", Content: "{{nope}}"}, tavern.Prompt{ID: "off", Content: "<% x %>"})
	preset.Orders = []tavern.PromptOrder{{Order: []tavern.Entry{{ID: "on", Enabled: true}, {ID: "off"}, {ID: "chatHistory", Enabled: true}}}}
	preset.Extra = map[string]json.RawMessage{"extensions": json.RawMessage(`{"regex_scripts":[{"scriptName":"a"}],"tavern_helper":{"scripts":[{"type":"script","enabled":true,"name":"n","id":"i","content":"alert(1)"}]},"SPreset":{"a":1},"other":{}}`)}
	empty, number := tavern.Default(), tavern.Default()
	empty.Extra = map[string]json.RawMessage{"extensions": json.RawMessage(`{"talewright":{"a":1},"a":null,"b":[],"c":{}}`)}
	number.Extra = map[string]json.RawMessage{"extensions": json.RawMessage(`{"n":5}`)}
	const two = `[{"scriptName":"a"},{"scriptName":"b"}]`
	const ejs = "<% if (variables.x) { %>a<% } %>"
	for _, tc := range []struct {
		what    string
		content game.Content
		want    []string // code, path, and the beginning of the text
	}{
		{"plain content", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Description: "{{user}} <b>5%</b> <%% {{getvar::x}}"}},
			Lore: game.Lore{Books: bookOf(worldbook.Entry{Content: "{{char}}", Triggers: []string{"swipe"}})}}, nil},
		{"tags in the language of RisuAI", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Description: "5 <% of {{user}}"}},
			Prompt: game.Prompt{CBS: []string{"Orin"}}}, nil},
		{"a tag without an end", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Description: "5 <% of {{user}}"}}},
			[]string{"template_bad card.description (Orin): loses its tags in prompts"}},
		{"templates of a text prompt", game.Content{Prompt: game.Prompt{Context: &tavern.ContextTemplate{Name: "F", Story: "{{system}}", ChatStart: ejs},
			Instruct: &tavern.InstructTemplate{Name: "I", SystemPrefix: ejs}}},
			nil},
		{"templates of a text prompt that do not run", game.Content{Prompt: game.Prompt{Context: &tavern.ContextTemplate{Name: "F", Story: "{{system}}<% ( %>", ChatStart: "<% ( %>", ExampleSeparator: "<% ( %>"},
			Instruct: &tavern.InstructTemplate{Name: "I", SystemPrefix: "<% ( %>"}}},
			[]string{"template_bad context.story_string", "template_bad context.chat_start", "template_bad context.example_separator", "template_bad instruct"}},
		{"variables of the other kind", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "{{setvar::mood::dark}}{{getvar::hp}}",
			Description: "{{getvar::hp}}{{getvar::mood}}{{var::mood}}{{var::hp}}{{var::npc.age}}{{.hp}}"}},
			Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}}}},
			[]string{"wrong_variable card.description (Orin): {{getvar::hp}} is empty: it reads what macros store, and \"hp\" is a declared variable: write {{var::hp}}",
				"wrong_variable card.description (Orin): {{var::mood}} is empty: it reads the variables of the campaign, and \"mood\" is stored by a macro: write {{getvar::mood}}"}},
		{"a declared variable that a macro stores too, and a variable by its name", game.Content{People: game.People{Card: &card.Card{Name: "Orin",
			Description: "{{setvar::hp::3}}{{getvar::hp}}{{var::hp}}{{getvar::Strength}}"}},
			Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}, {ID: "str", Name: "Strength", Type: rules.TypeNumber}}}},
			[]string{"wrong_variable card.description (Orin): {{getvar::Strength}} is empty"}},
		{"an entry that is constant and looked up by meaning", game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{Content: "Fog.", Vectorized: true, Constant: true})}}, nil},
		{"templates of a card", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: ejs, AlternateGreetings: []string{"", ejs}}}},
			nil},
		{"templates of a card that do not run", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "<% if ( %>", AlternateGreetings: []string{"", "<% new Date() %>"}}}},
			[]string{"template_bad card.scenario (Orin): loses its tags in prompts", "template_needs card.alternate_greetings[1] (Orin): loses its tags in prompts",
				"card_summary card (Orin): the card brings templates: 2 (0 played); the other"}},
		{"data of messages of MVU", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "{{get_message_variable::delta_data.hp}}{{format_message_variable::Delta_data}}",
			PostHistoryInstructions: "Write display_data."}},
			Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "4", Content: "<%= getvar('display_data.hp') %>", Disable: true})}},
			[]string{"wrong_variable card.scenario (Orin): delta_data of MVU is not kept", "wrong_variable books.b.entries[0].content (4): display_data of MVU is not kept"}},
		{"templates of a cast", game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "o", Card: &card.Card{Name: "Orin", FirstMes: "<% fetch() %>"}}}}},
			[]string{"template_needs cast[0].card.first_mes (Orin): loses its tags"}},
		{"templates of lore", game.Content{Lore: game.Lore{Books: bookOf(
			worldbook.Entry{Comment: "Status", Content: ejs}, worldbook.Entry{Content: ejs, Disable: true},
			worldbook.Entry{Comment: "[initvar]", Content: ejs}, worldbook.Entry{UID: "7", Content: "@@if userName > 1\n@@private\ntext\n@@if y"},
			worldbook.Entry{Comment: "[GENERATE:BEFORE] x", Disable: true})}},
			[]string{"template_needs books.b.entries[2].content ([initvar]): no template runs in initial variables"}},
		{"decorators and titles of templates", game.Content{Lore: game.Lore{Books: bookOf(
			worldbook.Entry{Comment: "[GENERATE:BEFORE] on"}, worldbook.Entry{Comment: "[GENERATE:BEFORE] on", Content: "@@always_enabled\n"},
			worldbook.Entry{Comment: "[RENDER:AFTER] a", Disable: true}, worldbook.Entry{UID: "3", Content: "@@iframe\nx", Disable: true},
			worldbook.Entry{Comment: "[InitialVariables] bad", Content: "hp: 3", Disable: true}, worldbook.Entry{Comment: "[InitialVariables]", Content: `{"hp": <%= 3 %>}`, Disable: true},
			worldbook.Entry{UID: "6", Content: "@@activate\n@@depht 4\n@@private\nx"}, worldbook.Entry{UID: "7", Content: "@@dont_activate\nx"},
			worldbook.Entry{UID: "8", Content: "@@depht 4\nx", Literal: true}, worldbook.Entry{Comment: "@INJECT pos=1", Content: "x", Disable: true})}},
			[]string{"unknown_decorator books.b.entries[6].content (6): @@depht is unknown",
				"template_not_played books.b.entries[0].content ([GENERATE:BEFORE] on): the entry acts only if it is switched off",
				"bad_initial books.b.entries[4].content ([InitialVariables] bad): the initial variables are not a JSON object",
				"template_not_played books.b.entries[9].content (@INJECT pos=1): an entry with the title @INJECT is not in a prompt",
				"display_only books.b.entries[2].content ([RENDER:AFTER] a): entries for the screen of SillyTavern (2)"}},
		{"titles that templates name", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Description: "<%= getwi('Forge') %><% activewi('Inn') %><% activewi('Inn') %>"}},
			Lore: game.Lore{Books: bookOf(
				worldbook.Entry{UID: "0", Comment: "Inn", Content: "<% getwi(null, 'Lost') + getwi('b', '1') + getwi('x', 'Inn') + getwi(userName, 'Lost') + getwi(null, 'I' + charName) %>"},
				worldbook.Entry{UID: "1", Comment: "Old Forge", Order: -1, Content: "@@preprocessing\n<% activewi('Inn', true); getwi('Inn', {n: 1}) %>"},
				worldbook.Entry{UID: "2", Comment: "Forge", Content: "@@if activewi(undefined, 'Inn')\nx"},
				worldbook.Entry{UID: "3", Comment: "[GENERATE:BEFORE]", Content: "<% activewi('Inn') %>", Disable: true},
				worldbook.Entry{UID: "4", Comment: "late", Content: "<% await activateWorldInfo('Inn') %>"})}},
			[]string{`unknown_entry books.b.entries[0].content (Inn): no entry has the title "Lost": getwi gives nothing`,
				`unknown_entry books.b.entries[0].content (Inn): no entry has the title "Inn": getwi gives nothing`,
				"late_activation books.b.entries[4].content (late): activateWorldInfo runs here after the scan",
				`ambiguous_title card.description: getwi finds the entry "Old Forge" first, whose title contains "Forge"`,
				"late_activation card.description: activewi runs here after the scan"}},
		{"a card of which a part is played", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: ejs, Personality: "<% fetch() %>",
			CharacterBook: json.RawMessage(`{"entries":[{"keys":["a"],"content":"<%= 1 %>"}]}`), Extensions: map[string]json.RawMessage{"regex_scripts": json.RawMessage(two)}}}, Lore: game.Lore{CardBook: true}},
			[]string{"template_needs card.personality (Orin)", "card_regex card.extensions", "card_summary card (Orin): the card brings templates: 3 (2 played); regex scripts: 2 (not run); the other problems say what to do"}},
		{"a card whose templates read a name that nothing declares", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "<%= rain %>", Personality: "<%= rain + fog %>",
			Description: "<% var fog = 1 %>", FirstMes: ejs, CharacterBook: json.RawMessage(`{"entries":[{"keys":["a"],"content":"<%= rain %>"}]}`)}}, Lore: game.Lore{CardBook: true}},
			[]string{"template_needs books.Orin.entries[0].content (0): the code reads the name \"rain\"", "card_summary card (Orin): the card brings templates: 5 (2 played)"}},
		{"a card whose templates are played and whose scripts are not", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: ejs,
			Extensions: map[string]json.RawMessage{"regex_scripts": json.RawMessage(two)}}}},
			[]string{"card_regex card.extensions", "card_summary card (Orin): the card brings templates: 1 (all played); regex scripts: 2 (not run)"}},
		{"templates of lore that do not run", game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{Comment: "A", Content: "@@if userName\n<% execute('/x') %>", Disable: true},
			worldbook.Entry{Comment: "B", Content: "<% if ( %>"}, worldbook.Entry{Comment: "C", Content: "<% if ( %>", Literal: true})}},
			[]string{"template_needs books.b.entries[0].content (A): is left out of prompts: template 1:4: execute is refused",
				"template_bad books.b.entries[1].content (B): is left out of prompts: template 1:"}},
		{"a preset", game.Content{Prompt: game.Prompt{Preset: &preset}},
			[]string{"unknown_macro preset.prompts[12].content (On): {{nope}}", "card_scripts preset.extensions.tavern_helper: the scripts of TavernHelper (1)", `not_played preset.extensions: the parts "SPreset" are`, "card_regex preset.extensions.regex_scripts: its regex scripts (1)"}},
		{"a preset whose scripts the host decided about", game.Content{Prompt: game.Prompt{Preset: &preset, Scripts: []script.List{{Source: script.Preset, Denied: true}}}},
			[]string{"unknown_macro preset.prompts[12].content (On): {{nope}}", "card_scripts preset", "not_played preset"}},
		{"a system prompt and a note", game.Content{Prompt: game.Prompt{System: &tavern.SystemPrompt{Content: ejs, PostHistory: "{{nope}}"}, Note: prompt.AuthorNote{Text: "{{nope}}"}}},
			[]string{"unknown_macro system.post_history: {{nope}} is not a macro and stays in the text in 2 places:"}},
		{"unknown macros", game.Content{People: game.People{Card: &card.Card{Name: "Orin", Personality: "{{Mood}} {{mood}} {{random::{{mood}}}}", Scenario: "{{mood}} {{char::x}}"}}},
			[]string{"unknown_macro card.personality (Orin): {{Mood}} is not a macro and stays in the text:",
				"unknown_macro card.personality (Orin): {{mood}} is not a macro and stays in the text in 3 places of the card:",
				"unknown_macro card.scenario (Orin): {{char}} has more arguments than the macro takes, so it stays in the text:"}},
		{"macros of the host", game.Content{Extensions: game.Extensions{Macros: own}, People: game.People{Card: &card.Card{Name: "Orin", Personality: "{{mood}}"}}}, nil},
		{"regex scripts", game.Content{People: game.People{Card: cardWith("regex_scripts", two)}}, []string{"card_regex card.extensions.regex_scripts (Orin): its regex scripts (2) are not in Prompt.Scripts"}},
		{"regex scripts of the card in Scripts", game.Content{People: game.People{Card: cardWith("regex_scripts", two)}, Prompt: game.Prompt{Scripts: []script.List{{Source: script.Character, Owner: "Orin"}}}}, nil},
		{"regex scripts of another card in Scripts", game.Content{People: game.People{Card: cardWith("regex_scripts", two)}, Prompt: game.Prompt{Scripts: []script.List{{Source: script.Character, Owner: "Ann"}}}},
			[]string{"card_regex card.extensions.regex_scripts (Orin)"}},
		{"scripts of TavernHelper", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[
			{"type":"script","name":"mvu","enabled":true,"content":"import 'https://cdn.example/gh/MagicalAstrogy/MagVarUpdate/bundle.js'"},
			{"type":"folder","enabled":true,"scripts":[{"type":"script","name":"schema","content":"import { registerMvuSchema } from 'https://cdn.example/x.js';\nregisterMvuSchema(S);"},
				{"type":"script","name":"far","content":"import 'https://cdn.example/y.js';\n"}]},
			{"type":"folder","enabled":false,"scripts":[{"type":"script","name":"x","content":"y"}]},
			{"type":"script","name":"own","content":"$(() => { toastr.info('hi') })"}, 5, {"type":"script","enabled":false,"content":"z"}]}`)}},
			[]string{`card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (4) are not run: 1 for MVU, whose variables are played, ` +
				`1 with a schema of MVU's variables that cannot be read, 1 with code from cdn.example, 1 of its own ("own"), 2 more are switched off; write`}},
		{"scripts of TavernHelper as pairs", game.Content{People: game.People{Card: cardWith("tavern_helper", `[["variables",{}],["scripts",[{"type":"script","name":"a","content":"b"}]]]`)}},
			[]string{`card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (1) are not run: 1 of its own ("a"); write`}},
		{"scripts of TavernHelper in the old form", game.Content{People: game.People{Card: cardWith("TavernHelper_scripts",
			`[{"type":"script","value":{"name":"a","content":" "}},{"type":"folder","value":[{"name":"b","content":"c"}]}]`)}},
			[]string{`card_scripts card.extensions.TavernHelper_scripts (Orin): the scripts of TavernHelper (2) are not run: 1 without code, 1 of its own ("b"); write`}},
		{"many scripts of TavernHelper", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[{"type":"script","name":"a","content":"x"},{"type":"script","name":"b","content":"x"},
			{"type":"script","name":"c","content":"x"},{"type":"script","name":"d","content":"x"},{"type":"script","name":"e","content":"x"},
			{"type":"script","name":"f","content":"x"},{"type":"script","name":"g","content":"x"}]}`)}},
			[]string{`card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (7) are not run: 7 of its own ("a", "b", "c", "d", "e" and 2 more); write`}},
		{"an empty list of TavernHelper", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[]}`)}}, nil},
		{"triggers of RisuAI", game.Content{People: game.People{Card: cardWith("risuai", `{"triggerscript":[{},{}],"customScripts":[]}`)}},
			[]string{"card_scripts card.extensions.risuai.triggerscript (Orin): the triggers of RisuAI (2)"}},
		{"regex scripts of RisuAI", game.Content{People: game.People{Card: cardWith("risuai", `{"customScripts":[{}]}`)}},
			[]string{"card_scripts card.extensions.risuai.customScripts (Orin): the regex scripts of RisuAI (1)"}},
		{"regex scripts of RisuAI that are played", game.Content{People: game.People{Card: cardWith("risuai", `{"customScripts":[{}]}`)},
			Prompt: game.Prompt{Scripts: []script.List{{Source: script.Character, Owner: "Orin"}}}}, nil},
		{"lore by meaning", game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{Vectorized: true, Disable: true}, worldbook.Entry{Vectorized: true}, worldbook.Entry{Vectorized: true})}},
			[]string{"needs_retriever books.b.entries[1].vectorized: entries of the book (2)"}},
		{"lore by meaning with retrieval", game.Content{Lore: game.Lore{Retrieval: game.Retrieval{Limit: 3}, Books: bookOf(worldbook.Entry{Vectorized: true})}}, nil},
		{"unknown triggers", game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Triggers: []string{"Normal", "x"}})}},
			[]string{`unknown_trigger books.b.entries[0].triggers (1): is never active, since none of ["Normal" "x"]`}},
		{"one unknown trigger", game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Triggers: []string{"swipe", "x"}})}},
			[]string{`unknown_trigger books.b.entries[0].triggers (1): ["x"] are not kinds of generation`}},
		{"a name of no card", game.Content{People: game.People{Card: cardWith("x", `1`)}, Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", CharacterFilter: &worldbook.CharacterFilter{Names: []string{"Mara"}}})}},
			[]string{`not_played books.b.entries[0].characterFilter.names (1): is never active, since no card of the game has a name in ["Mara"]`}},
		{"names of cards, and no names", game.Content{People: game.People{Card: cardWith("x", `1`)}, Lore: game.Lore{Books: bookOf(
			worldbook.Entry{CharacterFilter: &worldbook.CharacterFilter{Names: []string{"Mara", "Orin"}}}, worldbook.Entry{CharacterFilter: &worldbook.CharacterFilter{Tags: []string{"elf"}}},
			worldbook.Entry{CharacterFilter: &worldbook.CharacterFilter{IsExclude: true, Names: []string{"Mara"}}})}}, nil},
		{"a lorebook that is not there", game.Content{People: game.People{Card: cardWith("world", `"Coast"`)}}, []string{`missing_world card.extensions.world (Orin): the lorebook "Coast"`}},
		{"a lorebook that is attached", game.Content{People: game.People{Card: cardWith("world", `"b"`)}, Lore: game.Lore{Books: bookOf(worldbook.Entry{Content: "x"})}}, nil},
		{"the card's own book", game.Content{Lore: game.Lore{CardBook: true}, People: game.People{Card: &card.Card{Name: "Orin", CharacterBook: json.RawMessage(`{"entries":[{"keys":["a"],"content":"<% ( %>"}]}`)}}},
			[]string{"template_bad books.Orin.entries[0].content (0): is left out"}},
		{"a macro in every text of a card", game.Content{People: game.People{Card: everyText(map[string]json.RawMessage{"depth_prompt": json.RawMessage(`{"prompt":"{{x9}}","depth":2}`)})}},
			[]string{"unknown_macro card.description (Orin): {{x1}}", "unknown_macro card.personality (Orin): {{x2}}", "unknown_macro card.scenario (Orin): {{x3}}",
				"unknown_macro card.first_mes (Orin): {{x4}}", "unknown_macro card.mes_example (Orin): {{x5}}", "unknown_macro card.system_prompt (Orin): {{x6}}",
				"unknown_macro card.post_history_instructions (Orin): {{x7}}", "unknown_macro card.alternate_greetings[0] (Orin): {{x8}}",
				"unknown_macro card.extensions.depth_prompt (Orin): {{x9}}"}},
		{"a macro in every text of a preset", game.Content{Prompt: game.Prompt{Preset: &texts}},
			[]string{"unknown_macro preset.new_chat_prompt: {{x1}}", "unknown_macro preset.new_example_chat_prompt: {{x2}}", "unknown_macro preset.continue_nudge_prompt: {{x3}}",
				"unknown_macro preset.impersonation_prompt: {{x4}}", "unknown_macro preset.assistant_prefill: {{x5}}", "unknown_macro preset.assistant_impersonation: {{x6}}",
				"unknown_macro preset.send_if_empty: {{x7}}"}},
		{"schemas of TavernHelper", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[{"type":"script","name":"schema","content":"registerMvuSchema(z.object({hp: z.number()}))"},
			{"type":"script","name":"mvu","content":"import '//cdn.example/MagVarUpdate.js'"}]}`)}},
			[]string{"card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (2) are not run: 1 with"}},
		{"everything of a scripted card", game.Content{Lore: game.Lore{CardBook: true, Books: bookOf(worldbook.Entry{Content: "<% fetch() %>"})}, People: game.People{
			Card: everyText(map[string]json.RawMessage{"tavern_helper": json.RawMessage(`{"scripts":[{"type":"script","name":"own","content":"x()"}]}`), "regex_scripts": json.RawMessage(two),
				"risuai": json.RawMessage(`{"triggerscript":[{}],"customScripts":[{},{}]}`), "world": json.RawMessage(`"Coast"`)})}},
			nil},
		{"parts of a preset that are empty or ours", game.Content{Prompt: game.Prompt{Preset: &empty}}, nil},
		{"a part of a preset that is a number", game.Content{Prompt: game.Prompt{Preset: &number}}, []string{`not_played preset.extensions: the parts "n" are`}},
		{"scripts of TavernHelper of one kind", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[{"type":"script","content":"import '//a.example/MagVarUpdate.js'"},
			{"type":"script","content":"import '//b.example/MagVarUpdate.js'"}]}`)}},
			[]string{"card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (2) are not run: 2 for MVU, whose variables are played"}},
		{"scripts of TavernHelper without code", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[{"type":"script","content":" "}]}`)}},
			[]string{"card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (1) are not run: 1 without code"}},
		{"scripts of TavernHelper that import more than code of a host", game.Content{People: game.People{Card: cardWith("tavern_helper", `{"scripts":[
			{"type":"script","name":"near","content":"import './x.js'"},{"type":"script","name":"runs","content":"import 'https://cdn.example/y.js'\nrun()"}]}`)}},
			[]string{`card_scripts card.extensions.tavern_helper (Orin): the scripts of TavernHelper (2) are not run: 2 of its own ("near", "runs"); write`}},
		{"names of cards as a text, and outlets without a name", game.Content{People: game.People{Card: cardWith("x", `1`)}, Lore: game.Lore{Books: bookOf(
			worldbook.Entry{CharacterFilter: &worldbook.CharacterFilter{Names: []string{"M"}, NamesText: "M"}}, worldbook.Entry{Content: "x", Position: worldbook.PositionInOutlet})}}, nil},
		{"a template that is too large, and an engine that does not help", game.Content{Extensions: game.Extensions{Engine: anyEngine{}},
			People: game.People{Card: &card.Card{Name: "Orin", Scenario: "<% if ( %>", Description: "<% " + strings.Repeat("(", 70) + " %>"}}},
			[]string{"template_needs card.description (Orin): loses its tags", "template_bad card.scenario (Orin): loses its tags", "card_summary"}},
		{"a cast of which a part is played", game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "a"}, {CharacterID: "b", Card: &card.Card{Name: "Bo", Scenario: "<% ( %>", Personality: ejs}}}}},
			[]string{"template_bad cast[1].card.scenario (Bo)", "card_summary cast[1].card (Bo): the card brings templates: 2 (1 played)"}},
	} {
		found := game.Unplayed(tc.content)
		fmt.Fprintln(&golden, tc.what)
		for _, p := range found {
			fmt.Fprintf(&golden, "\t%s %s\n", p.Code, p)
		}
		if tc.want == nil && len(found) > 0 && tc.what != "everything of a scripted card" {
			t.Errorf("%s: %v", tc.what, found)
		}
		var got []string
		for _, p := range found {
			if p.Severity != talewright.Warning {
				t.Errorf("%s: %s is a %s", tc.what, p.Code, p.Severity)
			}
			got = append(got, string(p.Code)+" "+p.String())
		}
		if tc.want != nil && !slices.EqualFunc(got, tc.want, strings.HasPrefix) {
			t.Errorf("%s (-want +got):\n%s", tc.what, cmp.Diff(tc.want, got))
		}
		g, compiled := game.Compile(tc.content)
		if g == nil {
			t.Errorf("%s: does not compile: %v", tc.what, compiled)
		}
		for _, p := range found {
			if n := len(compiled.Of(p.Code)); n != len(found.Of(p.Code)) {
				t.Errorf("%s: Compile reports %d problems %s", tc.what, n, p.Code)
			}
		}
	}
	testkit.Golden(t, "testdata/unplayed.golden", golden.String())
}

// anyEngine is an engine for templates. Compile does not call it.
type anyEngine struct{ template.Engine }

// TestReportsOfTextsAreBounded: of the names in a text that is full of mistakes, a hundred are reported.
func TestReportsOfTextsAreBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	var content game.Content
	for i := range 150 {
		fmt.Fprintf(&text, "{{x%d}}{{getvar::v%d}}", i, i)
		content.Rules.Variables = append(content.Rules.Variables, rules.Variable{ID: fmt.Sprintf("v%d", i), Type: rules.TypeNumber})
	}
	content.People.Card = &card.Card{Name: "Orin", Description: text.String()}
	found := game.Unplayed(content)
	if unknown, wrong := len(found.Of("unknown_macro")), len(found.Of("wrong_variable")); unknown != 100 || wrong != 100 {
		t.Errorf("%d unknown macros and %d variables of the other kind are reported, want 100 of each", unknown, wrong)
	}
}
