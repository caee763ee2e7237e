package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

func member(key string, v tree.Value) tree.Member { return tree.Member{Key: key, Value: v} }

func orNull(v tree.Value) tree.Value {
	if !v.Exists() {
		return tree.Null
	}
	return v
}

func textList(texts []string) tree.Value {
	var out []tree.Value
	for _, s := range texts {
		out = append(out, tree.Text(s))
	}
	return tree.Array(out...)
}

// objectVars reads variables from an object, by dot path.
type objectVars struct{ object tree.Value }

func (v objectVars) Get(path string) (any, bool) {
	found := v.object.Lookup(strings.Split(path, "."))
	return found, found.Exists()
}

func setMember(t *testing.T, object tree.Value, key string, v tree.Value) tree.Value {
	t.Helper()
	doc, err := tree.NewDocument(object)
	if err != nil {
		t.Fatal(err)
	}
	edit := doc.Edit()
	if err := edit.Set(tree.Path{key}, v); err != nil {
		t.Fatal(err)
	}
	return edit.Document().Root()
}

// value reads a JSON text that must be valid.
func value(text string) tree.Value {
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// mustCompile compiles a JSON list of hooks that has no mistakes.
func mustCompile(t testing.TB, actions *act.Table, text string) *hooks.Set {
	t.Helper()
	list, problems := hooks.Parse([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set, problems := hooks.Compile(list, actions)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

// single compiles one hook for all events, with these conditions and actions. It may have mistakes.
func single(conditions tree.Value, actions ...act.Action) *hooks.Set {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "h", Name: "h", Event: hooks.On("*"), Conditions: conditions, Actions: actions,
	}}, nil)
	return set
}

// emit runs the hooks for an event in a new turn.
func emit(t testing.TB, set *hooks.Set, event act.Event, env hooks.Env) hooks.Result {
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
