package conflict_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// One settled amount supports one claim, about the character for which it was settled.
func TestEvidenceIsUsedUp(t *testing.T) {
	t.Parallel()
	hurt := town()
	hurt.Actions = []conflict.Action{{Tool: "hp_delta", Affects: []string{
		conflict.FieldHP, conflict.FieldAliveState,
	}, HP: []conflict.HPChange{{CharacterID: "lin", Requested: -5, Effective: -5, After: 5}}}}
	const linAmount, suAmount = "hp_amount_mismatch lin", "hp_change_unsettled su"
	checkSentences(t, hurt, []sentenceCase{
		{"你失去5点生命值。", "", "settled"},
		{"你失去了5点生命值，又失去5点生命值。", linAmount, "settled once, told twice"},
		{"你失去了5点生命值。苏晴失去了5点生命值。", suAmount, "somebody else's change"},
		{"你失去了5点生命值。\nHP-5", "", "the panel lists what the prose told"},
		{"你失去了5点生命值。\n你的HP-5\n你的HP -5", linAmount, "a panel that lists it twice"},
		{"You take 5 damage, then take 5 damage again.", linAmount, "in English"},
		{"苏晴死了。", suLife, "a scratch on somebody else is no death"},
		{"你死了。", linLife, "nor is one's own"},
		{"苏晴昏了过去。", suLife, "nor a faint"},
	})
	twice := town()
	twice.Actions = []conflict.Action{{HP: []conflict.HPChange{
		{CharacterID: "lin", Requested: -3, Effective: -3, After: 7},
		{CharacterID: "lin", Requested: -4, Effective: -4, After: 3},
	}}}
	checkSentences(t, twice, []sentenceCase{
		{"你失去3点生命值，又失去4点生命值，总共失去7点生命值。", "", "both and their total"},
		{"你总共失去7点生命值，又失去7点生命值。", linAmount, "the total twice"},
	})
	rolled := town()
	rolled.CheckAllowed = true
	rolled.Actions = []conflict.Action{{Rolls: []conflict.Roll{{CharacterID: "lin", Roll: 17, Total: 19}}}}
	checkSentences(t, rolled, []sentenceCase{
		{"你掷出了17。", "", "one's own roll"},
		{"苏晴掷出了17。", "dice_claim_unsettled", "somebody else's roll"},
	})
}

// Events for a character in the turn are evidence about that character only.
func TestEvidenceOfLife(t *testing.T) {
	t.Parallel()
	v := town()
	v.Characters[1].AliveState = "alive"
	v.Actions = []conflict.Action{{Lives: []conflict.LifeChange{
		{CharacterID: "su", Before: "alive", After: "dead"},
		{CharacterID: "su", Before: "dead", After: "alive"},
	}}}
	checkSentences(t, v, []sentenceCase{
		{"苏晴死了，又活了过来。", "", "both happened in the turn"},
		{"你死了。", linLife, "to somebody else"},
	})
}

// A revival of a dead character in the text contradicts the state.
func TestRevival(t *testing.T) {
	t.Parallel()
	v := town()
	v.Characters[1].AliveState = "dead"
	checkSentences(t, v, []sentenceCase{
		{"苏晴复活了。", suLife, "a word for it"},
		{"苏晴竟然又有了呼吸。", suLife, "a phrase for it"},
		{"Su comes back to life.", suLife, "in English"},
		{"Su is alive again.", suLife, "in English"},
		{"你梦见苏晴复活了。", "", "a dream"},
		{"苏晴没有复活。", "", "negated"},
		{"你复活了。", "", "never dead"},
		{"苏晴手里握着复活石。", "", "a thing"},
	})
}

// A rule of the world is named by its keywords.
func TestWorldRuleKeywords(t *testing.T) {
	t.Parallel()
	v := town()
	v.Rules = []conflict.WorldRule{
		{ID: "curfew", Keywords: []string{"宵禁", "curfew"}}, {ID: "ferry", Keywords: []string{"渡口禁令"}},
	}
	const curfew = "world_rule_rewrite curfew"
	checkSentences(t, v, []sentenceCase{
		{"宵禁已经废除。", curfew, "told changed"},
		{"The curfew has been abolished.", curfew, "in English"},
		{"如果宵禁废除，大家会很高兴。", "", "supposed"},
		{"宵禁的钟声响了。", "", "only named"},
		{"渡口禁令失效了。", "world_rule_rewrite ferry", "another rule"},
	})
}
