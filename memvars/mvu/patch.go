package mvu

import (
	"errors"
	"strings"

	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// PatchOp is one operation of a JSON Patch. MVU adds the operations delta (add to a number) and
// insert (the same as add).
type PatchOp struct {
	Op    string     `json:"op"`
	Path  string     `json:"path"`
	From  string     `json:"from,omitempty"`
	Value tree.Value `json:"value,omitzero"`
}

// patchOps reads a list of operations. A move may name its destination by to. In default mode an
// element without op or path becomes an operation without a name, which is refused. In compat mode
// the whole list is not a patch then. A list without any operation is not a patch.
func patchOps(v tree.Value, compat bool) ([]PatchOp, bool) {
	if !v.IsArray() {
		return nil, false
	}
	var ops []PatchOp
	some := v.Len() == 0
	for _, e := range v.Elements() {
		op, okOp := e.Get("op").AsText()
		path, okPath := e.Get("path").AsText()
		if to, isTo := e.Get("to").AsText(); isTo && !okPath && op == "move" {
			path, okPath = to, true
		}
		switch {
		case okOp && okPath:
			some = true
		case compat:
			return nil, false
		default:
			op = ""
		}
		from, _ := e.Get("from").AsText()
		ops = yaml.Append(ops, PatchOp{Op: op, Path: path, From: from, Value: e.Get("value")})
	}
	return ops, some
}

// copies counts the nodes that the operations of one message have copied. Each
// copy may contain the earlier ones: sixty short operations could make more nodes than a machine
// can store or walk through.
type copies int

const maxCopied = 1 << 16

// exceedLimit counts a further copy and reports whether the limit is exceeded.
func (c *copies) exceedLimit(v tree.Value) bool {
	*c += copies(v.Size(maxCopied + 1 - int(*c)))
	return *c > maxCopied
}

// outcome converts an error of an edit to a code.
func outcome(err error) Code {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, tree.ErrIndex):
		return codeNotFound
	case errors.Is(err, tree.ErrNotContainer):
		return codeNotAContainer
	case errors.Is(err, tree.ErrDepth):
		return codeBadPath
	}
	return codePathMissing
}

// parsePointer reads a JSON Pointer (RFC 6901). The leading slash may be missing.
func parsePointer(s string) tree.Path {
	if s == "" {
		return tree.Path{}
	}
	path := tree.Path(strings.Split(strings.TrimPrefix(s, "/"), "/"))
	for i, seg := range path {
		path[i] = strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
	}
	return path
}
