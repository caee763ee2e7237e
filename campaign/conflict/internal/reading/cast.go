package reading

import "github.com/talewright/talewright/campaign/conflict/internal/prose"

// A Cast is whom and what the names of a text may mean.
type Cast struct {
	Actor  string   // the acting character
	Party  []string // whom 你们 and "the party" mean
	People []Person
	Areas  []Named
	Labels []string // what else of a card can be named
}

// A Named is somebody or something with an id and names.
type Named struct {
	ID      string
	Name    string
	Aliases []string
}

// A Person is a tracked character.
type Person struct {
	Named
	MaxHP int // a name with hit points beside it is known by the maximum
}

// Person returns somebody of the cast, nil if there is none of that id.
func (c Cast) Person(id string) *Person {
	for i := range c.People {
		if p := &c.People[i]; p.ID == id {
			return p
		}
	}
	return nil
}

func namesOf(cast *Cast) prose.Names {
	dict := prose.Names{}
	known := map[string]int{} // where a name stands in its list
	add := func(of Named, mark func(*prose.Name)) {
		for _, name := range append([]string{of.Name}, of.Aliases...) {
			if !isPersonal(name) {
				dict.Add(known, name, mark)
			}
		}
	}
	for i := range cast.People {
		c := &cast.People[i]
		add(c.Named, func(n *prose.Name) { n.Characters = prose.AppendNew(n.Characters, c.ID) })
	}
	for i := range cast.Areas {
		a := &cast.Areas[i]
		add(*a, func(n *prose.Name) { n.Areas = prose.AppendNew(n.Areas, a.ID) })
	}
	// Longest first, so that 大厅守卫 is not read as 大厅; those of one length by their
	// characters, to be searched for. Lists are sorted one by one: the order of the map
	// does not matter.
	dict.Sort()
	return dict
}

// isPersonal reports whether a name is a pronoun of the second or third person, whose meaning the text says.
func isPersonal(name string) bool {
	switch word := string(normalName(name)); word {
	case "你", "您", "妳", "你们", "他", "她", "它":
		return true
	default:
		return isPronoun(word)
	}
}
