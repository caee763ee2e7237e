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
	written, err := written(old)
	if err != nil {
		r.report("", "the hook cannot be written as JSON: %v", err)
	}
	var members []tree.Member
	for _, part := range [...]tree.Value{written, fields} {
		for name, v := range part.Members() {
			members = append(members, tree.Member{Key: name, Value: v})
		}
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

// written returns a hook as its JSON object, with its unknown members.
func written(h Hook) (tree.Value, error) {
	data, err := h.MarshalJSON()
	if err != nil {
		return tree.Value{}, err
	}
	return tree.ParseValue(data)
}
