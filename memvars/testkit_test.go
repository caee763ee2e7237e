package memvars_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// standard is the character sheet and world of most tests.
func standard(tb testing.TB) tree.Document {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "conformance", "fixtures", "std.json"))
	if err != nil {
		tb.Fatal(err)
	}
	d, err := tree.ParseDocument(data)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// replay applies changes to their original document. The result must be the final document: every
// change is reported, and every report is a change.
func replay(tb testing.TB, d tree.Document, changes []tree.Change) tree.Document {
	tb.Helper()
	e := d.Edit()
	for i, c := range changes {
		path := c.Path
		old := e.Lookup(path)
		leaf := old.IsArray() && old.Len() == 2 && old.At(1).Kind() == tree.KindText &&
			path[0] != "assa_data" && c.Old.Exists() && c.New.Exists() && !old.Equal(c.Old)
		if leaf {
			path, old = path.Child("0"), old.At(0)
		}
		if !old.Equal(c.Old) && (old.Exists() || c.Old.Exists()) {
			tb.Fatalf("change %d of %s tells of %v where %v was", i, c.Path, c.Old, old)
		}
		err := error(nil)
		if c.New.Exists() {
			err = e.Set(path, c.New)
		} else {
			err = e.Delete(path)
		}
		if err != nil {
			tb.Fatalf("change %d: %v", i, err)
		}
	}
	return e.Document()
}

// commands returns random messages: mostly correct, sometimes wrong commands.
func commands(r *rand.Rand, n int) string {
	paths := []string{
		"天气", "时间", "日期", "world_shard.task.progress", "world_shard.task.time_limit", "检定难度",
		"world_shard.level", "user_character.当前装备", "没有", "日期[1]", "world_shard.task.time_left",
		"world_shard", "检定属性[0]",
	}
	nodes := []string{
		"world_set.npc", "world_set.npc.老铁匠", "global_set.背包", "global_set.背包.火把", "summary.small",
		"summary.big", "world_set.settings", "global_set.npc.苏晚", "map.全局地点表", "config", "world_set",
	}
	keys := []string{"阿七", "好感度", "num", "描述", "all", "-", "0", "_is_protected", "世界基石", "a.b", ""}
	values := []string{
		"5", "'5'", "-1", "0", "true", "null", `'雨'`, `'{"num":0}'`, `{"描述":"新","好感度":7}`,
		`{"a":{"b":[1,{"num":0}]}}`, "[1,2]", `["x","y"]`, `'神话'`, `'03月20日'`, `'12月31日'`, `'23:50'`,
		`'00:10'`, `{"_is_protected":true,"x":1}`, `{"_filter":true}`, `'broken`, `{"a" 1}`,
	}
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	var b strings.Builder
	for range n {
		switch r.IntN(10) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "set_status('%s', %s)", pick(paths), pick(values))
		case 3:
			fmt.Fprintf(&b, "set_attribute('属性段.生理属性.%s.基础', 0, %s)", pick([]string{"力量", "敏捷"}), pick(values))
		case 4, 5, 6:
			fmt.Fprintf(&b, "memory('%s', '%s', %s)", pick(nodes), pick(keys), pick(values))
		case 7:
			fmt.Fprintf(&b, "memory('%s.%s', '%s.%s')", pick(nodes), pick(keys), pick(nodes), pick(keys))
		case 8:
			fmt.Fprintf(&b, "delete('%s', '%s')", pick(nodes), pick(keys))
		case 9:
			fmt.Fprintf(&b, "memory('%s', %s)", pick(nodes), pick(values))
		}
		b.WriteString(pick([]string{";\n", "; // 理由\n", "\n", "；\n", "; "}))
	}
	return b.String()
}

// mutate damages a text at random places.
func mutate(r *rand.Rand, text string) string {
	runes := []rune(text)
	odd := []rune("'\"`“”（）,，;；()[]{}\\\n/*<>:：_. 0９a甲")
	for range 1 + r.IntN(4) {
		if len(runes) == 0 {
			break
		}
		i := r.IntN(len(runes))
		switch r.IntN(4) {
		case 0:
			runes = append(runes[:i], runes[i+1:]...)
		case 1:
			runes = append(runes[:i:i], append([]rune{odd[r.IntN(len(odd))]}, runes[i:]...)...)
		case 2:
			runes[i] = odd[r.IntN(len(odd))]
		case 3:
			j := i + r.IntN(len(runes)-i)
			runes = append(runes[:j:j], append(append([]rune{}, runes[i:j]...), runes[j:]...)...)
		}
	}
	return string(runes)
}
