package worldbook

// user is an entry that an atom is a primary key of, and the bit of that key:
// the entry's place in the list times eight, plus the bit.
type user uint32

// noUser stands for none: atoms of secondary keys have no user.
const noUser = ^user(0)

func makeUser(entry, key int) user { return user(entry<<3 | min(key, lastKeyBit)) }

func (u user) entry() int   { return int(u >> 3) }
func (u user) bit() keyBits { return 1 << (u & 7) }

// keyBits says which of an entry's primary keys were found anywhere: a bit for
// each of the first ones, the last bit for all others together.
type keyBits uint8

const lastKeyBit = 7

// userTable lists the users of every atom. Most atoms have one, which stands
// where it is looked up.
type userTable struct {
	atoms []atomUsers // and one more, that ends the last list
	more  []user
}

type atomUsers struct {
	first user
	more  uint32 // where the others begin
}

// listUsers inverts the primary keys.
func (c *Compiled) listUsers() userTable {
	t := userTable{atoms: make([]atomUsers, len(c.match.atoms)+1)}
	// others visits the users beside the first one.
	others := func(f func(atom keyRef, u user)) {
		for i, e := range c.entries {
			for k, ref := range e.keys {
				if ref < 0 || ref >= refDynamic {
					continue
				}
				a, u := &t.atoms[ref], makeUser(i, k)
				if a.first == noUser {
					a.first = u
				}
				if a.first != u {
					f(ref, u)
				}
			}
		}
	}
	for i := range t.atoms {
		t.atoms[i].first = noUser
	}
	others(func(atom keyRef, _ user) { t.atoms[atom].more++ })
	total := uint32(0)
	for i := range t.atoms {
		a := &t.atoms[i]
		a.more, total = total, total+a.more
	}
	t.more = make([]user, total)
	filled := make([]uint32, len(t.atoms))
	others(func(atom keyRef, u user) {
		t.more[t.atoms[atom].more+filled[atom]] = u
		filled[atom]++
	})
	return t
}

// of lists the users of an atom: the first one and the others.
func (t *userTable) of(atom int32) (first user, more []user) {
	a := &t.atoms[atom]
	return a.first, t.more[a.more:t.atoms[atom+1].more]
}

// each calls f for the users of an atom.
func (t *userTable) each(atom int32, f func(user)) {
	first, more := t.of(atom)
	if first != noUser {
		f(first)
	}
	for _, u := range more {
		f(u)
	}
}
