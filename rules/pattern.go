package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Pattern is a test of events.
//
// EventType is an event's type; "area:*" is every type that begins with "area:",
// "*" is every type. All clauses of Match must hold, and so must the shorthand
// Equal: each field has exactly this value. The shorthand "zone" is satisfied by
// the event's zone, zoneId or zoneName.
//
// The type "state:crossed" with a numeric clause on "threshold" also matches a
// [TypeStateChanged] event whose numbers cross it; see [Direction].
type Pattern struct {
	EventType string
	// Match holds clauses by the field that they test. Fields are top-level ones: a dot in
	// a name is part of it.
	Match map[string]Clause
	// Equal is shorthand, in JSON the members beside eventType and match.
	Equal map[string]tree.Value
}

// Clause tests one top-level field of an event. The operators are those of
// conditions, strict in their types, with these differences: neq holds for a field
// that is missing, contains wants two texts, ignores case and takes commas between
// alternatives, and [Every] tests the turn count.
type Clause struct {
	Operator Operator   `json:"operator"`
	Value    tree.Value `json:"value,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Every is an operator for the field turnCount of [TypeTurnComplete] alone: the turn
// is a multiple of the value. Beside it no other clause is looked at.
const Every Operator = "every"

// MarshalJSON writes the known fields and then the unknown ones.
func (c Clause) MarshalJSON() ([]byte, error) {
	type plain Clause
	return authorjson.Encode(plain(c), c.Extra)
}

// UnmarshalJSON reads what it can and keeps the rest in Extra.
func (c *Clause) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*c = Clause{Operator: Operator(f.Text("operator")), Value: f.Value("value")}
	c.Extra = f.Rest()
	return nil
}

// MarshalJSON writes eventType, match and the shorthand fields.
func (p Pattern) MarshalJSON() ([]byte, error) {
	members := []tree.Member{{Key: "eventType", Value: tree.Text(p.EventType)}}
	if p.Match != nil {
		var clauses []tree.Member
		for _, k := range slices.Sorted(maps.Keys(p.Match)) {
			b, err := p.Match[k].MarshalJSON()
			if err != nil {
				return nil, err
			}
			v, err := tree.ParseValue(b)
			if err != nil {
				return nil, err
			}
			clauses = append(clauses, tree.Member{Key: k, Value: v})
		}
		members = append(members, tree.Member{Key: "match", Value: tree.Object(clauses...)})
	}
	for _, k := range slices.Sorted(maps.Keys(p.Equal)) {
		if k != "eventType" && (k != "match" || p.Match == nil) {
			members = append(members, tree.Member{Key: k, Value: p.Equal[k]})
		}
	}
	return tree.Object(members...).MarshalJSON()
}

// UnmarshalJSON reads every member other than eventType and match as shorthand.
// A match that is no object, or a clause that is none, never holds.
func (p *Pattern) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*p = readPattern(f)
	return nil
}

// ReadPattern reads an event pattern as authors write it; what is no object matches nothing.
func ReadPattern(v tree.Value) Pattern { return readPattern(authorjson.Of(v)) }

// readPattern takes whatever is not eventType or match as shorthand, as the
// documentation's own example is written.
func readPattern(f *authorjson.Fields) Pattern {
	p := Pattern{EventType: f.Text("eventType")}
	// What is no object stays and becomes a shorthand that no event satisfies: a pattern
	// that lost its clauses must not match more than before.
	if m := f.Peek("match"); m.IsObject() || m.IsNull() {
		f.Take("match")
		p.Match = make(map[string]Clause, m.Len())
		for k, v := range m.Members() {
			g := authorjson.Of(v)
			c := Clause{Operator: Operator(g.Text("operator")), Value: g.Value("value")}
			c.Extra = g.Rest()
			p.Match[k] = c
		}
	}
	for _, k := range f.Left() {
		if k == "eventType" { // not a text
			continue
		}
		if p.Equal == nil {
			p.Equal = make(map[string]tree.Value)
		}
		p.Equal[k] = f.Value(k)
	}
	return p
}

// Matches reports whether the event satisfies the pattern. The turn stands in for
// the turn count of a [TypeTurnComplete] event that carries none.
func (p Pattern) Matches(e Event, turn int) bool {
	m := compilePattern(p)
	return m.matches(e, turn)
}

// Covers reports whether the type of the pattern covers an event type; what the pattern wants
// of the fields is not asked.
func (p Pattern) Covers(typ string) bool { return covers(p.EventType, typ) }

func covers(pattern, typ string) bool {
	if pattern == typ || pattern == "*" {
		return pattern != ""
	}
	area, wild := strings.CutSuffix(pattern, "*")
	return wild && strings.HasSuffix(area, ":") && strings.HasPrefix(typ, area)
}
