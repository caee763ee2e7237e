package mvu

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
)

// Schema is a schema of the library zod that [ReadZod] has read: it checks variables, converts and
// clamps them, and completes them with defaults. It is immutable and safe for concurrent use if the
// functions are.
type Schema struct {
	root  zod
	named map[string]zod // the members of the root
}

// Parse returns the variables as the schema makes them. Members of the root that the schema does
// not name are kept. If the variables do not fit, the error says where and why.
func (s *Schema) Parse(v tree.Value) (tree.Value, error) { return s.after(v, v) }

// after is Parse for a command. If the schema makes a new root, members that it does not name keep
// the value that they have in before.
func (s *Schema) after(before, v tree.Value) (tree.Value, error) {
	p := &zodRun{left: maxZodSteps}
	out, err := p.parse(s.root, v)
	if p.left < 0 {
		return v, refuse("the schema takes more than %d steps for the data", maxZodSteps)
	}
	if err != nil {
		return v, err
	}
	if !out.IsObject() {
		return v, refuse("the root is not an object")
	}
	for _, m := range missingMembers(before, out) {
		if s.named[m.Key] == nil {
			out = out.With(m.Key, m.Value)
		}
	}
	return out, nil
}

// zodRun bounds the work of one Parse. Schemas in schemas multiply the members that defaults and
// records make.
type zodRun struct{ left, depth int }

// The limits of one Parse: steps and nesting. A step is a value in a node of the schema. A function
// of the schema costs functionSteps, and a default the number of its parts.
const (
	maxZodSteps   = 1 << 20
	maxParseDepth = 1000
	functionSteps = 32
)

// spend counts steps. It fails after the last one, and the whole Parse with it.
func (p *zodRun) spend(steps int) *refusal {
	if p.left -= steps; p.left < 0 || p.depth > maxParseDepth {
		p.left = -1
		return refuse("the schema takes too many steps")
	}
	return nil
}

// parse parses a value with a node.
func (p *zodRun) parse(z zod, v tree.Value) (tree.Value, *refusal) {
	p.depth++
	defer func() { p.depth-- }()
	if no := p.spend(1); no != nil {
		return v, no
	}
	return z.parse(p, v)
}

// missingMembers returns the members of v that w lacks.
func missingMembers(v, w tree.Value) []tree.Member {
	var out []tree.Member
	for key, child := range v.Members() {
		if !w.Get(key).Exists() {
			out = append(out, tree.Member{Key: key, Value: child})
		}
	}
	return out
}

// refusal says why a value does not fit a schema, and where.
type refusal struct {
	path tree.Path // from the value to the place
	text string
}

// Error returns the path and the reason.
func (r *refusal) Error() string {
	if len(r.path) == 0 {
		return r.text
	}
	return r.path.String() + ": " + r.text
}

// refuse returns a refusal at the value itself.
func refuse(format string, args ...any) *refusal {
	return &refusal{text: fmt.Sprintf(format, args...)}
}

// within turns the refusal of a member into a refusal of its container.
func (r *refusal) within(key string) *refusal {
	r.path = append(tree.Path{key}, r.path...)
	return r
}

// zod is a node of a schema. An absent value is undefined, for both the argument and the result.
type zod interface {
	parse(p *zodRun, v tree.Value) (tree.Value, *refusal)
	absence() absence
}

// zodCheck tests or changes a value in the order of the chain.
type zodCheck func(p *zodRun, v tree.Value) (tree.Value, *refusal)

// absence says what a schema does with a member that its object does not have. A larger value takes
// precedence in a union.
type absence uint8

const (
	refused  absence = iota // also by any, unknown and coercions, which take undefined
	allowed                 // the member stays absent, or a function sees undefined
	replaced                // a default takes its place
)
