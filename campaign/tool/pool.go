package tool

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// This file has a tool that rolls pools of ten-sided dice for a model. A pool has as many dice as
// an attribute and a skill have points together. Each die of 8 or more is a success, and each 10
// adds a die. The engine rolls, and the result is recorded. A call that is repeated within a turn
// keeps its dice. A host registers the tool, and a campaign allows it:
//
//	content := game.Content{Extensions: game.Extensions{
//		Tools: []tool.Tool{tool.PoolCheck(tool.PoolRules{})},
//	}}
//	setup := state.Setup{Allowlist: []string{"move", "hp_delta", "pool_check"}}
//
// A pool is written as names, "力量;白刃". Their points are on the character's sheet. The pool of an
// enemy has points of its own, "力量:2;白刃:2". Points of an attribute over 8 are automatic successes,
// not dice. Difficulty is the number of successes that are needed. [PoolLevel] limits it by the
// level of the world.
//
// If [PoolRules] names variables, a call may omit the pool and the difficulty. The tool then reads
// them from these variables, where the model has written them before, such as stat_data.检定属性 and
// stat_data.检定难度.

// PoolRules defines how pools are rolled. The zero value uses no variables and limits the
// difficulty to 99.
type PoolRules struct {
	// Points returns the points of a character in an attribute or a skill, and false if there is no
	// such trait. Nil reads the attributes of the sheet and then its skills.
	Points func(v View, name string) (points int, ok bool)
	// MaxDifficulty returns the maximum number of successes that may be needed now; nil means 99.
	MaxDifficulty func(v View) int
	// Pool, Difficulty and EnemyPool are paths of variables that replace omitted arguments: texts
	// and a number, or lists that begin with one. Empty means that there is no such variable.
	Pool, Difficulty, EnemyPool string
}

// PoolLevel returns the maximum difficulty in a world of the given level. The levels are 无 or none
// 3, 低 or low 5, 中 or middle 7, 高 or high 12, 神话 or mythic 16. It reports false for any other
// word.
func PoolLevel(word string) (difficulty int, ok bool) {
	difficulty, ok = map[string]int{
		"无": 3, "none": 3, "低": 5, "low": 5, "中": 7, "middle": 7, "高": 12, "high": 12, "神话": 16, "mythic": 16,
	}[strings.ToLower(strings.TrimSpace(word))]
	return difficulty, ok
}

// The numbers of the dice rules, and limits.
const (
	defaultMaxDifficulty = 99 // if PoolRules.MaxDifficulty is nil
	maxDice              = 60 // of a pool, including automatic successes, without the dice that tens add
	maxTraits            = 8  // names in a pool
	maxTraitDice         = 8  // a trait gives at most so many dice; each further point is an automatic success
	dieSides             = 10
	minSuccess           = 8  // the lowest number on a die that is a success
	maxExtraDice         = 60 // dice that tens add
)

type poolArgs struct {
	ActorID    string `json:"actor_id" about:"the acting character"`
	Pool       string `json:"pool,omitempty" about:"attribute and skill of the character, such as 力量;白刃" max:"200"`
	EnemyPool  string `json:"enemy_pool,omitempty" about:"what an enemy rolls instead, with points, such as 力量:2;白刃:2" max:"200"`
	Enemy      bool   `json:"enemy,omitempty" about:"roll the pool of the enemy that was noted before"`
	Difficulty *int   `json:"difficulty,omitempty" about:"successes that are needed" min:"0"`
}

// PoolCheck returns the tool pool_check. It rolls a ten-sided die for each point of the named traits
// and counts the successes: 8 and more is a success, and a 10 adds a die. Points of a trait beyond 8
// are successes without a roll. The points of a character come from its sheet, those of an enemy from
// the call. A narration that reports a different roll is a conflict. A campaign must allow the tool,
// see [state.Setup.Allowlist].
func PoolCheck(r PoolRules) Tool {
	return New(Tool{
		Name:        "pool_check",
		Description: "Roll a pool of ten-sided dice for the acting character or an enemy, and count successes.",
		Manual: "Rolls as many d10 as the named traits have points; 8 and more is a success, 10 adds a die, points of a " +
			"trait beyond 8 are successes by themselves. The sheet of the character says the points, never the model; " +
			"those of an enemy are given. A call repeated within a turn keeps its dice.",
		Reasons: map[state.CallCode]string{
			"one_pool_required":       "give pool or enemy_pool, never both",
			"unknown_trait":           "the character has no such attribute or skill",
			"own_points":              "the points of a character stand on the sheet: give names only",
			"invalid_pool":            "a pool is names joined by ;, for an enemy each with :points",
			"too_many_dice":           fmt.Sprintf("more than %d dice", maxDice),
			"difficulty_out_of_range": "more than this world allows",
		},
		Translations: inChinese("pool_check"),
		Affects:      []string{AffectsNothing},
	}, func(a poolArgs, _ Call, v View) Judgement { return r.judge(a, v) })
}

func (r PoolRules) judge(a poolArgs, v View) Judgement {
	enemy := a.EnemyPool != "" || a.Enemy
	if a.Pool != "" && enemy {
		return Judgement{Reason: "one_pool_required"}
	}
	text := cmp.Or(a.Pool, readNote(v, r.Pool).text())
	if enemy {
		text = cmp.Or(a.EnemyPool, readNote(v, r.EnemyPool).text())
	}
	needed := readNote(v, r.Difficulty).number()
	if a.Difficulty != nil {
		needed = *a.Difficulty
	}
	highest := defaultMaxDifficulty
	if r.MaxDifficulty != nil {
		highest = r.MaxDifficulty(v)
	}
	if needed > highest {
		return Judgement{Reason: "difficulty_out_of_range", Expected: object("max_difficulty", tree.Int(int64(highest)))}
	}
	if text == "" {
		return Judgement{Reason: "one_pool_required"}
	}
	count, automatic, wrong := r.dice(v, text, enemy)
	if wrong.Reason != "" {
		return wrong
	}
	return rollPool(v, count, automatic, max(needed, 0), enemy)
}

// dice counts the dice of a pool and its automatic successes. A mistake in the pool is a refusal in
// wrong. The pool of an enemy must have points, the pool of a character must not.
func (r PoolRules) dice(v View, text string, enemy bool) (count, automatic int, wrong Judgement) {
	terms, problems := memvars.ParseCheck(text)
	if len(problems) > 0 || len(terms) == 0 || len(terms) > maxTraits {
		return 0, 0, Judgement{Reason: "invalid_pool"}
	}
	withPoints := strings.Count(text, ":") + strings.Count(text, "：")
	switch {
	case enemy && withPoints != len(terms):
		return 0, 0, Judgement{Reason: "invalid_pool"}
	case !enemy && withPoints > 0:
		return 0, 0, Judgement{Reason: "own_points"}
	}
	for _, term := range terms {
		amount := term.Value.Float64()
		if !enemy {
			own, known := r.points(v, term.Name)
			if amount = float64(own); !known {
				return 0, 0, Judgement{Reason: "unknown_trait", Hint: object("trait", tree.Text(term.Name))}
			}
		}
		if amount < 0 {
			return 0, 0, Judgement{Reason: "invalid_pool"}
		}
		points := int(min(amount, maxDice+maxTraitDice+1)) // more is too many dice in any case
		count += min(points, maxTraitDice)
		automatic += max(points-maxTraitDice, 0)
	}
	if count+automatic > maxDice {
		return 0, 0, Judgement{Reason: "too_many_dice"}
	}
	return count, automatic, Judgement{}
}

// points returns the points of the acting character in a trait.
func (r PoolRules) points(v View, name string) (int, bool) {
	if r.Points != nil {
		return r.Points(v, name)
	}
	actor, _ := v.State.Character(v.ActorID)
	if n, ok := actor.Attributes.Get(name).AsFloat(); ok {
		return int(min(max(n, 0), maxDice*2)), true
	}
	for _, s := range actor.Skills {
		if s.Name == name {
			if s.Level == nil {
				return 1, true
			}
			return *s.Level, true
		}
	}
	return 0, false
}

// rollPool rolls the dice and counts the successes. needed is the difficulty.
func rollPool(v View, count, automatic, needed int, enemy bool) Judgement {
	successes, extra := automatic, 0 // extra dice, one for each 10
	var dice []tree.Value
	for n := 0; n < count+extra; n++ {
		die := v.Roll(dieSides)
		dice = append(dice, tree.Int(int64(die)))
		if die >= minSuccess {
			successes++
		}
		if die == dieSides && extra < maxExtraDice {
			extra++
		}
	}
	grade := "fail"
	switch {
	case successes >= max(needed, 1):
		grade = "success"
	case successes > 0:
		grade = "partial"
	}
	result := tree.Object(
		tree.Member{Key: "actor_id", Value: tree.Text(v.ActorID)},
		tree.Member{Key: "dice", Value: tree.Array(dice...)},
		tree.Member{Key: "automatic", Value: tree.Int(int64(automatic))},
		tree.Member{Key: "successes", Value: tree.Int(int64(successes))},
		tree.Member{Key: "difficulty", Value: tree.Int(int64(needed))},
		tree.Member{Key: "grade", Value: tree.Text(grade)},
		// The narration may mention this number: see detector dice.
		tree.Member{Key: "roll", Value: tree.Int(int64(successes))},
		tree.Member{Key: "total", Value: tree.Int(int64(successes))})
	if enemy {
		result = result.With("enemy", tree.Bool(true))
	}
	return Judgement{Result: result}
}

// note is the value that a variable has for a pool or a difficulty.
type note struct{ tree.Value }

// readNote reads a variable. If its value is a list, the first element is the note.
func readNote(v View, path string) note {
	at, _ := tree.ParsePath(path) // a bad path finds the object of all variables, which is no note
	found := v.State.Variables.Lookup(at)
	if found.IsArray() {
		found = found.At(0)
	}
	return note{found}
}

func (n note) text() string { s, _ := n.AsText(); return s }

// number returns a number, or a number that is written as text. Anything else is 0.
func (n note) number() int {
	if f, ok := n.AsFloat(); ok {
		return int(min(max(f, 0), defaultMaxDifficulty+1))
	}
	i, _ := strconv.Atoi(strings.TrimSpace(n.text()))
	return i
}
