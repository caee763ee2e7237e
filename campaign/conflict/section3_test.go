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
		{"你的生命值只剩三分之一。", "", "a fraction is no number"},
		{"Your hit points are down to a third.", "", "the same in English"},
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
		for _, text := range []string{"【力量：20】", "【等级：9】", "【生命值：3】", "守卫倒下。\n【HP-3】", "【位置：大厅】"} {
			if found := conflict.Detect(text, nil, view, conflict.Options{}); conflict.Blocking(found) {
				t.Errorf("a maximum of %d, %q: %+v", most, text, found)
			}
		}
	}
}
