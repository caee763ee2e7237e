package setting_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

func value(t testing.TB, text string) tree.Value {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func snapshot(t testing.TB, text string) setting.Snapshot {
	t.Helper()
	out := setting.Snapshot{}
	maps.Insert(out, value(t, text).Members())
	return out
}

// TestBuiltin is the table of the settings (CA-09): key, type, default, the extreme values that are
// allowed, and the first values that are refused.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	listed := 0
	for _, c := range []struct{ key, typ, def, good, bad string }{
		{"alternatives.keep_rolls", "bool", `true`, `false`, `1`},
		{"alternatives.max", "int", `10`, `1`, `0`},
		{"cast.auto_replies", "int", `0`, `100`, `101`},
		{"cast.cards", "enum", `"swap"`, `"join_muted"`, `"all"`},
		{"cast.order", "enum", `"natural"`, `"pooled"`, `"random"`},
		{"cast.self_reply", "bool", `false`, `true`, `1`},
		{"conflict.ask", "enum", `"doubtful"`, `"all"`, `"always"`},
		{"conflict.detectors", "json", `{}`, `{"hp": "warn", "life": "off"}`, `{"hp": "loud"}`},
		{"conflict.claims", "enum", `"off"`, `"listed"`, `true`},
		{"conflict.hp_qualitative", "enum", `"warn"`, `"block"`, `"strict"`},
		{"conflict.intercept_output", "bool", `true`, `false`, `0`},
		{"conflict.judge", "enum", `"off"`, `"full"`, `"always"`},
		{"conflict.mode", "enum", `"strict"`, `"warn"`, `"block"`},
		{"context.calibrate", "bool", `true`, `false`, `"yes"`},
		{"context.compress_enabled", "bool", `false`, `true`, `"true"`},
		{"context.full_context_enabled", "bool", `true`, `false`, `null`},
		{"context.recent_turns", "int", `6`, `200`, `0`},
		{"dialog.auto_route_enabled", "bool", `false`, `true`, `1`},
		{"dialog.manual_type", "enum", `"scene"`, `"free_chat"`, `"opera"`},
		{"dialog.tool_types", "json", `["scene","action"]`, `[]`, `["scene", 5]`},
		{"memory.max_tokens", "int", `600`, `0`, `-1`},
		{"retry.max_retries", "int", `2`, `5`, `6`},
		{"retry.on_rejection", "enum", `"regenerate"`, `"commit_partial"`, `""`},
		{"rollback.max_checkpoints", "int", `10`, `0`, `101`},
		{"rules.hp_zero_ends_game", "bool", `true`, `false`, `"no"`},
		{"rules.max_hp_delta", "int", `0`, `1000000`, `-1`},
		{"tools.approval", "enum", `"declared"`, `"all"`, `"some"`},
		{"tools.max_denials", "int", `3`, `0`, `-1`},
		{"tools.native", "bool", `true`, `false`, `"json"`},
		{"turn.concurrency", "enum", `"reject"`, `"queue"`, `"wait"`},
		{"turn.max_tool_calls", "int", `8`, `0`, `1.5`},
		{"turn.max_tool_rounds", "int", `4`, `1`, `0`},
		{"turn.mode", "enum", `"single"`, `"plan_narrate"`, `"plan"`},
		{"turn.order", "enum", `"active_actor"`, `"round_robin"`, `["free"]`},
		{"variables.second_model", "bool", `false`, `true`, `"yes"`},
		{"visibility.mode", "enum", `"marked"`, `"strict"`, `"hidden"`},
	} {
		listed++
		reg := setting.Builtin()
		d, ok := find(reg, c.key)
		if !ok {
			t.Errorf("%s is not registered", c.key)
			continue
		}
		if string(d.Type) != c.typ || d.Default.String() != c.def {
			t.Errorf("%s: %s %s, want %s %s", c.key, d.Type, d.Default, c.typ, c.def)
		}
		if d.UIHint == "" || len(d.EffectTags) == 0 {
			t.Errorf("%s: no hint or no tags", c.key)
		}
		if _, _, problems := reg.Patch(nil, nil, setting.Snapshot{c.key: value(t, c.good)}); problems != nil {
			t.Errorf("%s = %s: %v", c.key, c.good, problems)
		}
		_, _, problems := reg.Patch(nil, nil, setting.Snapshot{c.key: value(t, c.bad)})
		if len(problems) != 1 || problems[0].Code != "invalid_value" || problems[0].Path != c.key {
			t.Errorf("%s = %s: %v", c.key, c.bad, problems)
		}
	}
	if n := len(setting.Builtin().Definitions()); n != listed {
		t.Errorf("%d settings are registered, %d are in the table", n, listed)
	}
}

func find(reg setting.Registry, key string) (setting.Definition, bool) {
	for _, d := range reg.Definitions() {
		if d.Key == key {
			return d, true
		}
	}
	return setting.Definition{}, false
}

// TestStrictTypes: values are not converted, except integral floats.
func TestStrictTypes(t *testing.T) {
	t.Parallel()
	reg, err := setting.Registry{}.With(
		setting.Definition{Key: "int", Type: setting.Int, Default: tree.Int(0), EffectTags: []string{"ui"}},
		setting.Definition{Key: "bool", Type: setting.Bool, Default: tree.Bool(false), EffectTags: []string{"ui"}},
		setting.Definition{Key: "text", Type: setting.String, Default: tree.Text(""), EffectTags: []string{"ui"},
			Validation: setting.Validation{MaxLen: 3}},
		setting.Definition{Key: "json", Type: setting.JSON, Default: tree.Null, EffectTags: []string{"ui"},
			Validation: setting.Validation{Text: "anything"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"int": "5 5.0 5e0 -7", "bool": "true false", "text": `"5" "" "药水瓶"`,
		"json": `true "5" 5 5.0 5e0 1.5 5e9 -5e9 null [] {} -7 "" false "药水瓶" "four"`,
	} {
		var got []string
		for _, text := range []string{`true`, `"5"`, `5`, `5.0`, `5e0`, `1.5`, `5e9`, `-5e9`, `null`, `[]`, `{}`,
			`-7`, `""`, `false`, `"药水瓶"`, `"four"`} {
			if _, _, p := reg.Patch(nil, nil, setting.Snapshot{key: value(t, text)}); p == nil {
				got = append(got, text)
			}
		}
		if sorted(got) != sorted(strings.Fields(want)) {
			t.Errorf("%s takes %s, want %s", key, got, want)
		}
	}
}

func sorted(words []string) string {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return fmt.Sprint(set) // fmt prints maps in sorted order
}

// TestPatch: a patch is all or nothing and reports its problems (CA-07, CA-09).
func TestPatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, global, campaign, patch string
		changed, auto                 string
		problems                      string
	}{
		{"one change", `{}`, `{}`, `{"retry.max_retries": 1}`, "[retry.max_retries]", "[]", ""},
		{"the same again", `{}`, `{"retry.max_retries": 1}`, `{"retry.max_retries": 1.0}`, "[]", "[]", ""},
		{"the default, said aloud", `{}`, `{}`, `{"retry.max_retries": 2}`, "[]", "[]", ""},
		{"over the installation's", `{"retry.max_retries": 5}`, `{}`, `{"retry.max_retries": 2}`,
			"[retry.max_retries]", "[]", ""},
		{"several, sorted", `{}`, `{}`, `{"turn.mode": "plan_narrate", "conflict.mode": "off"}`,
			"[conflict.mode turn.mode]", "[]", ""},
		{"compress switches full off", `{}`, `{}`, `{"context.compress_enabled": true}`,
			"[context.compress_enabled context.full_context_enabled]", "[context.full_context_enabled]", ""},
		{"full switches compress off", `{}`, `{"context.compress_enabled": true, "context.full_context_enabled": false}`,
			`{"context.full_context_enabled": true}`,
			"[context.compress_enabled context.full_context_enabled]", "[context.compress_enabled]", ""},
		{"one on, one off, both said", `{}`, `{}`,
			`{"context.compress_enabled": true, "context.full_context_enabled": false}`,
			"[context.compress_enabled context.full_context_enabled]", "[]", ""},
		{"both on", `{}`, `{}`, `{"context.compress_enabled": true, "context.full_context_enabled": true}`,
			"[]", "[]", "context.compress_enabled mutually_exclusive"},
		{"every problem, sorted", `{}`, `{}`, `{"z": 1, "turn.mode": 5, "retry.max_retries": 1, "a": 2}`,
			"[]", "[]", "a unknown_key, turn.mode invalid_value, z unknown_key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			global, before := snapshot(t, c.global), snapshot(t, c.campaign)
			next, result, problems := setting.Builtin().Patch(global, before, snapshot(t, c.patch))
			var codes []string
			for _, p := range problems {
				codes = append(codes, p.Path+" "+string(p.Code))
			}
			if got := strings.Join(codes, ", "); got != c.problems {
				t.Fatalf("problems %q, want %q", got, c.problems)
			}
			if c.problems != "" {
				if diff := cmp.Diff(fmt.Sprint(before), fmt.Sprint(next)); diff != "" {
					t.Errorf("a refused patch changed something: %s", diff)
				}
				return
			}
			if got := fmt.Sprint(result.Changed); got != c.changed {
				t.Errorf("changed %s, want %s", got, c.changed)
			}
			if got := fmt.Sprint(result.AutoChanged); got != c.auto {
				t.Errorf("auto changed %s, want %s", got, c.auto)
			}
			if got := fmt.Sprint(snapshot(t, c.campaign)); got != fmt.Sprint(before) {
				t.Error("the snapshot that was passed in has changed")
			}
		})
	}
}

// TestEffectiveValues: campaign, else installation, else default. A value that the definition
// refuses is ignored. The compressed context wins (CA-08).
func TestEffectiveValues(t *testing.T) {
	t.Parallel()
	reg := setting.Builtin()
	for _, c := range []struct{ name, global, campaign, want string }{
		{"default", `{}`, `{}`, "2"},
		{"installation", `{"retry.max_retries": 5}`, `{}`, "5"},
		{"campaign", `{"retry.max_retries": 5}`, `{"retry.max_retries": 1}`, "1"},
		{"broken campaign", `{"retry.max_retries": 5}`, `{"retry.max_retries": "1"}`, "5"},
		{"broken both", `{"retry.max_retries": 9}`, `{"retry.max_retries": true}`, "2"},
	} {
		v := reg.Freeze(snapshot(t, c.global), snapshot(t, c.campaign))
		if got := fmt.Sprint(v.Int("retry.max_retries")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for text, want := range map[string]setting.ContextMode{
		`{}`: setting.FullContext,
		`{"context.full_context_enabled": false}`:                                   setting.WindowContext,
		`{"context.full_context_enabled": false, "context.compress_enabled": true}`: setting.CompressedContext,
		`{"context.full_context_enabled": true, "context.compress_enabled": true}`:  setting.CompressedContext,
	} {
		if got := reg.Freeze(nil, snapshot(t, text)).ContextMode(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	frozen := reg.Freeze(nil, nil)
	if frozen.Get("nothing").Exists() || frozen.Bool("nothing") || frozen.Int("nothing") != 0 ||
		frozen.Text("nothing") != "" {
		t.Error("an unknown key has a value")
	}
}

// TestRegistry: a key is registered once, with a default that its definition allows. Every mistake
// is reported.
func TestRegistry(t *testing.T) {
	t.Parallel()
	even := func(v tree.Value) error {
		if n, _ := v.AsFloat(); int(n)%2 != 0 {
			return errors.New("must be even")
		}
		return nil
	}
	own := setting.Definition{Key: "house.tables", Type: setting.Int, Default: tree.Int(2),
		Validation: setting.Validation{Check: even, Text: "an even number"}, EffectTags: []string{"rules"}}
	reg, err := setting.Builtin().With(own)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, p := reg.Patch(nil, nil, setting.Snapshot{"house.tables": tree.Int(3)}); len(p) != 1 ||
		!strings.Contains(p[0].Text, "must be even") {
		t.Errorf("problems %v", p)
	}
	if _, ok := find(setting.Builtin(), "house.tables"); ok {
		t.Error("the built-in registry has changed")
	}
	odd := own
	odd.Key, odd.Default = "house.chairs", tree.Int(3)
	_, err = reg.With(own, odd, setting.Definition{})
	for _, want := range []string{"house.tables is registered already; choose a different key", "default of house.chairs",
		"definition 2 has no key; give it one"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s in %v", want, err)
		}
	}
	wider, err := reg.Allow("dialog.manual_type", "opera")
	if err != nil {
		t.Fatal(err)
	}
	patch := setting.Snapshot{"dialog.manual_type": tree.Text("opera")}
	if d, _ := find(wider, "dialog.manual_type"); !strings.Contains(d.Validation.Text, `"opera"`) {
		t.Errorf("the words say %q", d.Validation.Text)
	}
	if _, _, p := wider.Patch(nil, nil, patch); p != nil {
		t.Errorf("opera: %v", p)
	}
	if _, _, p := reg.Patch(nil, nil, patch); p == nil {
		t.Error("the narrower registry has changed")
	}
	if _, err := reg.Allow("retry.max_retries", "many"); err == nil {
		t.Error("an integer took a word")
	}
	for _, key := range []string{"conflict.detectors", "dialog.tool_types"} {
		if _, _, p := reg.Patch(nil, nil, setting.Snapshot{key: tree.Text("hp")}); p == nil {
			t.Errorf("%s is a text", key)
		}
	}
	own = setting.Definition{Key: "house.roof", Type: setting.Enum, Default: tree.Text("flat"), EffectTags: []string{"rules"},
		Validation: setting.Validation{Allowed: []string{"flat"}, Text: "as the house has it"}}
	if reg, err = reg.With(own); err != nil {
		t.Fatal(err)
	}
	if wider, err = reg.Allow("house.roof", "steep"); err != nil {
		t.Fatal(err)
	}
	if d, _ := find(wider, "house.roof"); d.Validation.Text != own.Validation.Text {
		t.Errorf("the words of an author became %q", d.Validation.Text)
	}
}

// TestDefinitionsAreChecked: the types, scopes and tags of a definition must exist.
func TestDefinitionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := setting.Registry{}.With(
		setting.Definition{Key: "type", Type: "float", Default: tree.Int(1)},
		setting.Definition{Key: "scope", Type: setting.Bool, Default: tree.Bool(true), Scope: "planet"},
		setting.Definition{Key: "tag", Type: setting.Bool, Default: tree.Bool(true), EffectTags: []string{"magic"}},
		setting.Definition{Key: "words", Type: setting.Enum, Default: tree.Text("a")},
		setting.Definition{Key: "untagged", Type: setting.Bool, Default: tree.Bool(true)},
		setting.Definition{Key: "none", Type: setting.JSON, EffectTags: []string{"ui"}, Validation: setting.Validation{Text: "anything"}},
		setting.Definition{Key: "free", Type: setting.JSON, Default: tree.Null, EffectTags: []string{"ui"}})
	for _, want := range []string{`type "float" does not exist`, `scope "planet" does not exist`,
		`effect tag "magic" does not exist`, "an enum needs its words", "untagged: effect_tags is missing", "must be a JSON value",
		"free: validation.text is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s in %v", want, err)
		}
	}
}

// TestDefinitionsAreComplete: each definition of a registry has all texts that a host shows,
// including texts that come from the type.
func TestDefinitionsAreComplete(t *testing.T) {
	t.Parallel()
	tags := []string{"ui"}
	reg, err := setting.Builtin().With(
		setting.Definition{Key: "house.open", Type: setting.Bool, Default: tree.Bool(true), EffectTags: tags},
		setting.Definition{Key: "house.doors", Type: setting.Int, Default: tree.Int(1), EffectTags: tags, Validation: setting.Validation{Min: new(1)}},
		setting.Definition{Key: "house.rooms", Type: setting.Int, Default: tree.Int(1), EffectTags: tags, Validation: setting.Validation{Max: new(9)}},
		setting.Definition{Key: "house.floor", Type: setting.Int, Default: tree.Int(1), EffectTags: tags},
		setting.Definition{Key: "house.name", Type: setting.String, Default: tree.Text(""), EffectTags: tags, UIHint: "a line of text"},
		setting.Definition{Key: "house.door", Type: setting.String, Default: tree.Text(""), EffectTags: tags, Validation: setting.Validation{MaxLen: 3}},
	)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{"house.open": "true or false", "house.doors": "a whole number from 1 on", "house.rooms": "a whole number up to 9",
		"house.floor": "a whole number", "house.name": "a text", "house.door": "a text of at most 3 characters"}
	for _, d := range reg.Definitions() {
		if d.Scope != setting.Campaign || d.Validation.Text == "" || d.UIHint == "" || len(d.EffectTags) == 0 {
			t.Errorf("%s lacks something: %+v", d.Key, d)
		}
		if want, own := words[d.Key]; own && d.Validation.Text != want {
			t.Errorf("%s: %q, want %q", d.Key, d.Validation.Text, want)
		}
	}
	if d, _ := find(reg, "house.name"); d.UIHint != "a line of text" {
		t.Errorf("the hint of the host became %q", d.UIHint)
	}
}

// TestGlobalScope: a setting of the installation has no value in a campaign.
func TestGlobalScope(t *testing.T) {
	t.Parallel()
	reg, err := setting.Registry{}.With(setting.Definition{Key: "house.language", Type: setting.String,
		Default: tree.Text("en"), Scope: setting.Global, EffectTags: []string{"ui"}})
	if err != nil {
		t.Fatal(err)
	}
	said := func(word string) setting.Snapshot { return setting.Snapshot{"house.language": tree.Text(word)} }
	if _, _, p := reg.Patch(nil, nil, said("zh")); len(p) != 1 || p[0].Code != "invalid_value" {
		t.Errorf("a campaign's patch: problems %v", p)
	}
	if got := reg.Freeze(said("zh"), said("fr")).Text("house.language"); got != "zh" {
		t.Errorf("in force is %q, want the installation's", got)
	}
}

// TestDocumentationListsEverySetting: key, default and the other words of an enum.
func TestDocumentationListsEverySetting(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	reg := setting.Builtin()
	lines := map[string]string{}
	for line := range strings.Lines(string(doc)) {
		if key, rest, ok := strings.Cut(strings.TrimPrefix(line, "//\t"), " "); ok && strings.Contains(key, ".") && strings.HasPrefix(line, "//\t") {
			lines[key] = strings.TrimSpace(rest)
		}
	}
	for _, d := range reg.Definitions() {
		line := lines[d.Key]
		delete(lines, d.Key)
		def := strings.NewReplacer(`"`, "", "[", "", "]", "", ",", ", ").Replace(d.Default.String())
		if line == "" || !strings.HasPrefix(line, def+" ") {
			t.Errorf("%s: %q does not begin with the default %s", d.Key, line, def)
		}
		for _, word := range d.Validation.Allowed {
			if !strings.Contains(line, word) {
				t.Errorf("%s: %q lacks %s", d.Key, line, word)
			}
		}
	}
	for key := range lines {
		if strings.Count(key, ".") == 1 && !strings.ContainsAny(key, `("`) {
			t.Errorf("%s is documented and no setting", key)
		}
	}
}

// TestDefinitionsAsText compares every definition, and what it says about wrong values, with
// testdata/definitions.golden.
func TestDefinitionsAsText(t *testing.T) {
	t.Parallel()
	r, err := setting.Builtin().With(
		setting.Definition{Key: "own.least", Type: setting.Int, Default: value(t, "3"), EffectTags: []string{"ui"}, Validation: setting.Validation{Min: new(2)}},
		setting.Definition{Key: "own.most", Type: setting.Int, Default: value(t, "3"), EffectTags: []string{"ui"}, Validation: setting.Validation{Max: new(4)}},
		setting.Definition{Key: "own.any", Type: setting.Int, Default: value(t, "3"), EffectTags: []string{"ui"}},
		setting.Definition{Key: "own.name", Type: setting.String, Default: value(t, `""`), EffectTags: []string{"ui", "rules"}, Scope: setting.Global, Validation: setting.Validation{MaxLen: 4}},
		setting.Definition{Key: "own.text", Type: setting.String, Default: value(t, `"a"`), EffectTags: []string{"storage"}, UIHint: "long"},
		setting.Definition{Key: "own.data", Type: setting.JSON, Default: value(t, `{}`), EffectTags: []string{"ui"}, Validation: setting.Validation{Text: "anything"}})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, d := range r.Definitions() {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s\n", text)
		for _, v := range []string{"null", "true", "-9", "1.5", "900000", "99999999999", `"opera"`, "[]", `["x", 1]`, `{"hp": 1}`, `{"": "warn"}`} {
			for i, patch := range []func(global, campaign, patch setting.Snapshot) (setting.Snapshot, setting.Result, talewright.Problems){r.Patch, r.PatchGlobal} {
				if _, _, problems := patch(nil, nil, setting.Snapshot{d.Key: value(t, v)}); len(problems) > 0 && (i == 0) == (d.Scope == setting.Campaign) {
					fmt.Fprintf(&got, "\t%s: %v\n", v, problems)
				}
			}
		}
	}
	wrong := []setting.Definition{{}, {Key: "a", Type: "colour", Scope: "local", EffectTags: []string{"x"}}, {Key: "b", Type: setting.Enum}, {Key: "c", Type: setting.JSON, EffectTags: []string{"ui"}},
		{Key: "d", Type: setting.Int, EffectTags: []string{"ui"}, Default: value(t, `"a"`)}, {Key: "alternatives.max", Type: setting.Int, EffectTags: []string{"ui"}}}
	for _, d := range wrong {
		_, err := setting.Builtin().With(d)
		fmt.Fprintf(&got, "%q: %v\n", d.Key, err)
	}
	for _, key := range []string{"alternatives.max", "nowhere", "dialog.manual_type"} {
		_, err := setting.Builtin().Allow(key, "opera", "scene")
		fmt.Fprintf(&got, "allow %s: %v\n", key, err)
	}
	testkit.Golden(t, "testdata/definitions.golden", got.String())
}
