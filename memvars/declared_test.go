package memvars_test

import (
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCheckHoldsForeignWriters: changes by a writer in a different language must respect
// protection, permissions, the frame and the declarations.
func TestCheckHoldsForeignWriters(t *testing.T) {
	const start = `{"stat_data":{"mood":["calm","of Ann"]},"purse":{"gold":10},
		"assa_data":{"config":{"flags":{}},"world_set":{"npc":{"ann":{"_is_protected":true,"age":20}},"settings":{}}}}`
	gate := bounded{name: "gold", at: tree.Path{"purse", "gold"}, max: 99}
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, value string
		by          memvars.Actor
		code        memvars.Code
		want        string // of the node
		reason      string
	}{
		{"stat_data.mood.0", `"glad"`, memvars.AI, "", `"glad"`, "a value"},
		{"stat_data.mood.1", `7`, memvars.AI, memvars.DescriptionReadonly, `"of Ann"`, "the description of a leaf"},
		{"purse.gold", `500`, memvars.AI, "", `99`, "bounds of what is declared"},
		{"purse.gold", `500`, memvars.Host, "", `99`, "bounds hold for the host too"},
		{"purse", `{"gold":500}`, memvars.AI, "", `{"gold":99}`, "within something larger"},
		{"purse.gold", `"much"`, memvars.AI, memvars.TypeMismatch, `10`, "the type of what is declared"},
		{"assa_data.config.flags", `{"x":1}`, memvars.AI, memvars.PermissionDenied, `{}`, "config is not a model's"},
		{"assa_data.world_set.npc", `{}`, memvars.AI, memvars.ProtectedNode,
			`{"ann":{"_is_protected":true,"age":20}}`, "a protected node"},
		{"assa_data.world_set.settings", `7`, memvars.AI, memvars.StructuralBranch, `{}`, "the frame"},
		{"assa_data.world_set.settings", `7`, memvars.Host, "", `7`, "the host wrote the frame"},
	} {
		path, err := tree.ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		value, err := tree.ParseValue([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		before := mustLoad(start)
		edit := before.Edit()
		if err := edit.Set(path, value); err != nil {
			t.Fatal(err)
		}
		after, refusal := sys.With(gate).Check(before, edit.Document(), c.by)
		code := memvars.Code("")
		if refusal != nil {
			code = refusal.Code
		}
		if got := after.Lookup(path).String(); code != c.code || got != c.want {
			t.Errorf("%s := %s by %s (%s): %q, %s; want %q, %s", c.path, c.value, c.by, c.reason, code, got, c.code, c.want)
		}
		if refusal != nil && !after.Same(before) {
			t.Errorf("%s (%s): refused, and yet another document", c.path, c.reason)
		}
	}
}
