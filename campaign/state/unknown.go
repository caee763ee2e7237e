package state

import "github.com/talewright/talewright/internal/openjson"

// The types below keep unknown JSON members, because content comes from other programs and records
// from other versions. Each method works on a copy of its type that has no methods.

// MarshalJSON writes the known fields and then the unknown ones.
func (c Character) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON stores unknown members in Extra.
func (c *Character) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// MarshalJSON writes the known fields and then the unknown ones.
func (t Turn) MarshalJSON() ([]byte, error) { return openjson.Write(t) }

// UnmarshalJSON stores unknown members in Extra.
func (t *Turn) UnmarshalJSON(data []byte) error { return openjson.Read(data, t) }

// MarshalJSON writes the known fields and then the unknown ones.
func (s Selected) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra.
func (s *Selected) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (g Goal) MarshalJSON() ([]byte, error) { return openjson.Write(g) }

// UnmarshalJSON stores unknown members in Extra.
func (g *Goal) UnmarshalJSON(data []byte) error { return openjson.Read(data, g) }

// MarshalJSON writes the known fields and then the unknown ones.
func (m Milestone) MarshalJSON() ([]byte, error) { return openjson.Write(m) }

// UnmarshalJSON stores unknown members in Extra.
func (m *Milestone) UnmarshalJSON(data []byte) error { return openjson.Read(data, m) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a AdvancePolicy) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *AdvancePolicy) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (s Summary) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra.
func (s *Summary) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (l Lifecycle) MarshalJSON() ([]byte, error) { return openjson.Write(l) }

// UnmarshalJSON stores unknown members in Extra.
func (l *Lifecycle) UnmarshalJSON(data []byte) error { return openjson.Read(data, l) }

// MarshalJSON writes the known fields and then the unknown ones.
func (d Dialog) MarshalJSON() ([]byte, error) { return openjson.Write(d) }

// UnmarshalJSON stores unknown members in Extra.
func (d *Dialog) UnmarshalJSON(data []byte) error { return openjson.Read(data, d) }

// MarshalJSON writes the known fields and then the unknown ones.
func (c Checkpoint) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON stores unknown members in Extra.
func (c *Checkpoint) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// MarshalJSON writes the known fields and then the unknown ones.
func (b Branch) MarshalJSON() ([]byte, error) { return openjson.Write(b) }

// UnmarshalJSON stores unknown members in Extra.
func (b *Branch) UnmarshalJSON(data []byte) error { return openjson.Read(data, b) }

// MarshalJSON writes the known fields and then the unknown ones.
func (r RollbackPending) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON stores unknown members in Extra.
func (r *RollbackPending) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a Attempt) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *Attempt) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (s State) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra.
func (s *State) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (g Group) MarshalJSON() ([]byte, error) { return openjson.Write(g) }

// UnmarshalJSON stores unknown members in Extra.
func (g *Group) UnmarshalJSON(data []byte) error { return openjson.Read(data, g) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a Applied) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *Applied) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (r Reply) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON stores unknown members in Extra.
func (r *Reply) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields and then the unknown ones.
func (h HP) MarshalJSON() ([]byte, error) { return openjson.Write(h) }

// UnmarshalJSON stores unknown members in Extra.
func (h *HP) UnmarshalJSON(data []byte) error { return openjson.Read(data, h) }

// MarshalJSON writes the known fields and then the unknown ones.
func (s Skill) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra.
func (s *Skill) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (s Status) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra.
func (s *Status) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (d DisabledTool) MarshalJSON() ([]byte, error) { return openjson.Write(d) }

// UnmarshalJSON stores unknown members in Extra.
func (d *DisabledTool) UnmarshalJSON(data []byte) error { return openjson.Read(data, d) }

// MarshalJSON writes the known fields and then the unknown ones.
func (r StateRefs) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON stores unknown members in Extra.
func (r *StateRefs) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields and then the unknown ones.
func (d RouteDecision) MarshalJSON() ([]byte, error) { return openjson.Write(d) }

// UnmarshalJSON stores unknown members in Extra.
func (d *RouteDecision) UnmarshalJSON(data []byte) error { return openjson.Read(data, d) }
