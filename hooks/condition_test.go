package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// conditionEnv returns the Env for the conditions of the tables below.
func conditionEnv() hooks.Env {
	return hooks.Env{
		Now:          time.Date(2026, 5, 1, 23, 30, 0, 0, time.FixedZone("", 8*3600)),
		Character:    value(`{"mood":"calm","energy":40,"mood_intensity":"0.5","hp":7,"bag":["rope"]}`),
		Relationship: value(`{"affection":80,"trust":null}`),
		Vars:         objectVars{value(`{"affection":1,"trust":33,"jealousy":"12.5","quest":{"step":3}}`)},
		Fields:       map[string]act.Field{"hp": {}},
	}
}

var conditionEvent = act.Event{
	ID: "evt_1", Type: "model.before_call", Source: "pipeline", CharacterID: "ann", UserID: "bob",
	Payload: value(`{"channel":"web","tool":"move","flag":true,"n":5,"nothing":null,
		"args":{"to":"forest"},"tags":["a",1],"text":"héllo"}`),
	Metadata: value(`{"channel":"qq","lang":"en"}`),
}

func TestConditions(t *testing.T) { // HK-18
	t.Parallel()
	tests := []struct {
		conditions string
		want       bool
		reason     string
	}{
		{`{}`, true, "none"},
		{`{"character_id":"ann"}`, true, "identity"},
		{`{"character_id":["x","ann"]}`, true, "a list means any of"},
		{`{"group_id":""}`, false, "an empty id is unknown"},
		{`{"user_id":7}`, false, "no text"},
		{`{"channel":"web"}`, true, "payload before metadata"},
		{`{"event_source":"pipeline"}`, true, "source"},
		{`{"event_type":"pipeline.*"}`, true, "a pattern, with aliases"},
		{`{"event_type":["x","model.*"]}`, true, "patterns"},
		{`{"event_type":"reply.*"}`, false, "another pattern"},
		{`{"mood_is":"calm"}`, true, "mood"},
		{`{"mood_is_not":["sad","angry"]}`, true, "none of them"},
		{`{"mood_is_not":["sad","calm"]}`, false, "one of them"},
		{`{"affection_gte":80}`, true, "the live value wins over a variable"},
		{`{"affection_gt":80}`, false, "strict"},
		{`{"trust_lte":33}`, true, "null is not there; the variable is"},
		{`{"jealousy_lt":12.6}`, true, "a numeric text, with a fraction"},
		{`{"mood_intensity_gte":"0.50"}`, true, "numeric texts on both sides"},
		{`{"familiarity_lte":5}`, false, "missing is not zero"},
		{`{"affection_gte":true}`, false, "a boolean is no number"},
		{`{"affection_gte":"eighty"}`, false, "nor is a word"},
		{`{"affection_gte":"1e1"}`, false, "nor an exponent in a text"},
		{`{"hp_lt":10}`, true, "a field of the host's"},
		{`{"bag_gte":0}`, false, "not registered"},
		{`{"affektion_gte":0}`, false, "misspelt"},
		{`{"time_range":["22:00","6:00"]}`, true, "over midnight"},
		{`{"time_range":["23:30","23:30"]}`, true, "one minute"},
		{`{"time_range":["8:5","23:29"]}`, false, "a minute late"},
		{`{"time_range":["22:00","24:01"]}`, false, "no time of day"},
		{`{"time_range":["22:00"]}`, false, "one end"},
		{`{"time_range":"22:00-06:00"}`, false, "a text"},
		{`{"all":[{"mood_is":"calm"},{"affection_gte":80}]}`, true, "all of them"},
		{`{"all":[{"mood_is":"calm"},{"affection_gte":81}]}`, false, "not all"},
		{`{"all":[]}`, true, "all of none"},
		{`{"any":[]}`, false, "any of none"},
		{`{"any":[{"mood_is":"sad"},{"affection_gte":80,"energy_lte":40}]}`, true, "keys inside: and"},
		{`{"any":{"mood_is":"calm"}}`, false, "no list"},
		{`{"not":{"mood_is":"sad"}}`, true, "negation"},
		{`{"not":{"mood_is":"calm"}}`, false, "of what is true"},
		{`{"not":[{"mood_is":"sad"}]}`, false, "one object, no list"},
		{`{"payload.tool":"move"}`, true, "a path"},
		{`{"payload.args.to":{"in":["forest","cave"]}}`, true, "a deep path"},
		{`{"payload.args.to":{"nin":["forest"]}}`, false, "in the list"},
		{`{"payload.missing":{"nin":["forest"]}}`, false, "unknown is in no relation"},
		{`{"payload.missing":{"ne":1}}`, false, "not even unequal"},
		{`{"payload.missing":{"exists":false}}`, true, "but it does not exist"},
		{`{"payload.nothing":{"exists":true}}`, true, "null exists"},
		{`{"payload.nothing":null}`, true, "and is null"},
		{`{"payload.flag":1}`, false, "true is not 1"},
		{`{"payload.n":5.0}`, true, "numbers by value"},
		{`{"payload.n":"5"}`, false, "strict types"},
		{`{"payload.n":{"gt":4,"lte":5}}`, true, "a range"},
		{`{"payload.n":{"gt":4,"near":5}}`, false, "an unknown operator spoils the key"},
		{`{"payload.n":{}}`, false, "no operator"},
		{`{"payload.n":[5]}`, false, "a list is no comparison"},
		{`{"payload.tags":{"contains":1}}`, true, "an element"},
		{`{"payload.tags":{"contains":"1"}}`, false, "of that type"},
		{`{"payload.text":{"contains":"éll"}}`, true, "a substring"},
		{`{"payload.tags.0":"a"}`, false, "keys of objects only"},
		{`{"payload.":"a"}`, false, "an empty key"},
		{`{"metadata.lang":"en"}`, true, "metadata"},
		{`{"vars.quest.step":{"gte":3}}`, true, "a variable"},
		{`{"state.bag":{"contains":"rope"}}`, true, "the character state"},
		{`{"relationship.affection":80}`, true, "the relationship"},
		{`{"weather.today":"rain"}`, false, "an unknown root"},
		{`"mood"`, false, "no object"},
	}
	for _, tt := range tests {
		if got := fires(t, tt.conditions, hooks.And); got != tt.want {
			t.Errorf("%s = %v, want %v: %s", tt.conditions, got, tt.want, tt.reason)
		}
	}
}

func TestConditionLogic(t *testing.T) { // HK-18
	t.Parallel()
	const mixed = `{"mood_is":"sad","energy_lte":40}`
	holds := map[hooks.Logic]bool{hooks.And: false, hooks.Or: true, "": false, "xor": false}
	for logic, want := range holds {
		if got := fires(t, mixed, logic); got != want {
			t.Errorf("logic %q: %v, want %v", logic, got, want)
		}
		if !fires(t, `{}`, logic) {
			t.Errorf("logic %q: no conditions must be true", logic)
		}
	}
	if fires(t, `{"mood_is":"sad","energy_lte":39}`, hooks.Or) {
		t.Error("or: no key holds")
	}
}

// fires runs one hook with the conditions and reports whether it ran.
func fires(t *testing.T, conditions string, logic hooks.Logic) bool {
	t.Helper()
	set, _ := hooks.Compile([]hooks.Hook{{
		Name: "h", Event: hooks.On("*"), Conditions: value(conditions), ConditionLogic: logic,
	}}, nil)
	return len(hooks.Run(t.Context(), set, conditionEvent, hooks.State{}, conditionEnv()).Logs) == 1
}

// plainVars are variables of a small host: Go values in a map.
type plainVars map[string]any

func (v plainVars) Get(path string) (any, bool) { got, ok := v[path]; return got, ok }

// Variables may be any Go values that have a JSON form; other values count as missing (HK-18).
func TestPlainVars(t *testing.T) {
	t.Parallel()
	env := hooks.Env{Vars: plainVars{
		"affection": 5, "energy": 2.5, "mood": "calm", "trust": json.Number("7"), "jealousy": nil,
		"quest.step": uint8(3), "bag": []string{"rope"}, "place": map[string]any{"name": "hall"},
		"odd": make(chan int), "dependency": func() {},
	}}
	for conditions, want := range map[string]bool{
		`{"affection_gte":5,"energy_lt":2.6,"mood_is":"calm","trust_lte":7}`: true,
		`{"jealousy_lte":0}`:                            false,
		`{"dependency_gte":0}`:                          false,
		`{"vars.jealousy":null}`:                        true,
		`{"vars.quest.step":3}`:                         true,
		`{"vars.bag":{"contains":"rope"}}`:              true,
		`{"vars.place":{"eq":{"name":"hall"}}}`:         true,
		`{"vars.odd":{"exists":true}}`:                  false,
		`{"vars.odd":{"exists":false}}`:                 true,
		`{"vars.nothing":{"exists":false}}`:             true,
		`{"event_type":5}`:                              false,
		`{"familiarity_gte":"12345678901234567890123"}`: false,
	} {
		res := emit(t, single(value(conditions)), act.Event{Type: "e"}, env)
		if got := len(res.Logs) == 1; got != want {
			t.Errorf("%s = %v, want %v", conditions, got, want)
		}
	}
}

// TestMissingDataNeverTriggers checks that without any data no comparison is true, with any
// operator (HK-18).
func TestMissingDataNeverTriggers(t *testing.T) {
	t.Parallel()
	keys := []string{
		`"character_id":""`, `"channel":""`, `"event_source":""`, `"mood_is":""`, `"mood_is_not":"x"`,
		`"time_range":["00:00","24:00"]`,
	}
	for _, field := range []string{"affection", "energy", "mood_intensity", "hp"} {
		for _, op := range []string{"gte", "lte", "gt", "lt"} {
			keys = append(keys, `"`+field+"_"+op+`":0`)
		}
	}
	for _, root := range []string{"payload", "metadata", "vars", "state", "relationship"} {
		keys = append(keys, `"`+root+`.x":null`)
		for _, op := range []string{"eq", "ne", "gt", "gte", "lt", "lte", "contains"} {
			keys = append(keys, `"`+root+`.x":{"`+op+`":0}`)
		}
		keys = append(keys, `"`+root+`.x":{"in":[null]}`, `"`+root+`.x":{"nin":[0]}`,
			`"`+root+`.x":{"exists":true}`)
	}
	for _, key := range keys {
		set, problems := hooks.Compile([]hooks.Hook{{
			Name: "h", Event: hooks.On("*"), Conditions: value("{" + key + "}"),
		}}, nil)
		if len(problems) > 0 && !strings.Contains(key, "hp_") {
			t.Errorf("%s: %v", key, problems)
		}
		env := hooks.Env{Fields: map[string]act.Field{"hp": {}}}
		res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, env)
		if len(res.Logs) > 0 {
			t.Errorf("%s is true with nothing to compare", key)
		}
	}
}
