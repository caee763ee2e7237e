package worldbook

// user is an entry that an atom is a primary key of, and the bit of that key:
// the entry's place in the list times eight, plus the bit.
type user uint32

const (
	// noUser stands for none: atoms of secondary keys have no user.
	noUser = ^user(0)
	// severalUsers is set in the first of several users.
	severalUsers user = 1 << 31
)

func makeUser(entry, key int) user { return user(entry<<3 | min(key, lastKeyBit)) }

func (u user) entry() int   { return int(u &^ severalUsers >> 3) }
func (u user) bit() keyBits { return 1 << (u & 7) }

// keyBits says which of an entry's primary keys were found anywhere: a bit for
// each of the first ones, the last bit for all others together.
type keyBits uint8

const lastKeyBit = 7

// userTable lists the users of every atom. Most atoms have one, and most of the
// others none.
type userTable struct {
	first []user
	more  map[int32][]user // the others
}

// listUsers inverts the primary keys.
func (c *Compiled) listUsers() userTable {
	t := userTable{first: make([]user, len(c.match.atoms)), more: map[int32][]user{}}
	for i := range t.first {
		t.first[i] = noUser
	}
	for i, e := range c.entries {
		for k, ref := range e.keys {
			if ref >= 0 && ref < refDynamic {
				t.add(int32(ref), makeUser(i, k))
			}
		}
	}
	return t
}

func (t *userTable) add(atom int32, u user) {
	switch first := t.first[atom]; {
	case first == noUser:
		t.first[atom] = u
	case first&^severalUsers != u: // not the last bit again
		t.first[atom] |= severalUsers
		t.more[atom] = append(t.more[atom], u)
	}
}

// each calls f for the users of an atom.
func (t *userTable) each(atom int32, f func(user)) {
	first := t.first[atom]
	if first == noUser {
		return
	}
	f(first)
	if first&severalUsers != 0 {
		for _, u := range t.more[atom] {
			f(u)
		}
	}
}
