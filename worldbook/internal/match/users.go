package match

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

// Users lists the entries that atoms are primary keys of. Most atoms have one, and most of
// the others none. It is immutable once all users are added.
type Users struct {
	first []user
	more  map[int32][]user // the others
}

// NewUsers returns the empty list for the atoms of an index.
func NewUsers(x *Index) *Users {
	u := &Users{first: make([]user, len(x.atoms)), more: map[int32][]user{}}
	for i := range u.first {
		u.first[i] = noUser
	}
	return u
}

// Add notes that the key of an entry has a reference. Only atoms of the index count.
func (t *Users) Add(ref Ref, entry, key int) {
	if ref < 0 || ref >= Dynamic {
		return
	}
	atom, u := int32(ref), makeUser(entry, key)
	switch first := t.first[atom]; {
	case first == noUser:
		t.first[atom] = u
	case first&^severalUsers != u: // not the last bit again
		t.first[atom] |= severalUsers
		t.more[atom] = append(t.more[atom], u)
	}
}

// Each calls f for the entries that use an atom.
func (t *Users) Each(atom int32, f func(entry int)) {
	first := t.first[atom]
	if first == noUser {
		return
	}
	f(first.entry())
	if first&severalUsers != 0 {
		for _, u := range t.more[atom] {
			f(u.entry())
		}
	}
}
