package memvars

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// The check part reads pools of dice as the variables of package memvars propose them: an
// attribute and a skill, with or without their values.
//
//	terms, pool, problems := memvars.SumCheck("力量;白刃:2", "stat_data.检定属性", scores)
//
// It decides by its arguments alone.

// CheckTerm is one part of a pool of dice: an attribute or skill and its value.
type CheckTerm struct {
	Name string `json:"name"`
	// Value is what the text says, or else what the character has.
	Value tree.Number `json:"value,omitempty"`
}

// CheckProposal is what the status proposes for the next round.
type CheckProposal struct {
	// Terms are the attributes and skills of the proposed check.
	Terms []CheckTerm `json:"terms,omitempty"`
	// Pool is the sum of their values.
	Pool tree.Number `json:"pool"`
	// Difficulty is the proposed difficulty, and Max what the level of the world
	// allows, 0 for no limit.
	Difficulty tree.Number `json:"difficulty,omitempty"`
	Max        int         `json:"max,omitempty"`
	// Enemy are the dice of an enemy's attack, empty outside of a fight.
	Enemy     []CheckTerm `json:"enemy,omitempty"`
	EnemyPool tree.Number `json:"enemy_pool"`
	// Problems are what could not be read: a name that the character does not
	// have, a part without a number. The rest counts nevertheless.
	Problems talewright.Problems `json:"problems,omitempty"`
}

// ParseCheck reads a pool such as 力量;白刃 or 力量:2;白刃:2. Semicolons, commas and
// colons may be of full width; empty parts are skipped. The problems list the parts
// whose number cannot be read, which are left out.
func ParseCheck(text string) ([]CheckTerm, talewright.Problems) {
	var terms []CheckTerm
	var problems talewright.Problems
	parts := strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(";；,，、\n", r)
	})
	for i, part := range parts {
		part = strings.TrimSpace(strings.ReplaceAll(part, "：", ":"))
		if part == "" {
			continue
		}
		name, value, given := strings.Cut(part, ":")
		t := CheckTerm{Name: strings.TrimSpace(name)}
		n, ok := tree.ParseNumber(strings.TrimSpace(value))
		if given && !ok || t.Name == "" {
			problems = append(problems, talewright.Problem{
				Path: fmt.Sprintf("part %d", i), Code: BadTerm,
				Text: strconv.Quote(part) + " is not a name and a number",
			})
			continue
		}
		t.Value = n
		terms = append(terms, t)
	}
	return terms, problems
}

// SumCheck reads a pool and completes it: a name without a number gets its score. The pool counts
// what could be read even if a part could not; the problems name the place.
func SumCheck(
	text, place string, score func(name string) (tree.Number, bool),
) (terms []CheckTerm, pool tree.Number, problems talewright.Problems) {
	pool = "0"
	terms, bad := ParseCheck(text)
	for i := range terms {
		t := &terms[i]
		if t.Value == "" {
			n, ok := score(t.Name)
			if !ok {
				problems = append(problems, talewright.Problem{
					Path: place, Code: UnknownScore,
					Text: strconv.Quote(t.Name) + " is no attribute or skill of the character",
				})
				continue
			}
			t.Value = n
		}
		pool = pool.Add(t.Value)
	}
	for _, p := range bad {
		p.Path = place + ": " + p.Path
		problems = append(problems, p)
	}
	return terms, pool, problems
}

// The codes of the problems.
const (
	BadTerm      talewright.Code = "bad_term"      // a part of a pool that is no name and number
	UnknownScore talewright.Code = "unknown_score" // a name that is no attribute or skill of the character
)
