package main

// words are the program's own sentences.
type words struct {
	turn, lore, fired, effects, vars, refused, command, conflict, repaired string
	hooks, notice, host, directive, tokens, attempts, model                string
	rollback, undo, event, milestone, memory, fork                         string
	prompt, waiting, quit, help                                            string
	askAbout, smallAnswer, stumble                                         string
	smallTalk                                                              []string
}

func wordsFor(lang string) words {
	if lang == "zh" {
		return words{
			turn: "第%d回合", lore: "世界书", fired: "规则", effects: "效果", vars: "变量",
			refused: "拒绝", command: "指令", conflict: "矛盾", repaired: "已修正",
			hooks: "钩子", notice: "通知", host: "宿主", directive: "指示", tokens: "提示词",
			attempts: "第%d次输出", model: "模型", rollback: "回滚到 %s", undo: "撤销回滚",
			event: "事件 %s", milestone: "里程碑", memory: "记忆", fork: "分支",
			prompt: "你> ", waiting: "……", quit: "再见。已提交的回合都保存着。",
			help:     "直接输入你的行动；/back 回滚一回合，/undo 撤销，/why 说明上一回合，/quit 退出。",
			askAbout: "跟我说说%s。", smallAnswer: "片刻的沉默之后，话题继续了下去。",
			stumble:   "你脚下一滑，失去2点生命值。",
			smallTalk: []string{"我环顾四周。", "我静静听着。", "我问接下来该做什么。"},
		}
	}
	return words{
		turn: "Turn %d", lore: "lore", fired: "rule", effects: "effects", vars: "vars",
		refused: "refused", command: "command", conflict: "conflict", repaired: "repaired",
		hooks: "hook", notice: "notice", host: "host", directive: "directive", tokens: "prompt",
		attempts: "output %d", model: "model", rollback: "rollback to %s", undo: "undo the rollback",
		event: "event %s", milestone: "milestone", memory: "memory", fork: "branch",
		prompt: "you> ", waiting: "...", quit: "Goodbye. Every committed turn is kept.",
		help: "Type what you do. /back goes back one turn, /undo returns, /why explains the last " +
			"turn, /quit ends.",
		askAbout: "Tell me about %s.", smallAnswer: "After a moment of silence, the talk goes on.",
		stumble:   "You slip and take 2 points of damage.",
		smallTalk: []string{"I look around.", "I listen for a while.", "I ask what we do next."},
	}
}
