package hooks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestActions runs one action each and shows its code and effects (HK-01 to HK-12).
func TestActions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		action string
		code   act.ResultCode
		effect string // JSON list of effects; empty means none
		reason string
	}{
		{
			`{"type":"prompt_inject","content":"x"}`, act.CodeOK,
			`[{"type":"prompt-inject","key":"hook_夜evt_123","content":"x","priority":55,"scope":"turn"}]`,
			"the first 8 characters of the event id",
		},
		{
			`{"type":"prompt_inject","content":"x","scope":"conversation","key":"k","priority":1.0}`, act.CodeOK,
			`[{"type":"prompt-inject","key":"k","content":"x","priority":1,"scope":"session"}]`,
			"another name of session",
		},
		{
			`{"type":"prompt_inject","content":"x","scope":"forever"}`, act.CodeInvalidValue,
			``,
			"unknown scope",
		},
		{
			`{"type":"prompt_inject","content":"x","priority":1.5}`, act.CodeInvalidValue,
			``,
			"no integer",
		},
		{`{"type":"prompt_inject","content":5}`, act.CodeInvalidValue, ``, "no text"},
		{
			`{"type":"state_delta","field":"mood_intensity","delta":"0.1234567"}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"mood_intensity","old":0.5,"new":0.623457}]`,
			"six decimals",
		},
		{
			`{"type":"state_delta","field":"mood_intensity","delta":-3}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"mood_intensity","old":0.5,"new":0}]`,
			"not below 0",
		},
		{
			`{"type":"state_delta","field":"energy","delta":1e300}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"energy","old":80,"new":100}]`,
			"far beyond the bound",
		},
		{
			`{"type":"state_delta","field":"energy","delta":1e999}`, act.CodeInvalidValue,
			``,
			"not finite",
		},
		{
			`{"type":"state_delta","field":"energy","delta":"NaN"}`, act.CodeInvalidValue,
			``,
			"no plain decimal",
		},
		{
			`{"type":"state_delta","field":"energy","delta":true}`, act.CodeInvalidValue,
			``,
			"a boolean",
		},
		{
			`{"type":"state_delta","field":"energy","delta":"+0007.9"}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"energy","old":80,"new":87}]`,
			"a plain decimal text",
		},
		{
			`{"type":"state_delta","field":"place","delta":{"room":"attic"}}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"place","old":"hall",
				"new":{"room":"attic"}}]`,
			"other fields are replaced by any value",
		},
		{
			`{"type":"state_delta","field":"place","delta":"hall"}`, act.CodeOK,
			``,
			"no effect where nothing moved",
		},
		{
			`{"type":"state_delta","payload":{"energy":-5,"mood":7}}`, act.CodeInvalidValue,
			``,
			"all or nothing",
		},
		{`{"type":"state_delta","payload":[]}`, act.CodeInvalidValue, ``, "no object"},
		{
			`{"type":"state_delta","payload":null,"field":"energy","delta":-1}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"energy","old":80,"new":79}]`,
			"null is missing",
		},
		{`{"type":"state_delta","delta":1}`, act.CodeMissingParams, ``, "no field"},
		{
			`{"type":"state_delta","field":"gold","delta":"2.5"}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"gold","old":10,"new":12.5}]`,
			"a registered field adds",
		},
		{
			`{"type":"state_delta","field":"gold","delta":-99}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"gold","old":10,"new":0}]`,
			"within its bounds",
		},
		{
			`{"type":"state_delta","field":"awake","delta":1}`, act.CodeInvalidValue,
			``,
			"of its type",
		},
		{
			`{"type":"state_delta","field":"level","delta":"9.9"}`, act.CodeOK,
			`[{"type":"state-change","characterId":"c","field":"level","old":1,"new":5}]`,
			"replaced, truncated and bounded",
		},
		{
			`{"type":"relationship_delta","field":"trust","delta":1.9}`, act.CodeOK,
			`[{"type":"relationship-change","characterId":"c","userId":"u","field":"trust",
				"old":60.7,"new":61}]`,
			"both sides are truncated",
		},
		{
			`{"type":"relationship_delta","field":"jealousy","delta":3}`, act.CodeOK,
			`[{"type":"relationship-change","characterId":"c","userId":"u","field":"jealousy",
				"old":0,"new":3}]`,
			"a known field that was never written is 0",
		},
		{
			`{"type":"relationship_delta","field":"security","delta":3}`, act.CodeInvalidValue,
			``,
			"the old value is no number",
		},
		{
			`{"type":"memory_write","content":"c","category":"timeline","importance":"0.9","append":true}`, act.CodeOK,
			`[{"type":"write-memory","content":"c","memType":"long","summary":"c","characterId":"c",
				"userId":"u","append":true,"category":"timeline","importance":0.9}]`,
			"a structured memory",
		},
		{
			`{"type":"memory_write","content":"c","category":"gossip"}`, act.CodeInvalidValue,
			``,
			"unknown category",
		},
		{
			`{"type":"memory_write","content":"c","category":"timeline","importance":2}`, act.CodeInvalidValue,
			``,
			"over 1",
		},
		{
			`{"type":"memory_write","content":"c","mem_type":"dream"}`, act.CodeOK,
			`[{"type":"write-memory","content":"c","memType":"dream","summary":"c","characterId":"c",
				"userId":"u"}]`,
			"a registered memory type",
		},
		{
			`{"type":"memory_write","content":"c","mem_type":"rumour"}`, act.CodeInvalidValue,
			``,
			"an unknown one",
		},
		{
			`{"type":"log","message":"m","level":"warn"}`, act.CodeOK,
			`[{"type":"write-log","level":"warning","message":"m"}]`,
			"warn is warning",
		},
		{
			`{"type":"log","message":"m","level":7}`, act.CodeOK,
			`[{"type":"write-log","level":"info","message":"m"}]`,
			"an unknown level is info",
		},
		{
			`{"type":"workflow","workflow":"","workflow_id":"w","params":{"a":1}}`, act.CodeOK,
			`[{"type":"start-workflow","workflow":"w","params":{"a":1}}]`,
			"the alias where the name is empty",
		},
		{
			`{"type":"workflow","workflow":"w","params":[1]}`, act.CodeInvalidValue,
			``,
			"params are an object",
		},
		{
			`{"type":"world_book_add","book_id":"b","content":"c","keywords":" 亲密， love;、trust "}`, act.CodeOK,
			`[{"type":"add-entry","bookId":"b","content":"c","keywords":["亲密","love","trust"],
				"entryType":"event","priority":50}]`,
			"a text of keywords is cut",
		},
		{
			`{"type":"world_book_add","book_id":"b","content":"c","always_on":"yes"}`, act.CodeInvalidValue,
			``,
			"no boolean",
		},
		{
			`{"type":"world_book_add","book_id":"b","content":"c","tags":"x"}`, act.CodeInvalidValue,
			``,
			"tags are a list",
		},
		{`{"type":7}`, act.CodeInvalidAction, ``, "no text type"},
		{`"message"`, act.CodeInvalidAction, ``, "no object"},
		{`{"type":"teleport"}`, act.CodeUnknownType, ``, "not in the table"},
	}
	env := hooks.Env{
		Character: value(`{"mood":"calm","mood_intensity":0.5,"energy":80,"place":"hall","gold":10,
			"awake":true,"level":1}`),
		Relationship: value(`{"affection":50,"trust":60.7,"security":"safe"}`),
		Fields: map[string]act.Field{
			"gold":  {Add: true, Min: new(0.0)},
			"awake": {Type: act.BooleanField},
			"level": {Type: act.IntegerField, Max: new(5.0)},
		},
		MemoryTypes: []string{"dream"},
	}
	event := act.Event{ID: "夜evt_1234567", Type: "e", CharacterID: "c", UserID: "u"}
	for _, tt := range tests {
		set, _ := hooks.Compile([]hooks.Hook{{
			Name: "h", Event: hooks.On("e"), Actions: []act.Action{{JSON: value(tt.action)}},
		}}, nil)
		res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
		if got := res.Logs[0].Results[0]; got.Code != tt.code {
			t.Errorf("%s: %s, want %s: %s", tt.action, toJSON(t, got), tt.code, tt.reason)
		}
		want := effect.List(nil)
		if tt.effect != "" {
			if err := want.UnmarshalJSON([]byte(tt.effect)); err != nil {
				t.Fatalf("%s: %v", tt.effect, err)
			}
		}
		if diff := cmp.Diff(want, res.Effects, cmp.Comparer(tree.Value.Equal)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.action, tt.reason, diff)
		}
	}
}

// Every action that needs a capability reports when the host does not have it.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"name":"h","event":"e","actions":[
		{"type":"prompt_inject","content":"x"},{"type":"state_delta","field":"energy","delta":1},
		{"type":"relationship_delta","field":"trust","delta":1},{"type":"memory_write","content":"x"},
		{"type":"workflow","workflow":"w"},{"type":"world_book_add","book_id":"b","content":"c"}]}]`)
	env := hooks.Env{Missing: []act.Capability{
		act.Prompts, act.Memories, act.Workflows, act.WorldBooks,
	}}
	res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, env)
	const no = act.CodeUnavailable
	wantCodes(t, res.Logs[0], no, no, no, no, no, no)
}

// The summary of a memory is its first 100 characters, not bytes (HK-08).
func TestMemorySummary(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		content string
		length  int
	}{
		{"x", 1}, {strings.Repeat("雨", 99), 99}, {strings.Repeat("雨", 100), 100},
		{strings.Repeat("雨", 101), 100}, {strings.Repeat("e\u0301", 60), 100},
	} {
		set := single(tree.Value{},
			act.New(act.MemoryWrite, member("content", tree.Text(tt.content))))
		m := emit(t, set, act.Event{Type: "e"}, hooks.Env{}).Effects[0].(effect.WriteMemory)
		want := string([]rune(tt.content)[:tt.length])
		if m.Summary != want || m.Content != tt.content {
			t.Errorf("summary %q, want %q", m.Summary, want)
		}
	}
}

// A world book entry that can never activate succeeds with a warning (HK-12).
func TestDeadEntryWarns(t *testing.T) {
	t.Parallel()
	for action, warns := range map[string]bool{
		`{"type":"world_book_add","book_id":"b","content":"c"}`:                   true,
		`{"type":"world_book_add","book_id":"b","content":"c","keywords":[" "]}`:  true,
		`{"type":"world_book_add","book_id":"b","content":"c","always_on":true}`:  false,
		`{"type":"world_book_add","book_id":"b","content":"c","keywords":["ox"]}`: false,
	} {
		set := mustCompile(t, nil, `[{"name":"h","event":"e","actions":[`+action+`]}]`)
		res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, hooks.Env{})
		if got := res.Logs[0].Results[0].Output.Get("warning").Exists(); got != warns {
			t.Errorf("%s: warning %v, want %v", action, got, warns)
		}
	}
}

// A default key is never used twice in a turn, even if an explicit suffix or a longer id is similar
// (HK-02).
func TestDefaultKeys(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"a","event":"e","actions":[
			{"type":"prompt_inject","content":"1"},{"type":"prompt_inject","content":"2"}]},
		{"id":"b","name":"b","event":"f","actions":[{"type":"prompt_inject","content":"3"}]},
		{"id":"c","name":"c","event":"g","actions":[
			{"type":"prompt_inject","content":"4"},{"type":"prompt_inject","content":"5"}]}]`)
	var state hooks.State
	var injections act.Injections
	events := []act.Event{{ID: "x", Type: "e"}, {ID: "x_2", Type: "f"}, {ID: "x", Type: "g"}}
	for _, event := range events {
		res := hooks.Run(t.Context(), set, event, state, hooks.Env{})
		state = res.State
		for _, e := range res.Effects {
			injections = injections.With(e.(effect.InjectPrompt))
		}
	}
	var keys []string
	for _, in := range injections {
		keys = append(keys, in.Key)
	}
	want := "hook_x hook_x_2 hook_x_2_2 hook_x_3 hook_x_4"
	if got := strings.Join(keys, " "); got != want {
		t.Errorf("keys %s, want %s", got, want)
	}
	res := hooks.Run(t.Context(), set, events[0], state.BeginTurn("2"), hooks.Env{})
	if got := res.Effects[0].(effect.InjectPrompt).Key; got != "hook_x" {
		t.Errorf("first key of the next turn: %s", got)
	}
}

func TestInjections(t *testing.T) { // HK-03
	t.Parallel()
	var in act.Injections
	in = in.With(effect.InjectPrompt{Key: "a", Content: "1", Priority: 50, Scope: effect.ForTurn})
	in = in.With(effect.InjectPrompt{Key: "b", Content: "2", Priority: 50, Scope: effect.ForSession})
	in = in.With(effect.InjectPrompt{Key: "c", Content: "3", Priority: 10, Scope: effect.ForTurn})
	replaced := in.With(effect.InjectPrompt{
		Key: "a", Content: "4", Priority: 60, Scope: effect.ForSession,
	})
	order := func(in act.Injections) (s string) {
		for _, e := range in {
			s += e.Key + e.Content + " "
		}
		return s
	}
	for got, want := range map[string]string{
		order(in):                    "a1 b2 c3 ",
		order(replaced):              "a4 b2 c3 ",
		order(in.ByPriority()):       "c3 a1 b2 ",
		order(replaced.ByPriority()): "c3 b2 a4 ",
		order(replaced.BeginTurn()):  "a4 b2 ",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRegister(t *testing.T) { // HK-16
	t.Parallel()
	handler := func(_ context.Context, call act.Call) (act.Outcome, error) {
		return act.Outcome{Output: call.Action.Get("to")}, nil
	}
	var actions act.Table
	notify := act.Type{Handler: handler, Params: []act.Param{
		{Name: "to", Kind: tree.KindText, Required: true}, {Name: "times", Kind: tree.KindNumber},
		{Name: "any"},
	}}
	if err := actions.Register("notify", notify); err != nil {
		t.Fatal(err)
	}
	notify.Params[0].Required = false // the table has a copy
	list, _ := hooks.Parse([]byte(`[{"name":"h","event":"e","actions":[
		{"type":"notify","to":"ann","times":2,"any":[]},
		{"type":"notify"},
		{"type":"notify","to":""},
		{"type":"notify","to":"ann","times":"2"},
		{"type":"later"}]}]`))
	set, problems := hooks.Compile(list, &actions)
	if len(problems) != 4 {
		t.Errorf("problems: %v", problems)
	}
	for typ, want := range map[string]string{
		"notify": "exists", "log": "exists", "Notify": "want [a-z]", "": "want [a-z]",
		"1a": "want [a-z]", "a b": "want [a-z]", "a" + strings.Repeat("b", 64): "want [a-z]",
	} {
		err := actions.Register(typ, notify)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Register(%q): %v, want an error with %q", typ, err, want)
		}
	}
	if err := actions.Register("empty", act.Type{}); err == nil {
		t.Error("a type without a handler must be refused")
	}
	err := actions.Register("later", notify)
	if err != nil || !actions.Has("later") || !actions.Has("log") || actions.Has("never") {
		t.Errorf("later: %v", err)
	}
	mine := func(context.Context, act.Call) (act.Outcome, error) {
		return act.Outcome{Detail: "mine"}, nil
	}
	override := act.Type{Override: true, Handler: mine}
	if err := actions.Register("log", override); err != nil {
		t.Fatal(err)
	}
	res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, hooks.Env{})
	wantCodes(t, res.Logs[0], act.CodeOK, act.CodeMissingParams, act.CodeMissingParams,
		act.CodeInvalidValue, act.CodeUnknownType)
	if out, _ := res.Logs[0].Results[0].Output.AsText(); out != "ann" {
		t.Errorf("output %q", out)
	}
	set = mustCompile(t, &actions, `[{"name":"h","event":"e","actions":[
		{"type":"log","message":"m"}]}]`)
	res = hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, hooks.Env{})
	if got := res.Logs[0].Results[0].Detail; got != "mine" || len(res.Effects) > 0 {
		t.Errorf("the overridden type ran the built-in one: %q", got)
	}
}

// A handler sees the staged values, and its effects are committed with the hook.
// TestTextsOfHandlersAreData: texts of a handler are not expanded, wherever they are used, unless
// the host says that authors wrote them.
func TestTextsOfHandlersAreData(t *testing.T) {
	t.Parallel()
	const text, data = "{{getvar::secret}}", `\{\{getvar::secret\}\}`
	for _, c := range []struct {
		name   string
		effect effect.Effect
		want   effect.Effect
	}{
		{"an injection", effect.InjectPrompt{Key: "k", Scope: effect.ForTurn, Content: text},
			effect.InjectPrompt{Key: "k", Scope: effect.ForTurn, Content: data}},
		{"a directive", effect.InjectDirective{ID: "d", Content: text}, effect.InjectDirective{ID: "d", Content: data}},
		{"context", effect.SendContext{Message: text}, effect.SendContext{Message: data}},
		{"a path into prompts", effect.SetVariable{Path: "@prompt.context", Value: tree.Text(text)},
			effect.SetVariable{Path: "@prompt.context", Value: tree.Text(data)}},
		{"an entry", effect.AddEntry{BookID: "b", Content: text}, effect.AddEntry{BookID: "b", Content: text, Literal: true}},
		{"a notice is in no prompt", effect.Notify{Message: text}, effect.Notify{Message: text}},
	} {
		for _, macros := range []bool{false, true} {
			var actions act.Table
			err := actions.Register("pass", act.Type{Macros: macros,
				Handler: func(context.Context, act.Call) (act.Outcome, error) {
					return act.Outcome{Effects: []effect.Effect{c.effect}}, nil
				}})
			if err != nil {
				t.Fatal(err)
			}
			set := mustCompile(t, &actions, `[{"id":"a","name":"a","event":"e","actions":[{"type":"pass"}]}]`)
			res := hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, hooks.Env{})
			want := c.want
			if macros {
				want = c.effect
			}
			if diff := cmp.Diff(effect.List{want}, res.Effects); diff != "" {
				t.Errorf("%s, macros %v: %s", c.name, macros, diff)
			}
		}
	}
}

func TestHandlerEffects(t *testing.T) { // HK-16
	t.Parallel()
	var actions act.Table
	rest := func(_ context.Context, call act.Call) (act.Outcome, error) {
		energy, _ := call.Character.Get("energy").AsNumber()
		return act.Outcome{Effects: []effect.Effect{
			effect.ChangeState{Field: "energy", New: tree.Num(energy.Add("50"))},
			effect.ChangeRelationship{Field: "trust", New: value(`-4`)},
			effect.InjectPrompt{Content: "rested"},
			effect.Notify{Message: "z"},
		}}, nil
	}
	if err := actions.Register("rest", act.Type{Handler: rest, Internal: true}); err != nil {
		t.Fatal(err)
	}
	set := mustCompile(t, &actions, `[
		{"id":"a","name":"a","event":"e","priority":1,"actions":[
			{"type":"state_delta","field":"energy","delta":-10},{"type":"rest"}]},
		{"id":"c","name":"c","event":"e","priority":3,"conditions":{"energy_gte":100,"trust_lte":0}}]`)
	env := hooks.Env{Character: value(`{"energy":80}`), Relationship: value(`{"trust":60}`)}
	event := act.Event{ID: "evt", Type: "e", CharacterID: "ann"}
	res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	want := `[{"type":"state-change","characterId":"ann","field":"energy","old":80,"new":70},` +
		`{"type":"state-change","characterId":"ann","field":"energy","old":70,"new":100},` +
		`{"type":"relationship-change","characterId":"ann","field":"trust","old":60,"new":0},` +
		`{"type":"prompt-inject","key":"hook_evt","content":"rested","priority":0,"scope":"turn"},` +
		`{"type":"notify-player","message":"z"}]`
	if got := toJSON(t, res.Effects); got != want {
		t.Errorf("effects\n%s\nwant\n%s", got, want)
	}
	if len(res.Logs) != 2 {
		t.Error("the second hook does not see the commit of the first")
	}
}
