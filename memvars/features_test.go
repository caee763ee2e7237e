package memvars_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestFeatures shows each feature of the variables separately, on a minimal document.
func TestFeatures(t *testing.T) {
	t.Parallel()
	t.Run("MV-02 leaves of a value and its description", testLeaves)
	t.Run("MV-03 the whole document loads as it is", testWholeDocument)
	t.Run("MV-04 legendary attributes", testLegends)
	t.Run("MV-05 derived fields by their formulas", testFormulas)
	t.Run("MV-06 derived fields refuse manual writes", testDerivedLocked)
	t.Run("MV-07 days left of a task", testTimeLeft)
	t.Run("MV-08 resources by the day", testResources)
	t.Run("MV-09 checks and the enemy's pool", testChecks)
	t.Run("MV-10 world levels limit the difficulty", testWorldLevels)
	t.Run("MV-11 used-up items disappear", testInventory)
	t.Run("MV-12 leaving a world", testLeavingWorld)
	t.Run("MV-13 set_attribute and set_status", testSetCommands)
	t.Run("MV-14 memory writes", testMemoryWrites)
	t.Run("MV-15 memory renames and moves", testMemoryMoves)
	t.Run("MV-16 delete one and delete all", testDelete)
	t.Run("MV-17 commands anywhere in a text", testCommandsAnywhere)
	t.Run("MV-18 small summaries become a big one", testSmallSummaries)
	t.Run("MV-19 old big summaries go, new ones hide", testBigSummaries)
	t.Run("MV-22 protected nodes", testProtected)
	t.Run("MV-23 green lights", testGreenLights)
	t.Run("MV-24 hidden nodes and the placeholder", testPlaceholder)
	t.Run("MV-30 permissions of model, player and host", testPermissions)
	t.Run("MV-31 changes, events and differences", testChanges)
}

// game is a document in use.
type game struct {
	t     *testing.T
	sys   *memvars.System
	doc   tree.Document
	state memvars.State
}

// play begins a game with the default options.
func play(t *testing.T, document string) *game {
	t.Helper()
	doc, sys := mustLoad(document), defaultSystem(t)
	return &game{t: t, sys: sys, doc: doc, state: sys.Begin(doc)}
}

// as applies a message and compares the results of its commands, for example "applied" or "rejected
// protected".
func (g *game) as(by memvars.Actor, text string, want ...string) memvars.Result {
	g.t.Helper()
	doc, res := g.sys.Apply(g.doc, text, by)
	g.doc = doc
	var got []string
	for _, c := range res.Calls {
		got = append(got, strings.TrimSpace(string(c.Status)+" "+string(c.Code)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Errorf("%s (-want +got):\n%s", text, diff)
	}
	return res
}

// ai applies a message of the model.
func (g *game) ai(text string, want ...string) memvars.Result {
	g.t.Helper()
	return g.as(memvars.AI, text, want...)
}

// turn plays a whole turn, in which every command must be applied.
func (g *game) turn(reply string) {
	g.t.Helper()
	doc, res := g.sys.Apply(g.doc, reply, memvars.AI)
	for _, c := range res.Calls {
		if c.Status != memvars.Applied {
			g.t.Errorf("%s: %s %s", c.Near, c.Status, c.Code)
		}
	}
	g.doc, g.state, _ = g.sys.EndTurn(doc, g.state, memvars.Turn{Reply: reply})
}

// reads compares the content at a path, as JSON; "" means absent.
func (g *game) reads(path, want string) {
	g.t.Helper()
	p, err := tree.ParsePath(path)
	if err != nil {
		g.t.Fatal(err)
	}
	got := ""
	if v := g.sys.Read(g.doc, p); v.Exists() {
		got = v.String()
	}
	if got != want {
		g.t.Errorf("%s is %s, want %s", path, got, want)
	}
}

// is compares the whole document, the order of its keys included.
func (g *game) is(want string) {
	g.t.Helper()
	if diff := cmp.Diff(mustLoad(want).String(), g.doc.String()); diff != "" {
		g.t.Errorf("document (-want +got):\n%s", diff)
	}
}

func testLeaves(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"world_shard": {"level": ["低", "无/低/中/高/神话"]}}}`)
	const level = "stat_data.world_shard.level"
	g.reads(level, `"低"`)
	g.reads(level+"[0]", `"低"`)
	g.reads(level+"[1]", `"无/低/中/高/神话"`)

	g.ai(`set_status('world_shard.level', '中')`, "applied")
	g.is(`{"stat_data": {"world_shard": {"level": ["中", "无/低/中/高/神话"]}}}`)
	g.ai(`set_status('world_shard.level[0]', '高')`, "applied")
	g.is(`{"stat_data": {"world_shard": {"level": ["高", "无/低/中/高/神话"]}}}`)
	g.ai(`set_status('world_shard.level[1]', '?')`, "rejected description_readonly")
}

// everything has each kind of data that a campaign stores.
const everything = `{
	"play_character_data": {
		"概念段": {"缺陷天赋怪癖": {"天赋": ["夜视", "黑暗中不减值"]}},
		"属性段": {"生理属性": {"力量": {"基础": [4, "肌肉"], "传奇": [0, "超过8点的部分"]}}},
		"技能段": {"生理技能": {"白刃": [2, "刀剑"]}},
		"能力段": {"名称": ["御风", "能力名"], "等级": [1, "能力等级"]},
		"货币段": {"支线剧情": {"D": [1, "D级"]}, "积分": [1200, "通用货币"]}
	},
	"stat_data": {
		"纪年": "星历203年", "日期": ["03月15日", ""], "时间": ["08:30", ""], "天气": ["晴", "环境"],
		"world_shard": {"name": ["雾港", ""], "task": {"objective": ["找到领航员", "目标"]}},
		"the_created": {"name": ["泥偶", "造物名"], "mood": ["好奇", "心情"]},
		"user_character": {"当前装备": {"穿戴": {"身体": ["雨衣", "身体"]}}}
	},
	"assa_data": {
		"global_set": {
			"npc": {"苏晚": {"记忆": {"童年": {"故乡": {"河": "白水"}}}}},
			"settings": {"检定规则": "每点属性一枚骰子"}
		},
		"map": {"全局地点表": ["雾港", "白水"],
			"主要地点表": {"磨坊": {"resources": {"面粉": ["3/d", 100]}}}}
	}
}`

func testWholeDocument(t *testing.T) {
	t.Parallel()
	g := play(t, everything)
	g.is(everything)
	for path, want := range map[string]string{
		"play_character_data.概念段.缺陷天赋怪癖.天赋":  `"夜视"`,
		"play_character_data.属性段.生理属性.力量.基础": `4`,
		"play_character_data.技能段.生理技能.白刃":    `2`,
		"play_character_data.能力段.名称":         `"御风"`,
		"play_character_data.货币段.支线剧情.D":     `1`,
		"stat_data.纪年":                           `"星历203年"`,
		"stat_data.时间":                           `"08:30"`,
		"stat_data.天气":                           `"晴"`,
		"stat_data.world_shard.task.objective":   `"找到领航员"`,
		"stat_data.the_created.mood":             `"好奇"`,
		"stat_data.user_character.当前装备.穿戴.身体":    `"雨衣"`,
		"assa_data.global_set.npc.苏晚.记忆.童年.故乡.河": `"白水"`,
		"assa_data.global_set.settings.检定规则":     `"每点属性一枚骰子"`,
		"assa_data.map.全局地点表[1]":                 `"白水"`,
		"assa_data.map.主要地点表.磨坊.resources.面粉":    `["3/d",100]`,
		"assa_data.map.主要地点表.磨坊.resources.面粉[1]": `100`,
	} {
		g.reads(path, want)
	}
	g.ai("风停了。")
	g.is(everything)
}

func testLegends(t *testing.T) {
	t.Parallel()
	names := strings.Fields("力量 敏捷 耐力 智力 感知 决心 风度 操控 沉着")
	var attributes []tree.Member
	for i, name := range names {
		base := tree.Array(tree.Int(int64(5+i)), tree.Text("")) // 5 to 13
		attributes = append(attributes, tree.Member{Key: name, Value: tree.Object(
			tree.Member{Key: "基础", Value: base},
			tree.Member{Key: "传奇", Value: tree.Int(0)},
		)})
	}
	group := tree.Object(attributes...).String()
	g := play(t, `{"play_character_data": {"属性段": {"属性": `+group+`}}}`)
	g.ai("她醒了。")
	for i, want := range strings.Fields("0 0 0 0 1 2 3 4 5") {
		g.reads("play_character_data.属性段.属性."+names[i]+".传奇", want)
	}
	g.ai(`set_attribute('属性段.属性.沉着.基础', 7)`, "applied")
	g.reads("play_character_data.属性段.属性.沉着.传奇", "0")
}

// underived is a character whose derived fields have not been computed yet.
const underived = `{"play_character_data": {
	"属性段": {
		"生理属性": {"力量": {"基础": [4, ""]}, "敏捷": {"基础": [6, ""]}, "耐力": {"基础": [3, ""]}},
		"心智属性": {"感知": {"基础": [4, ""]}, "决心": {"基础": [3, ""]}},
		"互动属性": {"沉着": {"基础": [5, ""]}}
	},
	"技能段": {"生理技能": {"运动": [3, ""], "求生": [2, ""]}},
	"衍生属性段": {
		"体积": [5, ""], "速度": {"基础速度": [0, ""]}, "先攻": [0, ""], "防御": {"基础防御": [0, ""]},
		"生命值": {"上限": [0, ""], "当前值": [80, ""]}, "意志力": {"上限": [0, ""]},
		"感知范围": {"敏感范围": [0, ""]},
		"豁免检定基础": {"强韧": [0, ""], "反射": [0, ""], "意志": [0, ""]}
	}
}}`

func testFormulas(t *testing.T) {
	t.Parallel()
	g := play(t, underived)
	g.ai("她醒了。")
	for path, want := range map[string]string{
		"速度.基础速度":   "5",   // (力量 + 敏捷 + 体积) / 3
		"先攻":        "8.5", // 敏捷 + 沉着 / 2
		"防御.基础防御":   "4",   // the lower of 敏捷 and 感知
		"生命值.上限":    "110", // 体积 * 10 + 耐力 * 20
		"意志力.上限":    "8",   // 决心 + 沉着
		"感知范围.敏感范围": "40",  // 感知 * 10
		"豁免检定基础.强韧": "2",   // (耐力 + 求生) / 2, rounded down
		"豁免检定基础.反射": "4",   // (敏捷 + 运动) / 2, rounded down
		"豁免检定基础.意志": "8",   // 决心 + 沉着
	} {
		g.reads("play_character_data.衍生属性段."+path, want)
	}
	g.ai(`set_attribute('属性段.生理属性.耐力.基础', 4)`, "applied")
	g.reads("play_character_data.衍生属性段.生命值.上限", "130")
}

func testDerivedLocked(t *testing.T) {
	t.Parallel()
	g := play(t, underived)
	g.ai("她醒了。")
	computed := g.doc
	for _, by := range []memvars.Actor{memvars.AI, memvars.User} {
		res := g.as(by, `set_attribute('衍生属性段.先攻', 99)`, "rejected readonly_derived")
		if hint := res.Calls[0].Hint; !strings.Contains(hint, "computed") {
			t.Errorf("the reason is %q", hint)
		}
	}
	if !g.doc.Same(computed) {
		t.Error("a refused write changed the document")
	}
	g.ai(`set_attribute('衍生属性段.生命值.当前值', 70)`, "applied")
}

func testTimeLeft(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"日期": ["2023年12月30日", ""], "world_shard": {"task": {
		"time_limit": [0, ""], "time_left": [0, ""], "start_date": ["", ""]}}}}`)
	const task = "stat_data.world_shard.task."
	g.turn(`set_status('world_shard.task.time_limit', 100)`)
	g.reads(task+"start_date", `"2023年12月30日"`)
	g.reads(task+"time_left", "100")
	for _, row := range []struct{ date, left string }{
		{"2023年12月31日", "99"},
		{"2024年01月01日", "98"},
		{"2024年03月01日", "38"}, // over a new year and a 29 February
		{"2024年12月30日", "0"},  // never below
	} {
		g.turn(`set_status('日期', '` + row.date + `')`)
		g.reads(task+"time_left", row.left)
	}
	g.ai(`set_status('world_shard.task.time_left', 50)
		set_status('world_shard.task.start_date', '2024年12月01日')`,
		"rejected readonly_auto", "rejected readonly_auto")
	g.reads(task+"start_date", `"2023年12月30日"`)
}

func testResources(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"日期": ["03月30日", ""]},
		"assa_data": {"map": {"磨坊": {"resources": {
			"面粉": ["3/d", 100], "木柴": ["-2/d", 9], "灯油": ["-2/d", 5], "井水": ["5/d", "无限"]}}}}}`)
	g.turn(`set_status('日期', '04月02日')`)
	g.is(`{"stat_data": {"日期": ["04月02日", ""]},
		"assa_data": {"map": {"磨坊": {"resources": {
			"面粉": ["3/d", 109], "木柴": ["-2/d", 3], "灯油": ["-2/d", 0], "井水": ["5/d", "无限"]}}}}}`)
	after := g.doc
	g.turn("同一天的傍晚。")
	if !g.doc.Same(after) {
		t.Error("stocks changed within a day")
	}
}

func testChecks(t *testing.T) {
	t.Parallel()
	g := play(t, `{
		"play_character_data": {
			"属性段": {"生理属性": {"力量": {"基础": [4, ""]}}}, "技能段": {"生理技能": {"白刃": [3, ""]}}
		},
		"stat_data": {
			"检定属性": ["力量;白刃", ""], "检定难度": [4, ""], "敌方攻击骰池": ["力量:2;白刃:2", ""]
		}
	}`)
	want := memvars.CheckProposal{
		Terms: []memvars.CheckTerm{{Name: "力量", Value: "4"}, {Name: "白刃", Value: "3"}}, Pool: "7",
		Difficulty: "4",
		Enemy:      []memvars.CheckTerm{{Name: "力量", Value: "2"}, {Name: "白刃", Value: "2"}},
		EnemyPool:  "4",
	}
	if diff := cmp.Diff(want, g.sys.Checks(g.doc)); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}

	g.ai(`set_status('检定属性', '力量;飞行'); set_status('敌方攻击骰池', '力量:很多;白刃:2')`,
		"applied", "applied")
	c := g.sys.Checks(g.doc)
	if c.Pool != "4" || c.EnemyPool != "2" || len(c.Problems) != 2 {
		t.Errorf("pools %s and %s with the problems %v", c.Pool, c.EnemyPool, c.Problems)
	}
}

func testWorldLevels(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ level, most string }{
		{"无", "3"}, {"低", "5"}, {"中", "7"}, {"高", "12"}, {"神话", "16"},
	} {
		g := play(t, `{"stat_data": {
			"world_shard": {"level": ["`+row.level+`", ""]}, "检定难度": [2, ""]}}`)
		g.ai(`set_status('检定难度', 20)`, "applied")
		g.reads("stat_data.检定难度", row.most)
		g.ai(`set_status('检定难度', 1)`, "applied")
		g.reads("stat_data.检定难度", "1")
	}
}

func testInventory(t *testing.T) {
	t.Parallel()
	g := play(t, `{"assa_data": {"global_set": {"背包": {
		"火把": {"num": 1, "description": "照明"}, "药品": {"绷带": {"num": 2}}, "绳子": {"num": 1}}}}}`)
	res := g.ai(`memory('global_set.背包.火把', 'num', 0)
		memory('global_set.背包.药品.绷带', {"num": 0})`, "applied", "applied")
	g.is(`{"assa_data": {"global_set": {"背包": {"药品": {}, "绳子": {"num": 1}}}}}`)
	var gone []string
	for _, c := range res.Changes {
		if c.By == "inventory" && !c.New.Exists() {
			gone = append(gone, c.Path[len(c.Path)-1])
		}
	}
	if diff := cmp.Diff([]string{"火把", "绷带"}, gone); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
}

func testLeavingWorld(t *testing.T) {
	t.Parallel()
	g := play(t, `{"stat_data": {"world_shard": {"name": ["雾港", ""]}}, "assa_data": {"world_set": {
		"npc": {"阿七": {"好感度": 5}}, "settings": {"宵禁": "十点后不得上街"}}}}`)
	res := g.ai(`delete('world_set.npc', 'all'); delete('world_set.settings', 'all')`,
		"applied", "applied")
	g.is(`{"stat_data": {"world_shard": {"name": ["雾港", ""]}},
		"assa_data": {"world_set": {"npc": {}, "settings": {}}}}`)
	var backups []string
	for _, e := range res.Effects {
		backups = append(backups, e.Kind+" "+e.World+" "+e.Path.String()+" "+e.Data.String())
	}
	want := []string{
		`backup 雾港 assa_data.world_set.npc {"阿七":{"好感度":5}}`,
		`backup 雾港 assa_data.world_set.settings {"宵禁":"十点后不得上街"}`,
	}
	if diff := cmp.Diff(want, backups); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
}
