package hooks

import (
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Patch returns the set with some members of one hook replaced. The members have their JSON form;
// null sets a member to its default. All members except id and created_at can be replaced. Patch
// returns the same set if the id is unknown, or if a member is not allowed, has the wrong type or
// is rejected.
func (s *Set) Patch(id string, fields tree.Value) (*Set, talewright.Problems) {
	old, ok := s.Hook(id)
	if !ok {
		p := problem("hooks", "no hook has the id %q", id)
		p.ID, p.Code = id, codeRejected
		return s, talewright.Problems{p}
	}
	r := read(fields, condition.Place("hooks").At(0))
	if !r.IsObject() {
		r.report("", "must be an object of members to replace, not %s", condition.Named(fields.Kind()))
	}
	for _, name := range [...]string{"id", "created_at"} {
		if fields.Get(name).Exists() {
			r.report(name, "cannot be replaced; remove the hook and add a new one")
		}
	}
	members, err := old.members()
	if err != nil {
		r.report("", "the hook cannot be written as JSON: %v", err)
	}
	for name, v := range fields.Members() {
		members = append(members, tree.Member{Key: name, Value: v})
	}
	r.Fields = authorjson.Of(tree.Object(members...)) // if a member occurs twice, the later one counts
	// Read the whole object again, not member by member. So a patched hook has exactly the meaning
	// that it has after it is saved and loaded.
	patched := r.hook()
	if len(r.problems) > 0 {
		for i := range r.problems {
			r.problems[i].ID, r.problems[i].Code = id, codeRejected
		}
		return s, r.problems
	}
	next, problems := s.With(patched)
	if slices.ContainsFunc(problems, rejected) {
		return s, problems
	}
	return next, problems
}

// members returns the hook's JSON members. Unknown members are included, so that a patch can
// replace them.
func (h Hook) members() ([]tree.Member, error) {
	data, err := h.MarshalJSON()
	if err != nil {
		return nil, err
	}
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, err
	}
	var out []tree.Member
	for k, m := range v.Members() {
		out = append(out, tree.Member{Key: k, Value: m})
	}
	return out, nil
}
