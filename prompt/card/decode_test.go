package card_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// TestWhichFormat shows the five rules that distinguish versions (PR-10).
func TestWhichFormat(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		in     string
		spec   card.Spec
		name   string
		codes  []talewright.Code
		err    talewright.Code
	}{
		{reason: "V2 by its spec", in: v2("A", ""), spec: 2, name: "A"},
		{reason: "V3 by its spec", in: v3("A", ""), spec: 3, name: "A"},
		{reason: "the root is ignored beside data, stale as it is",
			in:   `{"name":"Old","description":"d","spec":"chara_card_v2","data":{"name":"New"}}`,
			spec: 2, name: "New"},
		{reason: "data without spec is V2", in: `{"data":{"name":"A"}}`,
			spec: 2, name: "A", codes: []talewright.Code{"no_spec"}},
		{reason: "a null spec is a missing one", in: `{"spec":null,"data":{"name":"A"}}`,
			spec: 2, name: "A", codes: []talewright.Code{"no_spec"}},
		{reason: "name and another V1 field", in: `{"name":"A","scenario":""}`, spec: 1, name: "A"},
		{reason: "V2 that forgot data, with V1 fields at the root",
			in:   `{"spec":"chara_card_v2","name":"A","first_mes":"hi"}`,
			spec: 1, name: "A"},
		{reason: "the names of TavernAI", in: `{"char_name":"A","char_persona":"d","char_greeting":"hi"}`, spec: 1, name: "A"},
		{reason: "Agnai", in: `{"kind":"character","name":"A","description":"for people","persona":{"kind":"text","attributes":{"text":["d"]}},"greeting":"hi"}`,
			spec: 2, name: "A"},
		{reason: "V1 before other names", in: `{"name":"A","char_name":"B","first_mes":"","greeting":"hi"}`, spec: 1, name: "A"},
		{reason: "a name and a greeting are no card", in: `{"name":"A","greeting":"hello"}`, err: "not_a_card"},
		{reason: "a name alone is no card", in: `{"name":"A"}`, err: "not_a_card"},
		{reason: "null does not count as a field", in: `{"name":"A","scenario":null}`,
			err: "not_a_card"},
		{reason: "unknown spec", in: `{"spec":"other","data":{"name":"A"}}`, err: "not_a_card"},
		{reason: "data must be an object", in: `{"spec":"chara_card_v2","data":[1]}`,
			err: "not_a_card"},
		{reason: "a lorebook", in: `{"spec":"lorebook_v3","data":{"entries":[]}}`,
			err: "is_lorebook"},
		{reason: "a lorebook with a name and a description", in: `{"name":"A","description":"d","entries":{"0":{"key":["x"]}}}`,
			err: "is_lorebook"},
		{reason: "a lorebook in data", in: `{"data":{"name":"A","description":"d","entries":[]}}`,
			err: "is_lorebook"},
		{reason: "a card with entries", in: `{"name":"A","first_mes":"hi","entries":[]}`, spec: 1, name: "A"},
		{reason: "empty object", in: `{}`, err: "not_a_card"},
		{reason: "null", in: `null`, err: "not_a_card"},
		{reason: "a text", in: `"x"`, err: "not_a_card"},
		{reason: "no JSON", in: `{"name":`, err: "bad_json"},
		{reason: "text behind the object", in: v2("A", "") + "x", err: "bad_json"},
		{reason: "nothing", in: "", err: "bad_json"},
		{reason: "a list of one", in: " [" + v3("A", "") + "] ", spec: 3, name: "A", codes: []talewright.Code{"in_list"}},
		{reason: "a list of two", in: "[" + v2("A", "") + "," + v2("B", "") + "]", err: "not_a_card"},
		{reason: "a list of one that is no card", in: `[{"name":"A"}]`, err: "not_a_card"},
		{reason: "a last comma", in: `{"spec":"chara_card_v2","data":{"name":"A","tags":["x",],},}`, spec: 2, name: "A", codes: []talewright.Code{"mended_json"}},
		{reason: "comments", in: "{ // a \"card\n\"name\":\"A\", /* { */ \"first_mes\":\"hi\"}", spec: 1, name: "A", codes: []talewright.Code{"mended_json"}},
		{reason: "a comment, and a mistake", in: `{"name":"A", /* x */ "first_mes":}`, err: "bad_json"},
		{reason: "byte order mark and blanks", in: "\ufeff \n" + v2("A", ""), spec: 2, name: "A"},
	} {
		c, problems, err := parsed(card.ParseJSON([]byte(tc.in)))
		if got := errorCode(err); got != tc.err {
			t.Errorf("%s: error code %q, want %q (%v)", tc.reason, got, tc.err, err)
			continue
		}
		if tc.reason == "unknown spec" && !strings.Contains(err.Error(), `its spec "other" is unknown`) {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if c.Spec != tc.spec || c.Name != tc.name {
			t.Errorf("%s: V%d %q, want V%d %q", tc.reason, c.Spec, c.Name, tc.spec, tc.name)
		}
		if diff := cmp.Diff(tc.codes, codes(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.reason, diff)
		}
		if strings.Contains(tc.in, `"hi"`) && c.FirstMes != "hi" {
			t.Errorf("%s: the greeting is %q", tc.reason, c.FirstMes)
		}
	}
}

// TestVersions shows the allowed values of spec_version.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		version string
		codes   []talewright.Code
		err     talewright.Code
	}{
		{version: `"3.0"`},
		{version: `" 3 "`},
		{version: `null`},
		{version: `""`},
		{version: `"3.01"`, codes: []talewright.Code{"newer_version"}},
		{version: `"12"`, codes: []talewright.Code{"newer_version"}},
		{version: `2.0`, codes: []talewright.Code{"bad_type"}},
		{version: `"three"`, codes: []talewright.Code{"bad_version"}},
		{version: `"1e1"`, codes: []talewright.Code{"bad_version"}},
		{version: `"3.0.1"`, codes: []talewright.Code{"bad_version"}},
		{version: `"-1"`, codes: []talewright.Code{"bad_version"}},
		{version: `"."`, codes: []talewright.Code{"bad_version"}},
		{version: `{}`, codes: []talewright.Code{"bad_type", "bad_version"}},
	} {
		in := `{"spec":"chara_card_v3","spec_version":` + tc.version + `,"data":{"name":"A"}}`
		_, problems, err := parsed(card.ParseJSON([]byte(in)))
		if got := errorCode(err); got != tc.err {
			t.Errorf("%s: error code %q, want %q", tc.version, got, tc.err)
		}
		if diff := cmp.Diff(tc.codes, codes(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tc.version, diff)
		}
	}
}

// TestLeniency shows how values of wrong types are read, and that each is reported with its path.
func TestLeniency(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		more   string // members of data in addition to the name
		want   func(*card.Card)
		paths  []string
		code   talewright.Code // BadType when empty
	}{
		{reason: "null is missing", more: `"tags":null,"description":null,"extensions":null`},
		{reason: "a text for a list is a list of one", more: `"tags":"solo"`,
			want: func(c *card.Card) { c.Tags = []string{"solo"} }, paths: []string{"data.tags"}},
		{reason: "an empty text is a list of one, too", more: `"alternate_greetings":""`,
			want:  func(c *card.Card) { c.AlternateGreetings = []string{""} },
			paths: []string{"data.alternate_greetings"}},
		{reason: "a number for a text is its text", more: `"character_version":1.20`,
			want:  func(c *card.Card) { c.CharacterVersion = "1.20" },
			paths: []string{"data.character_version"}},
		{reason: "numbers and nulls in a list keep their positions",
			more:  `"alternate_greetings":["a",7,null,""]`,
			want:  func(c *card.Card) { c.AlternateGreetings = []string{"a", "7", "", ""} },
			paths: []string{"data.alternate_greetings.1", "data.alternate_greetings.2"}},
		{reason: "a date in a text", more: `"creation_date":"1700000000"`,
			want:  func(c *card.Card) { c.CreationDate = 1700000000 },
			paths: []string{"data.creation_date"}},
		{reason: "a date with a fraction", more: `"modification_date":12.5`,
			want:  func(c *card.Card) { c.ModificationDate = 12 },
			paths: []string{"data.modification_date"}},
		{reason: "one asset without a list",
			more: `"assets":{"type":"icon","uri":"ccdefault:","name":3,"ext":"png","x":1}`,
			want: func(c *card.Card) {
				c.Assets = []card.Asset{{Type: "icon", URI: "ccdefault:", Name: "3", Ext: "png",
					Extra: rawMembers("x", "1")}}
			},
			paths: []string{"data.assets", "data.assets.0.name"}},
		{reason: "assets that are no objects are left out", more: `"assets":["a",null]`,
			want:  func(c *card.Card) { c.Assets = []card.Asset{} },
			paths: []string{"data.assets.0", "data.assets.1"}},
		{reason: "what cannot be used is kept", more: `"description":["a"],"extensions":"e"`,
			want: func(c *card.Card) {
				c.Extra = rawMembers("description", `["a"]`, "extensions", `"e"`)
			},
			paths: []string{"data.description", "data.extensions"}},
		{reason: "notes by language, those that are texts",
			more: `"creator_notes_multilingual":{"en":"E","de":4,"fr":[],"it":null}`,
			want: func(c *card.Card) {
				c.CreatorNotesMultilingual = map[string]string{"en": "E", "de": "4"}
			},
			paths: []string{"data.creator_notes_multilingual.de",
				"data.creator_notes_multilingual.fr", "data.creator_notes_multilingual.it"}},
		{reason: "half of a surrogate pair", more: `"scenario":"a\ud83d","creator":"\ufffd \ud83d\ude00"`,
			want:  func(c *card.Card) { c.Scenario, c.Creator = "a\ufffd", "\ufffd \U0001F600" },
			paths: []string{"data.scenario"}, code: "bad_text"},
		{reason: "a member twice", more: `"creator":"a","tags":[],"creator":"b"`,
			want:  func(c *card.Card) { c.Creator = "b" },
			paths: []string{"data.creator"}, code: "duplicate"},
		{reason: "an endless date", more: `"creation_date":1e300`,
			want:  func(c *card.Card) { c.Extra = rawMembers("creation_date", "1e300") },
			paths: []string{"data.creation_date"}},
	} {
		c, problems, err := parsed(card.ParseJSON([]byte(v3("A", ","+tc.more))))
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		want := card.Card{Spec: card.V3, SpecVersion: "3.0", Name: "A"}
		if tc.want != nil {
			tc.want(&want)
		}
		c.Extensions = nil // an empty object and nil are treated as equal here
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("%s: card (-want +got):\n%s", tc.reason, diff)
		}
		code := tc.code
		if code == "" {
			code = "bad_type"
		}
		var paths []string
		for _, p := range problems {
			paths = append(paths, p.Path)
			if p.Code != code {
				t.Errorf("%s: problem %v, want %s", tc.reason, p, code)
			}
		}
		if diff := cmp.Diff(tc.paths, paths); diff != "" {
			t.Errorf("%s: paths (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestProblemList shows the order of problems and the limit of their number.
func TestProblemList(t *testing.T) {
	t.Parallel()
	in := `{"spec":"chara_card_v3","spec_version":"9","data":{"name":"","tags":"x",` +
		`"description":1,"character_book":{"entries":{}}}}`
	_, problems, err := parsed(card.ParseJSON([]byte(in)))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"spec_version: version 9 is newer than 3.0; read as far as it is known",
		"data.name: the character has no name; ask for one",
		"data.description: a number where a text is expected; read as its text",
		"data.character_book.entries: an object where a list is expected; " +
			"read in the order of its keys",
		"data.tags: a single value where a list is expected; read as a list of one",
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}

	many := v2("A", `,"tags":[`+strings.Repeat("1,", 5000)+"1]")
	c, problems, err := parsed(card.ParseJSON([]byte(many)))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Tags) != 5001 || len(problems) != 101 || problems[100].Code != "more" {
		t.Errorf("%d tags, %d problems, last %v", len(c.Tags), len(problems), problems[len(problems)-1])
	}
}

// TestPlayFields shows the fields that a host needs to start a chat: PR-11.
func TestPlayFields(t *testing.T) {
	t.Parallel()
	c := mustDecode(t, []byte(v3("Bo", `,"nickname":"B","first_mes":"hi",
		"alternate_greetings":["x",""],
		"system_prompt":"S {{original}}","post_history_instructions":"P",
		"creator_notes":"N","creator_notes_multilingual":{"zh":"中"},
		"extensions":{"depth_prompt":{"prompt":"note","depth":"2","role":"User"},
			"world":"Eldoria","talkativeness":"0.5","fav":true}`)))
	if c.CharName() != "B" {
		t.Errorf("name to show is %q", c.CharName())
	}
	if diff := cmp.Diff([]string{"hi", "x", ""}, c.Greetings()); diff != "" {
		t.Errorf("greetings (-want +got):\n%s", diff)
	}
	if c.SystemPrompt != "S {{original}}" || c.PostHistoryInstructions != "P" {
		t.Errorf("overrides are %q, %q", c.SystemPrompt, c.PostHistoryInstructions)
	}
	d, ok := c.DepthPrompt()
	if want := (card.DepthPrompt{Prompt: "note", Depth: 2, Role: "user"}); !ok || d != want {
		t.Errorf("depth prompt %+v, %v, want %+v", d, ok, want)
	}
	talk, ok := c.Talkativeness()
	if c.World() != "Eldoria" || !c.Favorite() || !ok || talk != 0.5 {
		t.Errorf("world %q, fav %v, talkativeness %v", c.World(), c.Favorite(), talk)
	}
	for language, want := range map[string]string{"zh": "中", "zh-TW": "中", "en": "N", "": "N"} {
		if got := c.NotesFor(language); got != want {
			t.Errorf("notes for %q are %q, want %q", language, got, want)
		}
	}
}

// TestAgnai: a character of Agnai keeps its persona, its lore and its texts.
func TestAgnai(t *testing.T) {
	t.Parallel()
	c := mustDecode(t, []byte(`{"kind":"character","name":"Bo","description":"For people.","scenario":"A teahouse.","greeting":"hi","sampleChat":"{{user}}: Tea",
		"systemPrompt":"S","alternateGreetings":["x"],"persona":{"kind":"wpp","attributes":{"species":["human"],"mind":["calm","kind"],"none":[]}},
		"characterBook":{"kind":"memory","name":"M","entries":[{"name":"Tea","entry":"It grows in the south.","keywords":["tea"],"weight":7,"enabled":false}]}}`))
	if c.Description != "species: human\nmind: calm, kind" || c.CreatorNotes != "For people." || c.FirstMes != "hi" || c.MesExample != "{{user}}: Tea" ||
		c.SystemPrompt != "S" || len(c.AlternateGreetings) != 1 {
		t.Errorf("%+v", c)
	}
	book, problems := c.WorldBook()
	if len(book.Entries) != 1 || book.Name != "M" {
		t.Fatalf("%+v %v", book, problems)
	}
	if e := book.Entries[0]; e.Content != "It grows in the south." || e.Comment != "Tea" || e.Keys[0] != "tea" || e.Order != 7 || !e.Disable {
		t.Errorf("%+v", e)
	}
}

// TestDepthPromptDefaults shows the defaults of the extension.
func TestDepthPromptDefaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		extension string
		want      card.DepthPrompt
		ok        bool
	}{
		{`{"prompt":"p"}`, card.DepthPrompt{Prompt: "p", Depth: 4, Role: "system"}, true},
		{`{"prompt":"p","depth":0}`, card.DepthPrompt{Prompt: "p", Role: "system"}, true},
		{`{"prompt":"p","depth":-3,"role":"dog"}`,
			card.DepthPrompt{Prompt: "p", Depth: 4, Role: "system"}, true},
		{`{"prompt":"p","depth":null,"role":"assistant"}`,
			card.DepthPrompt{Prompt: "p", Depth: 4, Role: "assistant"}, true},
		{`{"prompt":" \n","depth":2}`, card.DepthPrompt{}, false},
		{`{"depth":2}`, card.DepthPrompt{}, false},
		{`"text"`, card.DepthPrompt{}, false},
		{`null`, card.DepthPrompt{}, false},
	} {
		c := mustDecode(t, []byte(v2("A", `,"extensions":{"depth_prompt":`+tc.extension+`}`)))
		if got, ok := c.DepthPrompt(); got != tc.want || ok != tc.ok {
			t.Errorf("%s: %+v, %v, want %+v, %v", tc.extension, got, ok, tc.want, tc.ok)
		}
	}
	var none card.Card
	if _, ok := none.Talkativeness(); ok || none.World() != "" || none.Favorite() {
		t.Error("the zero card has extensions")
	}
}
