package memvars_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestSentences checks single sentences of the description of the commands: the results of a
// message, call by call, and the content of some places afterwards.
func TestSentences(t *testing.T) {
	t.Parallel()
	const world = `{
		"play_character_data": {"技能段": {"生理技能": {"白刃": [2, "剑"]}}, "背": ["a", "说明"]},
		"stat_data": {
			"n": 5, "b": true, "t": "text", "none": null, "list": [1, 2], "o": {"x": 1, "y": {"z": 2}}, "pair": ["v", "d"],
			"num": [3, "数"], "obj": [{"a": 1}, "d"], "empty": ["", "d"], "blank": "",
			"world_shard": {"name": ["雾港", ""], "level": ["中", ""]}, "stat_data2": 1
		},
		"assa_data": {
			"world_set": {"npc": {"seven": {"hp": 1, "tags": ["x"], "deep": {"a": 1, "b": 2}}}, "settings": {}},
			"global_set": {"npc": {}, "settings": {}, "背包": {}}, "map": {"全局地点表": {"port": {}}, "主要地点表": {}},
			"summary": {"small": {}, "big": {"one": "x"}}, "config": {"flags": {"f": false}, "hide_latest_count": 1}, "free": {"list": [1, 2, 3], "s": "text", "nothing": null}
		},
		"other": {"x": 1}
	}`
	for _, c := range []struct {
		reason, text string
		by           memvars.Actor
		options      memvars.Options
		calls        string // status or code of each call, and its warnings
		after        string // place=value, by |
	}{
		{reason: "other root keys are kept and out of reach", text: "set_status('other.x', 2); memory('other', 'x', 2)",
			calls: "path_not_found applied", after: "other.x=1|assa_data.other.x=2"},
		{reason: "a null may be written anywhere", text: "set_status('n', null); set_status('list', null); set_status('b', null)", calls: "applied applied applied", after: "stat_data.n=null|stat_data.list=null"},
		{reason: "a number takes a numeric text, trimmed", text: "set_status('n', ' 7 ')", calls: "applied", after: "stat_data.n=7"},
		{reason: "a boolean takes the texts true and false", text: "set_status('b', 'false')", calls: "applied", after: "stat_data.b=false"},
		{reason: "the text 007 on a text stays, the number 5 becomes a number", text: "set_status('t', '007'); set_status('blank', 5)", calls: "applied applied", after: `stat_data.t="007"|stat_data.blank=5`},
		{reason: "a number takes no other text, boolean, list or object", text: "set_status('n', 'many'); set_status('n', true); set_status('n', [1]); set_status('n', {\"a\":1})",
			calls: "type_mismatch type_mismatch type_mismatch type_mismatch", after: "stat_data.n=5"},
		{reason: "a list takes no scalar, an object neither scalar nor list", text: "set_status('list', 1); set_status('o', 1); set_status('o', [1]); set_status('list', {\"a\":1})",
			calls: "type_mismatch type_mismatch type_mismatch type_mismatch"},
		{reason: "a text takes an object only while it is empty or of a leaf", text: "set_status('t', {\"a\":1}); set_status('blank', {\"a\":1}); set_status('empty', {\"a\":1})",
			calls: "type_mismatch applied applied", after: `stat_data.empty=[{"a":1},"d"]`},
		{reason: "a signed text is no number", text: "set_status('n', '+500')", calls: "type_mismatch", after: "stat_data.n=5"},
		{reason: "unless the option makes it an increment", text: "set_status('n', '+500')", options: memvars.Options{SignedDelta: true}, calls: "applied", after: "stat_data.n=505"},
		{reason: "numeric_strings makes numbers of all numeric texts", text: "set_status('t', '12')", options: memvars.Options{Coerce: "numeric_strings"}, calls: "applied", after: "stat_data.t=12"},
		{reason: "none leaves texts alone, so a number refuses them", text: "set_status('n', '7')", options: memvars.Options{Coerce: "none"}, calls: "type_mismatch"},
		{reason: "models echo the pair", text: "set_status('num', [9, '数'])", calls: "applied+repaired_json", after: `stat_data.num=[9,"数"]`},
		{reason: "a list of one element likewise", text: "set_status('num', [9])", calls: "applied", after: `stat_data.num=[9,"数"]`},
		{reason: "another list is the value", text: "set_status('pair', [['绿'], '颜色表', 3])", calls: "applied+repaired_json", after: `stat_data.pair=[[["绿"],"颜色表",3],"d"]`},
		{reason: "an object in a leaf is filled", text: "set_status('obj', {\"a\": 2, \"new\": 1})", calls: "applied+skipped_keys", after: `stat_data.obj=[{"a":2},"d"]`},
		{reason: "a path through a leaf is transparent", text: "set_status('obj.a', 3); set_status('obj[0].a', 4)", calls: "applied applied", after: `stat_data.obj=[{"a":4},"d"]`},
		{reason: "the description is read-only", text: "set_status('num[1]', 'x'); set_status('num.0', 4)", calls: "description_readonly applied", after: `stat_data.num=[4,"数"]`},
		{reason: "the middle argument is no index", text: "set_status('num', 0, 8); set_attribute('技能段.生理技能.白刃', 1, 3)", calls: "applied applied", after: `stat_data.num=[8,"数"]|play_character_data.技能段.生理技能.白刃=[3,"剑"]`},
		{reason: "an old value is compared, a literal 0 always matches", text: "set_status('n', 4, 6); set_status('n', 0, 7); set_status('n', '7', 8)", options: memvars.Options{CheckOld: "reject"}, calls: "old_mismatch applied applied", after: "stat_data.n=8"},
		{reason: "or warned about", text: "set_status('n', 4, 6)", options: memvars.Options{CheckOld: "warn"}, calls: "applied+old_mismatch", after: "stat_data.n=6"},
		{reason: "objects fill existing keys alone, a type error rejects all", text: "set_status('o', {\"x\": 2, \"q\": 1}); set_status('o', {\"x\": 3, \"y\": {\"z\": 'many'}})",
			calls: "applied+skipped_keys type_mismatch+repaired_json", after: `stat_data.o={"x":2,"y":{"z":2}}`},
		{reason: "its own module may stand in front", text: "set_status('stat_data.n', 6); set_status('assa_data.free', 1)", calls: "applied wrong_module", after: "stat_data.n=6"},
		{reason: "nothing is created", text: "set_status('new', 1); set_status('list[2]', 1); set_status('n.x', 1)", calls: "path_not_found index_out_of_range path_not_found"},
		{reason: "unless auto_create says so, for objects", text: "set_status('a.b', 1); set_status('list[2]', 1)", options: memvars.Options{AutoCreate: true}, calls: "applied index_out_of_range", after: `stat_data.a={"b":1}`},
		{reason: "memory makes parents, of a null too", text: "memory('free.a.b', 'c', 1); memory('free.nothing', 'c', 1)", calls: "applied applied", after: `assa_data.free.a={"b":{"c":1}}|assa_data.free.nothing={"c":1}`},
		{reason: "on a list an index replaces, the length or a dash appends", text: "memory('free.list', 0, 9); memory('free.list', 3, 4); memory('free.list', '-', 5); memory('free.list', 9, 1); memory('free.list', 'x', 1); memory('free.list', '01', 1)",
			calls: "applied applied applied index_out_of_range not_a_container not_a_container", after: "assa_data.free.list=[9,2,3,4,5]"},
		{reason: "a key is literal", text: "memory('free', 'St. John', 1); memory('free', 'list.x', 1)", calls: "applied applied+dotted_key", after: `assa_data.free["St. John"]=1|assa_data.free["list.x"]=1`},
		{reason: "keys are no literals, objects or blanks", text: "memory('free', true, 1); memory('free', {}, 1); memory('free', ' ', 1); memory('free', 5, 1); delete('free', null)", calls: "bad_key bad_key bad_key applied bad_key", after: "assa_data.free.5=1"},
		{reason: "an object as a path is a bad path, and the line goes on", text: "set_status({\"a\":1}, 2); set_status('n', 6)", calls: "bad_path applied", after: "stat_data.n=6"},
		{reason: "objects merge deeply, lists and scalars replace, null is stored", text: "memory('world_set.npc', 'seven', {\"hp\": null, \"tags\": [], \"deep\": {\"b\": 3}})", calls: "applied",
			after: `assa_data.world_set.npc.seven={"hp":null,"tags":[],"deep":{"a":1,"b":3}}`},
		{reason: "or shallowly", text: "memory('world_set.npc', 'seven', {\"deep\": {\"b\": 3}})", options: memvars.Options{Merge: "shallow"}, calls: "applied", after: `assa_data.world_set.npc.seven.deep={"b":3}|assa_data.world_set.npc.seven.hp=1`},
		{reason: "or not at all", text: "memory('world_set.npc', 'seven', {\"hp\": 3})", options: memvars.Options{Merge: "replace"}, calls: "applied", after: `assa_data.world_set.npc.seven={"hp":3}`},
		{reason: "an equal value changes nothing", text: "memory('free', 's', 'text'); set_status('n', 5.0)", calls: "unchanged unchanged", after: "stat_data.n=5"},
		{reason: "a scalar is no parent", text: "memory('free.s', 'x', 1)", calls: "not_a_container"},
		{reason: "unless it is wrapped", text: "memory('free.s', 'x', 1)", options: memvars.Options{ScalarParent: "wrap"}, calls: "applied", after: `assa_data.free.s={"info":"text","x":1}`},
		{reason: "small summaries never overwrite", text: "memory('summary.small', 'k', 'a'); memory('summary.small', 'k', 'b'); memory('summary.small', 'k', 'c'); memory('summary.small', 'k', 'b')",
			calls: "applied applied applied unchanged", after: `assa_data.summary.small={"k":"a","k-1":"b","k-2":"c"}`},
		{reason: "big ones may", text: "memory('summary.big', 'one', 'y')", calls: "applied", after: `assa_data.summary.big={"one":"y"}`},
		{reason: "the placeholder is never written", text: "memory('free', 'x', {\"a\": ['" + memvars.Placeholder + "']}); set_status('t', '" + memvars.Placeholder + "')", calls: "placeholder_write+repaired_json placeholder_write"},
		{reason: "a move: the source must be, and nothing moves into itself", text: "memory('free.none', 'free.x'); memory('free.list', 'free.list'); memory('world_set.npc.seven', 'world_set.npc.seven.deep.q')",
			calls: "source_not_found unchanged move_into_self"},
		{reason: "a text that is no path into a branch is a value", text: "memory('free.h', '1.8米.左右')", calls: "applied", after: `assa_data.free.h="1.8米.左右"`},
		{reason: "a rename keeps the place", text: "memory('free.list', 'free.items')", calls: "applied", after: `assa_data.free={"items":[1,2,3],"s":"text","nothing":null}`},
		{reason: "a move appends with a dash", text: "memory('free.s', 'free.list.-')", calls: "applied", after: `assa_data.free.list=[1,2,3,"text"]`},
		{reason: "a destination is not overwritten", text: "memory('free.s', 'free.list')", calls: "destination_exists"},
		{reason: "unless the option says so", text: "memory('free.s', 'free.list')", options: memvars.Options{MoveOverwrite: true}, calls: "applied", after: `assa_data.free.list="text"`},
		{reason: "deleting what is not there", text: "delete('free', 'x'); delete('none', 'x'); delete('free.list', '9')", calls: "unchanged+not_found unchanged+not_found unchanged+not_found"},
		{reason: "all empties and keeps the container", text: "delete('free.list', 'all'); delete('free.s', 'all')", calls: "applied not_a_container", after: "assa_data.free.list=[]"},
		{reason: "later elements move up", text: "delete('free.list', '0')", calls: "applied", after: "assa_data.free.list=[2,3]"},
		{reason: "the frame stays for the model", text: "delete('world_set', 'npc'); delete('summary'); delete('free', 'all'); memory('summary', 'small', 'x'); memory('world_set.npc', {\"x\": 1}); delete('global_set', '背包')",
			calls: "structural structural structural structural applied structural"},
		{reason: "the player may, but for a branch of the first level by one argument", by: memvars.User, text: "delete('world_set', 'npc'); delete('summary'); memory('summary', 'small', 'x')", calls: "applied structural structural"},
		{reason: "config is not the model's", text: "memory('config', 'hide_latest_count', 3); memory('config.flags', 'f', true); delete('config', 'hide_latest_count')", calls: "permission_denied permission_denied permission_denied"},
		{reason: "the player writes config but not its flags, and deletes nothing there", by: memvars.User, text: "memory('config', 'hide_latest_count', 3); memory('config.flags', 'f', true); delete('config', 'hide_latest_count')", calls: "applied permission_denied permission_denied"},
		{reason: "the host may all of it", by: memvars.Host, text: "memory('config.flags', 'f', true); delete('config', 'hide_latest_count')", calls: "applied applied"},
		{reason: "an unknown name with a prefix is told, without it is prose", text: "*.set_weather('雨'); set_weather('雨'); cache.delete('a', 'b'); game.set_status('n', 6)", calls: "unknown_command applied"},
		{reason: "one broken call takes its line along and no other", text: "set_status('n', 6; set_status('b', false)\nset_status('n', 7)", calls: "unexpected_token applied", after: "stat_data.n=7|stat_data.b=true"},
		{reason: "abort rolls all back", text: "set_status('n', 6); set_status('x', 1); set_status('n', 7)", options: memvars.Options{OnError: "abort"}, calls: "aborted path_not_found aborted", after: "stat_data.n=5"},
		{reason: "no calls in reasoning, comments and commented lines", text: "<think>set_status('n', 6)</think> /* set_status('n', 7) */\n - // set_status('n', 8)\nsee http://x set_status('n', 9)", calls: "applied", after: "stat_data.n=9"},
		{reason: "a closing tag hides what is before it, an open one what is behind", text: "set_status('n', 6) </think> set_status('n', 7) <reasoning a='b'> set_status('n', 8)", calls: "applied", after: "stat_data.n=7"},
		{reason: "blocks alone, if the option says so, an open one to the end", text: "set_status('n', 6) <UpdateMemory>set_status('n', 7)</updatememory> set_status('n', 8) <updateVariable> set_status('b', false)", options: memvars.Options{Blocks: "blocks_only"}, calls: "applied applied", after: "stat_data.n=7|stat_data.b=false"},
		{reason: "full-width marks and digits are tokens", text: "set_status（‘n’，６）；", calls: "applied", after: "stat_data.n=6"},
		{reason: "inner quotation marks", text: "set_status('t', 'It's Tom's knife'); set_status('pair', “他说“好”，走了”)", calls: "applied applied", after: `stat_data.t="It's Tom's knife"|stat_data.pair=["他说“好”，走了","d"]`},
		{reason: "escapes, and backslashes that are none", text: `set_status('t', 'a\n\u4e2d\x41\d\%')`, calls: "applied", after: `stat_data.t="a\n中A\\d\\%"`},
		{reason: "5. and .5 are numbers, 007 and +5 barewords", text: "set_status('n', 5.); set_status('n', .5); set_status('t', 007); set_status('blank', +5)", calls: "applied|unchanged applied applied+bare_word applied+bare_word", after: `stat_data.n=0.5|stat_data.t="007"`},
		{reason: "True, None and undefined", text: "memory('free', 'a', True); memory('free', 'b', None); memory('free', 'c', undefined)", calls: "applied applied applied", after: "assa_data.free.a=true|assa_data.free.b=null|assa_data.free.c=null"},
		{reason: "quoted JSON is decoded, what cannot be is refused or text", text: `memory('free', 'a', '{"x": [1]}'); memory('free', 'b', '{"x": }}'); memory('free', 'c', '{受伤}'); memory('free', 'd', '[昏迷]')`,
			calls: "applied bad_json applied applied", after: `assa_data.free.a={"x":[1]}|assa_data.free.c="{受伤}"|assa_data.free.d="[昏迷]"`},
		{reason: "repair", text: "memory('free', 'a', {'x': True, y： 1，, “z”: [1,2,], })", calls: "applied+repaired_json", after: `assa_data.free.a={"x":true,"y":1,"z":[1,2]}`},
		{reason: "not after the first complete value", text: `memory('free', 'a', '{"x":1} {"y":2}')`, calls: "bad_json"},
		{reason: "what is protected is not deleted, by nobody", by: memvars.Host, text: "memory('free', 'p', {\"_is_protected\": \"TRUE\", \"x\": 1}); delete('free', 'p')", calls: "applied protected"},
		{reason: "all keeps it and takes the others", text: "memory('free', 'p', {\"_is_protected\": true, \"x\": 1}); delete('free.p', 'x'); memory('world_set.settings', 'q', {\"_is_protected\": true}); memory('world_set.settings', 'r', {}); delete('world_set.settings', 'all'); delete('world_set.settings', 'all')",
			calls: "applied applied applied applied applied+protected_kept protected+protected_kept", after: `assa_data.world_set.settings={"q":{"_is_protected":true}}|assa_data.free.p={"_is_protected":true}`},
		{reason: "of an ancestor the way to what is protected stays", text: "memory('free.a.b', 'p', {\"_is_protected\": true}); memory('free.a', 'other', 1); memory('free.a.b', 'other', 2); delete('free', 'a')",
			calls: "applied applied applied applied+protected_kept", after: `assa_data.free.a={"b":{"p":{"_is_protected":true}}}`},
		{reason: "with children alone it is one level", text: "memory('free.a.b', 'p', {\"_is_protected\": true}); delete('free', 'a')", options: memvars.Options{ProtectDepth: "children"}, calls: "applied applied"},
		{reason: "the shield reaches down by option", text: "memory('free', 'p', {\"_is_protected\": true, \"x\": 1}); delete('free.p', 'x')", options: memvars.Options{ProtectChildren: true}, calls: "applied protected"},
		{reason: "merging into it is fine, replacing it is not", text: "memory('free', 'p', {\"_is_protected\": true, \"x\": 1}); memory('free', 'p', {\"y\": 2}); memory('free', 'p', 5); memory('world_set.npc', 'all', {\"in\": {\"_is_protected\": true}}); memory('world_set.npc', 'all', 5)",
			calls: "applied applied protected applied protected", after: `assa_data.free.p={"_is_protected":true,"x":1,"y":2}`},
		{reason: "the model does not lift the flag", text: "memory('free', 'p', {\"_is_protected\": true, \"x\": 1}); memory('free', 'p', {\"_is_protected\": false, \"x\": 2}); memory('free.p', '_is_protected', false); delete('free.p', '_is_protected')",
			calls: "applied applied+protected_flag protected protected", after: `assa_data.free.p={"_is_protected":true,"x":2}`},
		{reason: "the player does", by: memvars.User, text: "memory('free', 'p', {\"_is_protected\": true}); memory('free.p', '_is_protected', false); delete('free', 'p')", calls: "applied applied applied"},
		{reason: "it may be moved and arrives with its flag", text: "memory('free', 'p', {\"_is_protected\": true}); memory('free.p', 'world_set.settings.p')", calls: "applied applied", after: `assa_data.world_set.settings.p={"_is_protected":true}`},
		{reason: "it is not lost under what is moved over it", text: "memory('free', 'p', {\"_is_protected\": true}); memory('free.s', 'free.p')", options: memvars.Options{MoveOverwrite: true}, calls: "applied protected"},
		{reason: "items of which none is left go at once, categories stay", text: "memory('global_set.背包', '绳', {\"num\": 1}); memory('global_set.背包.药', '红', {\"num\": 2}); memory('global_set.背包.绳', 'num', 0); memory('global_set.背包.药.红', 'num', ['0', '个']); memory('global_set.背包.绳', 'num', 2)",
			calls: "applied applied applied applied+repaired_json applied", after: `assa_data.global_set.背包={"药":{},"绳":{"num":2}}`},
		{reason: "less than none too", text: "memory('global_set.背包', '绳', {\"num\": -1})", calls: "applied", after: `assa_data.global_set.背包={}`},
		{reason: "unless debts are kept", text: "memory('global_set.背包', '绳', {\"num\": -1})", options: memvars.Options{InventoryRemoveNegative: new(false)}, calls: "applied", after: `assa_data.global_set.背包={"绳":{"num":-1}}`},
		{reason: "direct children alone, if the option says so", text: "memory('global_set.背包.药', '红', {\"num\": 0}); memory('global_set.背包', '绳', {\"num\": 0})", options: memvars.Options{InventoryRecursive: new(false)}, calls: "applied applied", after: `assa_data.global_set.背包={"药":{"红":{"num":0}}}`},
		{reason: "protected items stay", text: "memory('global_set.背包', '绳', {\"num\": 0, \"_is_protected\": true})", calls: "applied", after: `assa_data.global_set.背包={"绳":{"num":0,"_is_protected":true}}`},
		{reason: "the first rule that fits decides, none allows, the host is free", text: "memory('free', 's', 1); memory('free.list', 0, 9); memory('free', 'list', [7])",
			options: memvars.Options{Rules: []memvars.Rule{{Actor: memvars.AI, Path: "free.list[0]", Allow: true}, {Actor: memvars.AI, Path: "free.list"}}},
			calls:   "applied applied permission_denied", after: "assa_data.free.list=[9,2,3]"},
		{reason: "rules are about commands too", text: "delete('free', 's'); memory('free', 's', 1)", options: memvars.Options{Rules: []memvars.Rule{{Op: "delete"}}}, calls: "permission_denied applied"},
		{reason: "the host is bound by none", by: memvars.Host, text: "delete('free', 's')", options: memvars.Options{Rules: []memvars.Rule{{Op: "delete"}}}, calls: "applied"},
		{reason: "calls may span lines", text: "memory('free',\r\n 'a',\r\n {\"x\":\r\n 1})", calls: "applied", after: `assa_data.free.a={"x":1}`},
	} {
		sys, problems := memvars.Compile(c.options)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		by := c.by
		if by == "" {
			by = memvars.AI
		}
		doc, res := sys.Apply(load(t, []byte(world)), c.text, by)
		var calls []string
		for _, r := range res.Calls {
			said := string(r.Status)
			if r.Status == memvars.Rejected {
				said = string(r.Code)
			} else if r.Code != "" {
				said += "+" + string(r.Code)
			}
			for _, w := range r.Warnings {
				said += "+" + string(w)
			}
			calls = append(calls, said)
		}
		ok := len(calls) == len(strings.Fields(c.calls))
		for i, want := range strings.Fields(c.calls) {
			ok = ok && slices.Contains(strings.Split(want, "|"), calls[i])
		}
		if !ok {
			t.Errorf("%s: %v, want %s", c.reason, calls, c.calls)
		}
		for _, claim := range strings.FieldsFunc(c.after, func(r rune) bool { return r == '|' }) {
			place, want, _ := strings.Cut(claim, "=")
			path, err := tree.ParsePath(place)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(doc.Lookup(path)); got != want {
				t.Errorf("%s: %s is %s, want %s", c.reason, place, got, want)
			}
		}
	}
}
