package mvu

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
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

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// MarshalJSON writes the known fields and then the unknown ones.
func (p PatchOp) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// UnmarshalJSON keeps unknown members in Extra.
func (p *PatchOp) UnmarshalJSON(data []byte) error { return openjson.Read(data, p) }

// PatchError says which operation of a patch failed, and why.
type PatchError struct {
	Index int     // of the operation
	Op    PatchOp // the operation
	Code  Code
}

// Error names the operation and the reason.
func (e *PatchError) Error() string {
	return fmt.Sprintf("mvu: patch operation %d (%s %q): %s", e.Index, e.Op.Op, e.Op.Path, e.Code)
}

// Patch applies a JSON Patch to any JSON value as in RFC 6902: all operations or, with an error of
// type [*PatchError], none. The pointers follow RFC 6901. Numbers are compared by value, objects
// without regard to order. The copies of one patch have at most 65,536 nodes.
func Patch(v tree.Value, ops []PatchOp) (tree.Value, error) {
	// The value is put into a member of an object, so that the root can be replaced.
	edit, err := tree.Object(tree.Member{Key: "", Value: v}).Edit()
	if err != nil {
		return v, err
	}
	p := patcher{edit: edit, base: tree.Path{""}}
	for i, op := range ops {
		if code := p.apply(op); code != "" {
			return v, &PatchError{Index: i, Op: op, Code: code}
		}
	}
	return p.edit.Value().Get(""), nil
}

// ParsePatch reads the operations of a JSON Patch document.
func ParsePatch(data []byte) ([]PatchOp, error) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, fmt.Errorf("mvu: patch: %w", err)
	}
	ops, ok := patchOps(v, strictPatch)
	if !ok {
		return nil, errors.New("mvu: a patch is a list of objects with op and path")
	}
	return ops, nil
}

// patchRules says how a list of operations is read.
type patchRules uint8

const (
	strictPatch  patchRules = iota // as the standard
	compatPatch                    // a move may name its destination by to
	lenientPatch                   // and an element that is not an operation affects only itself
)

// patchOps reads a list of operations. With lenientPatch, an element without op or path becomes an
// operation without a name, which is refused. A list without any operation is not a patch.
func patchOps(v tree.Value, rules patchRules) ([]PatchOp, bool) {
	if !v.IsArray() {
		return nil, false
	}
	var ops []PatchOp
	some := v.Len() == 0
	for _, e := range v.Elements() {
		op, okOp := e.Get("op").AsText()
		path, okPath := e.Get("path").AsText()
		if to, isTo := e.Get("to").AsText(); isTo && !okPath && op == "move" && rules != strictPatch {
			path, okPath = to, true
		}
		if ok := okOp && okPath; !ok && rules != lenientPatch {
			return nil, false
		} else if !ok {
			op = ""
		} else {
			some = true
		}
		from, _ := e.Get("from").AsText()
		ops = yaml.Append(ops, PatchOp{Op: op, Path: path, From: from, Value: e.Get("value")})
	}
	return ops, some
}

// patcher runs operations below a base path.
type patcher struct {
	edit   *tree.Edit
	base   tree.Path
	copied copies
}

// copies counts the nodes that the operations of one message, or of one patch, have copied. Each
// copy may contain the earlier ones: sixty short operations could make more nodes than a machine
// can store or walk through.
type copies int

const maxCopied = 1 << 16

// exceedLimit counts a further copy and reports whether the limit is exceeded.
func (c *copies) exceedLimit(v tree.Value) bool {
	*c += copies(v.Size(maxCopied + 1 - int(*c)))
	return *c > maxCopied
}

// pointer reads a strict JSON Pointer below the base.
func (p *patcher) pointer(s string) (tree.Path, Code) {
	path, ok := parsePointer(s, false)
	if !ok {
		return nil, codeBadPath
	}
	return append(slices.Clone(p.base), path...), ""
}

// apply runs one operation of the standard. A failed operation has changed nothing.
func (p *patcher) apply(op PatchOp) Code {
	path, code := p.pointer(op.Path)
	if code != "" {
		return code
	}
	switch op.Op {
	case "add", "replace", "test":
		if !op.Value.Exists() {
			return codeBadArguments
		}
	case "move", "copy":
		from, code := p.pointer(op.From)
		if code != "" {
			return code
		}
		return p.relocate(from, path, op.Op == "move")
	}
	switch op.Op {
	case "add":
		return p.add(path, op.Value)
	case "replace":
		if p.edit.Kind(path) == tree.Absent {
			return codePathMissing
		}
		return outcome(p.edit.Set(path, op.Value))
	case "remove":
		if len(path) == len(p.base) {
			return codeBadArguments
		}
		return outcome(p.edit.Delete(path))
	case "test":
		if !p.edit.Lookup(path).Equal(op.Value) {
			return codeTestFailed
		}
		return ""
	}
	return codeBadArguments
}

// add inserts a value at a new place: before an element of a list, at its end, or as a member of an
// object. It may replace an existing member.
func (p *patcher) add(path tree.Path, v tree.Value) Code {
	if len(path) == len(p.base) {
		return outcome(p.edit.Set(path, v))
	}
	n := len(path) - 1
	parent := path[:n]
	if p.edit.Kind(parent) != tree.KindArray {
		return outcome(p.edit.Set(path, v))
	}
	at := p.edit.Len(parent)
	if path[n] != "-" {
		i, ok := tree.Index(path[n])
		if !ok {
			return codeBadPath
		}
		at = i
	}
	return outcome(p.edit.Insert(parent, at, v))
}

// relocate copies or moves a node.
func (p *patcher) relocate(from, to tree.Path, move bool) Code {
	v := p.edit.Lookup(from)
	switch {
	case !v.Exists():
		return codePathMissing
	case !move && p.copied.exceedLimit(v):
		return codeTooMany
	case !move:
		return p.add(to, v)
	case slices.Equal(from, to):
		return ""
	case to.HasPrefix(from) || len(from) == len(p.base):
		return codeBadArguments
	}
	mark := p.edit.Mark()
	if code := outcome(p.edit.Delete(from)); code != "" {
		return code
	}
	if code := p.add(to, v); code != "" {
		p.edit.Undo(mark)
		return code
	}
	return ""
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

// parsePointer reads a JSON Pointer (RFC 6901). If lax is true, the leading slash may be missing.
func parsePointer(s string, lax bool) (tree.Path, bool) {
	if s == "" {
		return tree.Path{}, true
	}
	rest, ok := strings.CutPrefix(s, "/")
	if !ok && !lax {
		return nil, false
	}
	path := tree.Path(strings.Split(rest, "/"))
	for i, seg := range path {
		if !strings.Contains(seg, "~") {
			continue
		}
		for j := 0; j < len(seg); j++ {
			if seg[j] == '~' && (j+1 == len(seg) || seg[j+1] != '0' && seg[j+1] != '1') && !lax {
				return nil, false
			}
		}
		path[i] = strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
	}
	return path, true
}

// Pointer returns the JSON Pointer (RFC 6901) of a path.
func Pointer(p tree.Path) string {
	var b strings.Builder
	for _, seg := range p {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(seg, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
