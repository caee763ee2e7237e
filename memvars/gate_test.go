package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// guarded is a document in which the rules of guardedSystem close four nodes.
const guarded = `{
	"play_character_data": {"purse": [{"gold": [5, "coins"], "locked": [1, "x"]}, "all money"]},
	"stat_data": {
		"a": {"locked": 1, "free": 2},
		"b": [{"locked": 1, "free": 2}, "a leaf that holds an object"],
		"c": {"list": [1, 2, 3]},
		"world_shard": {"task": {"time_left": [3, ""], "start_date": ["1月1日", ""], "progress": [0, ""]}}
	},
	"assa_data": {
		"world_set": {"npc": {"king": {"mood": 1, "list": [1, 2]}, "bob": {"mood": 1}}, "settings": {"s": 1}},
		"global_set": {"npc": {"x": {"mood": 2}}, "背包": {"rope": {"num": 2}}},
		"summary": {"small": {"k": "v"}, "big": {"k": "v"}},
		"map": {"全局地点表": {"p": 1}, "主要地点表": ["p"]},
		"free": {"z": {"mood": 9}, "list": [1, {"mood": 2}, 3]},
		"vault": {"z": {"mood": 1}},
		"config": {"flags": {"clean_small_flag": true}, "small_to_big_count": 5}
	}}`

func guardedSystem(t *testing.T, o memvars.Options) *memvars.System {
	t.Helper()
	for _, path := range []string{"world_set.npc.king", "vault", "a.locked", "stat_data.b.locked", "c.list[1]",
		"free.list[1]", "purse.locked"} {
		o.Rules = append(o.Rules, memvars.Rule{Actor: memvars.AI, Path: path})
	}
	o.Dialects = []memvars.Dialect{mvu.Dialect(mvu.Options{})}
	sys, problems := memvars.Compile(o)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return sys
}

// TestRulesProtectNodes writes to, through, around and over nodes that the rules close, in every
// form of the languages: nothing changes, and the answer is always the same (MV-30).
func TestRulesProtectNodes(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(guarded))
	for _, o := range []memvars.Options{
		{}, {MoveOverwrite: true, Merge: "replace"}, {AutoCreate: true, Merge: "shallow", ScalarParent: "wrap"},
	} {
		sys := guardedSystem(t, o)
		for _, text := range []string{
			`memory('world_set.npc', 'king', {"mood": 5})`,
			`memory('world_set.npc.king', 'mood', 5)`,
			`memory('world_set.npc.king.mood', 5)`,
			`memory('world_set.npc["king"].mood', 5)`,
			`memory('assa_data.world_set.npc.king.mood', 5)`,
			`memory(' world_set . npc . k\\ing ', 'mood', 5)`,
			`memory('world\_set.npc.king', 'list', [1])`,
			`memory('world_set.npc.king.list', '-', 3)`,
			`memory('world_set.npc.king', 'new', 1)`,
			`memory('world_set.npc', {"king": {"mood": 5}})`,
			`memory('world_set.npc', {"bob": {"mood": 1}, "king": {"mood": 5}})`,
			`memory('world_set', 'npc', {"king": {"mood": 5}})`,
			`memory('world_set.npc', 'king', null)`,
			`memory('world_set.npc', 'king', 'dead')`,
			`memory('world_set.npc.bob', 'world_set.npc.king.bob')`,
			`memory('world_set.npc.king', 'world_set.npc.queen')`,
			`memory('world_set.npc.king.mood', 'world_set.npc.bob.anger')`,
			`memory('world_set.npc.king', 'free.king')`,
			`memory('free.z', 'vault.z')`,
			`memory('free.z', 'vault.new')`,
			`memory('free.z', 'vault.new.deep.er')`,
			`memory('free.z', 'world_set.npc.king')`,
			`memory('free.list[0]', 'free.list.1')`,
			`delete('world_set.npc', 'king')`,
			`delete('world_set.npc.king')`,
			`delete('world_set.npc', 'all')`,
			`delete('world_set.npc.king', 'all')`,
			`delete('world_set.npc.king.list', '0')`,
			`delete('world_set.npc.king', 'mood')`,
			`delete('free.list', '0')`,
			`delete('free.list', 'all')`,
			`set_status('a.locked', 5)`,
			`set_status('a', {"locked": 5})`,
			`set_status('a["locked"]', 5)`,
			`set_status('a', null)`,
			`set_status('b.locked', 5)`,
			`set_status('b[0].locked', 5)`,
			`set_status('b', {"locked": 5})`,
			`set_status('b[0]', {"free": 1, "locked": 5})`,
			`set_status('b', [{"locked": 5}, "x"])`,
			`set_status('b', null)`,
			`set_status('c.list', [1, 9, 3])`,
			`set_status('c.list', [])`,
			`set_status('c.list[1]', 9)`,
			`set_attribute('purse.locked', 9)`,
			`set_attribute('purse[0].locked[0]', 9)`,
			`set_attribute('purse', {"locked": 9})`,
			`set_attribute('purse', {"locked": [9, "y"], "gold": 1})`,
			`_.set('a.locked', 5);`,
			`_.set('a', {"locked": 5});`,
			`_.set('b[0].locked', 5);`,
			`_.delete('a.locked');`,
			`_.set('b', [{"locked": 5}, "x", 1]);`,
			`_.delete('c.list', 0);`,
			`_.insert('c.list', 0, 7);`,
			`_.add('a.locked', 5);`,
			`_.assign('a', 'locked', 5);`,
			`<JsonPatch>[{"op":"replace","path":"/a/locked","value":5}]</JsonPatch>`,
			`<JsonPatch>[{"op":"replace","path":"","value":{}}]</JsonPatch>`,
			`<JsonPatch>[{"op":"move","from":"/a/locked","path":"/a/other"}]</JsonPatch>`,
			`<JsonPatch>[{"op":"add","path":"/a/free","value":3},{"op":"remove","path":"/a/locked"}]</JsonPatch>`,
		} {
			after, res := sys.Apply(doc, text, memvars.AI)
			if !after.Same(doc) {
				t.Errorf("%s changed %v", text, tree.Diff(doc, after))
			}
			for _, c := range res.Calls {
				if c.Status == memvars.Applied || len(res.Calls) != 1 {
					t.Errorf("%s: %+v", text, res.Calls)
				}
				if c.Code != memvars.PermissionDenied && o.Merge == "" {
					t.Errorf("%s: %s %s, want permission_denied", text, c.Status, c.Code)
				}
			}
		}
	}
}

// TestRulesLeaveTheRest: nodes without a rule may be written, also next to closed nodes, and an
// exception may precede the rule (MV-30).
func TestRulesLeaveTheRest(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(guarded))
	sys := guardedSystem(t, memvars.Options{Rules: []memvars.Rule{{Path: "world_set.npc.king.mood", Allow: true}}})
	for _, tt := range []struct{ reason, text, want string }{
		{"a sibling", `memory('world_set.npc', 'bob', {"mood": 2})`, "applied"},
		{"an ancestor with a value that leaves the node as it is",
			`memory('world_set.npc', {"king": {"mood": 1}, "bob": {"mood": 2}})`, "applied"},
		{"the exception", `memory('world_set.npc.king', 'mood', 2)`, "applied"},
		{"a new node beside it", `memory('world_set', 'npc', {"amy": {"mood": 2}})`, "applied"},
		{"the other member of a leaf", `set_status('b.free', 5)`, "applied"},
		{"and of the leaf as a whole", `set_status('b', {"free": 5})`, "applied"},
		{"behind the closed element", `delete('free.list', '2')`, "applied"},
		{"the exception of another language", `_.set('a.free', 5);`, "applied"},
	} {
		_, res := sys.Apply(doc, tt.text, memvars.AI)
		if got := string(res.Calls[0].Status); got != tt.want {
			t.Errorf("%s: %s: %+v", tt.reason, tt.text, res.Calls)
		}
		if _, res = sys.Apply(doc, `memory('vault', 'z', 1)`, memvars.User); res.Calls[0].Status != memvars.Applied {
			t.Errorf("the player is not bound: %+v", res.Calls)
		}
	}
}

// TestRuleOfOneCommand: a rule about one command applies to the commands of a dialect by their
// effect.
func TestRuleOfOneCommand(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{
		Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})},
		Rules:    []memvars.Rule{{Op: "delete", Path: "a"}, {Op: "set_status", Path: "c"}},
	})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	doc := load(t, []byte(guarded))
	for text, want := range map[string]memvars.Code{
		`_.remove('a.free');`:    memvars.PermissionDenied,
		`_.set('a.free', 3);`:    "",
		`_.insert('c.list', 4);`: memvars.PermissionDenied,
		`_.insert('a', 'n', 4);`: "",
		`set_status('a.free',3)`: "",
	} {
		if _, res := sys.Apply(doc, text, memvars.AI); res.Calls[0].Code != want {
			t.Errorf("%s: %+v, want %q", text, res.Calls, want)
		}
	}
	_, problems = memvars.Compile(memvars.Options{Rules: []memvars.Rule{{Op: "remove"}}})
	if bad := problems.Of("bad_rule"); len(bad) != 1 || bad[0].Path != "rules[0].op" {
		t.Errorf("a rule about no command: %v", problems)
	}
	_, problems = memvars.Compile(memvars.Options{Rules: []memvars.Rule{{Path: "assa_data.npc.*.secret"}}})
	if bad := problems.Of("bad_rule"); len(bad) != 1 || bad[0].Path != "rules[0].path" {
		t.Errorf("a rule with a wildcard: %v", problems)
	}
}

// TestFrameStays: a branch of the frame can be filled but never replaced, by any command of model
// or player (MV-16).
func TestFrameStays(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(guarded))
	for _, o := range []memvars.Options{{}, {MoveOverwrite: true, Merge: "replace"}} {
		sys, problems := memvars.Compile(o)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		for _, by := range []memvars.Actor{memvars.AI, memvars.User} {
			for _, text := range []string{
				`memory('summary', 'small', null)`, `memory('summary', 'small', 'x')`, `memory('summary', 'small', [])`,
				`memory('summary.big', 5)`, `memory('global_set', '背包', 5)`, `memory('global_set', 'npc', null)`,
				`memory('map', '全局地点表', 7)`, `memory('map.全局地点表', [])`, `memory('map', '主要地点表', {})`,
				`memory('world_set', 'settings', [1])`, `memory('world_set.npc', true)`,
				`memory('free.z.mood', 'global_set.npc')`, `memory('free.list', 'global_set.npc')`,
			} {
				after, res := sys.Apply(doc, text, by)
				code := res.Calls[0].Code
				if o.MoveOverwrite == strings.Contains(text, "free") && (!after.Same(doc) || code != memvars.StructuralBranch) {
					t.Errorf("%s by %s: %+v", text, by, res.Calls)
				}
			}
			for _, text := range []string{
				`memory('summary', 'small', {"n": "w"})`, `memory('map', '主要地点表', ["q"])`, `memory('world_set', 'npc', {"n": 1})`,
			} {
				if _, res := sys.Apply(doc, text, by); res.Calls[0].Status != memvars.Applied {
					t.Errorf("%s by %s: %+v", text, by, res.Calls)
				}
			}
		}
		if _, res := sys.Apply(doc, `memory('summary', 'small', null)`, memvars.Host); res.Calls[0].Status != memvars.Applied {
			t.Errorf("the host may: %+v", res.Calls)
		}
	}
	// A damaged document can be repaired, but not damaged further.
	broken := load(t, []byte(`{"assa_data":{"summary":{"small":null,"big":"x"},"global_set":{}}}`))
	for text, want := range map[string]memvars.Status{
		`memory('summary', 'small', {"a": "b"})`: memvars.Applied, `memory('summary', 'small', 5)`: memvars.Rejected,
		`memory('summary', 'big', {"a": "b"})`: memvars.Applied, `memory('summary', 'big', 'y')`: memvars.Rejected,
		`memory('global_set', '背包', {})`: memvars.Applied, `memory('global_set', 'npc', 'nobody')`: memvars.Rejected,
	} {
		if _, res := memvars.Apply(broken, text, memvars.AI, memvars.Options{}); res.Calls[0].Status != want {
			t.Errorf("%s: %+v, want %s", text, res.Calls, want)
		}
	}
}

// TestGuardedWithinAncestors: config, the fields of the clock and computed fields cannot be written
// as part of something larger either (MV-06, MV-07).
func TestGuardedWithinAncestors(t *testing.T) {
	t.Parallel()
	profile := memvars.DefaultProfile()
	profile.Config = tree.Path{"engine", "config"}
	profile.Structural = append(profile.Structural, tree.Path{"deep", "er", "est"})
	sys, problems := memvars.Compile(memvars.Options{Profile: &profile, AutoCreate: true,
		Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	doc := load(t, []byte(`{
		"play_character_data": {"属性段": {"生理属性": {"力量": {"基础": [9, ""], "传奇": [1, ""]}}},
			"衍生属性段": {"先攻": [1, ""], "生命值": {"上限": [10, ""], "当前": [5, ""]}}},
		"stat_data": {"world_shard": {"task": {"time_left": [3, ""], "progress": [0, ""]}}, "p": {"_is_protected": true, "x": 1, "t": "x"}},
		"assa_data": {"engine": {"config": {"flags": {"f": true}, "n": 1}}, "deep": {"er": {"est": {"x": 1}}}}}`))
	for _, tt := range []struct {
		by         memvars.Actor
		text, code string
	}{
		{memvars.AI, `memory('engine', 'config', {"n": 2})`, "permission_denied"},
		{memvars.AI, `memory('engine', 'config', 5)`, "permission_denied"},
		{memvars.User, `memory('engine', 'config', {"flags": {"f": false}})`, "permission_denied"},
		{memvars.User, `memory('engine', 'config', 5)`, "permission_denied"},
		{memvars.User, `memory('engine', 'config', {"n": 2})`, ""},
		{memvars.User, `delete('engine', 'config')`, "permission_denied"},
		{memvars.AI, `delete('engine', 'all')`, "structural"},
		{memvars.User, `delete('engine', 'all')`, "permission_denied"},
		{memvars.User, `memory('engine', 'deep.engine')`, "permission_denied"},
		{memvars.User, `memory('engine.config', 'deep.config')`, "permission_denied"},
		{memvars.AI, `memory('engine.config', 'deep.config')`, "permission_denied"},
		{memvars.User, `delete('engine.config', 'n')`, "permission_denied"},
		{memvars.Host, `memory('engine', 'deep.engine')`, ""},
		{memvars.AI, `delete('deep', 'er')`, "structural"},
		{memvars.AI, `delete('deep.er', 'all')`, "structural"},
		{memvars.AI, `memory('deep.er', 'deep.up')`, "structural"},
		{memvars.User, `delete('deep', 'er')`, ""},
		{memvars.AI, `set_status('world_shard.task', null)`, "readonly_auto"},
		{memvars.AI, `set_status('world_shard', null)`, "readonly_auto"},
		{memvars.AI, `set_status('world_shard.task.start_date', '1月1日')`, "readonly_auto"},
		{memvars.AI, `set_status('world_shard.task.start_date[0]', '1月1日')`, "readonly_auto"},
		{memvars.AI, `_.set('world_shard.task.time_left', 9);`, "readonly_auto"},
		{memvars.AI, `_.set('world_shard', 9);`, "readonly_auto"},
		{memvars.AI, `_.set('p', 9);`, "protected"},
		{memvars.AI, `_.delete('p');`, "protected"},
		{memvars.AI, `_.set('p._is_protected', false);`, "protected"},
		{memvars.AI, `_.set('world_shard.task.progress[1]', 9);`, "pair_shape"},
		{memvars.User, `_.set('p._is_protected', false);`, ""},
		{memvars.AI, `_.set('p.x', 9);`, ""},
		{memvars.AI, `_.set('p.t', '` + memvars.Placeholder + `');`, "placeholder_write"},
		{memvars.User, `set_attribute('衍生属性段', null)`, "readonly_derived"},
		{memvars.User, `set_attribute('衍生属性段.生命值', null)`, "readonly_derived"},
		{memvars.AI, `set_attribute('属性段.生理属性.力量', null)`, "readonly_derived"},
		{memvars.AI, `set_attribute('属性段', null)`, "readonly_derived"},
		{memvars.AI, `set_attribute('衍生属性段.生命值.当前', 4)`, ""},
	} {
		_, res := sys.Apply(doc, tt.text, tt.by)
		if c := res.Calls[0]; string(c.Code) != tt.code || (tt.code == "") != (c.Status == memvars.Applied) {
			t.Errorf("%s by %s: %+v, want %q", tt.text, tt.by, c, tt.code)
		}
	}
}

// TestMoveDoesNotLiftProtection: a move onto the flag counts as a write of the flag (MV-22).
func TestMoveDoesNotLiftProtection(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(`{"assa_data":{"n":{"k":{"_is_protected":true,"x":false}}}}`))
	after, res := memvars.Apply(doc, `memory('n.k.x', 'n.k._is_protected')`, memvars.AI,
		memvars.Options{MoveOverwrite: true})
	if !after.Same(doc) || res.Calls[0].Code != memvars.ProtectedNode {
		t.Errorf("%s %+v", after, res.Calls)
	}
}
