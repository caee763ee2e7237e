package memvars

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// This file reads dice pools in variables: an attribute and a skill, with or without their values.
//
//	terms, pool, problems := memvars.SumCheck("力量;白刃:2", "stat_data.检定属性", scores)
//
// All functions depend only on their arguments.

// CheckTerm is one part of a dice pool: an attribute or skill and its value.
type CheckTerm struct {
	Name string `json:"name"`
	// Value is the value in the text, or else the value of the character.
	Value tree.Number `json:"value,omitempty"`
}

// CheckProposal is the check that the status proposes for the next round.
type CheckProposal struct {
	// Terms are the attributes and skills of the proposed check.
	Terms []CheckTerm `json:"terms,omitempty"`
	// Pool is the sum of their values.
	Pool tree.Number `json:"pool"`
	// Difficulty is the proposed difficulty. Max is the limit for the level of the world, 0 for no
	// limit.
	Difficulty tree.Number `json:"difficulty,omitempty"`
	Max        int         `json:"max,omitempty"`
	// Enemy are the dice of an enemy's attack, empty outside a fight.
	Enemy     []CheckTerm `json:"enemy,omitempty"`
	EnemyPool tree.Number `json:"enemy_pool"`
	// Problems are the unreadable parts: a name that the character does not have, or a part without
	// a number. The other parts still count.
	Problems talewright.Problems `json:"problems,omitempty"`
}

// ParseCheck reads a pool such as 力量;白刃 or 力量:2;白刃:2. Semicolons, commas and colons may be
// full-width; empty parts are skipped. Parts whose number cannot be read are left out and listed in
// the problems.
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
				Path: fmt.Sprintf("part %d", i), Code: codeBadTerm,
				Text: strconv.Quote(part) + " is not a name and a number",
			})
			continue
		}
		t.Value = n
		terms = append(terms, t)
	}
	return terms, problems
}

// SumCheck reads a pool and completes it: a name without a number gets its score. Unreadable parts
// are left out of the sum and reported in the problems, with the place.
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
					Path: place, Code: codeUnknownScore,
					Text: strconv.Quote(t.Name) + " is not an attribute or skill of the character",
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
	codeBadTerm      talewright.Code = "bad_term"      // a part of a pool that is not a name and a number
	codeUnknownScore talewright.Code = "unknown_score" // a name that is not an attribute or skill of the character
)
