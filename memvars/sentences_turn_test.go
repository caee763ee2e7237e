package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// sentence is one sentence of the description: the content of some places after the messages.
type sentence struct {
	reason, doc string
	options     memvars.Options
	// messages are replies, each with the end of its turn. Messages of the player and the host
	// begin with user> and host>, and do not end a turn.
	messages []string
	// after are expectations place=value, and "notes N" for the notes of all messages together.
	after []string
}

// hold plays the messages of each sentence and checks its expectations.
func hold(t *testing.T, sentences []sentence) {
	t.Helper()
	for _, c := range sentences {
		sys, problems := memvars.Compile(c.options)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		doc := load(t, []byte(c.doc))
		state, notes := sys.Begin(doc), 0
		var player []string
		for _, text := range c.messages {
			by := memvars.AI
			if rest, ok := strings.CutPrefix(text, "user>"); ok {
				by, text = memvars.User, rest
				player = append(player, text)
			} else if rest, ok := strings.CutPrefix(text, "host>"); ok {
				by, text = memvars.Host, rest
			}
			var res memvars.Result
			doc, res = sys.Apply(doc, text, by)
			notes += len(res.Notes)
			if by == memvars.AI {
				doc, state, res = sys.EndTurn(doc, state, memvars.Turn{Reply: text, Player: player})
				player = nil
				notes += len(res.Notes)
			}
		}
		for _, claim := range c.after {
			if place, want, ok := strings.Cut(claim, "="); ok {
				path, err := tree.ParsePath(place)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if v := doc.Lookup(path); v.Exists() {
					got = v.String()
				}
				if got != want {
					t.Errorf("%s: %s is %s, want %s", c.reason, place, got, want)
				}
			} else if want := strings.TrimPrefix(claim, "notes "); want != tree.Int(int64(notes)).String() {
				t.Errorf("%s: %d notes, want %s", c.reason, notes, want)
			}
		}
	}
}

// hero is a character with stale derived fields; %s is among them.
func hero(more string) string {
	return `{"play_character_data":{
		"属性段":{"生理属性":{"力量":{"基础":[10,"力"],"传奇":[0,"超出"]},"敏捷":{"基础":["6",""],"传奇":1},"耐力":{"基础":3}},
			"心智属性":{"感知":{"基础":4},"决心":{"基础":3}},"互动属性":{"沉着":{"基础":5}}},
		"技能段":{"生理技能":{"运动":[3,""]}},
		"衍生属性段":{"体积":[5,""],"速度":{"基础速度":[0,"米"]},"先攻":[0,"序"],"生命值":{"上限":[1,""],"当前值":[1,""]}` + more + `}}}`
}

// TestSentencesOfDerivedFields checks single sentences of the description of derived fields (MV-04,
// MV-05, MV-06).
func TestSentencesOfDerivedFields(t *testing.T) {
	t.Parallel()
	const at = "play_character_data.衍生属性段."
	formulas := func(list ...memvars.Formula) memvars.Options {
		return memvars.Options{Derived: memvars.Derived{Formulas: list}}
	}
	hold(t, []sentence{
		{reason: "recomputed also when no call changed an input; the description stays", doc: hero(""), messages: []string{"prose"},
			after: []string{at + `速度.基础速度=[7,"米"]`, at + `先攻=[8.5,"序"]`, at + `生命值.上限=[110,""]`}},
		{reason: "after the message of the player and of the host too", doc: hero(""), messages: []string{"user>I wait."}, after: []string{at + `先攻=[8.5,"序"]`}},
		{reason: "the legend is what is above eight, at least none, and only where there is such a field", doc: hero(""), messages: []string{""},
			after: []string{"play_character_data.属性段.生理属性.力量.传奇=[2,\"超出\"]", "play_character_data.属性段.生理属性.敏捷.传奇=0", "play_character_data.属性段.生理属性.耐力={\"基础\":3}"}},
		{reason: "the base of the defence, the first target that exists", doc: hero(`,"防御":{"基础防御":[0,""]}`), messages: []string{""}, after: []string{at + `防御={"基础防御":[4,""]}`}},
		{reason: "else the defence itself", doc: hero(`,"防御":[0,"守"]`), messages: []string{""}, after: []string{at + `防御=[4,"守"]`}},
		{reason: "will, perception and saves", doc: hero(`,"意志力":{"上限":0},"感知范围":{"敏感范围":0},"豁免检定基础":{"反射":0,"意志":0}`), messages: []string{""},
			after: []string{at + `意志力.上限=8`, at + `感知范围.敏感范围=40`, at + `豁免检定基础={"反射":4,"意志":8}`}},
		{reason: "a missing input leaves the target and is told", doc: hero(`,"豁免检定基础":{"强韧":[9,""]}`), messages: []string{""}, // without 求生
			after: []string{at + `豁免检定基础.强韧=[9,""]`, "notes 6"}},
		{reason: "so does one that is no number", doc: strings.Replace(hero(""), `"体积":[5,""]`, `"体积":["巨大",""]`, 1), messages: []string{""},
			after: []string{at + `速度.基础速度=[0,"米"]`, at + `生命值.上限=[1,""]`, at + `先攻=[8.5,"序"]`}},
		{reason: "targets are never created", doc: hero(""), messages: []string{""}, after: []string{at + `意志力=`, at + `防御=`}},
		{reason: "present hit points do not follow a maximum", doc: hero(""), messages: []string{"set_attribute('属性段.生理属性.耐力.基础', 9)"},
			after: []string{at + `生命值={"上限":[230,""],"当前值":[1,""]}`}},
		{reason: "the origin rounds speed and initiative down and halves the sum", doc: strings.Replace(hero(""), `"基础":5`, `"基础":4`, 1),
			options:  memvars.Options{Derived: memvars.Derived{Preset: "origin"}},
			messages: []string{"set_attribute('属性段.生理属性.力量.基础', 9)"}, after: []string{at + `速度.基础速度=[6,"米"]`, at + `先攻=[5,"序"]`}},
		{reason: "off computes nothing, and nothing is locked", doc: hero(""), options: memvars.Options{Derived: memvars.Derived{Preset: "off"}},
			messages: []string{"set_attribute('衍生属性段.先攻', 3)"}, after: []string{at + `先攻=[3,"序"]`, "play_character_data.属性段.生理属性.力量.传奇=[0,\"超出\"]"}},
		{reason: "own formulas: names, skills, quoted paths, functions, rounding; products are exact, quotients doubles", doc: hero(`,"甲":0,"乙":0,"丙":0,"丁":0,"戊":0`),
			options: formulas(memvars.Formula{Target: "衍生属性段.甲", Expr: "0.1 * 3 + 0.2"}, memvars.Formula{Target: "衍生属性段.乙", Expr: "运动 / 2", Round: "round"},
				memvars.Formula{Target: "衍生属性段.丙", Expr: "max(min(力量, 敏捷), floor(2.7), ceil(1.2), abs(-7))"}, memvars.Formula{Target: "衍生属性段.丁", Expr: "'属性段.生理属性.力量.传奇' + -1", Round: "ceil"},
				memvars.Formula{Target: "衍生属性段.戊", Expr: "1 / 3", Round: "none"}),
			messages: []string{""}, after: []string{at + "甲=0.5", at + "乙=2", at + "丙=7", at + "丁=1", at + "戊=0.3333333333333333", at + `先攻=[0,"序"]`}},
		{reason: "their targets are locked and those of the default set are not", doc: hero(`,"甲":0`), options: formulas(memvars.Formula{Target: "衍生属性段.甲", Expr: "1"}),
			messages: []string{"set_attribute('衍生属性段.甲', 5); set_attribute('衍生属性段.先攻', 5)", "user>set_attribute('衍生属性段.甲', 6)"}, after: []string{at + "甲=1", at + `先攻=[5,"序"]`}},
		{reason: "the targets are locked, the other members of the section are not", doc: hero(""),
			messages: []string{"set_attribute('衍生属性段.生命值.当前值', 5); set_attribute('衍生属性段.体积', 6); set_attribute('衍生属性段.生命值.上限', 9); set_attribute('属性段.生理属性.力量.传奇', 9)"},
			after:    []string{at + `生命值={"上限":[120,""],"当前值":[5,""]}`, "play_character_data.属性段.生理属性.力量.传奇=[2,\"超出\"]"}},
		{reason: "the lock of the whole section", doc: hero(""), options: memvars.Options{DerivedLock: "segment"}, messages: []string{"set_attribute('衍生属性段.生命值.当前值', 5)", "user>set_attribute('衍生属性段.体积', 9)"},
			after: []string{at + `生命值.当前值=[1,""]`, at + `体积=[5,""]`}},
		{reason: "what the host writes there is recomputed at once", doc: hero(""), messages: []string{"host>set_attribute('衍生属性段.先攻', 99)"}, after: []string{at + `先攻=[8.5,"序"]`}},
	})
}

// calm is a document with a clock, a task, a mine and the memories.
const calm = `{"stat_data":{"纪年":["贞观三年",""],"日期":["3月10日",""],"星期":["三",""],"时间":["22:00",""],
		"world_shard":{"name":["雾港",""],"task":{"time_limit":[10.5,""],"time_left":[10.5,""],"start_date":["3月10日",""],"progress":["7",""]}}},
	"assa_data":{"map":{"主要地点表":{"矿":{"resources":{"铁":["+2块/d",10],"煤":["-3(车)/天",5],"水":["1.5/日","4"],"盐":["0.1/day",0.2],
		"油":["2/w",1],"气":["2/d","无限"],"坏":["d",1],"短":["2/d"]}},"村":[{"resources":{"米":["１/d",0]}}]}},
		"summary":{"small":{"a":"1","p":{"_is_protected":true}},"big":{"x":"1","y":"2","q":{"_is_protected":true}}},
		"config":{"small_to_big_count":"3","clean_big_count":4},"world_set":{"npc":{"Ann":{"_filter":true},"Bob":{"深":{"_filter":"TRUE","_showInEJS":true}}}},"门":{"_filter":true}}}`

// mine is the place of the stocks.
const mine = "assa_data.map.主要地点表.矿.resources."

// TestSentencesOfTime checks single sentences of the description of dates, the clock and the task
// (MV-07).
func TestSentencesOfTime(t *testing.T) {
	t.Parallel()
	const task, date = "stat_data.world_shard.task.", "stat_data.日期="
	limit := func(text string) string {
		return strings.Replace(calm, `"time_limit":[10.5,""]`, `"time_limit":[`+text+`,""]`, 1)
	}
	hold(t, []sentence{
		{reason: "the clock ran back by six hours: a new day, and neither weekday nor era", doc: calm, messages: []string{"set_status('时间', '06:00')"},
			after: []string{date + `["3月11日",""]`, `stat_data.星期=["三",""]`, `stat_data.纪年=["贞观三年",""]`, task + `time_left=[9.5,""]`, mine + `铁=["+2块/d",12]`}},
		{reason: "exactly six hours", doc: calm, messages: []string{"set_status('时间', '16:00')"}, after: []string{date + `["3月11日",""]`}},
		{reason: "less is a correction", doc: calm, messages: []string{"set_status('时间', '16:01')"}, after: []string{date + `["3月10日",""]`}},
		{reason: "not when the date was written too", doc: calm, messages: []string{"set_status('时间', '06:00'); set_status('日期', '3月12日')"}, after: []string{date + `["3月12日",""]`}},
		{reason: "0 turns it off", doc: calm, options: memvars.Options{RolloverMinMinutes: new(0)}, messages: []string{"set_status('时间', '06:00')"}, after: []string{date + `["3月10日",""]`}},
		{reason: "1 is any decrease", doc: calm, options: memvars.Options{RolloverMinMinutes: new(1)}, messages: []string{"set_status('时间', '21:59')"}, after: []string{date + `["3月11日",""]`}},
		{reason: "times in words", doc: calm, messages: []string{"set_status('时间', '晚上11点半')", "set_status('时间', '凌晨1时20分')"}, after: []string{date + `["3月11日",""]`}},
		{reason: "with seconds, in full width", doc: calm, messages: []string{"set_status('时间', '２３：００：０１')", "set_status('时间', '8点')"}, after: []string{date + `["3月11日",""]`}},
		{reason: "a message of the player ends no turn", doc: calm, messages: []string{"user>set_status('时间', '06:00')"}, after: []string{date + `["3月10日",""]`}},
		{reason: "the limit set to another number begins anew", doc: calm, messages: []string{"set_status('日期', '3月12日'); set_status('world_shard.task.time_limit', 4)"},
			after: []string{task + `start_date=["3月12日",""]`, task + `time_left=[4,""]`}},
		{reason: "the same number is no change", doc: calm, messages: []string{"set_status('日期', '3月12日'); set_status('world_shard.task.time_limit', 10.50)"}, after: []string{task + `start_date=["3月10日",""]`, task + `time_left=[8.5,""]`}},
		{reason: "none ends the count", doc: calm, messages: []string{"set_status('world_shard.task.time_limit', 0)"}, after: []string{task + `start_date=["",""]`, task + `time_left=[0,""]`}},
		{reason: "a negative one too", doc: calm, messages: []string{"set_status('world_shard.task.time_limit', -1)"}, after: []string{task + `start_date=["",""]`, task + `time_left=[-1,""]`}},
		{reason: "while the date is unreadable the start is empty, and becomes the next readable day", doc: calm,
			messages: []string{"set_status('日期', '闰三月初一'); set_status('world_shard.task.time_limit', 4)", "set_status('日期', '4月1日')", "set_status('日期', '4月3日')"},
			after:    []string{task + `start_date=["4月1日",""]`, task + `time_left=[2,""]`}},
		{reason: "a start that is missing is created as a leaf", doc: strings.Replace(calm, `,"start_date":["3月10日",""]`, "", 1), messages: []string{"set_status('world_shard.task.time_limit', 4)"},
			after: []string{task + `start_date=["3月10日",""]`}},
		{reason: "days left do not fall below zero", doc: calm, messages: []string{"set_status('日期', '4月10日')"}, after: []string{task + `time_left=[0,""]`}},
		{reason: "unless the option says so; the fraction stays", doc: calm, options: memvars.Options{TimeLeftFloor: new(false)}, messages: []string{"set_status('日期', '4月10日')"}, after: []string{task + `time_left=[-20.5,""]`}},
		{reason: "a date before the start counts as no day", doc: calm, messages: []string{"set_status('日期', '3月9日')"}, after: []string{task + `time_left=[10.5,""]`}},
		{reason: "the limit widens the window of a new year", doc: limit("100"), messages: []string{"", "set_status('日期', '12月10日'); host>", "set_status('world_shard.task.time_limit', 101)", "set_status('日期', '3月1日')"},
			after: []string{task + `time_left=[20,""]`}},
		{reason: "beyond it the date went back", doc: limit("40"), messages: []string{"set_status('world_shard.task.time_limit', 41); set_status('日期', '12月1日')", "set_status('日期', '3月1日')"}, after: []string{task + `time_left=[41,""]`}},
		{reason: "progress is not interpreted", doc: calm, messages: []string{"set_status('日期', '3月11日')"}, after: []string{task + `progress=["7",""]`}},
		{reason: "a limit beyond all numbers", doc: calm, messages: []string{"set_status('world_shard.task.time_limit', 1e300)", "set_status('日期', '3月12日')", "set_status('日期', '3月9日')"}, after: []string{task + `time_limit=[1e300,""]`}},
		{reason: "a year unknown: 365 days, and 29 February is tolerated", doc: strings.Replace(calm, `"贞观三年"`, `"乱世"`, 1), messages: []string{"set_status('日期', '2月29日'); set_status('world_shard.task.time_limit', 4)", "set_status('日期', '3月2日')"},
			after: []string{task + `time_left=[3,""]`}},
		{reason: "the last number of the era is the year", doc: strings.Replace(calm, `"贞观三年"`, `"贞观四年"`, 1), messages: []string{"set_status('日期', '2月28日'); set_status('world_shard.task.time_limit', 4)", "set_status('日期', '3月1日')"}, after: []string{task + `time_left=[2,""]`}},
		{reason: "months of other lengths", doc: calm, options: memvars.Options{Calendar: memvars.Calendar{Months: []int{30, 30, 10}}}, messages: []string{"set_status('时间', '06:00')"}, after: []string{date + `["1月1日",""]`, task + `time_left=[9.5,""]`}},
	})
}

// TestSentencesOfResources checks single sentences of the description of stocks (MV-08).
func TestSentencesOfResources(t *testing.T) {
	t.Parallel()
	hold(t, []sentence{
		{reason: "signs, units, brackets, words for day, lists of places, numeric texts", doc: calm, messages: []string{"set_status('日期', '3月13日')"},
			after: []string{mine + `铁=["+2块/d",16]`, mine + `水=["1.5/日",8.5]`, mine + `盐=["0.1/day",0.5]`, `assa_data.map.主要地点表.村[0].resources.米=["１/d",3]`}},
		{reason: "consumption stops at nothing", doc: calm, messages: []string{"set_status('日期', '3月13日')"}, after: []string{mine + `煤=["-3(车)/天",0]`}},
		{reason: "unless the option says so", doc: calm, options: memvars.Options{ResourceFloor: new(false)}, messages: []string{"set_status('日期', '3月13日')"}, after: []string{mine + `煤=["-3(车)/天",-4]`}},
		{reason: "other units, texts and malformed entries are left alone", doc: calm, messages: []string{"set_status('日期', '3月13日')"},
			after: []string{mine + `油=["2/w",1]`, mine + `气=["2/d","无限"]`, mine + `坏=["d",1]`, mine + `短=["2/d"]`}},
		{reason: "rate, stock and entry may have a description", doc: strings.Replace(calm, `"铁":["+2块/d",10]`, `"铁":[["+2块/d","率"],[10,"存"]],"铜":[["2/d",1],"矿脉"]`, 1), messages: []string{"set_status('日期', '3月13日')"},
			after: []string{mine + `铁=[["+2块/d","率"],[16,"存"]]`, mine + `铜=[["2/d",7],"矿脉"]`}},
		{reason: "nothing grows when the date went back", doc: calm, messages: []string{"set_status('日期', '3月1日')"}, after: []string{mine + `铁=["+2块/d",10]`}},
		{reason: "nor in the turn of another world", doc: calm, messages: []string{"set_status('日期', '3月13日'); set_status('world_shard.name', '天宫')", "set_status('日期', '3月14日')"}, after: []string{mine + `铁=["+2块/d",12]`}},
		{reason: "over a new year", doc: calm, messages: []string{"set_status('日期', '12月30日')", "set_status('日期', '1月2日')"}, after: []string{mine + `铁=["+2块/d",606]`}},
		{reason: "not beyond the window", doc: calm, options: memvars.Options{WrapWindowDays: new(2)}, messages: []string{"set_status('日期', '12月30日')", "set_status('日期', '1月2日')"}, after: []string{mine + `铁=["+2块/d",600]`}},
		{reason: "an unreadable day computes nothing, and the next readable date goes on", doc: calm, messages: []string{"set_status('日期', '次日')", "set_status('日期', '3月13日')", "set_status('日期', '3月14日')"}, after: []string{mine + `铁=["+2块/d",12]`, "notes 1"}},
	})
}

// TestSentencesOfSummaries checks single sentences of the description of summaries and green lights
// (MV-18, MV-19, MV-23).
func TestSentencesOfSummaries(t *testing.T) {
	t.Parallel()
	const config, summary, npc = "assa_data.config.", "assa_data.summary.", "assa_data.world_set.npc."
	const b, c, big = "memory('summary.small', 'b', '2')", "memory('summary.small', 'c', '3')", "memory('summary.big', 'z', '3')"
	without := func(member string) string { return strings.Replace(calm, member, "", 1) }
	hold(t, []sentence{
		{reason: "numeric text is a threshold; the turn that reaches it does not clear", doc: calm, messages: []string{b + big},
			after: []string{config + "flags.clean_small_flag=true", config + "counters.big_length_on_flag=4", summary + `small={"a":"1","p":{"_is_protected":true},"b":"2"}`}},
		{reason: "a big entry while the flag is down clears nothing", doc: calm, messages: []string{"memory('summary.big', 'x', '9')"}, after: []string{summary + `small={"a":"1","p":{"_is_protected":true}}`, config + "flags="}},
		{reason: "an update while it is up clears all but what is protected, what this turn added too", doc: calm, messages: []string{b, "memory('summary.big', 'x', '9')" + c},
			after: []string{summary + `small={"p":{"_is_protected":true}}`, config + "flags.clean_small_flag=false"}},
		{reason: "but what was added by option", doc: calm, options: memvars.Options{KeepUnsummarised: true}, messages: []string{b, "memory('summary.big', 'x', '9')" + c}, after: []string{summary + `small={"p":{"_is_protected":true},"c":"3"}`}},
		{reason: "writing the same or deleting is no update", doc: calm, messages: []string{b, "memory('summary.big', 'x', '1')", "delete('summary.big', 'y')"}, after: []string{config + "flags.clean_small_flag=true"}},
		{reason: "by count an update is one entry more than when the flag rose", doc: calm, options: memvars.Options{BigUpdate: "count"}, messages: []string{b, "memory('summary.big', 'x', '9')"}, after: []string{config + "flags.clean_small_flag=true"}},
		{reason: "and one more clears", doc: calm, options: memvars.Options{BigUpdate: "count"}, messages: []string{b, big}, after: []string{config + "flags.clean_small_flag=false"}},
		{reason: "the big flag rises at its threshold and settles with the newest entry and the protected ones", doc: calm, messages: []string{big, "memory('summary.big', 'w', '4')"},
			after: []string{summary + `big={"q":{"_is_protected":true},"w":"4"}`, config + "flags.clean_big_flag=false", config + "counters.big_length_on_big_flag=4"}},
		{reason: "keep_big keeps more", doc: calm, options: memvars.Options{KeepBig: new(2)}, messages: []string{big, "memory('summary.big', 'w', '4')"}, after: []string{summary + `big={"q":{"_is_protected":true},"z":"3","w":"4"}`}},
		{reason: "a threshold of none or less disables", doc: strings.Replace(calm, `"small_to_big_count":"3"`, `"small_to_big_count":0`, 1), messages: []string{b + c}, after: []string{config + "flags="}},
		{reason: "a threshold, a flag and a counter may be a pair with a description, which stays", doc: strings.Replace(calm, `"small_to_big_count":"3"`,
			`"small_to_big_count":[3,"阈值"],"flags":{"clean_small_flag":[false,"旗"]},"counters":{"big_length_on_flag":[0,"数"]}`, 1), messages: []string{b},
			after: []string{config + `small_to_big_count=[3,"阈值"]`, config + `flags.clean_small_flag=[true,"旗"]`, config + `counters.big_length_on_flag=[3,"数"]`}},
		{reason: "a flag with a description is up", doc: strings.Replace(calm, `"small_to_big_count":"3"`, `"small_to_big_count":[9,""],"flags":{"clean_small_flag":[true,"旗"]}`, 1),
			messages: []string{big}, after: []string{summary + `small={"p":{"_is_protected":true}}`, config + `flags.clean_small_flag=[false,"旗"]`}},
		{reason: "a fraction is reached by the next whole number", doc: strings.Replace(calm, `"small_to_big_count":"3"`, `"small_to_big_count":3.5`, 1), messages: []string{b}, after: []string{config + "flags="}},
		{reason: "without a config nothing happens", doc: without(`,
		"config":{"small_to_big_count":"3","clean_big_count":4}`), messages: []string{b + big}, after: []string{"assa_data.config="}},
		{reason: "nor without big summaries", doc: without(`,"big":{"x":"1","y":"2","q":{"_is_protected":true}}`), messages: []string{b}, after: []string{config + "flags="}},
		{reason: "the third segment is the keyword, of a shorter path the last; letter case does not count, commands do", doc: calm,
			messages: []string{"set_status('world_shard.name', 'ANN'); the 门 opens"}, after: []string{npc + "Ann._showInEJS=true", npc + "Bob.深._showInEJS=false", "assa_data.门._showInEJS=true"}},
		{reason: "the name of a child is none", doc: calm, messages: []string{"深 bob"}, after: []string{npc + "Bob.深._showInEJS=true", npc + "Ann._showInEJS=false"}},
		{reason: "the last so many replies count", doc: calm, options: memvars.Options{GreenWindow: new(2)}, messages: []string{"ann", "x"}, after: []string{npc + "Ann._showInEJS=true"}},
		{reason: "and no more", doc: calm, options: memvars.Options{GreenWindow: new(2)}, messages: []string{"ann", "x", "x"}, after: []string{npc + "Ann._showInEJS=false"}},
		{reason: "a window of none scans nothing", doc: calm, options: memvars.Options{GreenWindow: new(0)}, messages: []string{"ann"}, after: []string{npc + "Ann._showInEJS=", npc + "Bob.深._showInEJS=true"}},
		{reason: "config sets the window", doc: strings.Replace(calm, `"clean_big_count":4`, `"clean_big_count":4,"hide_latest_count":"1"`, 1), messages: []string{"ann", "x"}, after: []string{npc + "Ann._showInEJS=false"}},
		{reason: "also as a pair", doc: strings.Replace(calm, `"clean_big_count":4`, `"clean_big_count":4,"hide_latest_count":[1,"条"]`, 1), messages: []string{"ann", "x"}, after: []string{npc + "Ann._showInEJS=false"}},
		{reason: "the marks of a node may be pairs", doc: strings.Replace(calm, `"Ann":{"_filter":true}`, `"Ann":{"_filter":[true,"灯"],"_showInEJS":[true,"显"]}`, 1), messages: []string{"x"}, after: []string{npc + `Ann._showInEJS=[false,"显"]`}},
		{reason: "messages of the player do not count", doc: calm, messages: []string{"user>ann", "x"}, after: []string{npc + "Ann._showInEJS=false"}},
		{reason: "unless the option says so", doc: calm, options: memvars.Options{ScanUser: true}, messages: []string{"user>ann", "x"}, after: []string{npc + "Ann._showInEJS=true"}},
		{reason: "a keyword is in one reply, not across two", doc: strings.Replace(calm, `"Ann"`, `"an\u0000n"`, 1), messages: []string{"an", "n"}, after: []string{`assa_data.world_set.npc["an` + "\x00" + `n"]._showInEJS=false`}},
	})
}
