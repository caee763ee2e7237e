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

// patchName is the type of a block that cannot be read, and of the op of a block.
const patchName = "patch"

// patchBlocks finds the patch blocks of a message whose body is a patch. In default mode a block needs
// no closing tag, and only what cannot be read of a patch has no effect: it gives a block with a fault.
func patchBlocks(text string, compat bool) []block {
	var out []block
	for at := 0; ; {
		from, start, end, next := nextBlock(text, at, compat)
		isCut := end < 0
		if from < 0 || isCut && compat {
			return out
		}
		if isCut { // the model forgot the tags, or the reply was cut off
			end, next = len(text), len(text)
		}
		at = next
		body := text[start:end]
		if !compat && !looksLikePatch(body) {
			continue
		}
		ops, ok := []PatchOp(nil), false
		if !isCut {
			ops, ok = readPatch(body, compat)
		}
		fault := Code("")
		if !ok && !compat {
			ops, fault = wholeOperations(body)
			ok = len(ops) > 0
		}
		if ok {
			out = yaml.Append(out, block{from: from, to: next, ops: ops})
		}
		if fault != "" {
			out = append(out, block{from: from, to: next, fault: fault})
		}
	}
}

// looksLikePatch reports whether a text begins like a patch and has an operation.
func looksLikePatch(body string) bool {
	body = unfenced(body)
	return body != "" && strings.IndexByte("[{-", body[0]) >= 0 && operationName.MatchString(body)
}

// operationName finds the name of the first member of an operation.
var operationName = regexp.MustCompile(`\bop[^\pL\pN]{0,3}[:：]`)

// wholeOperations reads each operation of a body by itself. The fault says that one does not end, or that
// one cannot be read.
func wholeOperations(body string) (ops []PatchOp, fault Code) {
	start, depth, isText := 0, 0, false
	for i := strings.IndexByte(body, '{'); i >= 0 && i < len(body); i++ {
		switch c := body[i]; {
		case isText:
			if c == '\\' {
				i++
			}
			isText = c != '"'
		case c == '"':
			isText = true
		case c == '{':
			if depth == 0 {
				start = i
			}
			depth++
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			depth = 0
			if found, ok := readPatch(body[start:i+1], false); ok {
				ops = append(ops, found...)
			} else {
				fault = memvars.BadJSON
			}
		}
	}
	switch {
	case depth > 0:
		fault = memvars.Unbalanced
	case len(ops) == 0:
		fault = memvars.BadJSON
	}
	return ops, fault
}

// nextBlock finds the next closing tag and the last opening tag of the same name before it. The body
// of the block is between start and end, and the search continues at the offset next. Without a
// closing tag end is -1. Without an opening tag from is -1 too.
//
// Models announce a block before they write it, so the last opening tag before the closing tag is
// used. In default mode the block around a patch may be without the tags of the patch.
func nextBlock(text string, at int, compat bool) (from, start, end, next int) {
	from, name := -1, ""
	for i := at; i < len(text); i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			break
		}
		i += n
		tag, size, closing := patchTag(text[i:])
		isAround := aroundPatch[tag]
		switch {
		case tag == "" || isAround && !closing && compat:
		case tag == "analysis" || tag == "analyze": // the thoughts before a patch
			if closing && aroundPatch[name] {
				start = i + size
			}
		case !closing:
			from, start, name = i, i+size, tag
		case from >= 0 && tag == name:
			return from, start, i, i + size
		case from >= 0 && isAround: // a model has forgotten the closing tag
			return from, start, i, i
		}
	}
	return from, start, -1, -1
}

// aroundPatch are the tags around a patch.
var aroundPatch = map[string]bool{"updatevariable": true, "variableupdate": true, "update": true}

// patchTag recognizes the tags of a patch, such as <JsonPatch>, and the tags around one at the start of
// s, in any letter case.
func patchTag(s string) (name string, size int, closing bool) {
	rest := s[1:]
	rest, closing = strings.CutPrefix(rest, "/")
	for _, n := range []string{"jsonpatch", "json_patch", "updatevariable", "variableupdate", "update", "analysis", "analyze"} {
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
	if body == "" {
		return nil, false
	}
	if v, err := tree.ParseValue([]byte(body)); err == nil {
		if v.IsObject() && !compat {
			v = tree.Array(v)
		}
		return patchOps(v, compat)
	}
	if body[0] == '[' || body[0] == '{' {
		for _, text := range []string{body, "[" + body + "]"} {
			if v, err := parse(text, true); err == nil && v.IsArray() {
				return patchOps(v, compat)
			}
		}
	}
	if v, err := yaml.Parse(body); err == nil {
		return patchOps(v, compat)
	}
	return nil, false
}

// unfenced removes a code fence around a text, and white space.
func unfenced(s string) string { return strings.TrimSpace(unfencedLines(s)) }

// unfencedLines removes a code fence around a text whose indentation and final line breaks matter.
func unfencedLines(s string) string {
	trimmed := strings.TrimSpace(s)
	if !strings.HasPrefix(trimmed, "```") {
		return strings.TrimRight(s, " \t")
	}
	_, body, ok := strings.Cut(trimmed, "\n")
	if !ok {
		return s
	}
	return strings.TrimRight(strings.TrimSuffix(body, "```"), " \t")
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
