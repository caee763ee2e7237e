package main

// words has the sentences of this program.
type words struct {
	turn, lore, fired, vars, refused, command, conflict, repaired string
	hooks, host, tokens, attempts                                 string
	rollback, undo, event, milestone, fork, swipe, choose         string
	waits, approve, deny, decide, decides, player, legendWaits    string
	secret, keptFrom, legendSecret                                string

	noModel string // before the game
	// the explanations of the labels
	legendLore, legendTokens, legendRefused, legendConflict, legendCommand string
	legendFired, legendHooks, legendHost, legendVars                       string
}

func wordsFor(lang string) words {
	if lang == "zh" {
		return words{
			turn: "第%d回合", lore: "世界书", fired: "规则", vars: "变量",
			refused: "拒绝", command: "指令", conflict: "矛盾", repaired: "已修正",
			hooks: "钩子", host: "宿主", tokens: "提示词",
			attempts: "第%d次输出", rollback: "回滚到 %s", undo: "撤销回滚",
			swipe: "换一个回答", choose: "选用 %s", event: "事件 %s", milestone: "里程碑", fork: "分支",
			waits: "待批准", approve: "批准", deny: "不批准", decide: "由人决定：%s", decides: "由人决定", player: "玩家",
			legendWaits: "模型要求而须由人批准的事",
			secret:      "秘密", keptFrom: "%s知道；%s不知道，写给后者的提示词里也没有", legendSecret: "只有部分角色知道的回合",
			noModel: "没有连接模型：玩家与模型的话都出自脚本，其余的一切由引擎实时完成。" +
				"用 go run ./campaign/authoring/talewright play 自己游玩。",
			legendLore: "被激活的世界书条目及原因", legendTokens: "提示词由多少块、多少词元组成",
			legendRefused: "模型要求而引擎不允许的事", legendConflict: "与状态矛盾的叙述，须重新回答",
			legendCommand: "叙述中的变量指令及其结果", legendFired: "触发的规则，<- 之后是事件，=> 之后是效果",
			legendHooks: "运行的钩子及其事件", legendHost: "交给宿主程序的事：通知、音乐……",
			legendVars: "变量的旧值 -> 新值（原因）",
		}
	}
	return words{
		turn: "Turn %d", lore: "lore", fired: "rule", vars: "vars",
		refused: "refused", command: "command", conflict: "conflict", repaired: "repaired",
		hooks: "hook", host: "host", tokens: "prompt",
		attempts: "output %d", rollback: "rollback to %s", undo: "undo the rollback",
		swipe: "another answer", choose: "choose %s", event: "event %s", milestone: "milestone", fork: "branch",
		waits: "asks", approve: "approved by the player", deny: "denied", decide: "decided by the player: %s",
		decides: "a person decides", player: "the player", legendWaits: "what the model asks for and a person has to approve",
		secret: "secret", keptFrom: "heard by %s; %s does not know, nor does a prompt that is written for them",
		legendSecret: "a turn that only some of the characters know",
		noModel: "No model is connected: the player's and the model's lines are a script, and the engine " +
			"does everything else live. Play yourself with go run ./campaign/authoring/talewright play.",
		legendLore: "entries of the world book that are active, and why", legendTokens: "blocks and tokens of the prompt",
		legendRefused:  "what the model asked for and the engine does not allow",
		legendConflict: "a narration that contradicts the state: the model has to answer again",
		legendCommand:  "variable commands in the narration, and what became of them",
		legendFired:    "rules that fired, <- on which event, => with which effects",
		legendHooks:    "hooks that ran, <- on which event", legendHost: "for the host program: notices, music …",
		legendVars: "old -> new value of a variable (and the cause)",
	}
}
