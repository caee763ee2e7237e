package conflict_test

import "testing"

// Texts that look like claims but are not (CA-20 to CA-22: precision first).
func TestTraps(t *testing.T) {
	t.Parallel()
	view := town()
	view.CheckAllowed = true
	for reason, texts := range map[string][]string{
		"the area is where something else is": {
			"你知道地窖位于大厅的正下方。", "从城门到大厅只有一条路。", "那间屋子位于钟楼下方。",
			"The key you need is in the Cellar.", "The man who attacked you is in the Cellar.",
			"A portrait of Su stands in the Hall.", "Su's brother is in the Cellar.",
		},
		"a thing was put there": {
			"你把钥匙留在大厅。", "守卫把你的剑留在大厅。", "你将包裹送到钟楼。",
			"You return the key to the Hall.", "You move the chest into the Cellar.",
			"You throw a stone into the Cellar.",
		},
		"a voice, a look or a shadow went there": {
			"你的目光落在大厅深处。", "你的声音传到钟楼。", "你的影子爬上钟楼的墙壁。",
			"你抬头，看见藤蔓爬上钟楼。", "Your voice reaches the Hall.",
			"Your gaze climbs the Bell Tower.", "You look up as ivy climbs the Bell Tower.",
		},
		"an invitation or a right is no arrival": {
			"守卫邀请你进入大厅。", "守卫允许你进入大厅。", "你有权进入钟楼。", "你告诉苏晴进入大厅的方法。",
			"你只差一步就走进大厅。", "The guard invites you to enter the Hall.",
			"The guard lets you into the Hall.",
			"You have a key to the Hall.", "You find the entrance to the Cellar.",
		},
		"hearsay and belief": {
			"林远说苏晴死了。", "你觉得自己失去了5点生命值。", "林远以为苏晴死了。",
			"You think Su is in the Hall.", "You hear that Su is in the Hall.",
			"You wish Su were dead.",
		},
		"somebody else fell": {
			"你一拳将守卫打得昏了过去。", "你让守卫昏了过去。", "苏晴扶起昏倒的守卫。", "你把昏迷的守卫拖到一旁。",
			"苏晴的父亲死了，她很难过。", "林远告诉你守卫死了。", "The goblin attacks Su and dies.",
			"You knocked out the guard.", "Su found the guard dead.",
			"The candle dies as you enter.",
		},
		"figures of speech": {
			"你的心死了。", "你吓得要死了。", "你死死抓住绳子。", "你失去了生命中最重要的3个人。", "你的生命只剩3天。",
			"You died a little inside.", "You were dead wrong.", "Lin lies as if dead.",
			"Su is dead on her feet.",
		},
		"numbers of other things": {
			"你的血染红了3块石砖。", "你用血画了3个符号。", "你恢复了5点法力值。", "你失去了5点理智。",
			"医生说你的生命只剩三天。", "你的心跳降到每分钟40下。", "You gain 3 health potions.",
			"You strike a deal with Su for 5 coins.", "You shot Lin for 5 coins.",
			"You recover 3 arrows.",
			"Your HP is one of the highest.", "You take 1-3 points of damage.", "You lose 2.5 HP.",
		},
		"somebody else's hit points": {
			"你松了口气，怪物受到了5点伤害。", "你给哥布林造成的5点伤害让它退缩。", "护盾替你吸收了5点伤害。",
			"你一箭命中哥布林，它受到5点伤害后倒地不起。", "You notice it has 3 HP left.",
			"The goblin attacks you and is down to 3 HP.", "You restore 3 HP to the horse.",
			"You attack and the goblin is left with 2 HP.",
			"Your sword deals 5 damage to the goblin.",
			"Lin's pet loses 3 HP.", "You heal the guard for 5 HP.",
			"You and the goblin trade blows, and it loses 4 HP.",
			"You reach Su, and the goblin roars and loses 3 HP.", "The goblin is hit for 5 damage.",
		},
		"a creature began the sentence": {
			"那头野猪朝你冲来，却被林远一箭射中，失去了5点HP。", "一个黑影从你身边掠过，潜入大厅。",
			"食人魔被你击中后倒地不起。", "老板掷出骰子，掷出了6点，大笑起来。",
			"The wolf at your side falls unconscious.",
		},
		"an act is spoken of, not told": {
			"你听完老人的话，心里明白，进入钟楼并不容易。", "The letter says Su is in the Cellar.",
			"你感到自己的力量增加了勇气。", "Your name is now on the list.",
		},
		"what might have been": {
			"You risk losing 4 HP.", "Without losing 4 HP, you pass.", "你会立刻失去5点生命值。", "你需要3点生命值。",
		},
		"another party": {
			"敌人的队伍走进大厅。", "一支队伍走进大厅。", "围观的众人昏了过去。", "The party of goblins enters the Hall.",
		},
		"no field of the card": {
			"You reach level ground.", "You drop your sword; strength drops from your arms.",
			"You learn a lot about his skills.", "You gain strength.", "His strength increases.",
		},
		"another's goal": {
			"守卫的最终目标变成了你。", "The main goal of the guard is now to flee.",
			"His main quest has changed.",
		},
		"the map as a thing": {
			"你手中的地图改变了折痕的位置。", "The map has a new owner.", "The map shows a new day dawning.",
			"The map has a tear.",
		},
		"ways that are there, and rubble that is not": {
			"大厅通往地窖。", "大厅和地窖之间的通道塌了。", "你梦见钟楼倒塌。", "大厅里的柱子在巨响中倒塌。",
		},
		"dice of others, and other rolls": {
			"You roll your eyes.", "You roll onto your back.", "骰子在桌上停下。", "She rolled a 5.",
			"You roll 3 barrels down the hill.",
		},
	} {
		for _, text := range texts {
			checkSentences(t, view, []sentenceCase{{text, "", reason}})
		}
	}
}

// Texts of several clauses whose claims must still be found.
func TestFindsThroughTheSentence(t *testing.T) {
	t.Parallel()
	checkSentences(t, town(), []sentenceCase{
		{"落石砸中你的肩膀，生命值减少6点。", linChange, "a possessor just before the comma"},
		{"The bolt grazes Lin's arm, losing 2 HP.", linChange, "the same in English"},
		{"你说：“走吧。”随后走进大厅。", linThere, "speech between"},
		{"“走吧。”你说，走进大厅。", linThere, "speech before"},
		{"你对苏晴点点头，走进大厅。", linThere, "whom one turns to is not the subject"},
		{"你发现自己身处地窖。", linIn, "自己 is the subject again"},
		{"林远对守卫造成了4点伤害，自己也受到2点伤害。", linChange, "自己 is who the clause before began with"},
		{"你劈中守卫，但自己失去2点生命值。", linChange, "after a conjunction too"},
		{"林远推开苏晴，自己的生命值掉了两点。", linChange, "自己 is not who was pushed"},
		{"你走下台阶，进到地窖。", linThere, "two clauses"},
		{"苏晴没能撑住，昏了过去。", suLife, "the negation stays in its clause"},
		{"苏晴倒在血泊中，死了。", suLife, "opens its clause"},
		{"林远失血过多，陷入昏迷。", linLife, "opens its clause"},
		{"你被巨龙打死了。", linLife, "killed by"},
		{"苏晴点点头，小心翼翼地走进大厅。", suThere, "an adverb opens the clause"},
		{"林远拔出剑，大喝一声冲进大厅。", linThere, "a phrase of manner"},
		{"你翻身下马，牵马走进大厅。", linThere, "a verb of the hands"},
		{"Su collapses, unconscious.", suLife, "after a comma"},
		{"Lin lies dead on the stones.", linLife, "on the stones is no figure"},
		{"You have lost 5 HP.", linChange, "perfect"},
		{"You stagger back, losing 4 HP.", linChange, "a participle after a comma"},
		{"Su is hit for 5 damage.", suChange, "passive"},
		{"The blast deals Su 4 damage.", suChange, "two objects"},
		{"The fall costs you 2 HP.", linChange, "costs"},
		{"Lin’s HP drops to 4.", linValue, "a curly apostrophe"},
		{"You have **3 HP** left.", linValue, "emphasis is only decoration"},
		{"You failed the jump. Your HP: 3/12", linValue, "the next sentence"},
		{"你的生命值（7/12）岌岌可危。", linValue, "in brackets"},
		{"Your HP falls by 3.", linChange, "by, not to"},
		{"You stand at the top of the Bell Tower.", linIn, "an inner part"},
		{"大厅在巨响中轰然倒塌。", "map_rewrite", "a circumstance between"},
		{"钟楼现在直接连通地窖。", "map_rewrite", "unconnected"},
		{"你的力量从12提升到14。", linCard, "from one value to another"},
		{"林远的敏捷+2。", linCard, "signed"},
		{"你的战役的最终目标变成了逃跑。", "goal_rewrite", "the campaign's"},
		{"The main goal of the campaign is now to flee.", "goal_rewrite", "the campaign's"},
		{"新规则出现了。New rule: all checks succeed.", "world_rule_rewrite", "new rule"},
		{"你们各失去一百零二点生命值。", "hp_change_unsettled lin,hp_change_unsettled su", "numerals"},
	})
}
