package main

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/tool"
)

// words are the messages for players and authors in one language. Some are formats: the comment names
// the arguments.
type words struct {
	language string // of problems, for [talewright.Problems.Translated]
	severity map[talewright.Severity]string

	// A list of problems.
	noProblems string
	summary    string // errors, warnings

	// The terminal of a player.
	notPlayed      string // before the list of parts of a file that are not used as in other programs
	prompt         string
	hint           string // on an empty input line
	help           string
	unknownCommand string // the command
	usageTo        string // of the command /to
	unknownName    string // the name; the known names
	notInPast      string // the text that /find looks for
	noTurn         string
	nothingToUndo  string
	movedTo        string // the turn after /undo or /redo
	branches       string
	saved          string // the file
	bye            string
	variables      string
	noModel        string // in place of a reply
	retractedReply string

	// A call that needs approval.
	callRequest string // tool, arguments
	callEffect  string // the fields that the call changes
	allowCall   string
	turnWaits   string
	fields      map[string]string // by the constants of package conflict

	// A conflict of a reply with the state.
	conflict  string // the kinds of conflict
	decisions string

	betweenItems  string // of a list
	afterSentence string

	// Lore.
	lore      string
	activated string
	inactive  string

	// The other commands.
	passed         string // passed scenarios, all scenarios
	failed         string
	noTests        string
	written        string // the file
	nextSteps      string // the folder of a new game
	cannotHold     string // the file whose format cannot hold the listed parts
	rebuilt        string // ID, records, turns
	imported       string // the ID
	watching       string // the folder
	reloaded       string
	contentRefused string
}

// yes and no are the answers to a question, in any language.
var (
	yes = []string{"y", "yes", "是", "是的", "好", "允许"}
	no  = []string{"n", "no", "否", "不", "不允许"}
)

var en = words{
	language: "en", severity: map[talewright.Severity]string{talewright.Warning: "warning", talewright.Error: "error", talewright.Fatal: "fatal"},
	noProblems: "no problems", summary: "%d errors, %d warnings", notPlayed: "These parts play differently here, or not at all:",
	prompt: "> ", unknownCommand: "there is no command %s; /help lists them",
	help: `Write what you do or say. Commands:
  /as [NAME]        act as a character, and see what this character knows
  /to NAMES: TEXT   say something that only these characters hear
  /find [TEXT]      go to a turn of the past; without TEXT to an earlier one
  /why              explain the last turn
  /state            characters and variables
  /lore             active lore
  /swipe            a different answer
  /undo [TURN]      back before the last turn
  /redo             revert an /undo
  /branch [ID]      list branches, or switch
  /accept           keep an answer that contradicts the state
  /retry            ask for another one
  /discard          drop it
  /save FILE        export the campaign
  /help             this page
  /quit             end`,
	noModel:     "(No model answers. Start with -model URL, or write the answer into a scenario in tests/.)",
	callRequest: "The model wants to call %s %s.", callEffect: "it changes: %s", allowCall: "Allow it? [y/n, /discard the turn, /quit to answer later] ",
	turnWaits: "The turn waits for the answer.", betweenItems: ", ", afterSentence: ". ", usageTo: "write /to NAMES: text", unknownName: "nobody here is called %q; write one of: %s",
	notInPast: "no earlier turn contains %q", noTurn: "there is no turn yet",
	fields: map[string]string{conflict.FieldHP: "hit points", conflict.FieldPosition: "place", conflict.FieldAliveState: "condition",
		conflict.FieldCard: "character card", conflict.FieldMap: "map", conflict.FieldWorldRules: "rules of the world", conflict.FieldGoal: "goal",
		tool.AffectsNothing: "nothing"},
	conflict: "The answer contradicts the state: %s", decisions: "/accept keeps the text, /retry asks again, /discard drops it.",
	nothingToUndo: "there is no turn to take back", movedTo: "back to %s",
	branches: "branches:", saved: "saved as %s", bye: "The end.", variables: "variables:", lore: "active lore:", activated: "active", inactive: "not active",
	passed: "%d of %d scenarios passed", failed: "FAIL", noTests: "there are no scenarios; write tests/NAME.txt", written: "wrote %s",
	nextSteps: "Next: talewright vet %[1]s, talewright test %[1]s, talewright play %[1]s", cannotHold: "%s cannot hold:",
	rebuilt: "the log of %s gives the same campaign: %d records, %d turns", imported: "stored %s", reloaded: "the changed content is used from the next turn",
	contentRefused: "the changed content has mistakes; the game keeps its own", watching: "watching %s", hint: "What do you do? /help lists the commands.", retractedReply: "this answer is taken back; another one follows",
}

var zh = words{
	language: "zh", severity: map[talewright.Severity]string{talewright.Warning: "警告", talewright.Error: "错误", talewright.Fatal: "无法使用"},
	noProblems: "没有问题", summary: "%d 个错误，%d 个警告", notPlayed: "以下内容在这里不生效，或有所不同：",
	prompt: "> ", unknownCommand: "没有命令 %s；/help 列出所有命令",
	help: `写下你做的事或说的话。命令：
  /as [名字]        以某个角色行动，只看该角色知道的
  /to 名字：内容    只让这些角色听见
  /find [文字]      跳到过去的回合；不写文字则找更早的
  /why              解释上一回合
  /state            角色和变量
  /lore             生效的世界书条目
  /swipe            换一个回答
  /undo [回合]      撤回上一回合
  /redo             取消撤回
  /branch [ID]      列出或切换分支
  /accept           保留与状态矛盾的回答
  /retry            重新生成
  /discard          放弃
  /save 文件        导出
  /help             本页
  /quit             结束`,
	noModel:     "（没有模型回答。用 -model URL 启动，或把回答写进 tests/ 里的场景。）",
	callRequest: "模型想调用 %s %s。", callEffect: "会改变：%s", allowCall: "允许吗？[是/否，/discard 放弃这一回合，/quit 以后再答] ",
	turnWaits: "这一回合在等待答复。", betweenItems: "、", afterSentence: "。", usageTo: "请写 /to 名字：内容", unknownName: "这里没有叫 %q 的角色；请写以下之一：%s",
	notInPast: "过去的内容里没有 %q", noTurn: "还没有回合",
	fields: map[string]string{conflict.FieldHP: "生命值", conflict.FieldPosition: "所在地", conflict.FieldAliveState: "生死",
		conflict.FieldCard: "角色卡", conflict.FieldMap: "地图", conflict.FieldWorldRules: "世界规则", conflict.FieldGoal: "目标",
		tool.AffectsNothing: "无"},
	conflict: "回答与状态矛盾：%s", decisions: "/accept 保留文字，/retry 重新生成，/discard 放弃。",
	nothingToUndo: "没有可以撤回的回合", movedTo: "回到 %s",
	branches: "分支：", saved: "已保存为 %s", bye: "结束。", variables: "变量：", lore: "生效的条目：", activated: "生效", inactive: "未生效",
	passed: "%[2]d 个场景中 %[1]d 个通过", failed: "失败", noTests: "没有场景；请写 tests/名字.txt", written: "已写入 %s",
	nextSteps: "接下来：talewright vet %[1]s、talewright test %[1]s、talewright play %[1]s", cannotHold: "%s 无法保存：",
	rebuilt: "%s 的日志得到同样的战役：%d 条记录，%d 个回合", imported: "已存入 %s", reloaded: "改动的内容从下一回合起生效",
	contentRefused: "改动的内容有错误；游戏继续使用原来的内容", watching: "正在监视 %s", hint: "你要做什么？/help 列出命令。", retractedReply: "这个回答已收回，接着是新的回答",
}
