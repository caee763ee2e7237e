package memvars_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// hostile is the number of hostile messages; a release tries 200000.
var hostile = flag.Int("hostile", testkit.Cases(5000, 1000), "hostile messages to try")

// fortress has nodes that the rules of fortressRules close, branches of the frame, protected nodes,
// and hidden nodes: all hidden texts begin with sec_.
const fortress = `{
	"play_character_data": {"purse": [{"gold": [5, "coins"], "locked": [1, "x"]}, "all money"], "_sec_luck": [7, ""]},
	"stat_data": {
		"a": {"locked": 1, "free": 2, "deep": {"locked": {"x": [1, "y"]}, "free": 1}},
		"b": [{"locked": 1, "free": 2}, "a leaf that holds an object"],
		"c": {"list": [1, {"k": 2}, 3], "free": [1, 2]},
		"plan": {"_showInEJS": false, "sec_traitor": 471101, "sec_code": ["sec_word", ""], "n": 3},
		"_sec_seed": 471102,
		"p": {"_is_protected": true, "x": 1, "y": {"_is_protected": "TRUE", "z": 1}},
		"日期": ["3月1日", ""], "时间": ["12:00", ""],
		"world_shard": {"name": "w", "task": {"time_limit": [3, ""], "time_left": [3, ""], "start_date": ["3月1日", ""]}}
	},
	"assa_data": {
		"world_set": {"npc": {"king": {"mood": 1, "list": [1, 2], "bag": {"x": {"num": 1}}}, "bob": {"mood": 1, "_is_protected": true}},
			"settings": {"s": 1}},
		"global_set": {"npc": {"x": {"mood": 2}, "amy": {"_showInEJS": "false", "sec_hat": 471103}}, "settings": {}, "背包": {"rope": {"num": 2}}},
		"summary": {"small": {"k": "v"}, "big": {"b1": "v", "sec_b2": "sec_big"}},
		"map": {"全局地点表": {"p": {"resources": {"ore": ["1/d", 3]}}}, "主要地点表": ["p"]},
		"free": {"z": {"mood": 9}, "list": [1, {"mood": 2}, 3], "t": "text", "nil": null},
		"vault": {"z": {"mood": 1}},
		"config": {"flags": {}, "counters": {}, "hide_latest_count": 1, "small_to_big_count": 500}
	}}`

func fortressRules() []memvars.Rule {
	var out []memvars.Rule
	for _, path := range []string{"world_set.npc.king", "vault", "a.locked", "a.deep.locked", "stat_data.b.locked", "c.list[1]",
		"free.list[1]", "purse.locked", "not.yet.there"} {
		out = append(out, memvars.Rule{Actor: memvars.AI, Path: path})
	}
	return out
}

// closed are the nodes that the rules close, as paths in the document.
var closed = []tree.Path{
	{"assa_data", "world_set", "npc", "king"}, {"assa_data", "vault"}, {"stat_data", "a", "locked"},
	{"stat_data", "a", "deep", "locked"}, {"stat_data", "b", "0", "locked"}, {"stat_data", "c", "list", "1"},
	{"assa_data", "free", "list", "1"}, {"play_character_data", "purse", "0", "locked"},
	{"assa_data", "not", "yet", "there"}, {"stat_data", "not", "yet", "there"}, {"assa_data", "config"},
	{"stat_data", "world_shard", "task", "time_left"}, {"stat_data", "world_shard", "task", "start_date"},
}

// frame are the branches that must stay containers of their kind.
var frame = []string{"world_set", "global_set", "summary", "map", "free", "vault", "config", "world_set.npc", "world_set.settings",
	"global_set.npc", "global_set.settings", "global_set.背包", "summary.small", "summary.big", "map.全局地点表", "map.主要地点表"}

// hostileMessage builds a message from pieces of commands, most of them readable.
func hostileMessage(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	path := func() string {
		p := pick("world_set.npc.king", "world_set.npc", "world_set", "vault", "vault.z", "free", "free.list", "free.list[1]", "free.list.0",
			"free.z", "free.t", "free.nil", "a", "a.locked", "a.deep", "a.deep.locked", "b", "b[0]", "b[0].locked", "b.locked", "b[1]", "c", "c.list",
			"c.list[1]", "c.list[0]", "plan", "plan.sec_traito", "plan.n", "_sec_see", "_sec_sed", "p", "p.y", "p._is_protected", "purse", "purse.locked", "purse[0]",
			"global_set.npc", "global_set.npc.amy", "global_set.npc.amy.sec_ha", "summary.small", "summary.big", "summary.big.sec_b1", "map", "map.全局地点表",
			"map.主要地点表", "config", "config.flags", "global_set.背包", "not", "not.yet", "not.yet.there", "world_shard", "world_shard.task",
			"world_shard.task.time_left", "world_shard.task.start_date", "world_set.npc.bob", "world_set.npc.bob._is_protected", "x.y.z", "日期")
		switch r.IntN(12) {
		case 0:
			p = pick("assa_data.", "stat_data.", "play_character_data.") + p
		case 1:
			p = strings.ReplaceAll(p, ".", pick(" . ", ". ", `\\.`, `"]["`, `.`))
		case 2:
			p += pick(".x", "[0]", ".0", ".-", "[1]", `["locked"]`, ".locked", ".king", ".mood", "")
		case 3:
			p = strings.ReplaceAll(p, "k", `\\k`)
		case 4:
			p = strings.ReplaceAll(p, "_", `\_`)
		}
		return p
	}
	var value func(depth int) string
	key := func() string {
		return pick("king", "npc", "locked", "free", "mood", "all", "0", "1", "-", "z", "list", "x", "deep", "_is_protected", "small", "big", "背包",
			"flags", "sec_traito", "sec_hatt", "time_left", "task", "yet", "there", "num", "bob", "settings", "there.x")
	}
	value = func(depth int) string {
		if depth > 3 {
			return "1"
		}
		switch r.IntN(9) {
		case 0:
			return pick("null", "true", "false", "undefined")
		case 1:
			return pick("0", "-1", "5", "1e3", "９")
		case 2, 3, 4:
			return `{"` + key() + `": ` + value(depth+1) + `, "` + key() + `": ` + value(depth+1) + `}`
		case 5:
			return "[" + value(depth+1) + ", " + value(depth+1) + "]"
		case 6:
			return `"` + pick("text", "5", "true", "", "FALSE") + `"`
		case 7:
			return pick(`["x", "y"]`, "[]", "{}", `[{"locked": 9}, "d"]`, `{"_is_protected": false}`, `{"locked": 9}`)
		}
		return pick("'half", `{"a": `, "bare", "'"+memvars.Placeholder+"'", "（", "<think>")
	}
	quote := func(s string) string { m := pick("'", "'", `"`, "`"); return m + s + m }
	var b strings.Builder
	for range 1 + r.IntN(4) {
		switch r.IntN(14) {
		case 0, 1:
			fmt.Fprintf(&b, "%s(%s, %s)", pick("set_status", "set_attribute"), quote(path()), value(0))
		case 2:
			fmt.Fprintf(&b, "set_status(%s, %s, %s)", path(), value(0), value(0))
		case 3, 4:
			fmt.Fprintf(&b, "memory(%s, %s, %s)", quote(path()), quote(key()), value(0))
		case 5:
			fmt.Fprintf(&b, "memory(%s, %s)", quote(path()), value(0))
		case 6, 7:
			fmt.Fprintf(&b, "memory(%s, %s)", quote(path()), quote(path()+pick("", ".", "."+key())))
		case 8:
			fmt.Fprintf(&b, "delete(%s, %s)", quote(path()), quote(key()))
		case 9:
			fmt.Fprintf(&b, "delete(%s)", quote(path()))
		case 10:
			fmt.Fprintf(&b, "_.%s(%s, %s)", pick("set", "insert", "assign", "add", "delete", "remove"), quote(path()), value(0))
		case 11:
			fmt.Fprintf(&b, "_.%s(%s, %s, %s)", pick("set", "insert", "assign"), quote(path()), quote(key()), value(0))
		case 12:
			fmt.Fprintf(&b, "_.%s(%s)", pick("delete", "remove", "unset"), quote(path()))
		case 13:
			ptr := func() string { return strings.ReplaceAll("/"+path(), ".", "/") }
			fmt.Fprintf(&b, `<JsonPatch>[{"op":"%s","path":"%s","from":"%s","value":%s},{"op":"%s","path":"%s","value":1}]</JsonPatch>`,
				pick("replace", "add", "remove", "move", "delta", "insert", "test"), ptr(), ptr(), value(0),
				pick("replace", "add", "remove"), ptr())
		}
		b.WriteString(pick(";\n", "\n", "; ", " ", ";//r\n"))
	}
	if r.IntN(3) == 0 {
		return mutate(r, b.String())
	}
	return b.String()
}

// protectedNodes counts the nodes with the flag.
func protectedNodes(v tree.Value) int {
	n := 0
	flag := v.Get("_is_protected")
	if b, _ := flag.AsBool(); b {
		n++
	} else if text, _ := flag.AsText(); strings.EqualFold(text, "true") {
		n++
	}
	for i := range v.Len() {
		n += protectedNodes(v.At(i))
	}
	return n
}

// secrets returns the texts of hidden nodes that the visible document does not contain.
func secrets(sys *memvars.System, d tree.Document) []string {
	seen := sys.Visible(d).String()
	var out []string
	for _, s := range []string{"sec_traitor", "sec_code", "sec_word", "_sec_seed", "_sec_luck", "sec_hat", "sec_b2", "sec_big",
		"471101", "471102", "471103"} {
		if !strings.Contains(seen, s) {
			out = append(out, s)
		}
	}
	return out
}

// TestHostileMessages applies random messages of a model to a document (MV-22, MV-24, MV-25,
// MV-30). No node that the rules close changes, the frame stays, and nothing protected is lost. No
// command is applied partly, and no feedback contains a hidden text.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	start := load(t, []byte(fortress))
	var systems []*memvars.System
	for _, o := range []memvars.Options{
		{}, {MoveOverwrite: true, Merge: "replace", AutoCreate: true, CheckOld: "reject"},
		{Merge: "shallow", ScalarParent: "wrap", JSONFallback: "string", Coerce: "numeric_strings", StrictTypes: new(false), SignedDelta: true},
		{ProtectChildren: true, AutoCreate: true, OnError: "abort"}, {MoveOverwrite: true, AutoCreate: true, CheckOld: "warn"},
	} {
		o.Rules = fortressRules()
		o.Dialects = []memvars.Dialect{mvu.Dialect(mvu.Options{StrictPatch: o.MoveOverwrite})}
		sys, problems := memvars.Compile(o)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		systems = append(systems, sys)
	}
	r := rng(7)
	applied, told := 0, 0
	doc, state := start, systems[0].Begin(start)
	for i := range *hostile {
		sys := systems[i%len(systems)]
		if i%25 == 0 {
			doc, state = start, sys.Begin(start)
		}
		text := hostileMessage(r)
		hidden := secrets(sys, doc)
		after, res := sys.Apply(doc, text, memvars.AI)
		if !replay(t, doc, res.Changes).Equal(after) || len(res.Changes) == 0 && !after.Same(doc) {
			t.Fatalf("the changes %v do not lead to the result of\n%s", res.Changes, text)
		}
		for _, n := range res.Notes {
			if n.Pass == "edit" {
				t.Fatalf("%s: %s of\n%s", n.Path, n.Text, text)
			}
		}
		if got := protectedNodes(after.Root()); got < protectedNodes(doc.Root()) {
			t.Fatalf("a protected node is lost by\n%s\n%v", text, tree.Diff(doc, after))
		}
		for _, c := range res.Calls {
			if c.Status == memvars.Applied {
				applied++
			}
		}
		feedback, err := json.Marshal(sys.Feedback(res.Calls))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range hidden {
			if strings.Contains(string(feedback), s) && !strings.Contains(text, s) {
				t.Fatalf("the feedback %s tells %s after\n%s", feedback, s, text)
			}
		}
		told += len(sys.Feedback(res.Calls))
		for _, p := range closed {
			if now, old := after.Lookup(p), start.Lookup(p); now.Exists() != old.Exists() || !now.Equal(old) {
				t.Fatalf("%s is %v after\n%s", p, now, text)
			}
		}
		for _, name := range frame {
			p, err := tree.ParsePath("assa_data." + name)
			if err != nil {
				t.Fatal(err)
			}
			if now, old := after.Lookup(p).Kind(), start.Lookup(p).Kind(); now != old {
				t.Fatalf("%s is %s after\n%s", p, now, text)
			}
		}
		if again, err := tree.ParseDocument([]byte(after.String())); err != nil || !again.Equal(after) {
			t.Fatalf("the document does not read back after\n%s\n%v", text, err)
		}
		doc = after
		_, state, _ = sys.EndTurn(doc, state, memvars.Turn{Reply: text})
	}
	t.Logf("%d messages: %d commands applied, %d refused ones told", *hostile, applied, told)
	if applied < *hostile/10 || told < *hostile/10 {
		t.Error("the messages are too harmless to show anything")
	}
}
