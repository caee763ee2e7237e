package state

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

// MarshalJSON writes the known fields and then the unknown ones.
func (s Selected) MarshalJSON() ([]byte, error) {
	type plain Selected
	return openjson.Encode(plain(s), s.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (s *Selected) UnmarshalJSON(data []byte) (err error) {
	type plain Selected
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*s = Selected(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (g Goal) MarshalJSON() ([]byte, error) {
	type plain Goal
	return openjson.Encode(plain(g), g.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (g *Goal) UnmarshalJSON(data []byte) (err error) {
	type plain Goal
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*g = Goal(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m Milestone) MarshalJSON() ([]byte, error) {
	type plain Milestone
	return openjson.Encode(plain(m), m.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (m *Milestone) UnmarshalJSON(data []byte) (err error) {
	type plain Milestone
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*m = Milestone(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a AdvancePolicy) MarshalJSON() ([]byte, error) {
	type plain AdvancePolicy
	return openjson.Encode(plain(a), a.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *AdvancePolicy) UnmarshalJSON(data []byte) (err error) {
	type plain AdvancePolicy
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*a = AdvancePolicy(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return openjson.Encode(plain(s), s.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (s *Summary) UnmarshalJSON(data []byte) (err error) {
	type plain Summary
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*s = Summary(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (l Lifecycle) MarshalJSON() ([]byte, error) {
	type plain Lifecycle
	return openjson.Encode(plain(l), l.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (l *Lifecycle) UnmarshalJSON(data []byte) (err error) {
	type plain Lifecycle
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*l = Lifecycle(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (d Dialog) MarshalJSON() ([]byte, error) {
	type plain Dialog
	return openjson.Encode(plain(d), d.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (d *Dialog) UnmarshalJSON(data []byte) (err error) {
	type plain Dialog
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*d = Dialog(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Checkpoint) MarshalJSON() ([]byte, error) {
	type plain Checkpoint
	return openjson.Encode(plain(c), c.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (c *Checkpoint) UnmarshalJSON(data []byte) (err error) {
	type plain Checkpoint
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*c = Checkpoint(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (b Branch) MarshalJSON() ([]byte, error) {
	type plain Branch
	return openjson.Encode(plain(b), b.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (b *Branch) UnmarshalJSON(data []byte) (err error) {
	type plain Branch
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*b = Branch(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r RollbackPending) MarshalJSON() ([]byte, error) {
	type plain RollbackPending
	return openjson.Encode(plain(r), r.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *RollbackPending) UnmarshalJSON(data []byte) (err error) {
	type plain RollbackPending
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*r = RollbackPending(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt
	return openjson.Encode(plain(a), a.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *Attempt) UnmarshalJSON(data []byte) (err error) {
	type plain Attempt
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*a = Attempt(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s State) MarshalJSON() ([]byte, error) {
	type plain State
	return openjson.Encode(plain(s), s.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (s *State) UnmarshalJSON(data []byte) (err error) {
	type plain State
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*s = State(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Applied) MarshalJSON() ([]byte, error) {
	type plain Applied
	return openjson.Encode(plain(a), a.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *Applied) UnmarshalJSON(data []byte) (err error) {
	type plain Applied
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*a = Applied(v)
	return err
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Reply) MarshalJSON() ([]byte, error) {
	type plain Reply
	return openjson.Encode(plain(r), r.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *Reply) UnmarshalJSON(data []byte) (err error) {
	type plain Reply
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*r = Reply(v)
	return err
}
