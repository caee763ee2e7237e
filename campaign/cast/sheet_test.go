package cast_test

import (
	"encoding/json"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/prompt/card"
)

func TestTalkativenessOfCards(t *testing.T) {
	for _, c := range []struct {
		stored, reason string
		want           float64
	}{
		{``, "missing", 0.5},
		{`null`, "missing", 0.5},
		{`"x"`, "no number", 0.5},
		{`"`, "no JSON", 0.5},
		{`true`, "neither a number nor a text", 0.5},
		{`[1]`, "neither a number nor a text", 0.5},
		{`0`, "a number", 0},
		{` 0.7 `, "a number", 0.7},
		{`"1e-1"`, "the text of a number", 0.1},
		{`" 1 "`, "blanks around it", 1},
		{`""`, "an empty text is nothing", 0},
		{`" \t"`, "a blank text is nothing", 0},
	} {
		m := cast.FromCard("ash", card.Card{Extensions: map[string]json.RawMessage{"talkativeness": json.RawMessage(c.stored)}})
		if got := *m.Talkativeness; got != c.want {
			t.Errorf("%s: %s: got %v, want %v", c.stored, c.reason, got, c.want)
		}
	}
}

// TestMakeSheet covers rules that the recorded cases do not.
func TestMakeSheet(t *testing.T) {
	member := func(id string, muted bool) cast.Member {
		return cast.Member{ID: id, Name: id, Muted: muted, Card: cast.Card{
			Description: " D " + id + "\r\n", Examples: "x", SystemPrompt: " S ", PostHistory: "P",
			Depth: cast.DepthText{Text: " T ", Depth: 2, Role: "user"},
		}}
	}
	members := []cast.Member{member("a", false), member("b", true), {ID: "c", Gone: true, Card: cast.Card{Description: "gone"}}}
	strangers := []cast.Member{member("z", false)}
	for _, c := range []struct {
		name, reason, speaker string
		how                   cast.Putting
		description, examples string
		depths                string
	}{
		{"swap", "prefix, suffix and start mark are for joined cards", "a", cast.Putting{Prefix: "<", Suffix: ">"}, "D a", "x", "a"},
		{"join", "muted ones are left out", "a", cast.Putting{Cards: "join"}, "D a", "<START>\nx", "a"},
		{"join_muted", "a depth text is not in the prompt where its owner is muted", "a", cast.Putting{Cards: "join_muted"}, "D a\nD b", "<START>\nx\n<START>\nx", "a"},
		{"a muted speaker", "who speaks is in, whatever else", "b", cast.Putting{Cards: "join"}, "D a\nD b", "<START>\nx\n<START>\nx", "ab"},
		{"one who has left", "stands behind the members", "z", cast.Putting{Cards: "join"}, "D a\nD z", "<START>\nx\n<START>\nx", "az"},
		{"blank texts of the chat", "replace nothing", "a", cast.Putting{Examples: " \r\n"}, "D a", "x", "a"},
		{"examples of the chat", "replace the field whole, and get no prefix and no mark", "a",
			cast.Putting{Cards: "join", Examples: " <fieldname> ", Prefix: "-"}, "-D a", "<fieldname>", "a"},
		{"field mark", "is read in any letter case", "a", cast.Putting{Cards: "join", Suffix: "<<fieldName>"}, "D a<Description", "<START>\nx<Example Messages", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sheet, ok := cast.MakeSheet(members, strangers, c.speaker, c.how)
			if !ok {
				t.Fatal("no sheet")
			}
			if diff := gocmp.Diff(c.description, sheet.Description.Expand(nil)); diff != "" {
				t.Errorf("description: %s: %s", c.reason, diff)
			}
			if diff := gocmp.Diff(c.examples, sheet.Examples.Expand(nil)); diff != "" {
				t.Errorf("examples: %s: %s", c.reason, diff)
			}
			depths := ""
			for _, d := range sheet.Depth {
				if d.Depth != 2 || d.Role != "user" || d.Text.Expand(nil) != "T" {
					t.Errorf("depth text %+v", d)
				}
				depths += d.Text[0].ID
			}
			if depths != c.depths {
				t.Errorf("%s: depth texts of %s, want %s", c.reason, depths, c.depths)
			}
			if s, p := sheet.SystemPrompt.Expand(nil), sheet.PostHistory.Expand(nil); s != "S" || p != "P" || sheet.SystemPrompt[0].ID != c.speaker {
				t.Errorf("system prompt %q, post history %q, want those of the speaker", s, p)
			}
		})
	}
	for _, mode := range []cast.Cards{"swap", "join"} {
		m := cast.Member{ID: "a", Card: cast.Card{Description: "one\r\ntwo"}}
		sheet, _ := cast.MakeSheet([]cast.Member{m}, nil, "a", cast.Putting{Cards: mode, Prefix: "\r"})
		if got := sheet.Description.Expand(nil); got != "one\ntwo" {
			t.Errorf("%s: carriage returns stay: %q", mode, got)
		}
	}
	for _, id := range []string{"c", "nobody"} {
		if sheet, ok := cast.MakeSheet(members, strangers, id, cast.Putting{}); ok {
			t.Errorf("%s has no card, and the sheet is %+v", id, sheet)
		}
	}
}

// A macro cannot begin in one part of a piece and end in a different one, so a card cannot hide the
// text of the next card.
func TestPartsAreExpandedApart(t *testing.T) {
	text := cast.Text{{ID: "a", Char: "A", Prefix: "{{if x}}", Text: "", Suffix: "s"}, {ID: "b", Char: "B", Text: "drop"}, {ID: "c", Text: "c"}}
	var seen []string
	got := text.Expand(func(text, id, char string) string {
		seen = append(seen, id+char+" "+text)
		if text == "drop" {
			return ""
		}
		return "<" + text + ">"
	})
	if want := "<{{if x}}><s>\n<c>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if diff := gocmp.Diff([]string{"aA {{if x}}", "aA s", "bB drop", "c c"}, seen); diff != "" {
		t.Error(diff)
	}
}

// A member without a card has no name: the macros list only members that a prompt can mention.
func TestMacrosWithoutCard(t *testing.T) {
	members := []cast.Member{{ID: "a", Name: "A"}, {ID: "b", Name: "B", Gone: true}}
	want := map[string]string{"group": "A", "charIfNotGroup": "A", "groupNotMuted": "A", "notChar": ""}
	if diff := gocmp.Diff(want, cast.Macros(members, "a")); diff != "" {
		t.Error(diff)
	}
}

// The list of members may have spare capacity, which belongs to the caller.
func TestInputsStay(t *testing.T) {
	room := []cast.Member{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	if _, ok := cast.MakeSheet(room[:1], []cast.Member{{ID: "z"}}, "z", cast.Putting{}); !ok {
		t.Fatal("no sheet")
	}
	for _, order := range []cast.Order{"natural", "manual", "pooled"} {
		if _, err := cast.Choose(cast.Round{Order: order, Members: room, Random: half, Chat: []cast.Line{{ID: "a"}}}); err != nil {
			t.Fatal(err)
		}
	}
	if room[0].ID != "a" || room[1].ID != "b" || room[2].ID != "c" {
		t.Errorf("the members are %v now", room)
	}
}
