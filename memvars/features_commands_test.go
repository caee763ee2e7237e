package memvars_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

func testSetCommands(t *testing.T) {
	t.Parallel()
	g := play(t, `{"play_character_data": {"货币段": {"积分": [1200, ""]}},
		"stat_data": {"天气": ["晴", ""]}}`)
	g.ai(`set_attribute('货币段.积分', 1200, 900); set_status('天气', '雨')`, "applied", "applied")
	g.is(`{"play_character_data": {"货币段": {"积分": [900, ""]}},
		"stat_data": {"天气": ["雨", ""]}}`)
	g.ai(`set_attribute('货币段.积分', 850)`, "applied")
	g.reads("play_character_data.货币段.积分", "850")
	g.ai(`set_attribute('天气', '雪')
		set_status('play_character_data.货币段.积分', 1)
		set_status('天气')`,
		"rejected path_not_found", "rejected wrong_module", "rejected bad_arity")
}

func testMemoryWrites(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {"global_set": {"背包": {}}, "world_set": {"npc": {"阿七": {}}}}}`)
	g.ai(`memory('world_set.npc.阿七', '描述', '船工')
		memory('world_set.npc.阿七', '好感度', 5)
		memory('world_set.npc.阿七', '心愿', '{"船": {"名": "白鹭", "桅": [1, 2]}}')
		memory('global_set.背包.治疗药水', {"num": 3, "description": "恢复少量生命"})`,
		"applied", "applied", "applied", "applied")
	// An object written over an object changes only the given members.
	g.ai(`memory('global_set.背包.治疗药水', {"num": 2}); memory('world_set.npc.阿七', '好感度', 5)`,
		"applied", "unchanged")
	g.is(`{"assa_data": {
		"global_set": {"背包": {"治疗药水": {"num": 2, "description": "恢复少量生命"}}},
		"world_set": {"npc": {
			"阿七": {"描述": "船工", "好感度": 5, "心愿": {"船": {"名": "白鹭", "桅": [1, 2]}}}}}
	}}`)
}

func testMemoryMoves(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {
		"global_set": {"npc": {"苏晚": 3}},
		"world_set": {"npc": {"陌生人": {"好感度": 1}, "阿七": 2}}
	}}`)
	g.ai(`memory('world_set.npc.陌生人', 'world_set.npc.老周')`, "applied")
	g.reads("assa_data.world_set.npc", `{"老周":{"好感度":1},"阿七":2}`)
	g.ai(`memory('world_set.npc.阿七', 'global_set.npc.阿七')`, "applied")
	want := `{"assa_data": {
		"global_set": {"npc": {"苏晚": 3, "阿七": 2}},
		"world_set": {"npc": {"老周": {"好感度": 1}}}
	}}`
	g.is(want)
	g.ai(`memory('global_set.npc.阿七', 'global_set.npc.苏晚')
		memory('global_set.npc.无名', 'global_set.npc.某人')
		memory('world_set.npc.老周', 'world_set.npc.老周.影子')`,
		"rejected destination_exists", "rejected source_not_found", "rejected move_into_self")
	g.is(want)
}

func testDelete(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {"world_set": {"npc": {"阿七": 1, "老周": 2, "苏晚": 3}}}}`)
	g.ai(`delete('world_set.npc', '阿七'); delete('world_set.npc', '阿七')`,
		"applied", "unchanged not_found")
	g.is(`{"assa_data": {"world_set": {"npc": {"老周": 2, "苏晚": 3}}}}`)
	g.ai(`delete('world_set', 'npc'); delete('world_set')`,
		"rejected structural", "rejected structural")
	g.ai(`delete('world_set.npc', 'all')`, "applied")
	g.is(`{"assa_data": {"world_set": {"npc": {}}}}`)
}

func testCommandsAnywhere(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"天气": ["晴", ""], "时间": ["08:00", ""]}}`)
	g.ai(`<think>set_status('天气', '雪') would be too cold.</think>
她说：set_status('天气', '雨')；雨落了下来。My memory (of him) fades; delete (almost) nothing.
// set_status('天气', '雾')
/* set_status('天气', '雹') */ *.set_status('时间', '09:00')`, "applied", "applied")
	g.is(`{"stat_data": {"天气": ["雨", ""], "时间": ["09:00", ""]}}`)
	g.as(memvars.User, `I wait until noon. set_status('时间', '12:00') And then?`, "applied")
	g.reads("stat_data.时间", `"12:00"`)
}

func testSmallSummaries(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {
		"summary": {"small": {}, "big": {}}, "config": {"small_to_big_count": 2}}}`)
	const flag = "assa_data.config.flags.clean_small_flag"
	g.turn(`memory('summary.small', '第1轮', '抵达雾港')`)
	g.reads(flag, "")
	g.turn(`memory('summary.small', '第2轮', '打听下落')`)
	g.reads(flag, "true")
	if !g.state.SummaryDue() {
		t.Error("no big summary is asked for")
	}
	g.turn("她还没有写总结。")
	g.reads("assa_data.summary.small", `{"第1轮":"抵达雾港","第2轮":"打听下落"}`)
	g.turn(`memory('summary.big', '序章', '在雾港找人')`)
	g.reads(flag, "false")
	g.reads("assa_data.summary", `{"small":{},"big":{"序章":"在雾港找人"}}`)
	if g.state.SummaryDue() {
		t.Error("a big summary is asked for again")
	}
}

func testBigSummaries(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {
		"summary": {"small": {}, "big": {"第一章": "码头", "第二章": "灯塔"}},
		"config": {"clean_big_count": 3, "hide_latest_count": 1}
	}}`)
	how := memvars.RenderOptions{Part: tree.Path{"assa_data", "summary", "big"}}
	if got := g.sys.Render(g.doc, how); got != `{"第一章":"码头"}` {
		t.Errorf("the prompt has %s", got)
	}
	const flag = "assa_data.config.flags.clean_big_flag"
	g.turn(`memory('summary.big', '第三章', '磨坊')`)
	g.reads(flag, "true")
	g.reads("assa_data.summary.big", `{"第一章":"码头","第二章":"灯塔","第三章":"磨坊"}`)
	g.turn(`memory('summary.big', '总章', '从码头到磨坊')`)
	g.reads(flag, "false")
	g.reads("assa_data.summary.big", `{"总章":"从码头到磨坊"}`)
}

func testProtected(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {"world_set": {"npc": {
		"码头": {"老周": {"_is_protected": true, "好感度": 1}, "阿七": {}}, "路人": {}}}}}`)
	before := g.doc
	g.ai(`delete('world_set.npc.码头', '老周')
		memory('world_set.npc', '码头', '空无一人')
		memory('world_set.npc.码头.老周', '_is_protected', false)`,
		"rejected protected", "rejected protected", "rejected protected")
	if !g.doc.Same(before) {
		t.Error("a refused command changed the document")
	}
	g.ai(`delete('world_set.npc', '码头')`, "applied") // an ancestor
	g.reads("assa_data.world_set.npc",
		`{"码头":{"老周":{"_is_protected":true,"好感度":1}},"路人":{}}`)
	g.ai(`delete('world_set.npc', 'all')`, "applied")
	g.reads("assa_data.world_set.npc", `{"码头":{"老周":{"_is_protected":true,"好感度":1}}}`)
	g.ai(`memory('world_set.npc.码头.老周', '好感度', 2)`, "applied")
}

func testGreenLights(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {"world_set": {"npc": {
		"阿七": {"秘密": {"_filter": true, "身世": "渔王之子"}}, "老周": {"_filter": true}}}}}`)
	const light = "assa_data.world_set.npc.阿七.秘密._showInEJS"
	g.turn("码头上空无一人。")
	g.reads(light, "false")
	g.turn("阿七从船上跳了下来。") // the keyword is the third segment, not 秘密
	g.reads(light, "true")
	g.reads("assa_data.world_set.npc.老周._showInEJS", "false")
	for range 4 {
		g.turn("她独自走着。")
		g.reads(light, "true")
	}
	g.turn("她独自走着。") // the last five replies do not mention it any more
	g.reads(light, "false")
	g.is(`{"assa_data": {"world_set": {"npc": {
		"阿七": {"秘密": {"_filter": true, "身世": "渔王之子", "_showInEJS": false}},
		"老周": {"_filter": true, "_showInEJS": false}}}}}`)
}

func testPlaceholder(t *testing.T) {
	t.Parallel()
	const placeholder = "[已隐藏] 请勿修改或重新初始化此字段"
	g := play(t, `{"assa_data": {"world_set": {"npc": {
		"阿七": {"身世": "渔王之子", "_showInEJS": false},
		"老周": {"描述": "船工", "_showInEJS": true}}}}}`)
	how := memvars.RenderOptions{Part: tree.Path{"assa_data", "world_set", "npc"}}
	want := `{"阿七":"` + placeholder + `","老周":{"描述":"船工"}}`
	if diff := cmp.Diff(want, g.sys.Render(g.doc, how)); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	before := g.doc
	g.ai(`memory('world_set.npc', '阿七', '`+placeholder+`')
		memory('world_set.npc', '老周', {"描述": ["`+placeholder+`"]})`,
		"rejected placeholder_write", "rejected placeholder_write")
	if !g.doc.Same(before) {
		t.Error("the placeholder was written")
	}
}

func testPermissions(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{Rules: []memvars.Rule{
		{Actor: memvars.User, Path: "货币段", Allow: false},
		{Actor: memvars.AI, Op: "memory", Path: "world_set.npc", Allow: true},
		{Actor: memvars.AI, Op: "memory", Path: "world_set", Allow: false},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	g := play(t, `{"play_character_data": {"货币段": {"积分": [1, ""]}},
		"assa_data": {"world_set": {"npc": {}, "settings": {}}}}`)
	g.sys = sys
	const denied = "rejected permission_denied"
	g.ai(`set_attribute('货币段.积分', 2)`, "applied")
	g.as(memvars.User, `set_attribute('货币段.积分', 3)`, denied)
	g.as(memvars.Host, `set_attribute('货币段.积分', 4)`, "applied")

	g.ai(`memory('world_set.settings', '宵禁', '八点')`, denied)
	g.as(memvars.User, `memory('world_set.settings', '宵禁', '九点')`, "applied")
	g.as(memvars.Host, `memory('world_set.settings', '宵禁', '十点')`, "applied")
	g.ai(`memory('world_set.npc', '阿七', 1)`, "applied")
	// An unknown actor has the rights of the model.
	g.as("somebody", `memory('world_set.settings', '宵禁', '零点')`, denied)

	g.is(`{"play_character_data": {"货币段": {"积分": [4, ""]}},
		"assa_data": {"world_set": {"npc": {"阿七": 1}, "settings": {"宵禁": "十点"}}}}`)
}

func testChanges(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"天气": ["晴", ""]},
		"assa_data": {"world_set": {"npc": {"阿七": 1}}}}`)
	before := g.doc
	res := g.ai(`set_status('天气', '雨')
		memory('world_set.npc', '老周', 2)
		delete('world_set.npc', '阿七')`, "applied", "applied", "applied")

	var events []string
	for _, e := range event.OfTurn("我等着。", "天变了。", 2, res.Changes) {
		if e.Type == event.TypeStateChanged {
			events = append(events, e.Get("variableId").String()+": "+
				e.Get("oldValue").String()+" -> "+e.Get("newValue").String())
		}
	}
	want := []string{
		`"stat_data.天气": "晴" -> "雨"`,
		`"assa_data.world_set.npc.老周": null -> 2`,
		`"assa_data.world_set.npc.阿七": 1 -> null`,
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}

	var net []string
	for _, c := range tree.Diff(before, g.doc) {
		net = append(net, c.Path.String()+": "+orNothing(c.Old)+" -> "+orNothing(c.New))
	}
	want = []string{
		`stat_data.天气.0: "晴" -> "雨"`,
		"assa_data.world_set.npc.阿七: 1 -> nothing",
		"assa_data.world_set.npc.老周: nothing -> 2",
	}
	if diff := cmp.Diff(want, net); diff != "" {
		t.Errorf("difference (-want +got):\n%s", diff)
	}
}
