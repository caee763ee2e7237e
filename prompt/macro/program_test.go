package macro_test

import (
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/prompt/macro"
)

// TestProgramRows has the results of SillyTavern 1.19 for texts of real presets and for special
// cases. Mara is the player, Orin the character.
func TestProgramRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, text, want string }{
		{"arguments are trimmed as written, not as expanded", "{{setvar::x::a\n{{noop}}}}[{{getvar::x}}]", "[a\n]"},
		{"a blank that a macro gives is an argument", "{{reverse::{{space}}ab}}", "ba "},
		{"a blank that a macro gives is true", "{{if {{space}}}}yes{{else}}no{{/if}}", "yes"},
		{"an argument that stays keeps its space", "{{nope:: a }}{{user:: {{char}} }}", "{{nope:: a }}{{user:: Orin }}"},

		{"full-width blank behind a name", "{{user\u3000}}", "Mara"},
		{"full-width blank in front of a name", "{{\u3000user}}", "Mara"},
		{"no-break space", "{{user\u00a0}}", "Mara"},
		{"full-width blank as a separator", "{{if\u3000user}}y{{/if}}", "y"},
		{"byte order mark at the end of an argument", "{{reverse::ab\ufeff}}", "ba"},
		{"next line is no white space", "{{reverse::ab\u0085}}", "\u0085ba"},
		{"indentation by full-width blanks", "{{if 1}}\n\u3000\u3000a\n\u3000\u3000\u3000b\n{{/if}}", "a\n\u3000b"},

		{"an ending behind a name", "{{user's}}", "Mara"},
		{"a typographic apostrophe", "{{char’s}}", "Orin"},
		{"a comma behind a name", "{{user,}}", "Mara"},
		{"a path behind a name", "{{user.name}}", "Mara"},
		{"a full-width colon behind a name", "{{user：x}}", "Mara"},
		{"a full-width colon separates nothing", "{{random：a，b}}", ""},
		{"an unknown name keeps what is passed over", "{{foo{{user}}}}", "{{foo{{user}}}}"},
		{"the same behind a dot", "{{x.{{user}}}}", "{{x.{{user}}}}"},
		{"a backslash behind a name", `{{user\}}`, "Mara"},

		{"a text is no collection", "{{setvar::x::text}}{{setvarkey::x::k::v}}[{{getvar::x}}]", "[text]"},
		{"nor is a number", "{{setvar::x::5}}{{setvarkey::x::k::v}}[{{getvar::x}}]", "[5]"},
		{"nor is true", "{{setvar::x::true}}{{setvarkey::x::0::v}}[{{getvar::x}}]", "[true]"},
		{"a list has no named members", "{{setvar::x::[1,2]}}{{setvarkey::x::k::v}}[{{getvar::x}}]", "[[1,2]]"},
		{"an object has members with numbers", `{{setvar::x::{"a":1} }}{{setvarkey::x::3::v}}[{{getvar::x}}]`, `[{"3":"v","a":1}]`},
		{"a member of a text is the text", "{{setvar::x::text}}[{{getvarkey::x::k}}]", "[text]"},
		{"members keep their order", `{{setvar::x::{"b":1,"a":2} }}{{setvarkey::x::c::3}}[{{getvar::x}}]`, `[{"b":1,"a":2,"c":"3"}]`},
		{"inner members keep their order", `{{setvar::x::{"b":{"z":1.0,"y":[2,{"q":1,"p":2} ]} } }}{{setvarkey::x::a::3}}[{{getvar::x}}]{{getvarkey::x::b}}`,
			`[{"b":{"z":1,"y":[2,{"q":1,"p":2}]},"a":"3"}]{"z":1,"y":[2,{"q":1,"p":2}]}`},
		{"the length of a list", "{{setvar::x::[1,2,3]}}{{getvarkey::x::length}}", "3"},
		{"nothing becomes a list by any number", "{{setvarkey::x::-1::v}}{{setvarkey::x::k::v}}{{getvar::x}}", "[]"},
		{"members that are true, false and null", "{{setvar::x::[true,false,null]}}{{getvarkey::x::0}}{{getvarkey::x::1}}{{getvarkey::x::2}}", "10null"},
		{"a member of null", "{{setvar::x::null}}{{getvarkey::x::k}}{{getvarkey::none::k}}", "0"},
		{"true, false and null are numbers", "{{.yes}}{{.no}}{{.nil}}{{hasvar::nil}}{{.yes == 1}}", "100truetrue"},
		{"a list of one number is that number", "{{.one}}{{.empty}}{{.two}}{{if .empty}}y{{else}}n{{/if}}", "50[1,2]n"},
		{"a text is joined to a number as it is shown", "{{setvar::x::007}}{{addvar::x::a}}{{.x}}", "7a"},
		{"and to 0 as to nothing", "{{setvar::x::0}}{{addvar::x::a}}{{.x}}{{addvar::yes::b}}{{.yes}}", "a1b"},

		{"only a small else divides", "{{if user}}A{{Else}}B{{/if}}", "AB"},
		{"blanks beside another else go", "{{if user}} {{Else}} B {{/if}}", "B"},
		{"an else with arguments divides", "{{if user}}A{{else::x}}B{{/if}}{{if 0}}A{{else {{user}}}}B{{/if}}", "AB"},
		{"alone it stays", "a{{else::x}}b", "a{{else::x}}b"},
		{"a closing tag with arguments closes", "{{if user}}A{{/if::x}}B{{reverse}}ab{{/reverse {{user}}}}", "ABba"},
		{"alone it stays, too", "{{/if::{{user}}}}{{/user x}}", "{{/if::{{user}}}}{{/user x}}"},
		{"an if that nothing closes", "{{if {{setvar::v::1}}}}{{user}}[{{getvar::v}}]", "{{if {{setvar::v::1}}}}Mara[]"},
		{"an if with too many arguments", "{{if::{{user}}::b::c}}", "{{if::{{user}}::b::c}}"},
		{"a name without a value is true", "{{if original}}y{{/if}}{{if::original::z}}", "yz"},
		{"a newline is true", "{{if newline}}y{{else}}n{{/if}}", "y"},

		{"16 hours are 16 minutes", "{{time::UTC+16}}", "3:25 PM"},
		{"15 hours are hours", "{{time::UTC+15}}", "6:09 AM"},
		{"a small utc is no offset", "{{time::utc+2}} {{time_utc+2}}", "3:09 PM 3:09 PM"},

		{"sides with a zero in front", "{{roll 06}}{{roll 1d06}}{{roll 01d6}}{{roll 0}}", ""},
		{"a constant with a zero in front", "{{roll 1d6+01}}", "5"},

		{"quarter and day of the year", "{{datetimeformat Q DDDo}}", "1 73rd"},
		{"short forms of dates", "{{datetimeformat ll}}", "Mar 14, 2025"},
		{"no pattern is ISO", "{{datetimeformat::}}", "2025-03-14T15:09:26+00:00"},

		{"trim waits in a variable", "{{setvar::m::a{{trim}}}}x\n{{getvar::m}}\ny", "x\nay"},
		{"trim waits in a sum of texts", "{{setvar::m::a}}{{addvar::m::{{trim}}}}{{getvar::m}}\ny", "ay"},
		{"a flag keeps the space of trim", "{{#trim}} x {{/trim}}", " x "},
		{"trim takes no text", "a\n{{trim::x}}\nb", "ab"},

		{"a number is taken from a text by joining", "{{setvar::v::ab}}{{.v -= 2}}[{{.v}}]", "[ab-2]"},
		{"nothing is taken away", "{{.x -=}}[{{.x}}]", "[0]"},
		{"a word behind a variable", "{{setvar::hp::7}}{{.hp x}}{{.hp x.y}}{{.hp++ x}}{{.hp-- y}}", "7787"},
		{"two words, or a number", "{{.hp x y}}{{.hp 1}}{{.hp x||1}}{{.hp++1}}", "{{.hp x y}}{{.hp 1}}{{.hp x||1}}{{.hp++1}}"},
		{"the flag of closing tags before a variable", "{{setvar::hp::7}}{{/.hp}}{{#/.hp > 5}}{{/.none ?? a}}", "7truea"},
		{"variables without a name", "[{{.}}{{$}}]", "[]"},
		{"a write needs a name", "{{setvar::::v}}{{addglobalvar:: ::1}}{{incvar::}}{{decvar {{noop}}}}{{setvarkey::::k::v}}",
			"{{setvar::::v}}{{addglobalvar:: ::1}}{{incvar::}}{{decvar }}{{setvarkey::::k::v}}"},
		{"a read does not", "[{{getvar::}}{{hasvar::}}{{deletevar::}}{{getvarkey::::k}}]", "[false]"},
		{"a time of another macro", "{{timeDiff::{{date}}::{{isodate}}}}", "a few seconds ago"},
		{"a date with a time of day", "{{timeDiff::{{datetimeformat::LLLL}}::{{date}} 3:09 pm}}", "a few seconds ago"},
		{"a day in words", "{{timeDiff::14 March 2025::2025/3/12}}", "in 2 days"},
		{"a zone behind a time", "{{timeDiff::Fri, 14 Mar 2025 15:09:26 GMT::2025-03-14 17:09:26 +02:00}}", "a few seconds ago"},
		{"dates that are none", "{{timeDiff::soon::2025-01-01}}", "Invalid date"},

		{"prompts of the settings", "{{systemPrompt}}|{{defaultSystemPrompt}}|{{instructSystem}}|{{instructSystemPrompt}}", "Of Orin|Main|Main|Main"},
		{"the lines between", "{{exampleSeparator}}{{chatSeparator}}{{chatStart}}", "***"},
		{"limits by their long names", "{{maxPromptTokens}} {{maxContextTokens}} {{maxResponseTokens}}", "900 1000 100"},
		{"the host's program", "{{hasExtension::TTS}} {{hasExtension::x}} {{isMobile}}[{{firstDisplayedMessageId}}]", "true false false[2]"},
		{"story texts", "{{instructStoryStringPrefix}}{{instructStoryStringSuffix}}", "ab"},
		{"player texts", "{{instructInput}}{{instructUserPrefix}}{{instructUserSuffix}}{{instructUserFiller}}", "ccdo"},
		{"character texts", "{{instructOutput}}{{instructAssistantPrefix}}{{instructSeparator}}{{instructAssistantSuffix}}", "eeff"},
		{"system texts", "{{instructSystemPrefix}}{{instructSystemSuffix}}{{instructSystemInstructionPrefix}}{{instructStop}}", "ghmn"},
		{"first and last texts", "{{instructFirstInput}}{{instructFirstUserPrefix}}{{instructLastInput}}{{instructLastUserPrefix}}", "iicc"},
		{"first and last texts of the character", "{{instructFirstOutput}}{{instructFirstAssistantPrefix}}{{instructLastOutput}}{{instructLastAssistantPrefix}}", "eell"},
		{"their other names", "{{instructFirstOutputPrefix}}{{instructLastOutputPrefix}}", "el"},
		{"the marks of thinking", "{{reasoningPrefix}}a{{reasoningSuffix}}{{reasoningSeparator}}b", "<think>a</think>\nb"},

		{"tags in a value are not paired", "{{.v = {{if 1}}x{{/if}} }}{{.v}}", "{{if 1}}x{{/if}}"},
		{"a value that begins with half an expression is empty", "{{.v == {{.w.x}}}}", "true}}"},
		{"a value ends before half an expression", "{{.a = b{{.w.x}}c}}{{.a}}", "c}}b"},
		{"a value goes on after half an expression without a name", "{{.a = b{{.1a == 5}}c}}{{.a}}", "c}}b1a == 5"},
		{"the nearest opener may be in another scope", "{{trim}}{{reverse}}x{{trim}}y{{/reverse}}{{/trim}}", "y}}mirt{{x{{/trim}}"},
		{
			"an opener in a branch takes the closer after it",
			"{{addvar::n}}{{if 1}}a{{addvar::m}}b{{/if}}{{/addvar}}", "{{addvar::n}}a{{addvar::m}}b{{/addvar}}",
		},
		{"true counts as one", "{{.yes += 1}}{{.yes}}", "2"},
		{"a stray else is no number", "{{.none <= {{else}}}}", "false"},
	} {
		first := 2
		run := macro.NewRun(macro.Env{
			User: "Mara", Char: "Orin", Random: func() float64 { return 0.5 },
			Clock: time.Date(2025, 3, 14, 15, 9, 26, 0, time.UTC),
			Vars: map[string]any{"yes": true, "no": false, "nil": nil, "one": []any{"5"}, "empty": []any{},
				"two": []any{1.0, 2.0}},
			Card: macro.Card{SystemPrompt: "Of {{char}}"}, SystemPrompt: "Main", PreferCardPrompt: true,
			ExampleSeparator: "*", ChatStart: "*", MaxContext: 1000, MaxResponse: 100,
			Extensions: []string{"tts"}, FirstDisplayed: &first,
			Instruct: macro.Instruct{
				StoryPrefix: "a", StorySuffix: "b", UserPrefix: "c", UserSuffix: "d",
				AssistantPrefix: "e", AssistantSuffix: "f", SystemPrefix: "g", SystemSuffix: "h",
				FirstUserPrefix: "i", LastAssistantPrefix: "l", SystemInstructionPrefix: "m",
				Stop: "n", UserFiller: "o",
			},
		})
		if got := run.Expand(c.text, macro.Full); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.reason, c.text, got, c.want)
		}
	}
}

// TestTrimInStoredTexts: variables that leave the run are text, and variables that enter it are
// data.
func TestTrimInStoredTexts(t *testing.T) {
	t.Parallel()
	run := macro.NewRun(macro.Env{})
	run.Expand("{{setvar::m::a{{trim}}{{else}}b}}{{setvarkey::l::0::{{trim}}}}", macro.Full)
	vars, _ := run.Vars()
	if vars["m"] != "a{{trim}}b" || vars["l"] != `["{{trim}}"]` {
		t.Errorf("stored %q and %q", vars["m"], vars["l"])
	}
	next := macro.NewRun(macro.Env{Vars: vars})
	if got := next.Expand("x\n{{getvar::m}}\ny", macro.Full); got != "x\na{{trim}}b\ny" {
		t.Errorf("a stored text acts: %q", got)
	}
}

// TestFormatsInFormats: a pattern that is the result of a pattern would grow at every level.
func TestFormatsInFormats(t *testing.T) {
	t.Parallel()
	const open = "{{datetimeformat::"
	text := strings.Repeat(open, 64) + strings.Repeat("LLLL", 1<<14) + strings.Repeat("}}", 64)
	calls := 0
	run := macro.NewRun(macro.Env{
		Clock: time.Unix(1e9, 0),
		FormatTime: func(at time.Time, pattern string) string {
			calls += len(pattern)
			return macro.FormatTime(at, pattern)
		},
	})
	if got := run.Expand(text, macro.Full); got != text {
		t.Errorf("a pattern of %d bytes was used", len(text))
	}
	if run.Expand(strings.Repeat(open+"LLLL ", 64)+strings.Repeat("}}", 64), macro.Full); calls > 64<<10 {
		t.Errorf("patterns of %d bytes were formatted", calls)
	}
	if problems := run.Trace().Problems; len(problems) == 0 || problems[0].Code != "refused" {
		t.Errorf("the long pattern is not reported: %v", problems)
	}
}
