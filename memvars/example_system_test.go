package memvars_test

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// The mistakes of a model are reported to it in its next prompt, briefly.
func ExampleSystem_Feedback() {
	doc := mustLoad(`{"stat_data": {"天气": ["晴", "环境"], "金": 5}}`)
	sys, _ := memvars.Compile(memvars.Options{}) // the defaults have no mistakes
	doc, result := sys.Apply(doc, `set_status('天气', '雨'); set_status('天色', '暗'); set_status('金', 'many');`, memvars.AI)
	fmt.Println(len(result.Calls), "commands,", len(result.Rejected()), "rejected")
	for _, c := range sys.Feedback(result.Calls) {
		fmt.Println(c.Near, c.Code, c.Hint)
	}
	fmt.Println(doc)
	// Output:
	// 3 commands, 2 rejected
	// set_status('天色', '暗'); path_not_found did you mean "天气"?
	// set_status('金', 'many'); type_mismatch the field holds a number
	// {"stat_data":{"天气":["雨","环境"],"金":5}}
}

// Commands can be inspected, and removed, before they run.
func ExampleSystem_ApplyOps() {
	doc := mustLoad(`{"stat_data": {"金": 5, "天气": "晴"}}`)
	sys, _ := memvars.Compile(memvars.Options{})
	const reply = `set_status('金', 500); set_status('天气', '雨');`
	ops := sys.Parse(reply)
	doc, result := sys.ApplyOps(doc, ops[1:], memvars.AI, reply) // gold is the host's affair
	fmt.Println(doc, len(result.Calls))
	// Output:
	// {"stat_data":{"金":5,"天气":"雨"}} 1
}

// Nodes that are hidden from models are in no prompt; the host can read them.
func ExampleSystem_Visible() {
	doc := mustLoad(`{"assa_data": {"线人": {"线索": "灯塔", "_showInEJS": false}, "盟友": {"名": "阿七"}}}`)
	sys, _ := memvars.Compile(memvars.Options{})
	fmt.Println(sys.Visible(doc))
	fmt.Println(sys.Read(doc, tree.Path{"assa_data", "线人", "线索"}))
	// Output:
	// {"assa_data":{"线人":"[已隐藏] 请勿修改或重新初始化此字段","盟友":{"名":"阿七"}}}
	// "灯塔"
}

// A single pass, for a host with its own schedule: here the clock, which starts a new day.
func ExampleSystem_RunPass() {
	doc := mustLoad(`{"stat_data": {"日期": ["12月31日", ""], "时间": ["23:10", ""]}}`)
	sys, _ := memvars.Compile(memvars.Options{})
	state := sys.Begin(doc)
	doc, _ = sys.Apply(doc, "set_status('时间', '00:20')", memvars.AI)
	doc, result := sys.RunPass("clock", doc, state, memvars.Turn{})
	fmt.Println(doc, len(result.Problems))
	_, result = sys.RunPass("moon", doc, state, memvars.Turn{})
	fmt.Println(result.Problems)
	// Output:
	// {"stat_data":{"日期":["01月01日",""],"时间":["00:20",""]}} 0
	// there is no pass "moon"; see Passes
}

// A game for the original program begins with its options and changes some of them.
func ExampleOrigin() {
	opts := memvars.Origin()
	fmt.Println(opts.Merge, opts.ScalarParent)
	opts.Merge = "deep"
	_, problems := memvars.Compile(opts)
	fmt.Println(len(problems), "problems")
	// Output:
	// shallow wrap
	// 0 problems
}

// The subject of a round that only some characters heard is shown to these.
func ExampleSystem_LightsFor() {
	sys, _ := memvars.Compile(memvars.Options{})
	doc := mustLoad(`{"assa_data": {"global_set": {"npc": {"amy": {"clue": "the lighthouse", "_filter": true, "_showInEJS": false}}}}}`)
	doc, state, _ := sys.EndTurn(doc, memvars.State{}, memvars.Turn{Reply: "Amy waves.", Witnesses: []string{"ren"}})
	for _, viewer := range []string{"mei", "ren"} {
		seen := sys.LightsFor(doc, state, func(witnesses []string) bool { return slices.Contains(witnesses, viewer) })
		fmt.Println(viewer, sys.Visible(seen))
	}
	// Output:
	// mei {"assa_data":{"global_set":{"npc":{"amy":"[已隐藏] 请勿修改或重新初始化此字段"}}}}
	// ren {"assa_data":{"global_set":{"npc":{"amy":{"clue":"the lighthouse"}}}}}
}
