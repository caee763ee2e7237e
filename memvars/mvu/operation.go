package mvu

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// runBlock runs the operations of one patch block in order, up to a failing test. With StrictPatch
// it runs all of them or none.
func (r *runner) runBlock(commands []Command) {
	first := r.commandIndex
	var start savepoint
	if r.options.StrictPatch {
		start = r.save()
	}
	failures := len(r.failures)
	for i, c := range commands {
		r.commandIndex = first + i
		ok := r.runChecked(c, func() Code { return r.runOp(*c.Patch) })
		if ok || !r.options.StrictPatch && r.failures[len(r.failures)-1].Code != codeTestFailed {
			continue
		}
		if r.options.StrictPatch {
			r.restore(start)
			why := r.failures[len(r.failures)-1]
			r.failures = r.failures[:failures]
			for j := range i {
				r.failures = append(r.failures, Failure{Command: first + j, Code: codeAborted, Message: hint(codeAborted, r.options.Hints)})
			}
			r.failures = append(r.failures, why)
		}
		for j := i + 1; j < len(commands); j++ {
			r.failures = append(r.failures, Failure{Command: first + j, Code: codeAborted, Message: hint(codeAborted, r.options.Hints)})
		}
		return
	}
}

// runOp runs one operation under the schema.
//
// The pair rule applies to replace and test as to calls: a model means the value of the pair. To
// treat a pair as a list, a patch names the index.
func (r *runner) runOp(op PatchOp) Code {
	t, code := r.pointer(op.Path)
	if code != "" {
		return code
	}
	switch op.Op {
	case "replace", "add", "insert", "delta", "test":
		if !op.Value.Exists() {
			return codeBadArguments
		}
	}
	if longNumber(op.Value) {
		return codeTooLong
	}
	switch op.Op {
	case "replace":
		return r.set(t, op.Value)
	case "delta":
		return r.add(t, op.Value)
	case "remove":
		return r.delete(t)
	case "test":
		v := r.lookup(t.path)
		if !v.Equal(op.Value) && (!r.isPair(v) || !v.At(0).Equal(op.Value)) {
			return codeTestFailed
		}
		return ""
	case "add", "insert":
		return r.patchAdd(t, op.Value)
	case "move", "copy":
		return r.patchMove(op, t)
	}
	return codeBadArguments
}

// pointer reads the path of an operation. Models forget the leading slash, so it may be missing, and
// some write dots as in a call. A member with such a name has precedence.
// The usual first segments are removed if there is no such member.
func (r *runner) pointer(s string) (target, Code) {
	path := parsePointer(s)
	if len(path) == 1 && !strings.Contains(s, "/") && r.kind(path) == tree.Absent {
		t, code := r.parsePath(s)
		if code == "" && r.readonly(t.path) {
			code = codeReadonly
		}
		return t, code
	}
	for _, p := range r.stripPrefixes() {
		if name := strings.TrimSuffix(p, "."); len(path) > 1 && path[0] == name &&
			r.kind(path[:1]) == tree.Absent {
			path = path[1:]
			break
		}
	}
	if r.readonly(path) {
		return target{}, codeReadonly
	}
	return target{path.String(), path}, ""
}

// patchAdd adds a member to an object or an element to a list. The empty path is the whole data.
func (r *runner) patchAdd(t target, v tree.Value) Code {
	n := len(t.path) - 1
	if n < 0 {
		return r.set(t, v)
	}
	parent := target{t.path[:n].String(), slices.Clone(t.path[:n])}
	container := r.lookup(parent.path)
	if container.IsArray() {
		key := t.path[n]
		if i, ok := tree.Index(key); key != "-" && (!ok || i > container.Len()) {
			return codeNotFound
		}
	} else if !container.Exists() && r.options.Schema == nil {
		return codeParentMissing
	} else if container.Exists() && !container.IsNull() && !container.IsObject() {
		return codeNotAContainer
	}
	return r.insert(parent, tree.Text(t.path[n]), v)
}

// patchMove copies or moves a node: the schema applies to both ends.
func (r *runner) patchMove(op PatchOp, to target) Code {
	from, code := r.pointer(op.From)
	if code != "" {
		return code
	}
	v := r.edit.Freeze(r.lookup(from.path)) // it may soon be at two places
	switch {
	case !v.Exists():
		return r.pathMissing(from.path)
	case op.Op == "copy" && r.copied.exceedLimit(v):
		return codeTooMany
	case op.Op == "copy":
		return r.patchAdd(to, v)
	case slices.Equal(from.path, to.path):
		return ""
	case len(from.path) == 0 || len(to.path) == 0 || to.path.HasPrefix(from.path):
		return codeBadArguments
	}
	m := r.save()
	code = r.delete(from)
	if code == "" {
		code = r.patchAdd(to, v)
	}
	if code != "" {
		r.restore(m)
	}
	return code
}
