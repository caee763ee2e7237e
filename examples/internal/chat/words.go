package chat

// in returns a sentence of the bot itself in the language of the game.
func (b *Bot) in(english string) string {
	if there, ok := chinese[english]; ok && b.Engine.Texts().Hints == "zh" {
		return there
	}
	return english
}

// chinese are the sentences of the bot in Chinese.
var chinese = map[string]string{
	"(write in a room first: what you write here then belongs to its campaign)": "（请先在一个房间里写点什么：此后你在这里写的内容属于那里的战役）",
	"(no player, or more than one, is called %s)":                               "（没有叫 %s 的玩家，或者不止一个）",
	"(this room is full)":                                    "（这个房间已经满了）",
	"(%s plays %s)":                                          "（%s 扮演 %s）",
	"(the last player cannot leave)":                         "（最后一个玩家不能离开）",
	"(%s leaves; a line joins again)":                        "（%s 离开了；再写一句话就重新加入）",
	"(only players may do this; write a line to become one)": "（只有玩家可以这样做；写一句话就成为玩家）",
	"(this is not the newest turn any more)":                 "（这已不是最新的回合）",
	"(this is not for you to decide, or not any more)":       "（这不由你决定，或已不再需要决定）",
	"(the story is at its beginning)":                        "（故事在开头）",
	"The branches of the story:":                             "故事的分支：",
	"%s (here)":                                              "%s（当前）",
	"(%s has to write to me privately first, and misses what is secret until then)": "（%s 要先私下给我写一句话，在此之前看不到秘密的内容）",
	"Other answer":                   "换个回答",
	"Undo":                           "撤回",
	"Branches":                       "分支",
	"This will happen if you agree:": "如果你同意，就会发生：",
	"Agree":                          "同意",
	"Refuse":                         "拒绝",
	"The story contradicts the game. What now?": "叙述与游戏矛盾，怎么办？",
	"retry":       "重新生成",
	"accept text": "保留文字",
	"discard":     "放弃",
	"(waiting for the decision of the player)":    "（等待玩家决定）",
	"(the storyteller is busy, please try again)": "（讲述者正忙，请再试一次）",
}
