package mvu

import (
	"regexp"
	"strings"

	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// block is a patch block in a message.
type block struct {
	from, to int // of the tags, as byte offsets
	ops      []PatchOp
	fault    Code // why nothing of the block can be read
}

// patchBlocks finds the patch blocks of a message whose body is a patch. In default mode it also
// finds bodies that look like a patch and cannot be read, with a fault.
func patchBlocks(text string, compat bool) []block {
	var out []block
	for at := 0; ; {
		from, start, end, next := nextBlock(text, at)
		switch {
		case end >= 0:
			ops, ok := readPatch(text[start:end], compat)
			if ok {
				out = yaml.Append(out, block{from: from, to: next, ops: ops})
			} else if !compat && looksLikePatch(text[start:end]) {
				out = yaml.Append(out, block{from: from, to: next, fault: memvars.BadJSON})
			}
			at = next
		case from >= 0 && !compat:
			return append(out, cutOff(text, from, start)...)
		default:
			return out
		}
	}
}

// looksLikePatch reports whether a text begins like a patch and has the names of its members.
func looksLikePatch(body string) bool {
	body = unfenced(body)
	return body != "" && strings.IndexByte("[{-", body[0]) >= 0 && strings.Contains(body, "op") && strings.Contains(body, "path")
}

// cutOff reads a block without a closing tag at the end of a message: the model forgot the tags, or
// the reply was cut off. An operation that does not end has a fault.
func cutOff(text string, from, start int) []block {
	end := start + lastOperation(text[start:])
	var out []block
	if ops, ok := readPatch(text[start:end], false); ok {
		out = append(out, block{from: from, to: end, ops: ops})
	}
	if looksLikePatch(text[start:]) && (len(out) == 0 || strings.Contains(text[end:], "{")) {
		from = max(from, end)
		out = append(out, block{from: from, to: len(text), fault: memvars.Unbalanced})
	}
	return out
}

// lastOperation returns the offset after the last object that ends in a list of objects, or in objects
// without a list around them.
func lastOperation(body string) int {
	end, depth, isText := 0, 0, false
	if strings.HasPrefix(unfenced(body), "[") {
		depth = -1
	}
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case isText:
			if c == '\\' {
				i++
			}
			isText = c != '"'
		case c == '"':
			isText = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 && c == '}' {
				end = i + 1
			}
		}
	}
	return end
}

// nextBlock finds the next closing tag and the last opening tag of the same name before it. The body
// of the block is between start and end, and the search continues at the offset next. Without a
// closing tag end is -1. Without an opening tag from is -1 too.
//
// Models announce a block before they write it, so the last opening tag before the closing tag is
// used.
func nextBlock(text string, at int) (from, start, end, next int) {
	from, name := -1, ""
	for i := at; i < len(text); i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			break
		}
		i += n
		tag, size, closing := patchTag(text[i:])
		switch {
		case tag == "":
		case !closing:
			from, start, name = i, i+size, tag
		case from >= 0 && tag == name:
			return from, start, i, i + size
		case from >= 0 && tag == updateTag: // a model has forgotten the closing tag
			return from, start, i, i
		}
	}
	return from, start, -1, -1
}

// updateTag is the tag around a patch block.
const updateTag = "updatevariable"

// patchTag recognizes <JsonPatch>, <json_patch> and their closing tags at the start of s, in any
// letter case. It also recognizes the closing tag of the block around a patch.
func patchTag(s string) (name string, size int, closing bool) {
	rest := s[1:]
	rest, closing = strings.CutPrefix(rest, "/")
	for _, n := range []string{"jsonpatch", "json_patch", updateTag} {
		if n == updateTag && !closing {
			break
		}
		if len(rest) > len(n) && strings.EqualFold(rest[:len(n)], n) && rest[len(n)] == '>' {
			return n, len(s) - len(rest) + len(n) + 1, closing
		}
	}
	return "", 0, false
}

// readPatch reads the body of a block: JSON, JSON5, JSON with missing brackets, objects without a
// list around them, or YAML. The body may be in a code fence.
func readPatch(body string, compat bool) ([]PatchOp, bool) {
	body = unfenced(body)
	rules := lenientPatch
	if compat {
		rules = compatPatch
	}
	if body == "" {
		return nil, false
	}
	if v, err := tree.ParseValue([]byte(body)); err == nil {
		return patchOps(v, rules)
	}
	if body[0] == '[' || body[0] == '{' {
		for _, text := range []string{body, "[" + body + "]"} {
			if v, err := parse(text, true); err == nil && v.IsArray() {
				return patchOps(v, rules)
			}
		}
	}
	if v, err := yaml.Parse(body); err == nil {
		return patchOps(v, rules)
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
	if b.fault != "" {
		return []Command{{Type: patchName, Offset: b.from, End: b.to, Fault: b.fault}}
	}
	var out []Command
	for _, op := range b.ops {
		kind, args := asCall(op)
		if kind == "" {
			if o.compat() {
				continue
			}
			kind, args = op.Op, []string{op.Path}
		}
		out = yaml.Append(out, Command{
			Type: kind, Args: args, Reason: "json_patch",
			Offset: b.from, End: b.to, Block: number, Patch: new(op),
		})
	}
	return out
}

// asCall converts an operation to a call, as MVU does: slashes become dots.
func asCall(op PatchOp) (kind string, args []string) {
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
		if _, ok := tree.Index(key); !ok {
			key = "'" + key + "'"
		}
		return "insert", []string{parent, key, value}
	}
	return "", nil
}

// placeholder is the place of a status page. MVU appends it to replies, and regex scripts of a card
// put the page there.
const placeholder = "<StatusPlaceHolderImpl/>"

// updateBlocks are blocks with commands that follow a line break.
var updateBlocks = regexp.MustCompile(`(?is)\n(?:<updatevariable>.*?</updatevariable>|<variableupdate>.*?</variableupdate>|<update>.*?</update>)`)

// CutHistory returns a message of the history as a model reads it: without the places of status
// pages. With updates it also cuts the blocks with commands, because a second model changes the
// variables. As in MVU, only what follows a line break is cut.
func CutHistory(text string, updates bool) string {
	text = strings.ReplaceAll(text, "\n"+placeholder, "")
	if updates {
		text = updateBlocks.ReplaceAllString(text, "")
	}
	return text
}
