package hooks_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Hooks as JSON: nothing panics, a hook that was read survives a round trip, and the copy runs like
// the original.
func FuzzHookJSON(f *testing.F) {
	f.Add([]byte(`[{"id":"h","name":"n","event":["a","*"],"actions":[{"type":"message","content":"m"}],
		"conditions":{"any":[{"mood_is":"calm"}]},"permissions":{"channels":"web"},"x":1}]`))
	f.Add([]byte(`{"hooks":[{"name":"n","event":"*","trigger_mode":"once_per_conversation","atomic":true,
		"actions":[{"type":"state_delta","payload":{"energy":-5,"mood":"happy"}},{"type":"nope"}]}]}`))
	f.Add([]byte(`[{"name":"n","event":"*","actions":[{"type":"prompt_inject","content":"c","key":""},7]},5]`))
	f.Add([]byte(`[{"name":"n","event":"*","scope":7,"user_id":{},"permissions":{"channels":[1]}}]`))
	f.Add([]byte(`[{"name":"n","event":"*","conditions":{"clock_reaches":["8:00"],"idle_reaches":0.5},"actions":[
		{"type":"modify-variable","variableId":"v","value":[1.0]},{"type":"emit","event":{"type":"e","a":1}},
		{"type":"rewrite","target":"reply","find":"a","text":"b"},{"type":"veto","reason":"r"},{"type":"toggle-rule"}]}]`))
	files, err := filepath.Glob(filepath.Join("testdata", "conformance", "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range readCases(f, file, data) {
			f.Add([]byte(c.Hooks))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := hooks.Parse(data)
		set, problems := hooks.Compile(list, new(act.Table))
		if set.Len() > len(list) || set.Len() == 0 && len(list) > len(problems) {
			t.Errorf("%d hooks of %d with %v", set.Len(), len(list), problems)
		}
		saved := toJSON(t, set.Hooks())
		again, _ := hooks.Parse([]byte(saved))
		same, _ := hooks.Compile(again, new(act.Table))
		if got := toJSON(t, same.Hooks()); got != saved {
			t.Errorf("round trip:\n%s\n%s", saved, got)
		}
		env := conditionEnv()
		one := hooks.Run(t.Context(), set, conditionEvent, hooks.State{}, env)
		two := hooks.Run(t.Context(), same, conditionEvent, hooks.State{}, env)
		if toJSON(t, one) != toJSON(t, two) {
			t.Error("the round trip runs differently")
		}
	})
}

// Event, state and log are external input too: they may be refused, and a value that was read
// survives a round trip.
func FuzzRecordJSON(f *testing.F) {
	f.Add([]byte(`{"id":"e","type":"t","payload":{"a":[1.50]},"metadata":null,"x":"y"}`))
	f.Add([]byte(`{"turn":{"id":"t","count":3,"ran":["a"],"default_keys":{"k":2},"x":1},
		"triggered":{"h":["v"]},"y":2}`))
	f.Add([]byte(`{"id":"l","status":"partial","results":[{"success":true,"code":"ok"}],"x":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, into := range []func() any{
			func() any { return new(act.Event) }, func() any { return new(hooks.State) },
			func() any { return new(act.Log) }, func() any { return new(hooks.Hook) },
			func() any { return new(hooks.Permissions) }, func() any { return new(hooks.Patterns) },
		} {
			first, second := into(), into()
			if json.Unmarshal(data, first) != nil {
				continue
			}
			text := toJSON(t, first)
			if err := json.Unmarshal([]byte(text), second); err != nil {
				t.Fatalf("%T writes %s, and refuses it: %v", first, text, err)
			}
			if got := toJSON(t, second); got != text {
				t.Errorf("%T: %s became %s", first, text, got)
			}
			if state, ok := first.(*hooks.State); ok {
				set := mustCompile(t, nil, `[{"id":"h","name":"n","event":"*",
					"trigger_mode":"once_per_conversation",
					"actions":[{"type":"prompt_inject","content":"c"}]}]`)
				event := act.Event{Type: "e", ConversationID: "v"}
				hooks.Run(t.Context(), set, event, *state, hooks.Env{})
				if got := toJSON(t, state); got != text {
					t.Errorf("a run changed its input from %s to %s", text, got)
				}
			}
		}
	})
}

// slowExponent matches numbers that are short to write but take the slow interpreter forever.
var slowExponent = regexp.MustCompile(`[eE][+-]?\d{3}`)

// Conditions agree with the slow interpreter, a trace changes nothing, and a
// negation is the opposite.
func FuzzConditions(f *testing.F) {
	for _, seed := range []string{
		`{"mood_is":["sad"],"time_range":["22:00","06:00"]}`,
		`{"any":[{"payload.n":{"gt":4}},{"not":{"affection_gte":"80"}}]}`,
		`{"vars.quest.step":{"in":[1],"exists":true}}`, `[]`, `{"all":3}`, `{"energy_gte":1e999}`,
	} {
		f.Add(seed, true)
	}
	env, quiet := conditionEnv(), slowScene{registered: []string{"hp"}}
	quiet.now = env.Now
	quiet.state = decodeSlow(env.Character.String()).(map[string]any)
	quiet.relationship = decodeSlow(env.Relationship.String()).(map[string]any)
	quiet.vars = decodeSlow(env.Vars.(objectVars).object.String()).(map[string]any)
	quiet.event = decodeSlow(toJSON(f, conditionEvent)).(map[string]any)
	f.Fuzz(func(t *testing.T, text string, and bool) {
		v, err := tree.ParseValue([]byte(text))
		if err != nil || slowExponent.MatchString(text) {
			return
		}
		logic := map[bool]hooks.Logic{true: hooks.And, false: hooks.Or}[and]
		run := func(conditions tree.Value, logic hooks.Logic, trace bool) hooks.Result {
			set, _ := hooks.Compile([]hooks.Hook{{
				Name: "h", Event: hooks.On("*"), Conditions: conditions, ConditionLogic: logic,
			}}, nil)
			env := env
			env.Trace = trace
			return hooks.Run(t.Context(), set, conditionEvent, hooks.State{}, env)
		}
		got := len(run(v, logic, false).Logs) == 1
		if want := quiet.holds(decodeSlow(text), !and); got != want && !v.IsNull() {
			t.Errorf("%s (%s) = %v, want %v", text, logic, got, want)
		}
		traced := run(v, logic, true)
		if (len(traced.Logs) == 1) != got || len(traced.Trace) == 0 {
			t.Errorf("%s: the trace changes the decision or is missing", text)
		}
		negated := run(tree.Object(member("not", v)), hooks.And, false)
		if v.IsObject() && (len(negated.Logs) == 1) == (len(run(v, hooks.And, false).Logs) == 1) {
			t.Errorf("%s and its negation agree", text)
		}
	})
}

// Event patterns agree with the slow matcher.
func FuzzMatch(f *testing.F) {
	f.Add("character.*", "character.x")
	f.Add("*.changed", "x.changed")
	f.Add("a..b", "a..b")
	f.Add("*.", "a.")
	f.Add("pipeline.*", "model.before_call")
	f.Add("角色.*", "角色.醒来")
	f.Fuzz(func(t *testing.T, pattern, event string) {
		want := slowMatchEvent(pattern, event)
		if got := act.MatchType(pattern, event); got != want {
			t.Errorf("Match(%q, %q) = %v, want %v", pattern, event, got, want)
		}
		set, _ := hooks.Compile([]hooks.Hook{{Name: "h", Event: hooks.On(pattern)}}, nil)
		if got := set.Wants(event); got != want {
			t.Errorf("a hook on %q wants %q: %v, want %v", pattern, event, got, want)
		}
	})
}

// Time ranges agree with a walk over the minutes of the day.
func FuzzTimeRange(f *testing.F) {
	f.Add("22:00", "06:00", 1439)
	f.Add("8:5", "24:00", 0)
	f.Add("24:01", "1", 60)
	f.Add("", "１２:００", 720)
	f.Fuzz(func(t *testing.T, from, to string, minute int) {
		if !utf8.ValidString(from + to) {
			return // not JSON
		}
		now := time.Date(2026, 5, 1, 0, minute%(24*60), 0, 0, time.UTC)
		ends := tree.Array(tree.Text(from), tree.Text(to))
		set, problems := hooks.Compile([]hooks.Hook{{
			Name: "h", Event: hooks.On("*"), Conditions: tree.Object(member("time_range", ends)),
		}}, nil)
		got := len(emit(t, set, act.Event{Type: "e"}, hooks.Env{Now: now}).Logs) == 1
		if want := (slowScene{now: now}).inRange([]any{from, to}); got != want {
			t.Errorf("%q to %q at %s: %v, want %v", from, to, now.Format("15:04"), got, want)
		}
		if got && len(problems) > 0 {
			t.Errorf("%q to %q is true and reported: %v", from, to, problems)
		}
	})
}

// Deltas agree with exact arithmetic, for all three ways to add.
func FuzzDelta(f *testing.F) {
	for _, seed := range []string{`-10`, `"+07.9"`, `0.1234567`, `-0`, `1e2`, `"1e2"`, `" 5"`, `true`,
		`null`, `"五"`, `99999999999999999999`, `1e-20`, `[]`} {
		f.Add(seed, int16(50))
	}
	f.Fuzz(func(t *testing.T, text string, start int16) {
		delta, err := tree.ParseValue([]byte(text))
		if err != nil || len(text) > 300 || slowExponent.MatchString(text) {
			return // a number beyond float64 and a long text are refused
		}
		by := slowNumber(decodeSlow(text))
		old := big.NewRat(int64(start), 100)
		for field, c := range map[string]struct {
			most int64
			add  func(old, by *big.Rat) *big.Rat
		}{
			"energy": {100, wholeSum}, "affection": {100, wholeSum}, "mood_intensity": {1, sum},
		} {
			object := tree.Object(member(field, tree.Num(tree.Number(old.FloatString(2)))))
			env, typ := hooks.Env{Character: object}, act.StateDelta
			if field == "affection" {
				env, typ = hooks.Env{Relationship: object}, act.RelationshipDelta
			}
			set := single(tree.Value{}, act.New(typ,
				member("field", tree.Text(field)), member("delta", delta)))
			res := emit(t, set, act.Event{Type: "e"}, env)
			r := res.Logs[0].Results[0]
			if by == nil {
				want := act.CodeInvalidValue
				if delta.IsNull() {
					want = act.CodeMissingParams
				}
				if r.Code != want || len(res.Effects) > 0 {
					t.Errorf("%s by %s: %s, want %s", field, text, toJSON(t, r), want)
				}
				continue
			}
			want := c.add(old, by)
			if want.Sign() < 0 {
				want = new(big.Rat)
			}
			if most := big.NewRat(c.most, 1); want.Cmp(most) > 0 {
				want = most
			}
			got := slowNumber(decodeSlow(r.Output.Get("changes").Get(field).Get("new").String()))
			off := sum(got, new(big.Rat).Neg(want))
			if off.Abs(off).Cmp(big.NewRat(1, 1_000_000)) > 0 {
				t.Errorf("%s %s by %s: %s, want %s", field, old.FloatString(2), text,
					got.FloatString(9), want.FloatString(9))
			}
			if moved := len(res.Effects) > 0; moved != (got.Cmp(old) != 0) {
				t.Errorf("%s by %s: moved %v from %s to %s", field, text, moved, old, got)
			}
		}
	})
}

func sum(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

func wholeSum(a, b *big.Rat) *big.Rat { return sum(whole(a), whole(b)) }

// whole truncates toward zero.
func whole(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
}

// A text of keywords is split at five separators and nowhere else.
func FuzzKeywords(f *testing.F) {
	f.Add("亲密， love;、trust ")
	f.Add(" , ;；")
	f.Add("c++, café")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || text == "" {
			return
		}
		action := act.New(act.WorldBookAdd, member("book_id", tree.Text("b")),
			member("content", tree.Text("c")), member("keywords", tree.Text(text)))
		res := emit(t, single(tree.Value{}, action), act.Event{Type: "e"}, hooks.Env{})
		var want []string
		for _, part := range regexp.MustCompile(`[,，、;；]`).Split(text, -1) {
			if part = strings.TrimSpace(part); part != "" {
				want = append(want, part)
			}
		}
		entry := res.Effects[0].(effect.AddEntry)
		if !slices.Equal(entry.Keywords, want) {
			t.Errorf("%q is cut into %q, want %q", text, entry.Keywords, want)
		}
		if warned := res.Logs[0].Results[0].Output.Exists(); warned != (len(want) == 0) {
			t.Errorf("%q: warned %v", text, warned)
		}
	})
}

// The paths in problems are JSON paths to the mistake, with any names of members.
func FuzzProblemPath(f *testing.F) {
	f.Add("mood")
	f.Add(`a."b`)
	f.Add("心情 [0]")
	f.Fuzz(func(t *testing.T, key string) {
		if !utf8.ValidString(key) || strings.HasSuffix(key, "_gte") || key == "all" || key == "any" {
			return // for a threshold or a list of conditions, an array of objects is valid
		}
		wrong := tree.Object(member("any", tree.Array(
			tree.Object(member(key, tree.Array(tree.Object()))))))
		h := hooks.Hook{Name: "h", Event: hooks.On("e"), Conditions: wrong}
		_, problems := hooks.Compile([]hooks.Hook{h}, nil)
		if len(problems) == 0 {
			t.Fatalf("%q is no condition key with such a value", key)
		}
		for _, p := range problems {
			rest, ok := strings.CutPrefix(p.Path, "hooks[0].conditions.any[0]")
			plain, quoted := "."+key, fmt.Sprintf("[%q]", key)
			if !ok || rest != plain && !strings.HasPrefix(rest, quoted) &&
				!strings.HasPrefix(rest, plain+"[") && !strings.HasPrefix(rest, plain+".") {
				t.Errorf("key %q: path %s", key, p.Path)
			}
		}
	})
}
