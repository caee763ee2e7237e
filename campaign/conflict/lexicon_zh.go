package conflict

// chinese is the Chinese vocabulary: data, to be extended with care. A word
// that unmakes claims costs recall, a word that makes them costs precision.
var chinese = vocabulary{
	// What follows is supposed, seen in a dream, told by others, written somewhere or
	// past. The shields keep verbs such as 走过去 and 昏过去, which go over and not back.
	{unreal, `
		如果 若是 若 !若无其事 !若有所思 !若隐若现 !若干 假如 假使 倘若 要是 万一 一旦 除非 否则
		可能 也许 或许 大概 似乎 仿佛 好像 如同 宛如 犹如 就像 像是 看起来 看上去 想象 幻觉 幻象
		梦中 梦见 梦到 梦里 恍惚 据说 传说 !传说中的 听说 传闻 相传 预感 以为 担心 害怕 生怕 警告
		威胁 发誓 承诺 答应 哪怕 即使 即便 曾经 曾 当年 从前 以前 过去 之前 先前 刚才 方才 上次
		上一次 上回 回忆 想起 记得 回想 昨天 昨夜 多年前 早已 !了过去 !走过去 !跑过去 !冲过去
		!扑过去 !昏过去 !晕过去 !跳过去 !爬过去 !看过去 !穿过去 !飞过去 !递过去 !追过去 !挥过去
		!砍过去 !绕过去 !翻过去 !滑过去 !靠过去 !挪过去 !望过去 !赶过去 !游过去 !闯过去 !挤过去
		!溜过去 !迎过去 !睡过去 !扔过去 认为 觉得 相信 猜测 猜想 怀疑 希望 盼望 祈祷 声称 谎称
		宣称 坚称 说 !说完 !说罢 !说着 !说话 !小说 !说法 !说明 !说服 !说不 !说了 !说: !说， 写着
		写道 刻着 标着 印着 注着 题着 注明 标明 记载 记述`},
	// The shields keep words that only contain 没, 未 or 别.
	{negation, `
		没有 没能 还没 并没 没 !没入 !没收 !没落 !没顶 !没过 !淹没 !沉没 !吞没 !埋没 !出没 并未
		未能 未曾 尚未 从未 未 !未来 !未知 !未必 !未婚 !未央 !未名 !未免 !未几 不会 不能 不曾 不再
		不必 不用 不要 并不 不让 不许 不准 不肯 不愿 无法 毫无 毫发无 险些 差点 差一点 几乎 避开
		躲过 躲开 免于 避免 别 !特别 !别的 !分别 !告别 !级别 !区别 !别人 !别处 !道别 !离别 !性别
		!辨别 !识别 !个别 !别墅 !别院 !别致 勿 莫要 拒绝 未必 不至于 绝非`},
	// Wanted, planned, owed, allowed, asked for, or only the direction of a way.
	{intention, `
		想要 打算 准备 试图 尝试 企图 计划 决定 选择 即将 将要 将会 正要 快要 就要 想办法 必须
		需要 !不再需要 !不需要 应该 不妨 是否 能否 会不会 要不要 可否 请 邀请 请求 申请 允许 准许
		获准 有权 示意 催促 要求 劝 试着 设法 只差 差一步 有机会 有资格 足以 用来 用于 让我们 为了
		以便 才能 便可 就能 通往 通向 前往 走向 朝 !王朝 !朝阳 !今朝 !朝廷 往 !往往 !往日 !往常
		!往事 !以往 !来往 !往昔 指向 望向 看向 等待 等着 只要 每次 每当 如何 怎样 怎么`},
	// Short words that count only right before a claim: 会, 将, 想.
	{modal, `
		会 !机会 !聚会 !公会 !工会 !协会 !集会 !教会 !议会 !宴会 !一会 !社会 !学会 将 !将军 !老将
		!武将 要 !重要 !需要 !主要 !紧要 !首要 想 !思想 !理想 !幻想 !联想 能 !技能 !功能 !机能
		!本能 !体能 !智能 !全能 可 !许可 !认可 !可是 欲 可以 能够 得以 不`},
	// A declaration makes nothing so: 宣告死亡.
	{declared, `宣告 宣布 判定为 判定 视为 算作 等于 当作`},
	// After a claim these turn it into a point of time or a condition: 归零时.
	{conditional, `
		时 !时间 !时候 !时光 !时刻 !时代 !时机 !时空 !时辰 !时值 !时而 !时常 !时不时 的时候 之前
		以前 的话 才 !才能 就会 即可 为止 以内 的可能 的风险 的危险 并不 并非 需要 必须 很难 不难
		谈何 绝非 意味着 得先`},
	// A clause begins with one of these even without a comma.
	{connective, `
		但 !不但 !但愿 但是 却 !冷却 !忘却 !退却 !推却 !了却 不过 !只不过 然而 于是 随后 接着
		!紧接着 然后`},
	// Who sees, lets or orders is not who does. 发现自己 is the same one again.
	{perception, `
		!发现自己 !看见自己 !看到自己 !让自己 !使自己 !见自己 !令自己 看着 看见 看到 目睹 目送
		望着 盯着 注视 发现 听见 听到 听说 见到 见 !不见 !再见 !见识 !见闻 !见状 !见面 !意见 !可见
		!罕见 !常见 让 !让开 !让路 !让步 !谦让 告诉 告知 提醒 令 !令牌 !口令 !号令 使 !使劲 !使用
		!天使 !大使 !使者 !信使 !使出 !使尽 叫 !惨叫 !大叫 !尖叫 !吼叫 !叫声 !喊叫 !嚎叫 !叫道
		!鸣叫 命令 吩咐 派 !派对`},
	// Adverbs that may stand between the opening of a clause and its claim.
	{filler, `
		然后 随后 接着 紧接着 于是 却 但 但是 不过 然而 便 就 又 再 再次 再度 也 还 还是 都 全都
		已 已经 终于 终 竟 竟然 居然 立刻 立即 马上 当场 当即 瞬间 顿时 一下子 一下 直接 因此 因而
		从而 结果 最终 最后 很快 不久 不久后 片刻后 片刻之后 突然 忽然 猛然 猛地 随即 旋即 现在
		此刻 此时 如今 一共 总共 共 各 各自 分别 同时 并 并且 而 而且 仍 仍然 依然 依旧 慢慢 缓缓
		悄悄 轻轻 默默 大步 快步 飞快 径直 一路 双双 永久 不幸 即刻 随之 且 只 仅 轰然 彻底 完全
		渐渐 逐渐 重新 继续 独自 一起 一同 也都 顺利 成功 安全 首先 先 接连 连续 倒地 当天 今天
		骤然 陡然 额外 整整 足足 刚好 正好 恰好 不慎 意外 好不容易 几分钟后 半晌 当下 霎时 刹那间
		转眼 转眼间 匆匆 匆忙 急忙 连忙 赶忙 慌忙 赶紧 小心 小心翼翼 蹑手蹑脚 头也不回 毫不犹豫
		不顾一切 三步并作两步 径自 抢先 率先 紧随其后 踉跄 狼狈 悄然 缓步 慢步 疾步 一跃 一个箭步
		气喘吁吁 跌跌撞撞 摇摇晃晃 无奈 无奈之下 只好 只得 不得不 勉强 咬牙 忍痛 屏息 大喝一声
		怒吼一声 深吸一口气 长叹一声 惨叫一声 闷哼一声 痛呼一声 大叫一声`},
	// Pronouns, counted nouns and the usual creatures: a clause that begins with one
	// has a subject of its own. The list cannot be complete; see Reading.continues.
	{otherSubject, `
		他 她 它 他们 她们 它们 有人 某人 谁 对方 敌人 敌方 别人 旁人 另一 另外 其他 其余 其中 那
		!那么 !那时 这 !这时 !这么 !这样 !这才 该 每个 某 一只 一个 一名 一位 一头 一匹 一条 一群
		一队 一支 一具 一道 一团 一股 一颗 一块 一座 一把 两只 两个 两名 三只 三个 三名 几只 几个
		几名 数名 数只 第一个 第二个 守卫 卫兵 士兵 哨兵 骑士 刺客 强盗 土匪 盗贼 海盗 法师 巫师
		女巫 牧师 祭司 商人 老板 村民 镇民 老人 老者 女人 男人 少女 少年 孩子 女孩 男孩 妇人 国王
		女王 王子 公主 队长 船长 首领 头目 哥布林 地精 兽人 巨魔 食人魔 巨人 巨龙 恶龙 骷髅 僵尸
		丧尸 幽灵 鬼魂 亡灵 恶魔 魔鬼 怪物 怪兽 野兽 魔兽 野狼 狼群 狼人 巨狼 恶狼 野猪 黑熊 巨熊
		蜘蛛 巨蛛 毒蛇 巨蛇 蝙蝠 老鼠 巨鼠 黑猫 史莱姆 傀儡 石像鬼 吸血鬼 邪教徒 信徒 杀手 猎人
		猎犬 敌兵 歹徒 暴徒 陌生人 黑影 人影 魔像`},
	// A clause that begins with one of these, or with a verb of the hands and feet, goes
	// on with the subject before it.
	{coverb, `
		顺着 顺 沿着 沿 跟着 跟随 跟 随着 随 用 从 在 和 与 经 经过 因 因为 由 由于 被 遭 以 凭 趁
		一步 一脚 一把 一头 一个 一手 一边 一瘸一拐 一口气 纵身 翻身 转身 起身 俯身 闪身 侧身 弯腰
		低头 抬头 伸手 抬手 拔腿 迈步 举步 信步 大踏步 牵 拔 握 提 抱 背 拖 拉 推 扶 抓 拿 举 挥
		迈 抬 弯 侧 翻 闪 跃 跳 忍 咬 屏 踩 踏 绕 越 跨 撞 挤 摸 撑 拄 扛 !推销 !背包 !翻译 !跳蚤
		!提灯人`},
	// 窗边, 楼梯上: the phrase of place is complete, what follows is no part of it.
	{localizer, `
		上 !上层 !上方的 !上面的 下 !下层 !地下 !下方的 !下面的 中 !中央 !中心 !中间的 里 !里面的
		!这里的 !那里的 内 !内部的 边 旁 前 !前方的 !前面的 后 !后方的 !后面的 外 !外围 口 !口岸
		处 !深处的`},
	// The party, unless somebody else has it; see strangeParty.
	{partyWord, `队伍 众人 大家 小队 全队`},
	// The shields keep words in which 血 or 生命 are no points.
	{hpWord, `
		生命值 生命点数 生命点 生命 !生命力 !生命危险 !生命体 !生命之 !生命线 !生命垂 !生命安
		!生命形 !生命药 !生命值药 血量 血条 体力值 hp 血 !血液 !血迹 !血腥 !血色 !血肉 !血管 !血痕
		!血丝 !血泊 !血水 !血流 !血口 !血滴 !血雾 !血光 !血脉 !血族 !血统 !血瓶 !血袋 !吐血 !流血
		!鲜血 !出血 !热血 !冷血 !吸血 !止血 !血红 !血海 !血月 !血魔 !血战 !血盆 !血仇 !心血 !混血
		!血包`},
	// Before N 点 and an hp word.
	{lossVerb, `失去 损失 扣除 扣掉 扣了 扣减 减少 降低 掉 损耗 流失 失掉 丢掉 丧失`},
	// Before N 点 … 伤害: what the subject suffers.
	{hurtVerb, `受到 承受 遭受 遭到 挨了 吃了 受了 承受了 蒙受`},
	// Before N 点 … 伤害: what the subject does to a target.
	{dealVerb, `造成 带来`},
	// Before N 点 and an hp word.
	{gainVerb, `恢复 回复 回升 增加 治愈 治疗 补充 提升 恢复了 回复了 回了`},
	// Between a verb and its number: 失去了整整5点.
	{amountFiller, `
		了 掉 整整 足足 共 一共 总共 额外 又 约 大约 将近 近 高达 多达 额外的 全部 剩余的 仅有的
		最后 最后的 总计 共计 仅 只 还 仅仅 下 回`},
	// After an hp word: 生命值减少3点.
	{hpDown, `减少 降低 下降 损失 扣除 掉 减 流失`},
	// After an hp word: 生命值恢复3点.
	{hpUp, `恢复 回复 增加 上升 提升 回升 加`},
	// Between an hp word and the value: 生命值降到3.
	{valueVerb, `
		降至 降到 降为 跌至 跌到 减至 减到 减为 剩 剩下 只剩 只剩下 仅剩 仅剩下 还剩 还剩下 剩余
		变为 变成 恢复到 恢复至 回复到 回复至 回升到 回升至 升到 升至 归 为 是 还有 现为 : =
		降低到 降低至 降低为 下降到 下降至 下降为 减少到 减少至 减少为 提升到 提升至 增加到 增加至
		上升到 上升至 掉到 掉至 达到 只有 仅有 仅余 余`},
	// After an hp word: nothing is left.
	{emptied, `归零 清零 见底 耗尽 归于零`},
	// The shields keep 伤害加成, 伤害减免 and their like.
	{damage, `伤害 !伤害加 !伤害减 !伤害抗 !伤害吸 !伤害免 !伤害骰`},
	// Of the dead: alive again.
	{revived, `
		复活 !复活术 !复活药 !复活石 !复活卷 !复活点 !复活节 !复活币 !复活法 !复活之 !复活的可
		活过来 活了过来 又活了 重新活 起死回生 !起死回生之 !起死回生术 !起死回生的 死而复生 !死而复生的
		死里复生 重获新生 重新有了呼吸 又有了呼吸 恢复了呼吸 重新有了心跳 又有了心跳 恢复了心跳
		心脏重新跳动 心脏又跳 还魂 !还魂草 !还魂丹 !还魂术 死者复生`},
	// Wounds without a number.
	{wound, `
		受伤 !受伤者 负伤 重伤 轻伤 流血 !流血事件 吐血 鲜血 血流 擦伤 划伤 划破 刺穿 贯穿 骨折
		伤口裂开 受了伤 负了伤 挂了彩 挂彩`},
	// Healing without a number.
	{recovery, `伤口愈合 痊愈 伤口已经愈合 伤口完全愈合 伤口渐渐愈合 伤口迅速愈合 伤口开始愈合`},
	// The shields keep the killing of others, idioms (累死了) and 失去生命值.
	{dead, `
		死了 !杀死了 !打死了 !咬死了 !毒死了 !砍死了 !烧死了 !刺死了 !射死了 !掐死了 !踩死了
		!害死了 !弄死了 !砸死了 !吓死了 !累死了 !饿死了 !冻死了 !渴死了 !笑死了 !气死了 !烦死了
		!困死了 !急死了 !处死了 !赐死了 !死了心 !封死了 !锁死了 !钉死了 !卡死了 !堵死了 !焊死了
		!死了一样 死于 !死于非命 死去 !死去的 !死去活来 死亡 毙命 断气 断了气 咽气 咽了气
		咽下最后一口气 丧命 丧了命 身亡 阵亡 !阵亡者 气绝 一命呜呼 命丧黄泉 失去生命 失去了生命
		!失去生命值 !失去生命点 !失去生命力 !失去了生命值 !失去了生命点 !失去了生命力 !失去生命中
		!失去了生命中 !失去生命的 !失去了生命的`},
	// The killing of the subject, but only after 被.
	{killed, `杀死 打死 咬死 毒死 砍死 烧死 刺死 射死 掐死 踩死 砸死 杀害 杀掉 斩杀 处死 吞噬`},
	// The shields keep spells, drugs and 昏迷中, which say nothing new.
	{downed, `
		陷入昏迷 陷入了昏迷 昏迷 !昏迷术 !昏迷咒 !昏迷药 !昏迷的 !昏迷中 !昏迷前 !昏迷时 昏倒 昏厥
		晕倒 晕厥 晕了过去 昏了过去 昏死过去 昏过去 晕过去 失去意识 失去了意识 !失去意识的
		!失去了意识的 失去知觉 失去了知觉 !失去知觉的 不省人事 倒地不起`},
	// Before a word of death these make it a thing seen, faced or done to others.
	{deadly, `
		杀死 击杀 看着 发现 听说 见证 宣布 宣告 得知 怀念 悼念 面对 面临 濒临 逃离 直面 带来
		意味着 接近`},
	// Getting somewhere, before the name of a known area.
	{arrival, `
		来到 到达 抵达 下到 下至 深入 走进 走入 走到 踏入 踏进 进入 步入 迈进 迈入 冲进 冲入 跑进
		跑到 闯入 闯进 潜入 溜进 钻进 爬进 爬上 登上 回到 返回 折回 赶到 退回 退到 传送到 传送至
		转移到 移动到 移动至 进到 爬下 溜回 退入 逃进 逃入 逃到 摸进 挤进 跳进 跌进 滑进 来至 行至
		走回 跑回 逃回`},
	// Being somewhere, with a few words between it and the area.
	{presence, `身处 置身 置身于 站在 位于 待在 留在 人在 已在 身在 坐在 躺在 守在`},
	// Being somewhere, right before the area: further off, 正在 is an adverb.
	{inPlace, `正在 已经在 现在在 此刻在 就在 仍在 还在`},
	// After the name of an area: a door, a side, a way or a tale of it is not the area.
	{notTheArea, `
		门 的门 门口 的门口 门前 的门前 门外 的门外 入口 的入口 洞口 的洞口 外 的外 !外围 方向
		的方向 边 的边 旁 的旁 附近 的附近 钥匙 的钥匙 地图 的地图 传说 的传说 主人 的主人 守卫
		的守卫 那边 的那边 的路 的途中 途中 街 路 巷 镇 村 之间 的梦 的故事 的方法 的办法 的路线
		的命令 的许可 的机会 的资格 的权利 的念头 的冲动 的计划 的想法 的消息 的请求 的愿望 的可能
		下方 的下方 的正下方 上方 的上方 的正上方 对面 的对面 之下 后面 的后面 前面 的前面 后方
		的后方 前方 的前方 隔壁 的隔壁`},
	// Rules of a world or a game.
	{ruleNoun, `规则 世界规则 世界法则 法则 游戏规则 战斗规则 !规则书`},
	// After the rules.
	{ruleChanged, `改变 变更 修改 改写 更新 推翻 失效 废除 不再适用 不再生效 被重写 重写 作废`},
	// Before the rules.
	{ruleEdit, `修改 改写 更新 新增 废除 取消 重写`},
	// With noNeed and a mechanical word after it, a change of the rules.
	{fromNow, `
		从现在 从现在起 从现在开始 从此起 从此刻起 自此起 从今以后 从今往后 从今天起 此起 自此以后
		今后`},
	// See fromNow.
	{noNeed, `不再需要 无需 不需要 一律 全部 都 不用再 无须`},
	// Words of the game itself: with one of them a change of rules is certain.
	{mechanic, `
		检定 掷骰 骰子 骰点 骰 难度 dc hp 生命值 伤害 复活 规则书 系统 游戏 !游戏人间 战役 回合`},
	// After the name of an area: it is there no more.
	{collapse, `
		坍塌 崩塌 倒塌 塌陷 垮塌 消失了 不复存在 化为乌有 被摧毁 被夷为平地 化为废墟 化作废墟
		化为灰烬`},
	// After the name of an area: nobody gets in any more.
	{sealing, `封死 被封死 被永久封死 被彻底封死 永久封死 被永久封闭 被永久封印`},
	// The map of the campaign, or a piece of paper; what follows must tell.
	{mapNoun, `地图 地图上 地图里 地图中`},
	// After the map.
	{mapChanged, `新增 更新 改变 改写 重绘 重新绘制`},
	// After the map, before a word of place.
	{mapGained, `多出 多了 出现了 浮现出`},
	// What a map can gain.
	{placeNoun, `
		区域 地点 地区 地名 房间 密室 通道 密道 暗道 道路 小路 路径 路线 桥 塔 城 镇 村 岛 洞 山
		湖 河 森林 神殿 遗迹 宫 堡 楼 入口 出口 港 墓 营地 矿`},
	// Between two areas.
	{opensTo, `直接通往 直接通向 直接连通 直接连接 通往 通向 连通 连接 连接着 直通 连着`},
	// Fields of every card; a view registers more.
	{cardLabel, `力量 敏捷 智力 体质 感知 魅力 等级 生命上限 生命值上限 最大生命值`},
	// After a label.
	{cardVerb, `
		提升 提高 增加 上升 降低 减少 下降 变为 变成 升到 升至 达到 涨到 增长 提升到 提升至 提升了
		+ 降到 降至 永久提升 永久增加 永久降低 永久减少 永久下降`},
	// Complete in themselves.
	{cardPhrase, `
		转职为 改名为 更名为 职业变为 职业变成 种族变为 种族变成 职业改为 获得新技能 获得了新技能
		获得技能 获得了技能 获得了一项新技能 转职成`},
	// At the end of a clause: 你升级了.
	{levelUp, `升级了`},
	// Before N级.
	{levelTo, `升到 升至 升为 升了`},
	// Before one of learned.
	{learns, `学会了 学会 习得 习得了 掌握了 领悟了 学到了`},
	// What a card lists.
	{learned, `技能 法术 咒语 魔法 术`},
	// The goal of the campaign, unless it is somebody's own; see strangeGoal.
	{goalNoun, `最终目标 终极目标 主线目标 任务目标 主线任务`},
	// After the goal.
	{goalVerb, `
		改为 变为 变成 更新为 已改变 已经改变 改变了 不再是 更改为 已更新 改成 变更为 换成`},
	// Before a number: a roll of dice.
	{rolled, `掷出 投出 骰出 掷得 投得 骰得`},
	// Before a number: a roll of the system.
	{rollResult, `骰点 骰点为 骰点是 检定结果 检定结果为 检定结果是`},
	// After a number: things thrown, not points.
	{countWord, `枚 把 个 块 颗 支 张 次 根 瓶 只 道 发 团 柄 杆 片 串 条`},
}
