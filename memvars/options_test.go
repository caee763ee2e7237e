package memvars_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCompileReportsEverything: all mistakes of the options are reported at once.
func TestCompileReportsEverything(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{
		OnError: "stop", Blocks: "some", JSONFallback: "x", Coerce: "x", CheckOld: "x", Merge: "x", ScalarParent: "x",
		ProtectDepth: "x", DerivedLock: "x", Difficulty: "x", BigUpdate: "x", Derived: memvars.Derived{Preset: "x"},
		Calendar: memvars.Calendar{Months: []int{30, 0}}, WrapWindowDays: new(-1), RolloverMinMinutes: new(-1), KeepBig: new(-1),
		Rules:   []memvars.Rule{{Actor: "nobody", Path: "a..b"}},
		Profile: &memvars.Profile{Character: "c", Status: "s"},
	})
	if sys != nil || problems.Err() == nil {
		t.Fatal(problems)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Path)
	}
	want := "on_error blocks json_fallback profile.assets coerce check_old merge scalar_parent protect_depth derived_lock " +
		"difficulty derived calendar[1] wrap_window_days rollover_min_minutes big_update keep_big rules[0].path rules[0].actor"
	if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
		t.Error(diff)
	}
	for _, f := range []memvars.Formula{
		{Target: "a", Expr: ""}, {Target: "a", Expr: "1 +"}, {Target: "a", Expr: "(1"}, {Target: "a", Expr: "f(1)"},
		{Target: "a", Expr: "floor(1, 2)"}, {Target: "a", Expr: "1 2"}, {Target: "a", Expr: "1..2"}, {Target: "a", Expr: "% 2"},
		{Target: "a", Expr: "'a..b'"}, {Target: "", Expr: "1"}, {Target: "a", Expr: "1", Round: "up"},
		{Target: "a", Expr: strings.Repeat("(", 5000)}, {Target: "a", Expr: strings.Repeat("-", 5000) + "1"},
	} {
		o := memvars.Options{Derived: memvars.Derived{Formulas: []memvars.Formula{f}}}
		if sys, problems := memvars.Compile(o); sys != nil || len(problems.Of("bad_formula")) != 1 {
			t.Errorf("%+v compiles: %v", f, problems)
		}
	}
}

// TestApplyFailsClosed: with invalid options nothing is done.
func TestApplyFailsClosed(t *testing.T) {
	t.Parallel()
	d := standard(t)
	out, res := memvars.Apply(d, "set_status('天气', '雨')", memvars.AI, memvars.Options{Merge: "x"})
	if !out.Same(d) || len(res.Problems) != 1 || len(res.Calls) != 0 {
		t.Error(res)
	}
	if out, res := defaultSystem(t).RunPass("none", d, memvars.State{}, memvars.Turn{}); !out.Same(d) || len(res.Problems.Of("unknown_pass")) != 1 {
		t.Error(res)
	}
}

// TestCodecs: all public types survive JSON unchanged, including unknown members.
func TestCodecs(t *testing.T) {
	t.Parallel()
	roundTrip := func(name, text string, v any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := json.Marshal(v)
		if err != nil || string(got) != text {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, text)
		}
	}
	roundTrip("op", `{"op":"memory","args":[{"text":"a.b","value":"a.b","quoted":true},{"text":"{","code":"bad_json","warnings":["bare_word"],"x":1}],"reason":"r","pos":{"line":1,"col":2,"offset":1},"end":9,"dialect":"d","fault":{"code":"unbalanced","at":{"line":1,"col":9,"offset":8}},"more":[1]}`, new(memvars.Op))
	roundTrip("change", `{"path":["a.b","0"],"old":null,"new":{"z":1.0,"a":2},"by":"cmd:0","note":"kept"}`, new(tree.Change))
	roundTrip("result", `{"results":[{"op":"delete","line":1,"col":1,"offset":0,"status":"rejected","code":"protected","warnings":["protected_kept"],"near":"delete","hint":"h","x":true}],"changes":[{"path":["a"],"new":1}],"effects":[{"kind":"backup","path":["a"],"world":"w","data":{},"x":1}],"notes":[{"pass":"p","path":["a"],"text":"t"}],"problems":[{"path":"p","severity":"error","text":"m"}],"x":0}`, new(memvars.Result))
	roundTrip("state", `{"turn":{"era":"e","date":"d","time":"t","world":"w","time_limit":1.50,"small":{"b":1,"a":2},"big":{},"clean_small_flag":true,"clean_big_flag":true},"window":[{"reply":"r","player":["p"]}],"x":1}`, new(memvars.State))
	roundTrip("options", `{"on_error":"abort","repair":false,"derived":[{"target":"a","else":["b"],"expr":"1","round":"floor"}],"calendar":[30,31],"green_window":0,"rules":[{"actor":"ai","op":"memory","path":"a","allow":false}]}`, new(memvars.Options))
	roundTrip("derived by name", `{"derived":"origin"}`, new(memvars.Options))
	roundTrip("message", `{"actor":"ai","text":"x"}`, new(memvars.Message))
	if err := json.Unmarshal([]byte(`{"calendar":"julian"}`), new(memvars.Options)); err == nil {
		t.Error("an unknown calendar is read")
	}
	if err := json.Unmarshal([]byte(`{"calendar":"gregorian"}`), new(memvars.Options)); err != nil {
		t.Error(err)
	}
	data, err := json.Marshal(memvars.DefaultProfile())
	if err != nil {
		t.Fatal(err)
	}
	var back memvars.Profile
	if err := json.Unmarshal(data, &back); err != nil || !cmp.Equal(back, memvars.DefaultProfile()) {
		t.Error("the profile does not survive", err)
	}
}

// TestOriginDiffers: the preset has the choices of the original program where the description is
// ambiguous.
func TestOriginDiffers(t *testing.T) {
	t.Parallel()
	text := `memory('world_set.npc', '老铁匠', {"物品": {"锤": {"num": 1}}}); memory('global_set.背包.火把', 'num', -1);
set_status('天气', '42'); memory('world_set.npc.老铁匠.描述', '详', 1); delete('world_set', 'x');`
	d, res := memvars.Apply(standard(t), text, memvars.AI, memvars.Origin())
	if n := len(res.Rejected()); n != 0 {
		t.Errorf("rejected %+v", res.Rejected())
	}
	for path, want := range map[string]string{
		"assa_data.world_set.npc.老铁匠.物品":    `{"锤":{"num":1}}`,
		"assa_data.world_set.npc.老铁匠.描述":    `{"info":"手艺好脾气怪","详":1}`,
		"assa_data.global_set.背包.火把.num":    "-1",
		"stat_data.天气":                      "42",
		"play_character_data.衍生属性段.先攻":      "5",
		"play_character_data.衍生属性段.速度.基础速度": "5",
	} {
		got, _ := d.Get(path)
		if v, err := tree.Of(got); err != nil || v.String() != want {
			t.Errorf("%s is %s, want %s", path, v, want)
		}
	}
}

// TestOwnProfile: a card with different names brings its own profile (MV-32).
func TestOwnProfile(t *testing.T) {
	t.Parallel()
	p := memvars.DefaultProfile()
	p.Status, p.Assets, p.Inventory = "now", "world", tree.Path{"bag"}
	p.Structural = nil
	p.LeafRules = []memvars.LeafRule{{Path: tree.Path{"now", "pair"}, Leaf: false}, {Path: tree.Path{"world", "leaf"}, Leaf: true}}
	sys, problems := memvars.Compile(memvars.Options{Profile: &p})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	d := load(t, []byte(`{"now":{"pair":["a","b"],"n":[1,"d"]},"world":{"bag":{"rope":{"num":1}},"leaf":[1,"d"]}}`))
	d, res := sys.Apply(d, `set_status('pair[1]', 'c'); set_status('n', 2); memory('bag.rope', 'num', 0)`, memvars.AI)
	if got := d.String(); len(res.Rejected()) > 0 || got != `{"now":{"pair":["a","c"],"n":[2,"d"]},"world":{"bag":{},"leaf":[1,"d"]}}` {
		t.Error(got, res.Rejected())
	}
	if got := sys.Read(d, tree.Path{"world", "leaf"}).String(); got != "1" {
		t.Error(got)
	}
}

// TestStateIsTheWholeMemory: document and state, written and read as JSON in the middle of a
// campaign, lead to the same end (MV-20).
func TestStateIsTheWholeMemory(t *testing.T) {
	t.Parallel()
	sys := defaultSystem(t)
	r := rng(10)
	doc := standard(t)
	state := sys.Begin(doc)
	stored, storedState := doc, state
	for range 30 {
		text := commands(r, 3)
		doc, _ = sys.Apply(doc, text, memvars.AI)
		doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{Reply: text})

		stored, _ = sys.Apply(stored, text, memvars.AI)
		stored, storedState, _ = sys.EndTurn(stored, storedState, memvars.Turn{Reply: text})
		data, err := json.Marshal(storedState)
		if err != nil {
			t.Fatal(err)
		}
		storedState = memvars.State{}
		if err := json.Unmarshal(data, &storedState); err != nil {
			t.Fatal(err)
		}
		stored = load(t, []byte(stored.String()))
	}
	if doc.String() != stored.String() {
		t.Error("the stored campaign went another way")
	}
}

// TestConcurrentUse: one system and one document are used by many campaigns.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	sys := defaultSystem(t)
	start := standard(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rng(uint64(i % 2))
			doc, state := start, sys.Begin(start)
			for range 20 {
				text := commands(r, 3)
				doc, _ = sys.Apply(doc, text, memvars.AI)
				doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{Reply: text})
				_ = sys.Render(start, memvars.RenderOptions{Format: "yaml"})
			}
		})
	}
	wg.Wait()
	if !start.Equal(standard(t)) {
		t.Error("the shared document changed")
	}
}
