package conflict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

func TestReadsAsWords(t *testing.T) {
	t.Parallel()
	others := []string{"Ann", "苏晴", "Hall", "大厅"}
	for name, want := range map[string]bool{
		"dies": true, "Dies": true, "HP": true, "loses": true, "lose": true, "die": true, "dead": true, "five": true, "5": true, "you": true,
		"You": true, "she": true, "nobody": true, "Not": true, "hit points": true, "loses five hit points": true, "is at": true,
		"Ann dies": true, "Ann and you": true, "dies horribly": true, "enters Hall": true, "the": true, "ｄｉｅｓ": true, "is dead": true,
		"死了": true, "失去": true, "生命值": true, "五": true, "五点": true, "你": true, "她们": true, "苏晴死了": true, "走进大厅": true, "没有": true, "不": true,
		"Ann's": true, "Tom": false, "Tom dies": false, "Guard": false, "Fallen Guard": false, "Hall of the Dead": false, "City of the Dead": false,
		"Old Mill": false, "Dead Man's Inn": false, "Ann's Mill": false, "Annie": false, "Will Turner": false, "Will": false, "Max": false, "New": false, "The Next": false, "Rose": false, "max": true, "will": true, "rose": true, "The Vault": false, "vault": true, "": false, "Zhou": false,
		"守卫": false, "林远": false, "夏可": false, "血狼": false, "迷失森林": false, "老陈": false, "王五": false, "大厅东侧": false, "死亡森林": false,
		strings.Repeat("dies ", 4000): false, // longer than any name
	} {
		if got := conflict.ReadsAsWords(name, others...); got != want {
			t.Errorf("%.40q: %v, want %v", name, got, want)
		}
	}
}

// False claims are found whatever the names of people and places are, and texts without claims
// still have none.
func TestNamesHideNoClaims(t *testing.T) {
	t.Parallel()
	claims := []string{"Lin dies.", "Lin is dead.", "You lose 5 hit points.", "Su is at 3 HP.", "You enter the Cellar.", "You take 4 damage.", "Your HP: 3/12.",
		"你失去五点生命值。", "苏晴死了。", "你的生命值降到3。", "你走进地窖。", "苏晴失去了意识。", "苏晴受到4点伤害。"}
	innocent := []string{"Will smiles at Su.", "Rose walks past the Gate.", "夏可笑了笑，可你没有笑。", "You will lose 5 hit points.", "You may die here.", "Su is not dead."}
	names := []string{"dies", "Dies", "loses", "lose", "die", "dead", "HP", "hp", "is", "at", "five", "5", "you", "You", "hit points", "Lin dies", "enter", "take", "damage",
		"is dead", "loses 5 hit points", "dies horribly", "死", "死了", "失去", "失去了", "五点", "五", "生命值", "点", "降到", "走进", "你", "你失去", "苏晴死了", "伤害", "受到", "意识",
		"will", "Will", "May", "Rose", "夏可", "not", "Not"}
	for _, place := range []bool{false, true} {
		for _, name := range names {
			view := town()
			if place {
				view.Areas = append(slices.Clip(view.Areas), conflict.Area{ID: "new", Name: name})
			} else {
				view.Characters = append(slices.Clip(view.Characters), conflict.Character{ID: "new", Name: name, HP: conflict.HP{Current: 3, Max: 3}, AliveState: "alive"})
			}
			for _, text := range claims {
				if !conflict.Blocking(conflict.Detect(text, nil, view, conflict.Options{})) {
					t.Errorf("place %v %q hides %s", place, name, text)
				}
			}
			for _, text := range innocent {
				if found := conflict.Detect(text, nil, view, conflict.Options{}); conflict.Blocking(found) && (!conflict.ReadsAsWords(name) || name == "not" || name == "Not") {
					t.Errorf("place %v %q: %s blocks with %v", place, name, text, found)
				}
			}
		}
	}
}

// A name of one Chinese character is not read at the end of a longer word.
func TestShortNameIsNotTheEndOfAWord(t *testing.T) {
	t.Parallel()
	view := town()
	view.ActorID = "su" // a claim without a subject is about this character
	view.Characters[0].Name, view.Characters[0].Aliases = "林", nil
	view.Characters = append(view.Characters, conflict.Character{ID: "wang", Name: "王", HP: conflict.HP{Current: 9, Max: 9}, AliveState: "alive", AreaID: "gate"})
	view.Areas = append(view.Areas, conflict.Area{ID: "spire", Name: "塔"})
	for _, text := range []string{"哥布林受到5点伤害。", "哥布林死了。", "对面的哥布林失去了3点生命值。", "国王死了。", "女王受到4点伤害。", "你走进灯塔。", "女王走进大厅。"} {
		if found := conflict.Detect(text, nil, view, conflict.Options{}); conflict.Blocking(found) {
			t.Errorf("%s blocks with %v", text, found)
		}
	}
	for _, text := range []string{"林受到5点伤害。", "一箭射来，林死了。", "这一剑让林失去了3点生命值。", "怪物对林造成5点伤害。", "毒药使王受到4点伤害。", "爪子击中林，林受到5点伤害。", "老王死了。", "你走进塔。", "你来到塔里。", "王走进大厅。"} {
		if found := conflict.Detect(text, nil, view, conflict.Options{}); !conflict.Blocking(found) {
			t.Errorf("%s does not block", text)
		}
	}
}

// An alias with an article is no part of a longer name of a different place.
func TestArticleIsNoPartOfALongerName(t *testing.T) {
	t.Parallel()
	view := town()
	view.Areas = append(view.Areas, conflict.Area{ID: "pond", Name: "Mill Pond"}, conflict.Area{ID: "mill", Name: "Old Mill", Aliases: []string{"the mill"}})
	for text, place := range map[string]string{"You walk into the Mill Pond.": "pond", "You walk into the mill.": "mill", "You walk into Mill Pond.": "pond"} {
		found := conflict.Detect(text, nil, view, conflict.Options{})
		if len(found) != 1 || found[0].Found["claimed_area_id"] != place {
			t.Errorf("%s: %v, want a claim about %s", text, found, place)
		}
	}
}
