package mvu

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// block is a patch block in a message.
type block struct {
	from, to int // of the tags, as byte offsets
	ops      []PatchOp
}

// patchBlocks finds the patch blocks of a message whose body is a patch.
func patchBlocks(text string) []block {
	var out []block
	for at := 0; ; {
		b, next, ok := nextBlock(text, at)
		if next < 0 {
			return out
		}
		if ok {
			out = appendTo(out, b)
		}
		at = next
	}
}

// nextBlock finds the next closing tag and the last opening tag of its name
// before it. next is where to go on, -1 at the end.
//
// Models announce a block before they write it: of several opening tags the last
// before the closing one counts.
func nextBlock(text string, at int) (b block, next int, ok bool) {
	open, name := -1, ""
	for i := at; i < len(text); i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			return block{}, -1, false
		}
		i += n
		tag, size, closing := patchTag(text[i:])
		switch {
		case tag == "":
		case !closing:
			open, name = i, tag
		case open >= 0 && tag == name:
			end := i + size
			body := text[open+strings.IndexByte(text[open:], '>')+1 : i]
			ops, ok := readPatch(body)
			return block{open, end, ops}, end, ok
		}
	}
	return block{}, -1, false
}

// patchTag recognizes <JsonPatch>, <json_patch> and their closing tags at the
// start of s, in any letter case.
func patchTag(s string) (name string, size int, closing bool) {
	rest := s[1:]
	rest, closing = strings.CutPrefix(rest, "/")
	for _, n := range []string{"jsonpatch", "json_patch"} {
		if len(rest) > len(n) && strings.EqualFold(rest[:len(n)], n) && rest[len(n)] == '>' {
			return n, len(s) - len(rest) + len(n) + 1, closing
		}
	}
	return "", 0, false
}

// readPatch reads the body of a block: JSON, JSON5, JSON with missing brackets,
// objects without the list around them, or YAML; a code fence may be around it.
func readPatch(body string) ([]PatchOp, bool) {
	body = unfenced(body)
	if body == "" {
		return nil, false
	}
	if v, err := tree.ParseValue([]byte(body)); err == nil {
		return patchOps(v, false)
	}
	if body[0] == '[' || body[0] == '{' {
		for _, text := range []string{body, "[" + body + "]"} {
			if v, err := parseFlow(text, true); err == nil && v.IsArray() {
				return patchOps(v, false)
			}
		}
	}
	if v, err := parseYAML(body); err == nil {
		return patchOps(v, false)
	}
	return nil, false
}

// unfenced removes a code fence around a text.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		if _, body, ok := strings.Cut(rest, "\n"); ok {
			s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "```"))
		}
	}
	return s
}

// commands returns the operations of a block as commands.
func (b block) commands(number int, o Options) []Command {
	var out []Command
	for _, op := range b.ops {
		kind, args := legacy(op)
		if kind == "" {
			if o.compat() {
				continue
			}
			kind, args = op.Op, []string{op.Path}
		}
		out = appendTo(out, Command{
			Type: kind, Args: args, Reason: "json_patch",
			Offset: b.from, End: b.to, Block: number, Patch: new(op),
		})
	}
	return out
}

// legacy translates an operation into a call, as MVU does: slashes become dots.
func legacy(op PatchOp) (kind string, args []string) {
	path := strings.ReplaceAll(strings.TrimPrefix(op.Path, "/"), "/", ".")
	value := op.Value.String()
	switch op.Op {
	case "replace":
		return "set", []string{path, value}
	case "delta":
		return "add", []string{path, value}
	case "remove":
		return "delete", []string{path}
	case "move":
		from := strings.ReplaceAll(strings.TrimPrefix(op.From, "/"), "/", ".")
		return "move", []string{from, path}
	case "add", "insert":
		parent, key := "", path
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			parent, key = path[:i], path[i+1:]
		}
		if _, ok := indexSegment(key); !ok {
			key = "'" + key + "'"
		}
		return "insert", []string{parent, key, value}
	}
	return "", nil
}

// block carries out the operations of one patch block: in order, up to a test
// that fails; with StrictPatch all of them or none.
func (r *runner) block(commands []Command) {
	first := r.command
	var start mark
	if r.o.StrictPatch {
		start = r.mark()
	}
	failures := len(r.failures)
	for i, c := range commands {
		r.command = first + i
		ok := r.guarded(c, func() Code { return r.patch(*c.Patch) })
		if ok || !r.o.StrictPatch && r.failures[len(r.failures)-1].Code != TestFailed {
			continue
		}
		if r.o.StrictPatch {
			r.restore(start)
			why := r.failures[len(r.failures)-1]
			r.failures = r.failures[:failures]
			for j := range i {
				r.failures = append(r.failures, Failure{Command: first + j, Code: Aborted, Message: hint(Aborted, r.o.Hints)})
			}
			r.failures = append(r.failures, why)
		}
		for j := i + 1; j < len(commands); j++ {
			r.failures = append(r.failures, Failure{Command: first + j, Code: Aborted, Message: hint(Aborted, r.o.Hints)})
		}
		return
	}
}

// patch carries out one operation under the schema.
//
// The pair rule holds for replace and test as for calls: the value of a pair is what
// a model means. A patch that is to treat pairs as lists can name the index.
func (r *runner) patch(op PatchOp) Code {
	t, code := r.pointer(op.Path)
	if code != "" {
		return code
	}
	n := len(t.path) - 1
	switch op.Op {
	case "replace", "add", "insert", "delta", "test":
		if !op.Value.Exists() {
			return BadArguments
		}
	}
	if longNumber(op.Value) {
		return TooLong
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
		if !v.Equal(op.Value) && (!pair(v) || !v.At(0).Equal(op.Value)) {
			return TestFailed
		}
		return ""
	case "add", "insert":
		if n < 0 {
			return r.set(t, op.Value)
		}
		return r.patchAdd(t, op.Value)
	case "move", "copy":
		return r.patchMove(op, t)
	}
	return BadArguments
}

// pointer reads the path of an operation. Models forget the leading slash, so it
// may be missing; the usual first segments are stripped if there is no such
// member.
func (r *runner) pointer(s string) (target, Code) {
	path, ok := parsePointer(s, true)
	if !ok {
		return target{}, BadPath
	}
	for _, p := range r.o.StripPrefixes {
		if name := strings.TrimSuffix(p, "."); len(path) > 1 && path[0] == name &&
			r.kind(path[:1]) == tree.Absent {
			path = path[1:]
			break
		}
	}
	if r.readonly(path) {
		return target{}, Readonly
	}
	return target{path.String(), path}, ""
}

// patchAdd adds a member to an object or an element to a list.
func (r *runner) patchAdd(t target, v tree.Value) Code {
	n := len(t.path) - 1
	parent := target{t.path[:n].String(), slices.Clone(t.path[:n])}
	container := r.lookup(parent.path)
	if container.IsArray() {
		key := t.path[n]
		if i, ok := indexSegment(key); key != "-" && (!ok || i > container.Len()) {
			return NotFound
		}
	} else if !container.IsObject() {
		if !container.Exists() {
			return ParentMissing
		}
		return NotAContainer
	}
	return r.insert(parent, tree.Text(t.path[n]), v)
}

// patchMove copies or moves a node: both ends are subject to the schema.
func (r *runner) patchMove(op PatchOp, to target) Code {
	from, code := r.pointer(op.From)
	if code != "" {
		return code
	}
	v := r.edit.Freeze(r.lookup(from.path)) // it may soon stand in two places
	switch {
	case !v.Exists():
		return r.missing(from.path)
	case op.Op == "copy" && r.copied.more(v):
		return TooMany
	case op.Op == "copy":
		return r.patchAdd(to, v)
	case slices.Equal(from.path, to.path):
		return ""
	case len(from.path) == 0 || len(to.path) == 0 || to.path.HasPrefix(from.path):
		return BadArguments
	}
	m := r.mark()
	code = r.delete(from)
	if code == "" {
		code = r.patchAdd(to, v)
	}
	if code != "" {
		r.restore(m)
	}
	return code
}
