package hooks_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// oracleCases is the number of random cases for each comparison.
const oracleCases = 50_000

// pick draws one element of the list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// The pools are small, so that a requested value often exists, and they contain values that are
// difficult to compare.
var (
	texts = []string{`"sad"`, `"calm"`, `"ann"`, `"web"`, `"夜"`, `""`, `"5"`, `"+07.50"`, `"-0"`,
		`"1e3"`, `" 5"`, `"5."`}
	numbers = []string{`5`, `5.0`, `-0`, `0`, `7.5`, `50e-1`, `-3`, `1e308`, `1e400`, `80`}
	odd     = []string{`true`, `false`, `null`}
	times   = []string{`"0:0"`, `"8:05"`, `"12:30"`, `"22:00"`, `"23:59"`, `"24:00"`, `"24:01"`,
		`"12:60"`, `"noon"`, `"7"`, `"007:00"`, `7`}
)

// scalar draws one of five common values half of the time: two of them meet often.
func scalar(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return pick(r, `"calm"`, `"web"`, `5`, `5.0`, `true`)
	}
	return pick(r, pick(r, texts...), pick(r, numbers...), pick(r, odd...))
}

// anything is a scalar, or rarely a list or an object.
func anything(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return list(r, scalar)
	case 1:
		return `{"a":` + scalar(r) + `}`
	}
	return scalar(r)
}

func list(r *rand.Rand, element func(*rand.Rand) string) string {
	var out []string
	for range r.IntN(4) {
		out = append(out, element(r))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// number is mostly a number.
func number(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return anything(r)
	}
	return pick(r, `5`, `5.0`, `"7.5"`, `40`, `0.5`, `"-3"`)
}

// object writes some of the names with drawn values.
func object(r *rand.Rand, value func(*rand.Rand) string, names ...string) string {
	var out []string
	for _, name := range names {
		if r.IntN(3) > 0 {
			out = append(out, fmt.Sprintf("%q:%s", name, value(r)))
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// randomConditions writes a conditions object of a few keys, nested as deep as depth.
func randomConditions(r *rand.Rand, depth int) string {
	keys := map[string]string{}
	for range r.IntN(4) {
		key, want := randomKey(r, depth)
		keys[key] = want
	}
	var out []string
	for key, want := range keys {
		out = append(out, fmt.Sprintf("%q:%s", key, want))
	}
	slices.Sort(out)
	return "{" + strings.Join(out, ",") + "}"
}

func randomKey(r *rand.Rand, depth int) (key, want string) {
	nested := func(r *rand.Rand) string {
		if r.IntN(12) == 0 {
			return scalar(r) // no conditions at all
		}
		return randomConditions(r, depth-1)
	}
	switch r.IntN(8) {
	case 0:
		key = pick(r, "character_id", "user_id", "group_id", "conversation_id", "channel",
			"event_source")
		return key, pick(r, pick(r, texts...), list(r, scalar), scalar(r))
	case 1:
		key = pick(r, "mood_is", "mood_is_not")
		return key, pick(r, pick(r, texts...), list(r, scalar), scalar(r))
	case 2:
		key = pick(r, "affection", "trust", "energy", "mood_intensity", "hp", "gold", "affektion")
		return key + pick(r, "_gte", "_lte", "_gt", "_lt", "_eq", ""), number(r)
	case 3:
		return "time_range", pick(r, "["+pick(r, times...)+","+pick(r, times...)+"]", scalar(r),
			list(r, func(r *rand.Rand) string { return pick(r, times...) }))
	case 4:
		pattern := func(r *rand.Rand) string {
			return pick(r, `"*"`, `"model.*"`, `"pipeline.*"`, `"*.changed"`, scalar(r))
		}
		return "event_type", pick(r, pattern(r), list(r, pattern))
	case 5:
		if depth > 0 {
			return pick(r, "all", "any"), pick(r, list(r, nested), list(r, nested), nested(r))
		}
	case 6:
		if depth > 0 {
			return "not", pick(r, nested(r), nested(r), list(r, nested))
		}
	}
	key = pick(r, "payload", "metadata", "vars", "state", "relationship", "weather") +
		pick(r, ".a", ".a.a", ".mood", ".channel", ".", ".a..a", ".trust")
	return key, pick(r, scalar(r), anything(r), randomOperators(r), randomOperators(r))
}

func randomOperators(r *rand.Rand) string {
	ops := []string{"eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "exists", "near"}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	var out []string
	for _, op := range ops[:r.IntN(3)] {
		arg := anything(r)
		switch op {
		case "in", "nin":
			arg = pick(r, list(r, anything), arg)
		case "exists":
			arg = pick(r, `true`, `false`, `false`, arg)
		}
		out = append(out, fmt.Sprintf("%q:%s", op, arg))
	}
	return "{" + strings.Join(out, ",") + "}"
}

// randomScene draws the input of conditions, once for the package and once for the slow
// interpreter.
func randomScene(r *rand.Rand) (act.Event, hooks.Env, slowScene) {
	ids := object(r, func(r *rand.Rand) string { return pick(r, `"ann"`, `"夜"`, `""`) },
		"character_id", "user_id", "group_id", "conversation_id", "source")
	typ := pick(r, "model.before_call", "state.changed", "reply.after_send", "角色.醒来")
	part := func(r *rand.Rand) string {
		channel := func(r *rand.Rand) string { return pick(r, `"web"`, `"calm"`, `""`, `5`) }
		return merged(object(r, channel, "channel"), object(r, anything, "a", "mood"))
	}
	text := merged(`{"type":"`+typ+`"}`, ids, object(r, part, "payload", "metadata"))
	var event act.Event
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		panic(err)
	}
	var env hooks.Env
	slow := slowScene{event: decodeSlow(text).(map[string]any)}
	if r.IntN(8) > 0 {
		numbers := object(r, number, "energy", "mood_intensity", "hp", "gold", "trust")
		text := merged(numbers, object(r, anything, "mood", "a"))
		env.Character, slow.state = value(text), decodeSlow(text).(map[string]any)
	}
	if r.IntN(8) > 0 {
		text := object(r, number, "affection", "trust", "a")
		env.Relationship, slow.relationship = value(text), decodeSlow(text).(map[string]any)
	}
	if r.IntN(8) > 0 {
		text := object(r, scalar, "affection", "trust", "energy", "mood", "hp", "a")
		env.Vars, slow.vars = objectVars{value(text)}, decodeSlow(text).(map[string]any)
	}
	if r.IntN(2) == 0 {
		env.Fields, slow.registered = map[string]act.Field{"hp": {}}, []string{"hp"}
	}
	if r.IntN(8) > 0 {
		minute := pick(r, 0, 1, 8*60+5, 12*60+30, 12*60+31, 22*60, 23*60+59, r.IntN(24*60))
		env.Now = time.Date(2026, 5, 1, 0, minute, r.IntN(60), 0, time.FixedZone("", 8*3600))
		slow.now = env.Now
	}
	return event, env, slow
}

// merged joins JSON objects that have no name in common.
func merged(objects ...string) string {
	var inner []string
	for _, o := range objects {
		if o != "{}" {
			inner = append(inner, o[1:len(o)-1])
		}
	}
	return "{" + strings.Join(inner, ",") + "}"
}

// Conditions agree with the slow interpreter, with both logics, and every key is true in some cases
// and false in others (HK-18).
func TestPropertyConditions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(18, 1))
	decided := map[string][2]int{} // how often each key alone was false and true
	const batch = 10               // conditions for one scene: each in a separate hook
	for range oracleCases / batch {
		var list []hooks.Hook
		for i := range batch {
			list = append(list, hooks.Hook{
				ID: fmt.Sprint(i), Name: "h", Event: hooks.On("*"),
				Conditions:     value(randomConditions(r, 2)),
				ConditionLogic: pick(r, hooks.And, hooks.Or),
			})
		}
		set, _ := hooks.Compile(list, nil)
		event, env, slow := randomScene(r)
		ran := hooks.Run(t.Context(), set, event, hooks.State{}, env).State.Turn.Ran
		for _, h := range list {
			plain := decodeSlow(h.Conditions.String()).(map[string]any)
			got, want := slices.Contains(ran, h.ID), slow.holds(plain, h.ConditionLogic == hooks.Or)
			if got != want {
				t.Fatalf("%s (%s) = %v, want %v\nevent %s\nstate %s\nrelationship %s\nvars %v\nnow %s",
					h.Conditions, h.ConditionLogic, got, want, toJSON(t, event), env.Character,
					env.Relationship, env.Vars, env.Now)
			}
			for key, want := range plain {
				name, _, _ := strings.Cut(key, ".") // paths are counted by their roots
				n := decided[name]
				n[map[bool]int{false: 0, true: 1}[slow.key(key, want)]]++
				decided[name] = n
			}
		}
	}
	for key := range strings.FieldsSeq(`character_id user_id group_id conversation_id channel
		event_source event_type mood_is mood_is_not time_range affection_gte energy_lt trust_lte
		mood_intensity_gt hp_gte any all not payload metadata vars state relationship`) {
		if n := decided[key]; n[0] < 10 || n[1] < 10 {
			t.Errorf("%s was false %d times and true %d times: the cases test too little",
				key, n[0], n[1])
		}
	}
}

// randomName draws an event name that is often a known one, and randomPattern draws a pattern that
// is similar to a name.
func randomName(r *rand.Rand) string {
	if r.IntN(3) > 0 {
		return pick(r, pick(r, slowAliases...)...)
	}
	var segments []string
	for range 1 + r.IntN(4) {
		segment := pick(r, "character", "changed", "state", "前", "", "before_turn")
		segments = append(segments, segment)
	}
	return strings.Join(segments, ".")
}

func randomPattern(r *rand.Rand) string {
	segments := strings.Split(randomName(r), ".")
	for i := range segments {
		if r.IntN(3) == 0 {
			segments[i] = "*"
		}
	}
	return strings.Join(segments[:1+r.IntN(len(segments))], ".")
}

// Patterns agree with the slow matcher on names that are often aliases (HK-17).
func TestPropertyPatterns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 1))
	matched := 0
	for range oracleCases {
		pattern, name := randomPattern(r), randomName(r)
		got, want := act.MatchType(pattern, name), slowMatchEvent(pattern, name)
		if got != want {
			t.Fatalf("Match(%q, %q) = %v, want %v", pattern, name, got, want)
		}
		if want {
			matched++
		}
	}
	if matched < oracleCases/50 {
		t.Errorf("only %d of %d patterns matched: the cases test too little", matched, oracleCases)
	}
}

// The running hooks, and their order, equal a walk over the whole list: the index finds the same
// hooks as a check of every hook (HK-17, HK-19).
func TestPropertyCandidates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(19, 1))
	ran := 0
	for range oracleCases / 10 {
		var list []hooks.Hook
		for i := range 1 + r.IntN(8) {
			list = append(list, randomCandidate(r, i))
		}
		set, _ := hooks.Compile(list, nil)
		list = set.Hooks() // without hooks that have only empty patterns
		event := act.Event{Type: randomName(r), CharacterID: pick(r, "", "ann", "bob")}
		var want []string
		covered := 0
		for priority := range 3 {
			for _, h := range list {
				if *h.Priority != priority || !*h.Enabled || !slices.ContainsFunc(h.Event,
					func(p string) bool { return slowMatchEvent(p, event.Type) }) {
					continue
				}
				covered++
				mine := h.CharacterID == "" || h.CharacterID == event.CharacterID
				if event.Type != "" && (h.Scope != hooks.ScopeCharacter || mine) {
					want = append(want, h.ID)
				}
			}
		}
		res := hooks.Run(t.Context(), set, event, hooks.State{}, hooks.Env{})
		if got := res.State.Turn.Ran; !slices.Equal(got, want) {
			t.Fatalf("%s for %q: ran %v, want %v", toJSON(t, list), event.Type, got, want)
		}
		if got := set.Wants(event.Type); got != (covered > 0) {
			t.Fatalf("%s: Wants(%q) = %v", toJSON(t, list), event.Type, got)
		}
		ran += len(want)
	}
	if ran < 1000 {
		t.Errorf("only %d hooks ran: the cases test too little", ran)
	}
}

func randomCandidate(r *rand.Rand, i int) hooks.Hook {
	h := hooks.Hook{
		ID: fmt.Sprint(i), Name: "n", Priority: new(r.IntN(3)), Enabled: new(r.IntN(5) > 0),
		Scope:       pick(r, "", hooks.ScopeGlobal, hooks.ScopeCharacter),
		CharacterID: pick(r, "", "ann", "bob"),
	}
	for range 1 + r.IntN(3) {
		h.Event = append(h.Event, randomPattern(r))
	}
	return h
}
