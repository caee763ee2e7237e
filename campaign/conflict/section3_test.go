package conflict_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// What section 3 of the specification lists, in both languages.
func TestForms(t *testing.T) {
	t.Parallel()
	view := town()
	view.CheckAllowed = true
	const roll = "dice_claim_unsettled"
	checkSentences(t, view, []sentenceCase{
		{"【生命值：3/12】", linValue, "the maximum of the acting character"},
		{"[HP: 3/12]", linValue, "the same in English"},
		{"【生命值：3/99】", "", "the maximum of nobody"},
		{"【苏晴】HP：8 ▸ 5", suValue, "an arrow"},
		{"苏晴【等级 5】", suCard, "a level without a colon"},
		{"Su [Level 5]", suCard, "the same in English"},
		{"你掷出了99个成功。", roll, "successes of a pool"},
		{"You rolled 99 successes.", roll, "the same in English"},
		{"天然二十！", roll, "a natural roll"},
		{"Natural twenty!", roll, "the same in English"},
		{"体质判定失败，你失去3点生命值。", linChange, "a check before the claim"},
		{"You fail the check, and you lose 3 hit points.", linChange, "the same in English"},
		{"你走进大厅时，火把齐齐熄灭。", linThere, "an arrival as a point of time"},
		{"When you step into the Hall, the torches go out.", linThere, "the same in English"},
		{"进入大厅之前，你停了下来。", "", "before it"},
		{"你的生命值只剩三分之一。", linValue, "a part of the maximum"},
		{"Your hit points are down to a third.", linValue, "the same in English"},
		{"你失去了一半的生命值。", linChange, "a part is lost"},
		{"You lose half your hit points.", linChange, "the same in English"},
		{"苏晴只剩两成血。", suValue, "tenths"},
		{"Su has two thirds of her hit points left.", suValue, "more than one part"},
		{"（当前HP：3/12）", linValue, "a label before it"},
		{"〔伤害结算〕目标：苏晴，-3 HP", suChange, "a target"},
		{"【职业变更】苏晴转职为圣骑士。", suCard, "a profession"},
		{">> 场景切换：大厅", "location_mismatch lin", "a scene"},
		{"规则已被修改。", "world_rule_rewrite", "the rules, without a word of the game"},
		{"The rules have been changed.", "world_rule_rewrite", "the same in English"},
		{"林远没再多说什么，转身走进大厅。", linThere, "a negation in its own clause"},
		{"Lin hears the bell, and loses 5 hit points.", linChange, "a perception in its own clause"},
		{"血狼失去了8点生命值。", "", "a name that begins with 血"},
		{"(a) force the door (lose 3 hit points)", "", "a choice"},
		{"你原本有十八点生命，如今只剩十点。", "", "what was before"},
		{"Su is hit by Bram's ice lance for nine damage.", suChange, "the owner of the weapon is another"},
	})
	hurt := town()
	hurt.Characters[0].HP.Current = 5
	hurt.Actions = []conflict.Action{{Tool: "hp_delta", HP: []conflict.HPChange{{CharacterID: "lin", Requested: -5, Effective: -5, After: 5}}}}
	checkSentences(t, hurt, []sentenceCase{
		{"你失去3点生命值，随后又失去2点生命值。", "", "a settled amount in parts"},
		{"You lose 3 hit points. Then you lose 2 hit points.", "", "the same in English"},
		{"你失去3点生命值，随后又失去3点生命值。", "hp_amount_mismatch lin", "more than was settled"},
		{"You lose 3 hit points.", "hp_amount_mismatch lin", "less than was settled"},
	})
}

// A panel without a name and a maximum blocks nothing, also if the characters have no maximum.
func TestPanelsWithoutAName(t *testing.T) {
	t.Parallel()
	for _, most := range []int{0, 12} {
		view := town()
		for i := range view.Characters {
			view.Characters[i].HP.Max = most
		}
		for _, text := range []string{"【力量：20】", "【等级：9】", "【生命值：3】", "守卫倒下。\n【HP-3】", "【位置：大厅】",
			"Su kicks the door. Strength: 18. It bursts.", "苏晴踢门。力量：18。门碎了。"} {
			if found := conflict.Detect(text, nil, view, conflict.Options{}); conflict.Blocking(found) {
				t.Errorf("a maximum of %d, %q: %+v", most, text, found)
			}
		}
	}
}

// What never counts, whatever its wording: no block, and no question.
func TestNeverCounts(t *testing.T) {
	t.Parallel()
	view := town()
	view.CheckAllowed = true
	for _, c := range []struct{ text, reason string }{
		{"“你失去了5点生命值，”苏晴说。", "speech"},
		{`"You lose 5 hit points," says Su.`, "speech"},
		{"守卫威胁要杀死苏晴。", "a threat"},
		{"The guard threatens to kill Su.", "a threat"},
		{"你打算走进大厅。", "a plan"},
		{"You plan to walk into the Hall.", "a plan"},
		{"你希望苏晴恢复5点生命值。", "a wish"},
		{"You wish that Su regains 5 hit points.", "a wish"},
		{"苏晴死了吗？", "a question"},
		{"Is Su dead?", "a question"},
		{"你可以喝下药水，恢复5点生命值；也可以把它留着。", "an offer"},
		{"(a) force the door (lose 3 hit points)", "a choice"},
		{"A. 走进大厅 B. 留在城门", "choices"},
		{"你没有失去5点生命值。", "a negation"},
		{"You do not lose 5 hit points.", "a negation"},
		{"你没有走进大厅。", "a negation"},
		{"苏晴梦见自己死了。", "a dream"},
		{"In the dream Su dies.", "a dream"},
		{"你想起那年苏晴失去了5点生命值。", "a memory"},
		{"You remember the day Su lost 5 hit points.", "a memory"},
		{"书上写着苏晴死于瘟疫。", "a book"},
		{"The book says that Su died of the plague.", "a book"},
		{"画中的苏晴倒地身亡。", "a picture"},
		{"In the painting Su lies dead.", "a picture"},
		{"在模拟中，你失去了5点生命值。", "a simulation"},
		{"In the simulation you lose 5 hit points.", "a simulation"},
		{"苏晴睡得像死了一样。", "a comparison"},
		{"Su sleeps as if she were dead.", "a comparison"},
		{"血狼失去了8点生命值。", "somebody else whose name begins with 血"},
		{"The goblin loses 5 hit points.", "somebody else"},
		{"一只老鼠死在你脚边。", "the death of a rat"},
		{"A rat dies at your feet.", "the death of a rat"},
		{"昨天苏晴失去了5点生命值。", "what was before the turn"},
		{"Yesterday Su lost 5 hit points.", "what was before the turn"},
		{"你原本有十八点生命，如今只剩十点。", "what was before the turn, and what is true"},
		{"你的生命值还剩八成。", "a part that is right"},
		{"Su has all of her hit points.", "a true value"},
		{"你站在城门下。", "a true place"},
	} {
		r := conflict.Read(c.text, nil, view)
		found := r.Detect(conflict.Options{})
		if conflict.Blocking(found) {
			t.Errorf("%s blocks, but it is %s: %+v", c.text, c.reason, found)
		}
		if asked := conflict.Suspect(r, found, conflict.Options{}); len(asked) > 0 {
			t.Errorf("%s is asked about, but it is %s: %+v", c.text, c.reason, asked)
		}
	}
}

// An amount that a call settled may be told in parts, also in words that only a question finds. What is
// told beyond it is a conflict.
func TestSettledInParts(t *testing.T) {
	t.Parallel()
	view := town()
	view.Characters[0].HP.Current = 5
	view.Actions = []conflict.Action{{Tool: "hp_delta", HP: []conflict.HPChange{{CharacterID: "lin", Requested: -5, Effective: -5, After: 5}}}}
	for text, blocks := range map[string]bool{
		"你失去3点生命值，随后又失去2点生命值。":                                                                              false,
		"你失去3点生命值，随后又失去2点生命值，总共失去5点生命值。":                                                                    false,
		"第一剑让你掉了三点血，第二剑又带走两点。":                                                                              false,
		"The first cut takes three hit points off you. The second cut takes two more points off you.":       false,
		"The first cut takes three hit points off you. The second cut takes four more points off you.":      true,
		"第一道雷让你掉了三点血；第二道弱了些，不过两点。":                                                                          false,
		"The first hex nicks you for three hit points. The second has less weight behind it, two at least.": false,
		"你失去3点生命值，随后又失去4点生命值。":                                                                              true,
	} {
		r := conflict.Read(text, nil, view)
		found := r.Detect(conflict.Options{})
		if !blocks && conflict.Blocking(found) {
			t.Errorf("%s blocks without answers: %+v", text, found)
		}
		questions := conflict.Suspect(r, found, conflict.Options{})
		var answers []conflict.Verdict
		for _, q := range questions {
			answers = append(answers, affirmed(q, "lin"))
		}
		all, _ := conflict.Decide(r, questions, answers, found, conflict.Options{})
		if conflict.Blocking(all) != blocks {
			t.Errorf("%s: blocks is %v, want %v: %+v", text, !blocks, blocks, all)
		}
	}
}
