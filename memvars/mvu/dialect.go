package mvu

import (
	"slices"
	"strconv"
	"sync/atomic"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// Dialect returns this command language for memvars.Options.Dialects, so that its commands run
// together with the others in one message. It works on the member stat_data of the document, with
// the schema in the member schema; without that member everything is open. A patch block is one
// command. It is rejected if all of its operations had no effect. Otherwise failed operations are
// warnings with a hint.
func Dialect(o Options) memvars.Dialect { return dialect{o: o, last: new(atomic.Pointer[readSchema])} }

// dialect is the [memvars.Dialect] of this language.
type dialect struct {
	o Options
	// last is the schema that was read last: mostly the next command has the same one.
	last *atomic.Pointer[readSchema]
}

// readSchema is a schema in a document and its parsed form.
type readSchema struct {
	source tree.Value
	meta   *node
}

// schema reads the schema of a document.
func (d dialect) schema(source tree.Value) *node {
	if known := d.last.Load(); known != nil && known.source == source {
		return known.meta
	}
	meta := fromSchema(source, false)
	d.last.Store(&readSchema{source, meta})
	return meta
}

const (
	dialectName = "mvu"
	module      = "stat_data"
)

// Name identifies the commands of this dialect.
func (d dialect) Name() string { return dialectName }

// Find converts the commands of a message to ops. Calls keep their source texts as arguments; the
// operations of a patch block become the arguments of one op.
func (d dialect) Find(text string) []memvars.Op {
	commands := Find(text, d.o)
	var ops []memvars.Op
	line, col, at := 1, 1, 0
	for i := 0; i < len(commands); {
		c := commands[i]
		for ; at < c.Offset; at++ {
			switch {
			case text[at] == '\n':
				line, col = line+1, 1
			case utf8.RuneStart(text[at]):
				col++
			}
		}
		op := memvars.Op{
			Name: c.Type, Reason: c.Reason, End: c.End, Dialect: dialectName,
			Pos: memvars.Position{Line: line, Col: col, Offset: c.Offset},
		}
		i++
		if c.Fault != "" {
			op.Fault = &memvars.Fault{Code: c.Fault, At: op.Pos}
		}
		if c.Block == 0 {
			for _, src := range c.Args {
				op.Args = append(op.Args, memvars.TextArg(src))
			}
			ops = append(ops, op)
			continue
		}
		op.Name = patchName
		op.Args = append(op.Args, operation(c))
		for ; i < len(commands) && commands[i].Block == c.Block; i++ {
			op.Args = append(op.Args, operation(commands[i]))
		}
		ops = append(ops, op)
	}
	return ops
}

// operation stores an operation of a patch in an argument.
func operation(c Command) memvars.Arg {
	v, err := tree.Of(*c.Patch)
	if err != nil {
		v = tree.Null
	}
	return memvars.ValueArg(v)
}

// declared returns the place of the declared variable that a call names.
func (r *runner) declared(op memvars.Op, by memvars.Actor, g memvars.Gate) (tree.Path, bool) {
	if g == nil || op.Fault != nil || op.Name == patchName || len(op.Args) == 0 {
		return nil, false
	}
	t, code := r.parsePath(op.Args[0].Text)
	if code != "" || len(t.path) == 0 || r.kind(t.path) != tree.Absent {
		return nil, false
	}
	if place, ok := g.Resolve(t.text, by); ok {
		return place, true
	}
	place, ok := g.Resolve(t.path[0], by)
	if !ok {
		return nil, false
	}
	return append(slices.Clip(place), t.path[1:]...), true
}

// commandsOf converts an op back to its commands.
func (d dialect) commandsOf(op memvars.Op) []Command {
	if op.Name != patchName {
		c := Command{Type: op.Name, Reason: op.Reason, Offset: op.Pos.Offset, End: op.End}
		for _, a := range op.Args {
			c.Args = append(c.Args, a.Text)
		}
		return []Command{c}
	}
	var list []tree.Value
	for _, a := range op.Args {
		list = append(list, a.Value)
	}
	ops, ok := patchOps(tree.Array(list...), false)
	if !ok {
		return nil
	}
	return block{from: op.Pos.Offset, to: op.End, ops: ops}.commands(1, d.o)
}

// Run works directly on the batch, so that the cost of a message with both languages still follows
// its changes.
//
// A call may name a declared variable in any module, see [memvars.Gate]. A member of stat_data has
// precedence over a name.
func (d dialect) Run(
	e *tree.Edit, op memvars.Op, by memvars.Actor, g memvars.Gate,
) memvars.Outcome {
	base := tree.Path{module}
	o := &d.o
	r := runner{options: o, edit: e, base: base, meta: &node{recursive: true}, owner: new(batch), quiet: true}
	place, named := r.declared(op, by, g)
	if named {
		if place[0] == module && len(place) > 1 {
			place = place[1:]
		} else { // a variable of the root is outside the schema of this language
			withoutSchema := d.o
			withoutSchema.Schema = nil
			r.base, r.options = nil, &withoutSchema
		}
		op.Args = append([]memvars.Arg{memvars.TextArg(strconv.Quote(place.String()))}, op.Args[1:]...)
	}
	if r.base != nil && e.Kind(base) != tree.KindObject {
		return memvars.Outcome{Code: codePathMissing, Missing: base}
	}
	if schema := e.Lookup(tree.Path{"schema"}); schema.IsObject() && r.base != nil && d.o.Schema == nil {
		r.meta = d.schema(schema)
	}
	commands := d.commandsOf(op)
	res := r.runAll(commands)
	r.storeMarked()
	if !r.modified && len(res.Failures) > 0 {
		f := res.Failures[0]
		out := memvars.Outcome{Code: f.Code}
		switch {
		case f.Code == codeInvalid: // the message of the host
			out.Hint = f.Message
		case f.Code == codePathMissing && len(r.missingPath) > 0:
			out.Missing = r.abs(r.missingPath)
		}
		return out
	}
	var out memvars.Outcome
	for i, f := range res.Failures {
		out.Warnings = append(out.Warnings, memvars.Warning(f.Code))
		if patch := commands[f.Command].Patch; patch != nil && i < maxHints {
			if i > 0 {
				out.Hint += "; "
			}
			out.Hint += utf8text.Cut(patch.Path, maxHintPath) + ": " + f.Message
		}
	}
	return out
}

// storeMarked writes the schema of the values with markers into the schema of the document. The next
// command reads it there.
func (r *runner) storeMarked() {
	if r.base == nil || r.edit.Kind(tree.Path{"schema"}) != tree.KindObject {
		return
	}
	slices.SortFunc(r.marked, slices.Compare[tree.Path])
	for _, path := range r.marked {
		if r.kind(path) == tree.Absent { // undone
			continue
		}
		at, compat := tree.Path{"schema"}, r.options.compat()
		for n, key := range path {
			parent := r.meta.at(r.kind, path[:n], compat)
			required := []tree.Member{member("required", tree.Bool(parent.requires(key)))}
			if at = append(at, "properties", key); r.kind(path[:n]) == tree.KindArray {
				at, required = append(at[:len(at)-2], "elementType"), nil
			}
			if n+1 == len(path) || r.edit.Kind(at) == tree.Absent {
				place := path[:n+1]
				schema := r.meta.at(r.kind, place, compat).node.generate(r.edit.Freeze(r.lookup(place)), parent.recursive, compat)
				_ = r.edit.Set(slices.Clone(at), tree.Object(append(schema, required...)...)) // a schema of a different form stays as it is
				break
			}
		}
	}
}

// Conform returns a document after a write of a host, with the values of the schema. A write is
// refused if the data do not fit after it and fitted before.
func (d dialect) Conform(before, after tree.Document) (tree.Document, error) {
	old, now := before.Root().Get(module), after.Root().Get(module)
	if d.o.Schema == nil || now.Same(old) {
		return after, nil
	}
	fit, err := d.o.Schema.after(old, now)
	if err != nil {
		if _, odd := d.o.Schema.Parse(old); odd != nil {
			err = nil
		}
		return after, err
	}
	return tree.NewDocument(after.Root().With(module, fit))
}

// Types reports whether a schema of zod decides about the values at a path: it has no descriptions.
func (d dialect) Types(path tree.Path) bool { return d.o.Schema != nil && path[0] == module }

// The limits of a hint: the failed operations of one patch, and the bytes of a path.
const (
	maxHints    = 4
	maxHintPath = 200
)

// Hint returns the hint for a code of this language; see [memvars.Hinter].
func (d dialect) Hint(code Code, language string) string { return hint(code, language) }
