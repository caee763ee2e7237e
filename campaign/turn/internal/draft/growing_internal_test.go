package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestWhatCannotBeAdded has a row for each reason why a place or a character is not added. Texts of
// a model have further limits.
func TestWhatCannotBeAdded(t *testing.T) {
	t.Parallel()
	const rule, model = "rule r", byDialect + "d"
	if byModel(rule) || !byModel(model) {
		t.Fatal("the sources are not what they are meant to be")
	}
	full := func(n int) *Progress {
		p := &Progress{State: state.State{Map: state.Map{Areas: []state.MapArea{{ID: "hall"}, {ID: "cell"}}, Paths: []state.MapPath{{ID: "door"}}},
			Characters: []state.Character{{ID: "ren"}}}}
		for range n {
			p.State.Map.Areas = append(p.State.Map.Areas, state.MapArea{})
		}
		return p
	}
	long := strings.Repeat("x", maxAdded)
	life := map[state.AliveState]state.LifeRule{state.Alive: {State: state.Alive}}
	for _, c := range []struct {
		reason string
		by     string
		areas  int // that exist
		add    effect.Effect
		want   string // path, reason and text; "": it is added
	}{
		{"an area", rule, 0, effect.AddArea{ID: "pit", Parent: "hall"}, ""},
		{"no ID", rule, 0, effect.AddArea{ID: " "}, "areas  : invalid_id: an id is not empty, and has no dot, brace or line break"},
		{"a long ID", rule, 0, effect.AddArea{ID: strings.Repeat("x", maxID+1)},
			"areas " + strings.Repeat("x", maxEntryKey) + ": invalid_id: an id is not empty, and has no dot, brace or line break"},
		{"a taken ID", rule, 0, effect.AddArea{ID: "hall"}, "areas hall: id_taken: "},
		{"an unknown parent", rule, 0, effect.AddArea{ID: "pit", Parent: "moon"}, "areas pit: unknown_area: moon"},
		{"the last room", rule, maxAreas - 3, effect.AddArea{ID: "pit"}, ""},
		{"no room", rule, maxAreas - 2, effect.AddArea{ID: "pit"}, "areas pit: no_room: there are 1024"},
		{"long words of a model", model, 0, effect.AddArea{ID: "pit", Description: long}, "areas pit: no_room: more than 8192 bytes"},
		{"long words of a rule", rule, 0, effect.AddArea{ID: "pit", Description: long}, ""},
		{"a macro of a model", model, 0, effect.AddArea{ID: "pit", Description: "{{user}}"}, "areas pit: untrusted_text: no macros"},
		{"a macro of a rule", rule, 0, effect.AddArea{ID: "pit", Description: "{{user}}"}, ""},
		{"a hidden name of a model", model, 0, effect.AddArea{ID: "pit", Aliases: []string{"a\u200b"}}, "areas pit: untrusted_text: a name with invisible characters"},
		{"a hidden name of a rule", rule, 0, effect.AddArea{ID: "pit", Name: "a\u200b"}, ""},
		{"a path", rule, 0, effect.AddPath{ID: "stairs", From: "hall", To: "cell"}, ""},
		{"a path to its beginning", rule, 0, effect.AddPath{ID: "stairs", From: "hall", To: "hall"}, "paths stairs: does_not_fit: a path joins two areas"},
		{"a path without an end", rule, 0, effect.AddPath{ID: "stairs", From: "hall"}, "paths stairs: does_not_fit: a path joins two areas"},
		{"a path without a beginning", rule, 0, effect.AddPath{ID: "stairs", To: "hall"}, "paths stairs: does_not_fit: a path joins two areas"},
		{"a path to nowhere", rule, 0, effect.AddPath{ID: "stairs", From: "hall", To: "moon"}, "paths stairs: unknown_area: moon"},
		{"a path that exists", rule, 0, effect.AddPath{ID: "door", From: "hall", To: "cell"}, "paths door: id_taken: "},
		{"a character", rule, 0, effect.AddCharacter{CharacterID: "kai"}, ""},
		{"a character who lies down", rule, 0, effect.AddCharacter{CharacterID: "kai", Fields: tree.Object(tree.Member{Key: "status",
			Value: tree.Object(tree.Member{Key: "alive_state", Value: tree.Text("asleep")})})}, "characters kai: does_not_fit: "},
		{"a character who exists", rule, 0, effect.AddCharacter{CharacterID: "ren"}, "characters ren: id_taken: "},
		{"a character nowhere", rule, 0, effect.AddCharacter{CharacterID: "kai", Fields: tree.Object(tree.Member{Key: "area_id", Value: tree.Text("moon")})},
			"characters kai: unknown_area: moon"},
		{"a character without a form", rule, 0, effect.AddCharacter{CharacterID: "kai", Fields: tree.Object(tree.Member{Key: "name", Value: tree.Int(3)})},
			"characters kai: does_not_fit: "},
		{"an impossible character", rule, 0, effect.AddCharacter{CharacterID: "kai", Fields: tree.Object(tree.Member{Key: "hp",
			Value: tree.Object(tree.Member{Key: "current", Value: tree.Int(9)}, tree.Member{Key: "max", Value: tree.Int(3)})})}, "characters kai: does_not_fit: "},
	} {
		p := full(c.areas)
		count := func() int { return len(p.State.Map.Areas) + len(p.State.Map.Paths) + len(p.State.Characters) }
		before := count()
		switch e := c.add.(type) {
		case effect.AddArea:
			p.addArea(e, c.by)
		case effect.AddPath:
			p.addPath(e, c.by)
		case effect.AddCharacter:
			p.addCharacter(e, c.by, life)
		}
		got := ""
		for _, r := range p.Trace.Refused {
			if got += r.Path + ": " + r.Reason + ": " + r.Text; r.By != c.by {
				t.Errorf("%s: by %q", c.reason, r.By)
			}
		}
		if got != c.want && (!strings.HasSuffix(c.want, "does_not_fit: ") || !strings.HasPrefix(got, c.want) || got == c.want) {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
		if added := count() - before; (added == 1) != (c.want == "") || added > 1 {
			t.Errorf("%s: %d added", c.reason, added)
		}
	}
}

// TestMovesToNowhere: the trace says who wanted to move a character, and what does not exist.
func TestMovesToNowhere(t *testing.T) {
	t.Parallel()
	p := &Progress{State: state.State{Map: state.Map{Areas: []state.MapArea{{ID: "hall"}}}, Characters: []state.Character{{ID: "ren"}}}}
	p.move(effect.MoveCharacter{CharacterID: "kai", ToAreaID: "hall"}, "rule r")
	p.move(effect.MoveCharacter{CharacterID: "ren", ToAreaID: "moon"}, "rule r")
	p.changeMood(moodChange{by: "rule r", what: "mood", id: "kai"}, nil)
	want := []state.TraceRefusedEffect{{By: "rule r", Path: "area kai", Reason: reasonUnknownCharacter}, {By: "rule r", Path: "area ren", Reason: reasonUnknownArea, Text: "moon"},
		{By: "rule r", Path: "mood kai", Reason: reasonUnknownCharacter}}
	if !slices.EqualFunc(p.Trace.Refused, want, func(a, b state.TraceRefusedEffect) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) || p.State.Characters[0].AreaID != "" {
		t.Errorf("%+v", p.Trace.Refused)
	}
}
