package conflict_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// blocked reports whether a text has a block of the kind.
func blocked(text, kind string) bool {
	for _, c := range conflict.Detect(text, nil, town(), conflict.Options{}) {
		if c.Kind == kind && c.Severity == conflict.Block {
			return true
		}
	}
	return false
}

// Every word that cancels claims does so, in both languages.
func TestWordsThatUnmakeClaims(t *testing.T) {
	t.Parallel()
	for frame, list := range map[string]string{
		"%s你失去5点生命值。": `
			如果 若是 若 假如 假使 倘若 要是 万一 一旦 除非 否则 可能 也许 或许 大概 似乎 仿佛 好像 如同 宛如
			犹如 就像 像是 看起来 看上去 想象 幻觉 幻象 梦中 梦见 梦到 梦里 恍惚 据说 传说 听说 传闻 相传 预感
			以为 担心 害怕 生怕 警告 威胁 发誓 承诺 答应 曾经 当年 从前 以前 过去 之前 先前 刚才 方才 上次 上一次
			上回 回忆 想起 记得 回想 昨天 昨夜 多年前 早已`,
		"你%s失去5点生命值。": `
			没有 没能 还没 并没 没 并未 未能 未曾 尚未 从未 未 不会 不能 不曾 不再 不必 不用 不要 并不 不让 不许
			不准 不肯 不愿 无法 毫无 毫发无 险些 差点 差一点 几乎 避开 躲过 躲开 免于 避免 别 勿 莫要 拒绝 想要
			打算 准备 试图 尝试 企图 计划 决定 选择 即将 将要 将会 正要 快要 就要 想办法 必须 需要 应该 不妨 是否
			能否 会不会 要不要 可否 请 让我们 为了 以便 才能 便可 就能 等待 等着 只要 每次 每当 如何 怎样 怎么 曾
			会 将 要 想 能 可 欲 可以 能够 得以 会立刻 被宣告 等于`,
		"你%s走进大厅。":      `通往 通向 前往 走向 朝 往 指向 望向 看向`,
		"你失去5点生命值%s倒下。": `时 的时候 之前 以前 的话 才 就会 即可`,
		"you %s lose 5 hp.": `
			if; unless; would; could; might; may; perhaps; maybe; as if; as though; seem to; appear to;
			imagine you; dream you; supposedly; pretend to; fear that you; are afraid you;
			threaten to; promise to; warn that you; suppose you; do not; don't; never; no longer;
			avoid to; fail to; refuse to; are unable to; almost; nearly; narrowly; barely; hardly; will;
			are going to; are about to; want to; try to; attempt to; prepare to; plan to; decide to; can;
			should; must; need to; are ready to; hope to; come in order to; know how to; had; used to;
			remember you; recall you; once`,
		"%s you lose 5 hp.": `
			if; unless; perhaps; maybe; whether; otherwise; or else; until; before; earlier;
			previously; last time; yesterday; long ago; once upon a time; they say; rumor says;
			in a dream; in a vision; legend has it; let's hope`,
		"you walk %s the hall.": `toward;towards`,
	} {
		separator := ";"
		if !strings.Contains(list, separator) {
			separator = " "
		}
		for word := range strings.SplitSeq(list, separator) {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			text := strings.Replace(frame, "%s", word, 1)
			if got := conflict.Detect(text, nil, town(), conflict.Options{}); conflict.Blocking(got) {
				t.Errorf("%s: blocks with %s", text, got[0].Kind)
			}
		}
	}
}

// Every verb that makes a claim does so.
func TestWordsThatMakeClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ frame, kind, list string }{
		{"你%s5点生命值。", "hp_change_unsettled",
			"失去 损失 扣除 扣掉 扣了 扣减 减少 降低 掉 损耗 流失 恢复 回复 回升 增加 治愈 治疗 补充 提升"},
		{"你%s5点火焰伤害。", "hp_change_unsettled", "受到 承受 遭受 遭到 挨了 吃了"},
		{"你的%s减少了3。", "hp_change_unsettled", "生命值 生命点数 生命点 生命 血量 血条 体力值 HP 血"},
		{"你的生命值%s3。", "hp_change_unsettled", "减少 降低 下降 损失 扣除 掉 - 恢复 回复 增加 上升 提升 +"},
		{"你的生命值%s3。", "hp_value_mismatch", `
			降至 降到 降为 跌至 跌到 减至 减到 剩 只剩 仅剩 还剩 只剩下 剩余 变为 变成 恢复到 恢复至 回升到
			回升至 升到 升至 归 为 是 还有 现为 ： :`},
		{"你的生命值%s。", "hp_value_mismatch", "归零 清零 见底 耗尽"},
		{"苏晴%s。", "life_state_unsettled", `
			死了 死去 死亡 毙命 断气 咽气 丧命 身亡 阵亡 气绝 一命呜呼 失去生命 昏迷 昏倒 昏厥 晕倒 晕厥 晕了过去
			昏了过去 失去意识 失去知觉 不省人事 倒地不起`},
		{"你%s大厅。", "location_unsettled",
			`
			来到 到达 抵达 下到 下至 深入 走进 走入 走到 踏入 踏进 进入 步入 迈进 迈入 冲进 冲入 跑进 跑到 闯入
			闯进 潜入 溜进 钻进 爬进 爬上 登上 回到 返回 折回 赶到 退回 退到 传送到 传送至 转移到 移动到 移动至`},
		{"你%s大厅里。", "location_mismatch",
			"身处 置身 置身于 站在 位于 待在 留在 人在 已在 正在 现在在 此刻在"},
		{"钟楼%s。", "map_rewrite",
			"轰然坍塌 崩塌 倒塌 消失了 不复存在 被永久封死 被封死 化为乌有"},
		{"钟楼%s地窖。", "map_rewrite", "直接通往 现在直接通向 现在可以直接连通 可以直接连接"},
		{"地图上%s一个区域。", "map_rewrite", "多出 多了 新增 更新"},
		{"你的%s提升了。", "card_rewrite", "力量 敏捷 智力 体质 感知 魅力 等级 力量值 追踪"},
		{"你的力量%s。", "card_rewrite",
			"提升 提高 增加 上升 降低 减少 下降 变为 变成 升到3 升至3 达到3 涨到3 永久提升"},
		{"你%s。", "card_rewrite",
			"升级了 升到5级 学会了火球术技能 学会了治疗法术 习得了潜行技能 获得新技能 转职为法师 改名为白露"},
		{"%s改为逃跑。", "goal_rewrite", "最终目标 终极目标 主线目标 任务目标"},
		{"最终目标%s逃跑。", "goal_rewrite", "改为 变为 变成 更新为 已改变 改变了 不再是"},
		{"系统的规则已%s。", "world_rule_rewrite",
			"改变 变更 修改 改写 更新 推翻 失效 废除 不再适用 不再生效 被重写"},
		{"系统%s了规则。", "world_rule_rewrite", "修改 改写 更新 新增 废除 取消"},
		{"从现在起攻击%s掷骰。", "world_rule_rewrite", "不再需要 无需 不需要 一律 全部 都"},
		{"You %s 5 hp.", "hp_change_unsettled", "lose lost regain recover heal gain restore"},
		{"You %s five points of damage.", "hp_change_unsettled", "lose take suffer receive took"},
		{"The wolf %s you for 3.", "hp_change_unsettled", "hits strikes bites claws slashes stabs"},
		{"Your HP %s 3.", "hp_value_mismatch", "drops_to falls_to is is_now is_at :"},
		{"Su %s.", "life_state_unsettled",
			`
			dies died perishes drops_dead falls_dead lies_dead collapses,_dead is_dead was_killed
			is_slain loses_consciousness falls_unconscious is_unconscious is_knocked_out passes_out`},
		{"You %s the Hall.", "location_unsettled",
			`
			enter reach arrive_at step_into walk_into walk_to move_to run_into rush_into climb_into
			return_to descend_to slip_into cross emerge_in teleport_to walk_through`},
		{"You %s the Hall.", "location_mismatch", `
			are_in stand_in find_yourself_in remain_in wait_inside are_now_in are_at are_within`},
		{"The Hall %s.", "map_rewrite", "collapses vanishes no_longer_exists is_sealed crumbles_into_dust"},
		{"Your strength %s 18.", "card_rewrite", "increases_to rises_to drops_to becomes is_now"},
		{"You %s.", "card_rewrite", "level_up reach_level_5 learn_a_skill gain_a_new_skill"},
		{"The %s has changed.", "goal_rewrite",
			"ultimate_goal main_goal final_objective primary_quest"},
		{"The rules of the game have been %s.", "world_rule_rewrite",
			"changed rewritten updated suspended"},
	} {
		for word := range strings.FieldsSeq(c.list) {
			text := strings.Replace(c.frame, "%s", strings.ReplaceAll(word, "_", " "), 1)
			if !blocked(text, c.kind) && !isAsked(text, town(), nil, c.kind) {
				t.Errorf("%s: no %s", text, c.kind)
			}
		}
	}
}
