package rules_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// hostile fills any value of this package with data that Go hosts can build. It uses empty texts,
// numbers at the limits of their range, nil or empty lists, and unknown members.
type hostile struct{ *rand.Rand }

func (h hostile) text() string {
	return pick(world(h), "", "a", "Path", "id", " ", "<b>&\u2028", "死\x00", "\ufffd", "a.b[0]", "__proto__")
}

func (h hostile) value(depth int) tree.Value {
	switch n := h.IntN(8); {
	case n == 0:
		return tree.Null
	case n == 1:
		return tree.Bool(h.IntN(2) == 0)
	case n < 4:
		return tree.Text(h.text())
	case n < 6 || depth > 2:
		return tree.Num(pick[tree.Number](world(h), "0", "-0", "1e400", "1.50", "-7",
			tree.Number(strings.Repeat("9", 50))))
	case n == 6:
		return tree.Array(h.value(depth+1), h.value(depth+1))
	}
	return tree.Object(tree.Member{Key: h.text(), Value: h.value(depth + 1)},
		tree.Member{Key: "k", Value: h.value(depth + 1)})
}

func (h hostile) extra() map[string]json.RawMessage {
	if h.IntN(2) == 0 {
		return nil
	}
	// Unknown members may differ from known ones only by a capital letter.
	name := pick(world(h), "x", "Path", "ID", "Duration", "TYPE", "directiveID")
	return map[string]json.RawMessage{name: json.RawMessage(pick(world(h), `1`, `"s"`, `{"a":[]}`, `null`))}
}

func (h hostile) fill(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *tree.Value:
		*x = h.value(0)
		return
	case *tree.Document:
		doc, err := tree.NewDocument(tree.Object(tree.Member{Key: h.text(), Value: h.value(0)}))
		if err != nil {
			panic(err)
		}
		*x = doc
		return
	case *map[string]json.RawMessage:
		*x = h.extra()
		return
	case *rules.Views: // belongs to the host and is not stored
		return
	case *event.Event:
		*x = event.New(h.text(), tree.Member{Key: "k" + h.text(), Value: h.value(0)})
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			h.fill(v.Field(i))
		}
	case reflect.Pointer:
		if h.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			h.fill(v.Elem())
		}
	case reflect.Slice:
		n := h.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			h.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range h.IntN(3) {
			elem := reflect.New(v.Type().Elem()).Elem()
			h.fill(elem)
			v.SetMapIndex(reflect.ValueOf(h.text()), elem)
		}
	case reflect.String:
		v.SetString(h.text())
	case reflect.Bool:
		v.SetBool(h.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(pick(world(h), 0, 1, -3, math.MaxInt32+1, math.MaxInt, math.MinInt, 1<<53+1)))
	case reflect.Float64:
		v.SetFloat(pick(world(h), 0, 0.1, -2.5, 1e300, math.MaxFloat64))
	default:
		panic("nothing fills a " + v.Type().String())
	}
}

// alike treats an empty list or map as absent.
var alike = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(tree.Value.Equal),
	cmp.Comparer(tree.Document.Equal),
	cmp.Comparer(func(a, b json.RawMessage) bool { return string(a) == string(b) }),
}

// Stored data reads back unchanged: a ledger, a state, and all recorded effects.
func TestRoundTripOfWhatIsStored(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		h := hostile{rand.New(rand.NewPCG(seed, 1))}
		roundTrip[rules.Memory](t, h)
		roundTrip[rules.State](t, h)
		roundTrip[rules.Directive](t, h)
		roundTrip[event.Event](t, h)
	}
}

// roundTrip writes and reads a value of a type.
func roundTrip[T any](t *testing.T, h hostile) {
	t.Helper()
	var x, back T
	h.fill(reflect.ValueOf(&x).Elem())
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatalf("%T: %v", x, err)
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%T: %v\n%s", x, err, data)
	}
	if d := cmp.Diff(x, back, alike); d != "" {
		t.Fatalf("%T does not read back: %s\n%s", x, data, d)
	}
}

// Effects with any Go values are tested. Apply refuses them, or the resulting state, changes and
// host effects read back unchanged.
func TestRoundTripOfAppliedEffects(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	var kinds []reflect.Type
	for _, e := range everyEffect() {
		kinds = append(kinds, reflect.TypeOf(e))
	}
	for seed := range uint64(150) {
		h := hostile{rand.New(rand.NewPCG(seed, 2))}
		for _, kind := range kinds {
			x := reflect.New(kind).Elem()
			h.fill(x)
			e, _ := x.Interface().(effect.Effect)
			applied := (*rules.Program)(nil).Apply(rules.State{Turn: 3}, effect.By("host", e), rules.Options{})
			var back rules.State
			data, err := json.Marshal(applied.State)
			if err != nil {
				t.Fatalf("%T: %v", e, err)
			}
			if err := json.Unmarshal(data, &back); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(applied.State, back, alike); d != "" {
				t.Fatalf("%+v leaves a state that does not read back: %s\n%s", e, data, d)
			}
			for _, c := range applied.Host {
				data, err := effect.Marshal(c.Effect)
				if err != nil {
					t.Fatalf("%+v: %v", c.Effect, err)
				}
				again, err := effect.Unmarshal(data)
				if err != nil {
					t.Fatalf("%+v: %v\n%s", c.Effect, err, data)
				}
				if d := cmp.Diff(c.Effect, again, alike); d != "" {
					t.Fatalf("%T does not read back: %s\n%s", c.Effect, data, d)
				}
			}
		}
	}
}

// An effect without a JSON form or without a meaning is refused with its reason and changes
// nothing.
func TestEffectsThatCannotBeStoredAreRefused(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	inf, nan := math.Inf(1), math.NaN()
	deep := tree.Int(1)
	for range 5000 {
		deep = tree.Array(deep)
	}
	for _, c := range []struct {
		reason string
		effect effect.Effect
		want   effect.Reason
	}{
		{"no effect", nil, "unreadable"},
		{"a pointer", &effect.Notify{Message: "m"}, "unreadable"},
		{"a pointer to nothing", (*effect.Notify)(nil), "unreadable"},
		{"an infinite volume", effect.PlayAudio{TrackID: "t", Volume: &inf}, "unreadable"},
		{"a fade that is no number", effect.PlayAudio{TrackID: "t", FadeDuration: &nan}, "unreadable"},
		{"an infinite range", effect.SetVariable{Path: "a", Random: &effect.Random{Kind: effect.RangeKind, Max: inf}},
			"unreadable"},
		{"a number that is none", effect.SetVariable{Path: "a", Value: tree.Num("NaN")}, "unreadable"},
		{"a number that is code", effect.System{Path: "@x", Value: tree.Num(`1,"a":2`)}, "unreadable"},
		{"a value without end", effect.SetVariable{Path: "a", Value: deep}, effect.TooLarge},
		{"unknown members that are no JSON",
			effect.RequestAI{Prompt: "p", Extra: map[string]json.RawMessage{"x": json.RawMessage("{")}},
			"unreadable"},
		{"a message without text", effect.SendContext{}, effect.BadValue},
		{"a message of blanks", effect.SendContext{Message: " \n"}, effect.BadValue},
		{"a directive without id", effect.InjectDirective{Content: "c"}, effect.BadValue},
		{"a message of blanks on a path", effect.SetVariable{Path: "@ai.context", Value: tree.Text(" ")},
			effect.BadValue},
	} {
		applied := none.Apply(rules.State{}, effect.By("tool", c.effect), rules.Options{})
		if len(applied.Refused) != 1 || applied.Refused[0].Reason != c.want || applied.Refused[0].Text == "" {
			t.Errorf("%s: refused %+v, want %s", c.reason, applied.Refused, c.want)
		}
		if text(applied.State) != text(rules.State{}) || len(applied.Host)+len(applied.Events)+len(applied.Changes) > 0 {
			t.Errorf("%s: left %s, host %v, events %v", c.reason, text(applied.State), applied.Host, applied.Events)
		}
	}
}

// Invalid UTF-8 would read back as different bytes. It is replaced when effects and events enter:
// in effects of hosts, in compiled content and in parameters of events.
func TestTextsBecomeUTF8(t *testing.T) {
	t.Parallel()
	const bad, good = "a\xffb\xc3", "a\ufffdb\ufffd"
	program, _ := rules.Compile(rules.Content{Handlers: []rules.Handler{{
		ID: "r", When: rules.Pattern{EventType: event.TypeActionFired},
		Then: effect.List{
			effect.Notify{Message: bad},
			effect.SendContext{Message: "{param.text}"},
			effect.SetVariable{Path: "v", Value: tree.Text("{param.text}")},
			effect.InjectDirective{ID: bad, Content: "c"},
		},
	}}})
	params := tree.Object(tree.Member{Key: "text", Value: tree.Text(bad)})
	o := program.Run(rules.State{}, []event.Event{event.ActionFired("x", params)}, rules.Options{})
	l := o.State.Ledger
	if len(l.Pending) != 1 || len(l.Directives) != 1 {
		t.Fatalf("ledger %s", text(l))
	}
	for what, got := range map[string]string{
		"a notice": o.Notices()[0].Message, "a message": l.Pending[0].Message, "an id": l.Directives[0].ID,
		"a variable": printed(o.State.Variables.Root().Get("v")),
		"the event":  printed(o.Hops[0][0].Event.Get("params").Get("text")),
	} {
		if got != good {
			t.Errorf("%s is %q", what, got)
		}
	}
	applied := program.Apply(rules.State{}, effect.By("tool", effect.WriteLog{Level: "info", Message: bad}), rules.Options{})
	if e, ok := applied.Host[0].Effect.(effect.WriteLog); !ok || e.Message != good {
		t.Errorf("host effect %+v", applied.Host[0].Effect)
	}
}

func printed(v tree.Value) string {
	s, _ := v.AsText()
	return s
}

// Turn numbers are exact, also beyond 32 bits, and never overflow.
func TestTurnsBeyondAllBounds(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	st := none.Apply(rules.State{Turn: math.MaxInt - 1}, effect.By("tool",
		effect.InjectDirective{ID: "d", Duration: new(math.MaxInt)},
		effect.InjectDirective{ID: "e", Duration: new(math.MinInt)}), rules.Options{}).State
	l, expired := st.Ledger.Expire(math.MaxInt - 1)
	if len(l.Directives) != 1 || len(expired) != 1 || expired[0] != "e" {
		t.Errorf("left %v, expired %v", l.Directives, expired)
	}
	if _, expired := l.Expire(math.MinInt); len(expired) > 0 {
		t.Errorf("expired before it began: %v", expired)
	}
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, CooldownTurns: new(math.MaxInt),
	}}})
	st = rules.State{Turn: math.MaxInt, Ledger: rules.Memory{FireCounts: map[string]int{"r": math.MaxInt}}}
	o := program.Run(st, []event.Event{event.TurnComplete(1)}, rules.Options{})
	if got := o.State.Ledger; got.FireCounts["r"] != math.MaxInt || got.Cooldowns["r"] != math.MaxInt {
		t.Errorf("ledger %s", text(got))
	}
	var f struct {
		A, B, C, D *int
	}
	fields, err := authorjson.Read([]byte(`{"a":9007199254740993,"b":1e30,"c":-1e30,"d":2.5}`))
	if err != nil {
		t.Fatal(err)
	}
	f.A, f.B, f.C, f.D = fields.Whole("a"), fields.Whole("b"), fields.Whole("c"), fields.Whole("d")
	if *f.A != 1<<53+1 || *f.B != math.MaxInt || *f.C != math.MinInt || *f.D != 3 {
		t.Errorf("read %d %d %d %d", *f.A, *f.B, *f.C, *f.D)
	}
}
