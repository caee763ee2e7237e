package parse

import "github.com/talewright/talewright/campaign/conflict/internal/tokenize"

// A Cast is the people and places that names in a text may mean.
type Cast struct {
	Actor  string   // the acting character
	Party  []string // the characters that 你们 and "the party" mean
	People []Named  // the tracked characters
	Areas  []Named
	Rules  []Named  // the world's rules; their aliases are keywords
	Labels []string // other labels of cards that a text may name
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

func namesOf(cast *Cast) tokenize.Names {
	dict := tokenize.Names{}
	known := map[string]int{} // index of a name in its list
	add := func(of Named, mark func(*tokenize.Name)) {
		for i := -1; i < len(of.Aliases); i++ {
			name := of.Name
			if i >= 0 {
				name = of.Aliases[i]
			}
			if !isPersonal(name) {
				dict.Add(known, name, mark)
			}
		}
	}
	for i := range cast.People {
		c := &cast.People[i]
		add(*c, func(n *tokenize.Name) { n.Characters = tokenize.AppendNew(n.Characters, c.ID) })
	}
	for i := range cast.Areas {
		a := &cast.Areas[i]
		add(*a, func(n *tokenize.Name) { n.Areas = tokenize.AppendNew(n.Areas, a.ID) })
	}
	// Longest first, so 大厅守卫 is not read as 大厅. Names of one length are sorted by their characters,
	// for searches. Lists are sorted one by one: the order of the map does not matter.
	dict.Sort()
	return dict
}

// isPersonal reports whether a name is a pronoun of the second or third person. Its meaning depends
// on the text.
func isPersonal(name string) bool {
	switch word := string(normalName(name)); word {
	case "你", "您", "妳", "你们", "他", "她", "它":
		return true
	default:
		return isPronoun(word)
	}
}
