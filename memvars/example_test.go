package memvars_test

import (
	"fmt"
	"iter"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

func mustLoad(text string) tree.Document {
	d, err := tree.ParseDocument([]byte(text))
	if err != nil {
		panic(err)
	}
	return d
}

// A reply of a model is applied: correct commands change the document, mistakes are reported to the
// model.
func ExampleApply() {
	doc := mustLoad(`{
		"stat_data": {"天气": ["晴", "环境"], "检定难度": [4, "难度等级"]},
		"assa_data": {"world_set": {"npc": {"老铁匠": {"好感度": 50}}}}
	}`)
	reply := `雨落下来，老铁匠收起了摊子。
<updateMemory>
set_status('天气', '雨'); // 下雨了
memory('world_set.npc.老铁匠', '好感度', 55)
set_status('天色', '暗');
</updateMemory>`

	doc, result := memvars.Apply(doc, reply, memvars.AI, memvars.Options{})
	for _, c := range result.Calls {
		fmt.Println(strings.TrimSpace(fmt.Sprintln(c.Line, c.Op, c.Status, c.Code, c.Hint)))
	}
	for _, c := range result.Changes {
		fmt.Println(c.Path, c.Old, "->", c.New)
	}
	fmt.Println(doc.Lookup(tree.Path{"stat_data", "天气"}))
	// Output:
	// 3 set_status applied
	// 4 memory applied
	// 5 set_status rejected path_not_found did you mean "天气"?
	// stat_data.天气 "晴" -> "雨"
	// assa_data.world_set.npc.老铁匠.好感度 50 -> 55
	// ["雨","环境"]
}

// A node with the flag _is_protected stays even if everything around it is deleted.
func Example_protect() {
	doc := mustLoad(`{"assa_data": {"world_set": {"settings": {
		"宵禁": {"描述": "十点后不得上街"},
		"世界基石": {"描述": "雾不会散", "_is_protected": true}
	}}}}`)
	doc, result := memvars.Apply(doc,
		`delete('world_set.settings', 'all'); delete('world_set.settings', '世界基石');`,
		memvars.AI, memvars.Options{})
	for _, c := range result.Calls {
		fmt.Println(c.Status, c.Code, c.Warnings)
	}
	for _, e := range result.Effects {
		fmt.Println(e.Kind, e.Path, e.Data.Len(), "entries")
	}
	fmt.Println(doc)
	// Output:
	// applied  [protected_kept]
	// rejected protected []
	// backup assa_data.world_set.settings 2 entries
	// {"assa_data":{"world_set":{"settings":{"世界基石":{"描述":"雾不会散","_is_protected":true}}}}}
}

// Sixty turns are played and then rebuilt from their history.
func ExampleSystem_Rebuild() {
	initial := mustLoad(`{
		"stat_data": {"日期": ["03月15日", ""], "时间": ["08:00", ""], "world_shard": {"name": ["雾港", ""],
			"task": {"time_limit": [40, ""], "time_left": [40, ""], "start_date": ["", ""]}}},
		"assa_data": {
			"map": {"磨坊": {"resources": {"面粉": ["3/d", 100]}}},
			"summary": {"small": {}, "big": {}},
			"config": {"small_to_big_count": 10}
		}
	}`)
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	doc, state := initial, sys.Begin(initial)
	var history []memvars.Message
	for turn := 1; turn <= 60; turn++ {
		reply := fmt.Sprintf("set_status('时间', '%02d:00'); memory('summary.small', '第%d轮', '…');",
			(8+turn*8)%24, turn)
		if state.SummaryDue() {
			reply += fmt.Sprintf("memory('summary.big', '第%d章', '…');", turn)
		}
		history = append(history, memvars.Message{Actor: memvars.AI, Text: reply})
		doc, _ = sys.Apply(doc, reply, memvars.AI)
		doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{Reply: reply})
	}
	date, _ := doc.Get("stat_data.日期")
	left, _ := doc.Get("stat_data.world_shard.task.time_left")
	flour, _ := doc.Get("assa_data.map.磨坊.resources.面粉")
	fmt.Println(date, left, flour)

	rebuilt, _ := sys.Rebuild(initial, history)
	fmt.Println(rebuilt.String() == doc.String())
	// Output:
	// 04月04日 20 ["3/d",160]
	// true
}

// Changes, results of commands and notes print as one line each.
func ExampleResult() {
	doc := mustLoad(`{"stat_data": {"gold": 250, "bag": {"rope": 1}}}`)
	_, result := memvars.Apply(doc, `set_status('gold', 240) set_status('bag', {"rope": 2}) set_status('golt', 1)`,
		memvars.AI, memvars.Options{})
	for _, c := range result.Changes {
		fmt.Println(c)
	}
	fmt.Println(result.Calls[2])
	// Output:
	// stat_data.gold: 250 -> 240 (cmd:0)
	// stat_data.bag.rope: 1 -> 2 (cmd:1)
	// 1:56 set_status rejected path_not_found: did you mean "gold"?
}

// The commands of a message, as they are written. The second one cannot be read.
func ExampleSystem_Parse() {
	sys, _ := memvars.Compile(memvars.Options{})
	for _, op := range sys.Parse("她笑了。memory（“world_set.npc”，“阿七”，{描述: '船工'}）// 新人物\nset_status('时间' 5)") {
		fmt.Println(op.Pos.Line, op, op.Fault != nil)
	}
	// Output:
	// 1 memory('world_set.npc', '阿七', {"描述":"船工"}); // 新人物 false
	// 2 set_status(); true
}

// Hosts can build Ops too.
func ExampleValueArg() {
	op := memvars.Op{Name: "set_status", Args: []memvars.Arg{memvars.TextArg("hp"), memvars.ValueArg(tree.Int(3))}}
	fmt.Println(op)
	// Output: set_status('hp', 3);
}

func ExampleSystem_EndTurn() {
	doc := mustLoad(`{"stat_data": {"日期": ["12月31日", ""], "时间": ["23:10", ""]}}`)
	sys, _ := memvars.Compile(memvars.Options{}) // the defaults have no mistakes
	state := sys.Begin(doc)
	doc, _ = sys.Apply(doc, "set_status('时间', '00:20')", memvars.AI)
	doc, _, result := sys.EndTurn(doc, state, memvars.Turn{Reply: "…"})
	for _, c := range result.Changes {
		fmt.Println(c.By, c.Path, c.Old, "->", c.New)
	}
	// Output:
	// time stat_data.日期 "12月31日" -> "01月01日"
}

func ExampleSystem_Derive() {
	doc := mustLoad(`{"play_character_data": {
		"属性段": {"生理属性": {"力量": {"基础": [10, ""], "传奇": [0, ""]}}},
		"衍生属性段": {"负重": [0, "公斤"]}
	}}`)
	sys, problems := memvars.Compile(memvars.Options{Derived: memvars.Derived{Formulas: []memvars.Formula{
		{Target: "衍生属性段.负重", Expr: "max(力量 * 7.5, 20)", Round: "floor"},
	}}})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	doc, result := sys.Derive(doc)
	for _, c := range result.Changes {
		fmt.Println(c.Path, c.Old, "->", c.New)
	}
	fmt.Println(doc.Get("play_character_data.衍生属性段.负重"))
	// Output:
	// play_character_data.属性段.生理属性.力量.传奇 0 -> 2
	// play_character_data.衍生属性段.负重 0 -> 75
	// 75 true
}

func ExampleSystem_Render() {
	doc := mustLoad(`{"stat_data": {"天气": ["晴", "环境"], "同行": ["苏晚", "阿七", "老周"]},
		"assa_data": {"线人": {"线索": "灯塔第三块砖", "_showInEJS": false}}}`)
	sys, _ := memvars.Compile(memvars.Options{}) // the defaults have no mistakes
	fmt.Print(sys.Render(doc, memvars.RenderOptions{Format: "yaml", LeafStyle: "comment"}))
	// Output:
	// stat_data:
	//   天气: 晴 # 环境
	//   同行: [苏晚, 阿七, 老周]
	// assa_data:
	//   线人: "[已隐藏] 请勿修改或重新初始化此字段"
}

func ExampleSystem_Verify() {
	initial := mustLoad(`{"stat_data": {"金": [5, ""]}}`)
	history := []memvars.Message{{Actor: memvars.User, Text: "set_status('金', 7)"}}
	damaged := mustLoad(`{"stat_data": {"金": [70, ""]}}`)
	sys, _ := memvars.Compile(memvars.Options{}) // the defaults have no mistakes
	repair, intact := sys.Verify(damaged, initial, history)
	fmt.Println(repair[0].Path, repair[0].Old, "->", repair[0].New, intact)
	// Output:
	// stat_data.金.0 70 -> 7 false
}

func ExampleCompile() {
	_, problems := memvars.Compile(memvars.Options{
		Merge:   "deeper",
		Derived: memvars.Derived{Formulas: []memvars.Formula{{Target: "衍生属性段.先攻", Expr: "敏捷 +"}}},
	})
	fmt.Println(problems.Err())
	// Output:
	// merge: "deeper" is unknown; write one of deep, shallow, replace
	// derived[0]: formula "敏捷 +" at offset 8: a value is missing
}

func ExampleSystem_Checks() {
	doc := mustLoad(`{
		"play_character_data": {
			"属性段": {"生理属性": {"力量": {"基础": [4, ""]}}},
			"技能段": {"生理技能": {"白刃": [2, ""]}}
		},
		"stat_data": {"检定属性": ["力量;白刃", ""], "检定难度": [4, ""], "敌方攻击骰池": ["力量:2;白刃:3", ""]}
	}`)
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	c := sys.Checks(doc)
	fmt.Println(c.Terms, c.Pool, "against", c.Difficulty, "enemy", c.EnemyPool)
	// Output:
	// [{力量 4} {白刃 2}] 6 against 4 enemy 5
}

func ExamplePasses() {
	var names []string
	for _, p := range memvars.Passes() {
		names = append(names, p.Name)
	}
	fmt.Println(strings.Join(names, " "))
	// Output:
	// inventory derived clamp clock timer resources summaries green
}

func (b bounded) Resolve(name string, _ memvars.Actor) (tree.Path, bool) {
	return b.at, name == b.name
}

func (b bounded) Near(path tree.Path) iter.Seq[tree.Path] {
	return func(yield func(tree.Path) bool) {
		if path.HasPrefix(b.at) || b.at.HasPrefix(path) {
			yield(b.at)
		}
	}
}

func (b bounded) Judge(w memvars.Write) (tree.Value, *memvars.Refusal) {
	n, ok := w.New.AsNumber()
	if !ok {
		return tree.Value{}, &memvars.Refusal{Code: memvars.TypeMismatch}
	}
	if n.Cmp(tree.Number(fmt.Sprint(b.max))) > 0 {
		return tree.Int(b.max), nil
	}
	return w.New, nil
}

func (b bounded) Hidden(memvars.Actor) []tree.Path { return nil }

// bounded declares one number at one place: a minimal gate.
type bounded struct {
	name string
	at   tree.Path
	max  int64
}

// The declarations of a host apply to every command.
func ExampleSystem_With() {
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	start, _ := tree.ParseValue([]byte(`{"stat_data":{"mood":"calm"},"purse":{"gold":10}}`))
	doc, _ := tree.NewDocument(start)
	gate := bounded{name: "gold", at: tree.Path{"purse", "gold"}, max: 99}
	doc, result := sys.With(gate).Apply(doc, "set_status('gold', 500); memory('gold', 'none');", memvars.AI)
	for _, c := range result.Calls {
		fmt.Println(c.Status, c.Code, c.Warnings)
	}
	fmt.Println(doc)
	// Output:
	// applied  [adjusted]
	// rejected type_mismatch []
	// {"stat_data":{"mood":"calm"},"purse":{"gold":99}}
}
