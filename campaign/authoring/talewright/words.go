package main

import "fmt"

// words are the messages for players and authors.
type words struct {
	fine      string // no problem
	summary   string // errors, warnings
	notPlayed string // before the game: what of the file does not play
	prompt    string
	help      string
	unknown   string // a command
	noModel   string // the answer without a model
	allow     string // calls that wait: tool and arguments
	conflict  string
	decide    string
	failed    string
	nothing   string // to take back
	back      string
	branches  string
	saved     string
	bye       string
	variables string
	lore      string
	activated string
	inactive  string
	passed    string
	faults    string
	noTests   string
	written   string
	next      string // after new
	carries   string // what a format cannot hold
	rebuilt   string
	imported  string
	swapped   string
	refused   string // changed content with mistakes
	watching  string
	retracted string
	hint      string // on the empty line of a screen
}

var en = words{
	fine: "no problems", summary: "%d errors, %d warnings", notPlayed: "What plays differently here, or not:",
	prompt: "> ", unknown: "there is no command %s; /help lists them",
	help: `Write what you do or say. Commands:
  /why              explain the last turn
  /state            characters and variables
  /lore             active lore
  /swipe            a different answer
  /undo [TURN]      back before the last turn
  /redo             revert an /undo
  /branch [ID]      list branches, or switch
  /save FILE        export the campaign
  /help             this page
  /quit             end`,
	noModel:  "(No model answers. Start with -model URL, or write the answer into a scenario in tests/.)",
	allow:    "The model wants to call %s %s. Allow it? [y/n] ",
	conflict: "The answer contradicts the state: %s", decide: "/accept keeps the text, /retry asks again, /discard drops it.",
	failed: "The turn failed: %s. Nothing has changed.", nothing: "there is no turn to take back", back: "back to %s",
	branches: "branches:", saved: "saved as %s", bye: "The end.", variables: "variables:", lore: "active lore:", activated: "active", inactive: "not active",
	passed: "%d of %d scenarios passed", faults: "FAIL", noTests: "there are no scenarios; write tests/NAME.txt", written: "wrote %s",
	next: "Next: talewright vet %[1]s, talewright test %[1]s, talewright play %[1]s", carries: "%s cannot hold:",
	rebuilt: "the log of %s gives the same campaign: %d records, %d turns", imported: "stored %s", swapped: "the changed content is used from the next turn",
	refused: "the changed content has mistakes; the game keeps its own", watching: "watching %s", hint: "What do you do? /help lists the commands.", retracted: "this answer is taken back; another one follows",
}

var zh = words{
	fine: "没有问题", summary: "%d 个错误，%d 个警告", notPlayed: "以下内容在这里不生效，或有所不同：",
	prompt: "> ", unknown: "没有命令 %s；/help 列出所有命令",
	help: `写下你做的事或说的话。命令：
  /why              解释上一回合
  /state            角色和变量
  /lore             生效的世界书条目
  /swipe            换一个回答
  /undo [回合]      撤回上一回合
  /redo             取消撤回
  /branch [ID]      列出或切换分支
  /save 文件        导出
  /help             本页
  /quit             结束`,
	noModel:  "（没有模型回答。用 -model URL 启动，或把回答写进 tests/ 里的场景。）",
	allow:    "模型想调用 %s %s。允许吗？[y/n] ",
	conflict: "回答与状态矛盾：%s", decide: "/accept 保留文字，/retry 重新生成，/discard 放弃。",
	failed: "这一回合失败了：%s。什么都没有改变。", nothing: "没有可以撤回的回合", back: "回到 %s",
	branches: "分支：", saved: "已保存为 %s", bye: "结束。", variables: "变量：", lore: "生效的条目：", activated: "生效", inactive: "未生效",
	passed: "%[2]d 个场景中 %[1]d 个通过", faults: "失败", noTests: "没有场景；请写 tests/名字.txt", written: "已写入 %s",
	next: "接下来：talewright vet %[1]s、talewright test %[1]s、talewright play %[1]s", carries: "%s 无法保存：",
	rebuilt: "%s 的日志得到同样的战役：%d 条记录，%d 个回合", imported: "已存入 %s", swapped: "改动的内容从下一回合起生效",
	refused: "改动的内容有错误；游戏继续使用原来的内容", watching: "正在监视 %s", hint: "你要做什么？/help 列出命令。", retracted: "这个回答已收回，接着是新的回答",
}

func (w *words) watchingDir(dir string) string { return fmt.Sprintf(w.watching, dir) }
