package state_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
)

func ExampleSetup_Vet() {
	var s state.Setup
	_ = json.Unmarshal([]byte(`{"milestone": {"advance_policy": {"kind": "by_turn_count", "every": 5}}}`), &s)
	for _, p := range s.Vet() {
		fmt.Println(p)
	}
	// Output:
	// milestone.advance_policy.every: the engine does not read "every"; it is kept for the host; here are n, step, threshold, type
	// milestone.advance_policy.kind: the engine does not read "kind"; it is kept for the host; here are n, step, threshold, type
}

// TestVetFindsUnreadMembers: unread members are reported at every depth of a setup, and read
// members are not.
func TestVetFindsUnreadMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ setup, want string }{
		{`{"campaign_id":"c","settings":{"own.key":1},"variables":{"any":{"thing":1}},"characters":[{"character_id":"a","name":"A","hp":{"current":1,"max":1},"attributes":{"luck":3}}]}`, ""},
		{`{"settings_snapshot":{},"settings_revision":1,"checkpoints":[],"rollback_pending":{}}`, ""},
		{`{"titel":"x"}`, `titel: did you mean "title"?`},
		{`{"characters":[{"character_id":"a","portrait":"a.png","hp":{"current":1,"maximum":1},"skills":[{"name":"x","rank":1}]}]}`,
			"characters[0].hp.maximum: here are current, max; characters[0].skills[0].rank: here are level, name; characters[0].portrait: here are alias"},
		{`{"map":{"areas":[{"id":"a","name":"A","exits":[]}],"paths":[{"id":"p","from":"a","to":"a","lock":{"locked":true,"because":"x"}}]}}`,
			"map.areas[0].exits: here are aliases; map.paths[0].lock: here are bidirectional"},
		{`{"disabled_tools":{"move":{"why":"x"}},"timers":[{"id":"t","name":"T"}]}`, "disabled_tools.move.why: here are "},
		{`{"turns":[{"user_input":"x","mood":1}]}`, "turns[0].mood: here are "},
	} {
		var s state.Setup
		if err := json.Unmarshal([]byte(c.setup), &s); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range s.Vet() {
			got = append(got, p.Path+": "+p.Text[strings.LastIndex(p.Text, "; ")+2:])
		}
		if text := strings.Join(got, "; "); !matches(text, c.want) {
			t.Errorf("%s\n%s\nwant %s", c.setup, text, c.want)
		}
	}
	many := state.Setup{Turns: make([]state.Turn, 500)}
	for i := range many.Turns {
		many.Turns[i].Extra = map[string]json.RawMessage{"x": nil}
	}
	if n := len(many.Vet()); n != 100 {
		t.Errorf("%d problems", n)
	}
}

// matches compares the parts by their prefixes.
func matches(text, want string) bool {
	got, parts := strings.Split(text, "; "), strings.Split(want, "; ")
	if text == "" || want == "" || len(got) < len(parts) {
		return text == want
	}
	for i, part := range parts {
		if !strings.HasPrefix(got[i], part) {
			return false
		}
	}
	return true
}

// TestVetFindsNamesAndTimers: two characters with one name, and a countdown below 0, are reported.
func TestVetFindsNamesAndTimers(t *testing.T) {
	t.Parallel()
	var s state.Setup
	_ = json.Unmarshal([]byte(`{"settings": {"turn.order": "free"}, "characters": [{"character_id": "a", "name": "Ann"}, {"character_id": "b", "name": "ann "},
		{"character_id": "c"}, {"character_id": "d"}, {"character_id": "e", "name": "Eve"}], "timers": [{"id": "t"}, {"id": "u", "duration": -1}]}`), &s)
	want := `characters[1].name (b): the name of "a" too: a text that names one of them does not say which; write a different name` +
		"\ntimers[1].duration (u): below 0: the countdown ends as soon as time passes; write a duration above 0"
	if got := s.Vet(); got.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", got.Error(), want)
	}
}

// TestVetWantsATurnOrder: a setup in which several characters can act should set the order of their
// turns.
func TestVetWantsATurnOrder(t *testing.T) {
	t.Parallel()
	const two = `"characters": [{"character_id": "ann", "name": "Ann"}, {"character_id": "bob", "name": "Bob"}]`
	for _, c := range []struct {
		setup string
		warns bool
	}{
		{`{` + two + `}`, true},
		{`{` + two + `, "settings": {"retry.max_retries": 1}, "unread": 1}`, true},
		{`{` + two + `, "selected": {"party_character_ids": ["ann", "bob"], "active_actor_id": "ann"}}`, true},
		{`{` + two + `, "selected": {"party_character_ids": ["ann"]}}`, false},
		{`{` + two + `, "selected": {"party_character_ids": []}}`, false},
		{`{"characters": [{"character_id": "ann", "name": "Ann"}]}`, false},
		{`{` + two + `, "settings": {"turn.order": "active_actor"}}`, false},
		{`{` + two + `, "global_settings": {"turn.order": "free"}}`, false},
		{`{` + two + `, "settings_snapshot": {"turn.order": "round_robin"}}`, false},
		{`{` + two + `, "settings_snapshot": 7}`, true},
		{`{}`, false},
	} {
		var s state.Setup
		if err := json.Unmarshal([]byte(c.setup), &s); err != nil {
			t.Fatal(err)
		}
		problems := s.Vet()
		if got := len(problems.Of("no_turn_order")) == 1; got != c.warns {
			t.Errorf("%s: %v", c.setup, problems)
		}
		if !c.warns {
			continue
		}
		p := problems[0]
		for _, want := range []string{"2 members", `"free"`, `"round_robin"`, `"active_actor"`} {
			if p.Path != "settings.turn.order" || p.Severity != talewright.Warning || !strings.Contains(p.Text, want) {
				t.Errorf("%s: %+v", c.setup, p)
			}
		}
	}
}
