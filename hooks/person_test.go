package hooks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestActionsNameACharacter: a delta changes the values of the event's character, or of the
// character that it names by id or name. The events of the change are about that character.
func TestActionsNameACharacter(t *testing.T) {
	t.Parallel()
	value := func(text string) tree.Value {
		v, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	env := hooks.Env{Character: value(`{"energy":50}`), Relationship: value(`{"affection":10}`), Others: []hooks.Person{
		{ID: "orin", Name: "Orin", Character: value(`{"energy":50}`), Relationship: value(`{"affection":10}`)},
		{ID: "bo", Name: "Bo", Character: value(`{"energy":20}`), Relationship: value(`{"affection":79}`)},
		{ID: "cy", Name: "orin", Character: value(`{"energy":1}`)}, // an id takes precedence over a name
	}}
	play := func(actions string, more ...string) hooks.Result {
		list, problems := hooks.Parse([]byte(`[` + strings.Join(append([]string{`{"id":"h","name":"h","event":"e","actions":[` + actions + `]}`}, more...), ",") + `]`))
		if problems.Err() != nil {
			t.Fatal(problems)
		}
		set, _ := hooks.Compile(list, nil)
		return hooks.Run(t.Context(), set, act.Event{ID: "evt_1", Type: "e", CharacterID: "orin", UserID: "ann"}, hooks.State{}, env)
	}
	for _, c := range []struct{ action, want string }{
		{`{"type":"relationship_delta","field":"affection","delta":5}`, "orin affection 15"},
		{`{"type":"relationship_delta","field":"affection","delta":5,"character":"orin"}`, "orin affection 15"},
		{`{"type":"relationship_delta","field":"affection","delta":5,"character":"Bo"}`, "bo affection 84"},
		{`{"type":"state_delta","payload":{"energy":5},"character":"bo"},{"type":"state_delta","field":"energy","delta":5,"character":"Bo"}`,
			"bo energy 25; bo energy 30"},
		{`{"type":"state_delta","field":"energy","delta":5,"character":"nobody"}`, "not_found"},
		{`{"type":"relationship_delta","field":"affection","delta":5,"character":"cy"}`, "unavailable"},
		{`{"type":"state_delta","field":"energy","delta":5,"character":7}`, "invalid_value"},
	} {
		res := play(c.action)
		var got []string
		for _, e := range res.Effects {
			switch e := e.(type) {
			case effect.ChangeState:
				got = append(got, fmt.Sprint(e.CharacterID, " ", e.Field, " ", e.New))
			case effect.ChangeRelationship:
				got = append(got, fmt.Sprint(e.CharacterID, " ", e.Field, " ", e.New))
			}
		}
		if len(got) == 0 {
			got = append(got, string(res.Logs[0].Results[0].Code))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", c.action, text, c.want)
		}
	}

	// The milestone hook of the named character sees that character's values, and changes them
	// further.
	res := play(`{"type":"relationship_delta","field":"affection","delta":5,"character":"Bo"}`,
		`{"id":"close","name":"close","event":"relationship.changed","scope":"character","character_id":"bo","conditions":{"affection_gte":80},
			"actions":[{"type":"relationship_delta","field":"affection","delta":1}]}`)
	last, _ := res.Effects[len(res.Effects)-1].(effect.ChangeRelationship)
	if last.CharacterID != "bo" || last.New.String() != "85" || len(res.Logs) != 2 || res.Logs[1].Status != act.StatusSuccess {
		t.Errorf("the milestone: %+v, %+v", last, res.Logs)
	}
	if res.Relationship.String() != `{"affection":10}` {
		t.Errorf("the event's character has %s", res.Relationship)
	}
	for _, d := range res.Derived {
		if d.Event.CharacterID != "bo" {
			t.Errorf("an event is about %q", d.Event.CharacterID)
		}
	}
}
