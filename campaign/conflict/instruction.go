package conflict

// instructions are the texts for the model by kind, in Chinese (true) and English (false).
var instructions = map[bool]map[string]string{
	true: {
		HPChangeUnsettled: "不得自行改变生命值：请用 hp_delta 工具请求结算，或删去这句话。",
		HPAmountMismatch:  "数值与结算不符：请写出 hp_delta 实际结算的数值，或再次调用 hp_delta。",
		HPValueMismatch:   "生命值与系统不符：请写出系统的数值，要改变它请调用 hp_delta。",
		WoundUnsettled:    "伤势没有结算：请用 hp_delta 工具请求结算，或不要写受伤与痊愈。",
		LifeStateUnsettled: "生死与意识由系统决定：请用 hp_delta 工具请求结算，" +
			"或删去死亡、昏迷的描写。",
		LocationUnsettled:    "角色没有移动：请用 move 工具请求移动，或只写途中、尚未到达。",
		LocationMismatch:     "角色不在这个区域：请用 move 工具请求移动，或写出真实的位置。",
		WorldRuleRewrite:     "不得改写规则：请按现有规则叙述，没有工具可以改变规则。",
		MapRewrite:           "不得改写地图：请按现有地图叙述；需要新区域时请用 map_generate 工具请求。",
		CardRewrite:          "不得改写角色卡：请按现有角色卡叙述，或请求会改变角色卡的工具。",
		GoalRewrite:          "不得改写战役目标：请按原目标叙述，没有工具可以改变目标。",
		HiddenGoalLeak:       "隐藏目标不得泄露：请删去或换成间接的线索，没有工具可以公开它。",
		DiceClaimUnsettled:   "不得自行编造骰点：请用 check 工具请求检定，并写出其结果。",
		MalformedOutput:      "输出无法读取：请只输出一个完整的 JSON 对象，或纯叙事文本。",
		TruncatedOutput:      "输出太长，被截断了：请重新写完整，并写得更短。",
		FilteredOutput:       "输出被服务商的内容过滤截断：请用更温和的写法重新写完整。",
		EmptyOutput:          "输出为空：请写出叙事，或用 move、hp_delta 等工具提出请求。",
		StructuredStateWrite: "不得直接写入状态：请删去这个字段，改用 hp_delta、move 等工具请求。",
	},
	false: {
		HPChangeUnsettled: "Do not change hit points yourself: request hp_delta, or drop the claim.",
		HPAmountMismatch: "The amount differs from the settlement: tell what hp_delta settled, " +
			"or request hp_delta again.",
		HPValueMismatch: "The hit points differ from the state: tell the true value; " +
			"to change it request hp_delta.",
		WoundUnsettled: "No wound or healing was settled: request hp_delta, or do not tell it.",
		LifeStateUnsettled: "Life and consciousness are the system's: request hp_delta, " +
			"or drop the claim.",
		LocationUnsettled: "The character has not moved: request move, " +
			"or tell only the way, not the arrival.",
		LocationMismatch: "The character is not there: request move, or tell the true place.",
		WorldRuleRewrite: "Do not rewrite the rules: tell the scene under the rules there are; " +
			"no tool changes them.",
		MapRewrite: "Do not rewrite the map: tell the map there is; " +
			"for a new area request map_generate.",
		CardRewrite: "Do not rewrite the character card: tell the card there is, " +
			"or request a tool that changes it.",
		GoalRewrite: "Do not rewrite the goal of the campaign: no tool changes it.",
		HiddenGoalLeak: "The goal is hidden: drop these words or hint at it indirectly; " +
			"no tool reveals it.",
		DiceClaimUnsettled: "Do not invent rolls: request check and tell its result.",
		MalformedOutput: "The output cannot be read: write one complete JSON object, " +
			"or the narration alone.",
		TruncatedOutput: "The output was cut off by its length: write it again as a whole, and shorter.",
		FilteredOutput: "The output was cut off by the provider's content filter: " +
			"write it again as a whole, in milder words.",
		EmptyOutput: "The output is empty: write the narration, " +
			"or request a tool such as move or hp_delta.",
		StructuredStateWrite: "Do not write state directly: drop this member, " +
			"and request tools such as hp_delta or move.",
	},
}
