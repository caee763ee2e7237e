package parse

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// A Cast is the people and places that names in a text may mean.
type Cast struct {
	Actor  string   // the acting character
	Party  []string // the characters that 你们 and "the party" mean
	People []Named  // the tracked characters
	Areas  []Named
	Rules  []Named        // the world's rules; their aliases are keywords
	Labels []string       // other labels of cards that a text may name
	HP     map[byte][]int // the maximum (M) and the present (N) hit points of the characters
}

// A Named is a person or thing with an ID and names.
type Named struct {
	ID      string
	Name    string
	Aliases []string
}

// Person returns a person of the cast, nil if the ID is unknown.
func (c Cast) Person(id string) *Named {
	for i := range c.People {
		if p := &c.People[i]; p.ID == id {
			return p
		}
	}
	return nil
}

// namesOf returns the dictionary of a cast. The longest names come first, so 大厅守卫 is not read as 大厅.
func namesOf(cast *Cast) tokenize.Names {
	var dict tokenize.Names
	for _, is := range cast.People {
		id := []string{is.ID}
		is.eachName(func(name string) { dict.Add(name, id, nil) })
	}
	for _, is := range cast.Areas {
		id := []string{is.ID}
		is.eachName(func(name string) { dict.Add(name, nil, id) })
	}
	dict.Sort()
	return dict
}

// eachName calls f with the name and the aliases, except pronouns.
func (n Named) eachName(f func(name string)) {
	for _, name := range append([]string{n.Name}, n.Aliases...) {
		if !isPersonal(name) {
			f(name)
		}
	}
}

// isPersonal reports whether a name is a pronoun. Its meaning depends on the text.
func isPersonal(name string) (is bool) {
	runes := normalName(name)
	lexicon.EachAt(runes, 0, func(end int, class lexicon.Class) {
		is = is || end == len(runes) && slices.Contains(pronouns, class)
	})
	return is
}
