package reply

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules/effect"
)

// Rules are written by authors, so that reading them never fails over a member of the wrong
// type: it stays with the unknown ones, and Compile names it.

// MarshalJSON writes the known fields and then the unknown ones.
func (r Rule) MarshalJSON() ([]byte, error) { return authorjson.Write(r) }

// UnmarshalJSON fails for invalid JSON only. Members that cannot be read are kept in Extra
// and named by [Compile].
func (r *Rule) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*r = Rule{
		ID:      f.Text("id"),
		Name:    f.Text("name"),
		Enabled: f.Flag("enabled"),
		Hide:    f.True("hide"),
	}
	if m, ok := f.Object("match"); ok {
		r.Match = Match{Tag: m.Text("tag"), Pattern: m.Text("pattern")}
		r.Match.Extra = m.Rest()
	}
	if list := f.List("to"); list.Exists() {
		r.To = make([]Route, 0, list.Len())
		for _, e := range list.Elements() {
			g := authorjson.Of(e)
			to := Route{
				Kind:       Kind(g.Text("kind")),
				VariableID: g.Text("variableId"),
				Operation:  effect.Operation(g.Text("op")),
				Channel:    g.Text("channel"),
			}
			to.Extra = g.Rest()
			r.To = append(r.To, to)
		}
	}
	r.Extra = f.Rest()
	return nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m Match) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// MarshalJSON writes the known fields and then the unknown ones.
func (to Route) MarshalJSON() ([]byte, error) { return authorjson.Write(to) }

// misread names the members that could not be read.
func (r Rule) misread(path string) talewright.Problems {
	ps := authorjson.Misread(path, r.ID, r.Extra, "a text", "id", "name")
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "true or false", "enabled", "hide")...)
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "an object", "match")...)
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "a list of objects", "to")...)
	return append(ps, authorjson.Misread(path+".match", r.ID, r.Match.Extra, "a text", "tag", "pattern")...)
}
