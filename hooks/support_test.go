package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
)

func member(key string, v memvars.Value) memvars.Member { return memvars.Member{Key: key, Value: v} }

func orNull(v memvars.Value) memvars.Value {
	if !v.Exists() {
		return memvars.Null
	}
	return v
}

func textList(texts []string) memvars.Value {
	var out []memvars.Value
	for _, s := range texts {
		out = append(out, memvars.Text(s))
	}
	return memvars.Array(out...)
}

// objectVars reads variables from an object, by dot path.
type objectVars struct{ object memvars.Value }

func (v objectVars) Get(path string) (any, bool) {
	found := v.object.Lookup(strings.Split(path, "."))
	return found, found.Exists()
}

func setMember(t *testing.T, object memvars.Value, key string, v memvars.Value) memvars.Value {
	t.Helper()
	doc, err := memvars.NewDocument(object)
	if err != nil {
		t.Fatal(err)
	}
	edit := doc.Edit()
	if err := edit.Set(memvars.Path{key}, v); err != nil {
		t.Fatal(err)
	}
	return edit.Document().Root()
}

// value reads a JSON text that must be right.
func value(text string) memvars.Value {
	v, err := memvars.ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// mustCompile compiles a JSON list of hooks that has no mistakes.
func mustCompile(t testing.TB, actions *hooks.Actions, text string) *hooks.Set {
	t.Helper()
	list, problems := hooks.Decode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set, problems := hooks.Compile(list, actions)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

// single compiles one hook for all events, with these conditions and actions, and
// whatever is wrong with it.
func single(conditions memvars.Value, actions ...hooks.Action) *hooks.Set {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "h", Name: "h", Event: hooks.On("*"), Conditions: conditions, Actions: actions,
	}}, nil)
	return set
}

// emit runs the hooks for an event in a new turn.
func emit(t testing.TB, set *hooks.Set, event hooks.Event, env hooks.Env) hooks.Result {
	t.Helper()
	return hooks.Run(t.Context(), set, event, hooks.State{}, env)
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
