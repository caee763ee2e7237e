package campaign

import "github.com/talewright/talewright/internal/openjson"

// The types below keep the JSON members that they do not know: content comes from
// other programs, and records from other versions. Each method works on a copy of
// its type that has no methods.

// MarshalJSON writes the known fields and then the unknown ones.
func (w World) MarshalJSON() ([]byte, error) {
	type plain World
	return openjson.Encode(plain(w), w.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (w *World) UnmarshalJSON(data []byte) (err error) {
	type plain World
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*w = World(p)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (w WorldRule) MarshalJSON() ([]byte, error) {
	type plain WorldRule
	return openjson.Encode(plain(w), w.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (w *WorldRule) UnmarshalJSON(data []byte) (err error) {
	type plain WorldRule
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*w = WorldRule(p)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m Map) MarshalJSON() ([]byte, error) {
	type plain Map
	return openjson.Encode(plain(m), m.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (m *Map) UnmarshalJSON(data []byte) (err error) {
	type plain Map
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*m = Map(p)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Area) MarshalJSON() ([]byte, error) {
	type plain Area
	return openjson.Encode(plain(a), a.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *Area) UnmarshalJSON(data []byte) (err error) {
	type plain Area
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*a = Area(p)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (p Path) MarshalJSON() ([]byte, error) {
	type plain Path
	return openjson.Encode(plain(p), p.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (p *Path) UnmarshalJSON(data []byte) (err error) {
	type plain Path
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*p = Path(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Character) MarshalJSON() ([]byte, error) {
	type plain Character
	return openjson.Encode(plain(c), c.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (c *Character) UnmarshalJSON(data []byte) (err error) {
	type plain Character
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*c = Character(p)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (t Turn) MarshalJSON() ([]byte, error) {
	type plain Turn
	return openjson.Encode(plain(t), t.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (t *Turn) UnmarshalJSON(data []byte) (err error) {
	type plain Turn
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*t = Turn(p)
	return err
}
