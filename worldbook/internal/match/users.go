package match

// user is an entry with an atom as a primary key, and the bit of that key: the entry's place in the
// list times eight, plus the bit.
type user uint32

const (
	// noUser means no user: atoms of secondary keys have no user.
	noUser = ^user(0)
	// severalUsers is set in the first of several users.
	severalUsers user = 1 << 31
)

func makeUser(entry, key int) user { return user(entry<<3 | min(key, lastKeyBit)) }

func (u user) entry() int   { return int(u &^ severalUsers >> 3) }
func (u user) bit() keyBits { return 1 << (u & 7) }

// keyBits marks the found primary keys of an entry: a bit for each of the first keys, and the last
// bit for all others together.
type keyBits uint8

const lastKeyBit = 7

// Users lists the entries that use atoms as primary keys. Most atoms have one user, and most others
// have no user. It is immutable after all users are added.
type Users struct {
	first []user
	more  map[int32][]user // the further users
}

// NewUsers returns the empty list for the atoms of an index.
func NewUsers(x *Index) *Users {
	u := &Users{first: make([]user, len(x.atoms)), more: map[int32][]user{}}
	for i := range u.first {
		u.first[i] = noUser
	}
	return u
}

// Add records that the key of an entry has a reference. Only atoms of the index are recorded.
func (t *Users) Add(ref Ref, entry, key int) {
	if ref < 0 || ref >= Dynamic {
		return
	}
	atom, u := int32(ref), makeUser(entry, key)
	switch first := t.first[atom]; {
	case first == noUser:
		t.first[atom] = u
	case first&^severalUsers != u: // not the last bit a second time
		t.first[atom] |= severalUsers
		t.more[atom] = append(t.more[atom], u)
	}
}

// Each calls f for each entry that uses an atom.
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
