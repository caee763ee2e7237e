package memory_test

// sagaWords are the building blocks of turns in a language.
type sagaWords struct {
	who, where, what []string // for {who}, {where} and {what}
	lines, events    []string // lines of the player, and events
	between          string   // the separator of sentences
}

var inEnglish = sagaWords{
	who: []string{
		"the ferryman", "Orrin", "Captain Hale", "Mara", "the lighthouse keeper", "Widow Tansy",
		"the bridge troll", "Father Oswin", "the mayor", "the silver wolf", "a dwarf", "Hedda",
		"the physician", "the blind beggar", "Sergeant Bram", "the witch", "the harbor master",
		"the goblin cook", "Jonas", "the queen", "the healer", "Lady Corvane", "a sister of the abbey",
		"the duke",
	},
	where: []string{
		"the bakery", "the tunnel", "Dunmore", "the abbey garden", "the lighthouse", "the counter",
		"the bridge", "the study", "the east gate", "the apothecary", "the Gilded Stag", "the crypt",
		"the hut", "the harbor", "the gaol", "the north tower", "the mine", "the market",
		"the mountain road", "the palace",
	},
	what: []string{
		"a key", "some silver", "the mule", "a chalice", "the lamp", "a map", "a blade", "the vinegar",
		"a letter", "the mill wheel", "a pastry", "a loaf of rye", "a coffin", "a hymn", "the ledger",
		"some wine", "a statue", "the salt", "a bell", "a root", "a riddle", "moths", "green paper",
		"honey",
	},
	lines: []string{
		"I ask {who} about {what}.",
		"I walk into {where} and look around.",
		"I put {what} into my pack.",
		"I follow {who} to {where}.",
		"I ask {who} where we can sleep tonight.",
		"I check the door of {where}.",
		"We rest for a while at {where}.",
		"\"What do you want with {what}?\" I say to {who}.",
	},
	events: []string{
		"{who} shrugs and puts {what} on the table.",
		"Rain drips from the roof of {where}.",
		"{who} mutters some gossip about {what} and falls silent.",
		"Footsteps come closer, somebody carries a lantern from {where}.",
		"It smells of damp and mould.",
		"{who} looks at you as if remembering something, but does not speak.",
		"On the table {what} gleams in the light.",
		"A crowd fills {where}, and nobody pays you any attention.",
		"The wind blows out the candle, and {who} curses.",
		"{who} says that {who} was seen at {where} yesterday.",
		"You count your coins: enough to buy {what}.",
		"Night falls, and one by one the lights of {where} go out.",
		"{who} laughs: things like {what} are everywhere and worth little.",
		"A child runs out of {where} and nearly bumps into {who}.",
		"You wait for a long time until {who} comes back, without {what}.",
	},
	between: " ",
}

var inChinese = sagaWords{
	who: []string{
		"船夫", "老掌柜", "韩校尉", "阿霜", "守塔人", "陈寡妇", "水鬼", "玄清道长", "县令", "银狼", "矮人", "铁匠", "御医", "乞丐", "赵捕头",
		"女巫", "账房", "厨子", "木桶匠", "女王", "郎中", "柳夫人", "尼姑", "公爵",
	},
	where: []string{
		"面包房", "地道", "雁门", "庵堂", "灯塔", "柜台", "石桥", "书房", "东门", "药铺", "金鹿客栈", "地宫", "茅屋", "码头", "大牢",
		"北塔", "矿洞", "集市", "山道", "王宫",
	},
	what: []string{
		"铜钥匙", "银子", "骡子", "玉杯", "灯火", "地图", "长剑", "醋", "信", "水车", "点心", "面饼", "棺材", "小调", "册子", "酒",
		"石像", "火盐", "钟", "霜根", "谜语", "飞蛾", "绿纸", "蜂蜜",
	},
	lines: []string{
		"我向{who}打听{what}的事。",
		"我走进{where}，四处看看。",
		"我把{what}收进背包。",
		"我跟着{who}往{where}走。",
		"我问{who}今晚在哪里过夜。",
		"我检查{where}的门。",
		"我们在{where}休息一会儿。",
		"我对{who}说：“你要{what}做什么？”",
	},
	events: []string{
		"{who}耸了耸肩，把{what}放在桌上。",
		"雨水顺着{where}的屋檐往下滴。",
		"{who}低声说了几句关于{what}的闲话，然后沉默了。",
		"远处传来脚步声，有人提着灯从{where}走过来。",
		"你闻到一股潮湿的霉味。",
		"{who}看了你一眼，似乎想起了什么，却没有开口。",
		"桌上的{what}闪着微光。",
		"{where}里挤满了人，谁也没有注意你。",
		"风吹灭了蜡烛，{who}骂了一句。",
		"{who}说昨天在{where}见过{who}。",
		"你数了数身上的钱，还够买一份{what}。",
		"夜色渐深，{where}的灯一盏盏熄灭。",
		"{who}笑着说，这种{what}到处都是，不值几个钱。",
		"有个孩子从{where}跑出来，差点撞到{who}。",
		"你们等了很久，{who}才回来，手里没有{what}。",
	},
}
