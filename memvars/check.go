package memvars

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// Term is one part of a pool of dice: an attribute or skill and its value.
type Term struct {
	Name string `json:"name"`
	// Value is what the text says, or else what the character has.
	Value tree.Number `json:"value,omitempty"`
}

// Checks is what the status proposes for the next round.
type Checks struct {
	// Terms are the attributes and skills of the proposed check.
	Terms []Term `json:"terms,omitempty"`
	// Pool is the sum of their values.
	Pool tree.Number `json:"pool"`
	// Difficulty is the proposed difficulty, and Max what the level of the world
	// allows, 0 for no limit.
	Difficulty tree.Number `json:"difficulty,omitempty"`
	Max        int         `json:"max,omitempty"`
	// Enemy are the dice of an enemy's attack, empty outside of a fight.
	Enemy     []Term      `json:"enemy,omitempty"`
	EnemyPool tree.Number `json:"enemy_pool"`
	// Problems are what could not be read: a name that the character does not
	// have, a part without a number. The rest counts nevertheless.
	Problems talewright.Problems `json:"problems,omitempty"`
}

// ParseTerms reads a pool such as 力量;白刃 or 力量:2;白刃:2. Semicolons, commas and
// colons may be of full width; empty parts are skipped. The problems list the parts
// whose number cannot be read, which are left out.
func ParseTerms(text string) ([]Term, talewright.Problems) {
	var terms []Term
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
		t := Term{Name: strings.TrimSpace(name)}
		n, ok := looseNumber(strings.TrimSpace(value))
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

// Checks reads the proposed check and the enemy's attack from the status and
// compares them with the character: names without a number get the value of the
// attribute or skill.
func (s *System) Checks(d tree.Document) Checks {
	p := &s.profile
	r := newRun(s, d, Host)
	out := Checks{Pool: "0", EnemyPool: "0"}
	out.Difficulty, _ = r.number(within(p.Status, p.Difficulty))
	level := strings.TrimSpace(r.text(within(p.Status, p.WorldLevel)))
	for _, l := range p.Levels {
		if l.Name == level {
			out.Max = l.Max
		}
	}
	out.Terms, out.Pool = r.terms(p.Check, &out.Problems)
	out.Enemy, out.EnemyPool = r.terms(p.EnemyPool, &out.Problems)
	return out
}

// terms reads one pool of the status and completes it from the character. The
// pool counts what could be read even if a part could not.
func (r *run) terms(path tree.Path, problems *talewright.Problems) (terms []Term, pool tree.Number) {
	pool = "0"
	place := within(r.sys.profile.Status, path)
	terms, bad := ParseTerms(r.text(place))
	for i := range terms {
		t := &terms[i]
		if t.Value == "" {
			n, ok := r.input(&expr{op: "name", name: t.Name})
			if !ok {
				*problems = append(*problems, talewright.Problem{
					Path: place.String(), Code: UnknownScore,
					Text: strconv.Quote(t.Name) + " is no attribute or skill of the character",
				})
				continue
			}
			t.Value = n
		}
		pool = pool.Add(t.Value)
	}
	for _, p := range bad {
		p.Path = place.String() + ": " + p.Path
		*problems = append(*problems, p)
	}
	return terms, pool
}
