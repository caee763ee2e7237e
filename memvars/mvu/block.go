package mvu

import (
	"regexp"
	"strings"

	"github.com/talewright/talewright/internal/yaml"
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
			out = yaml.Append(out, b)
		}
		at = next
	}
}

// nextBlock finds the next closing tag and the last opening tag of the same name before it. The
// search continues at the offset next, which is -1 at the end.
//
// Models announce a block before they write it, so the last opening tag before the closing tag is
// used.
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
		case open >= 0 && (tag == name || tag == updateTag):
			end := i + size
			if tag == updateTag { // a model has forgotten the closing tag
				end = i
			}
			body := text[open+strings.IndexByte(text[open:], '>')+1 : i]
			ops, ok := readPatch(body)
			return block{open, end, ops}, end, ok
		}
	}
	return block{}, -1, false
}

// updateTag is the tag around a patch block.
const updateTag = "updatevariable"

// patchTag recognizes <JsonPatch>, <json_patch> and their closing tags at the start of s, in any
// letter case.
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
			if v, err := parse(text, true); err == nil && v.IsArray() {
				return patchOps(v, false)
			}
		}
	}
	if v, err := yaml.Parse(body); err == nil {
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
