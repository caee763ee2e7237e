package directive

import (
	"strings"

	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Blocks come before brackets: whatever stands in a thought or in a patch is not looked at
// again. A block that does not close is prose, and is remembered as such, so that a reply
// full of opening tags is read in one pass.

// silent are the blocks that are dropped unread: thoughts, and echoes of what the prompt
// told the model.
var silent = [...]string{
	"think", "thinking", "reasoning", "reflection", "fiction-mode", "inner-thought",
	"brainstorming", "game-state", "state-reminder", "last-turn-changes",
}

// block reads an element that begins at the position.
func (p *parser) block() (int, bool) {
	// A thought may speak of directives, and an echo is full of values that look like them:
	// neither is an order.
	for _, tag := range silent {
		if _, end, ok := p.element(tag, p.pos); ok {
			return end, true
		}
	}
	if content, end, ok := p.element("updatevariable", p.pos); ok {
		// What else stands in the block is the model thinking aloud.
		_, body, ok := strings.Cut(p.lower[content.start:content.end], "<jsonpatch>")
		if !ok {
			return end, true
		}
		at := content.end - len(body)
		n := strings.Index(body, "</jsonpatch>")
		if n < 0 {
			p.fail(at-len("<jsonpatch>"), Unclosed, "the patch is not closed")
			return end, true
		}
		p.patch(span{at, at + n})
		return end, true
	}
	if content, end, ok := p.element("jsonpatch", p.pos); ok {
		p.patch(content)
		return end, true
	}
	return 0, false
}

// element returns the content of <tag …>…</tag> if it begins at a place.
func (p *parser) element(tag string, at int) (content span, end int, ok bool) {
	rest, ok := strings.CutPrefix(p.lower[at:], "<"+tag)
	if !ok || rest == "" || p.unclosed[tag] || rest[0] != '>' && rest[0] != ' ' {
		return content, 0, false
	}
	open := strings.IndexByte(rest, '>')
	if open < 0 { // and there will be none for the next one either
		p.unclosed[tag] = true
		return content, 0, false
	}
	start := len(p.lower) - len(rest) + open + 1
	closing := "</" + tag + ">"
	// A reply that was cut off in the middle of a thought shows the thought: dropping the
	// rest would lose what was not thought if only the closing tag is missing.
	n := strings.Index(p.lower[start:], closing)
	if n < 0 {
		p.unclosed[tag] = true
		p.fail(at, Unclosed, "the tag <%s> is not closed", tag)
		return content, 0, false
	}
	return span{start, start + n}, start + n + len(closing), true
}

// patch reads a list of patch operations.
func (p *parser) patch(content span) {
	body := p.text[content.start:content.end]
	list, err := tree.ParseValue([]byte(strings.TrimSpace(body)))
	if err != nil || !list.IsArray() {
		p.fail(content.start, BadPatch, "not a JSON list of operations")
		return
	}
	// Operations are independent: one that is unknown costs only itself.
	for i, e := range list.Elements() {
		if wrong := p.operation(e); wrong.Format != "" {
			p.fail(content.start, UnknownOp, "operation %d: %s", i+1, wrong)
		}
	}
}

// operation carries over one patch operation, or says what is wrong with it.
func (p *parser) operation(e tree.Value) wording.Phrase {
	op, _ := e.Get("op").AsText()
	pointer, _ := e.Get("path").AsText()
	value := e.Get("value")
	path, ok := p.pointer(pointer)
	if !ok {
		return wording.Of("no path such as /a/b")
	}
	switch op {
	case "replace", "insert", "add":
		if !value.Exists() {
			return wording.Of("no value")
		}
		// "-" is the place behind the end of a list.
		if last := len(path) - 1; op != "replace" && path[last] == "-" {
			p.set(path[:last].String(), effect.Push, value)
			return wording.Phrase{}
		}
		p.set(path.String(), effect.Set, value)
	case "delta":
		// Not of the standard, but what cards ask for: a relative change survives a model
		// that has the present value wrong. Some write the number as a text.
		if s, ok := value.AsText(); ok {
			value, _ = lenientNumber(strings.TrimSpace(s))
		}
		n, ok := value.AsNumber()
		if !ok {
			return wording.Of("delta takes a number")
		}
		if minus, ok := strings.CutPrefix(string(n), "-"); ok {
			p.set(path.String(), effect.Subtract, tree.Num(tree.Number(minus)))
			return wording.Phrase{}
		}
		p.set(path.String(), effect.Add, tree.Num(n))
	case "remove": // the path says what; the operand is there for completeness
		p.set(path.String(), effect.Delete, tree.Bool(true))
	default:
		return wording.Of("no operation %q; there are replace, insert, delta and remove", op)
	}
	return wording.Phrase{}
}

// pointer turns /a/b into a path below the root of patches.
func (p *parser) pointer(s string) (tree.Path, bool) {
	rest, ok := strings.CutPrefix(s, "/")
	if !ok || rest == "" {
		return nil, false
	}
	root := p.opts.PatchRoot
	if root == "" {
		root = "game_state"
	}
	path := tree.Path{root}
	for _, seg := range strings.Split(rest, "/") {
		if seg == "" {
			return nil, false
		}
		// Pointers write a slash in a key as ~1 and a tilde as ~0.
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(seg))
	}
	return path, true
}

// maxInfo bounds what may stand behind the opening of a fence on its line.
const maxInfo = 200

// fence reads a fenced block of code. It is cut if it holds directives and nothing else.
func (p *parser) fence() (int, bool) {
	rest, ok := strings.CutPrefix(p.text[p.pos:], "```")
	if !ok {
		return 0, false
	}
	line := strings.IndexByte(rest[:min(len(rest), maxInfo)], '\n')
	if line < 0 || p.unclosed["```"] {
		return p.pos + 3, false
	}
	start := len(p.text) - len(rest) + line + 1
	n := strings.Index(p.text[start:], "```")
	if n < 0 {
		p.unclosed["```"] = true
		return p.pos + 3, false
	}
	end := start + n + 3
	effects, some, all := p.entries(strings.TrimSpace(p.text[start : start+n]))
	if !all {
		if some {
			p.fail(p.pos, NotAllValid, "a block of directives must hold nothing else")
		}
		return p.pos + 3, false
	}
	for _, e := range effects {
		p.add(e)
	}
	return end, true
}

// entries reads objects of directives: a list of them, one, or one after another.
func (p *parser) entries(content string) (effects []effect.Effect, some, all bool) {
	list, ok := objects(content)
	if !ok {
		return nil, false, false
	}
	all = len(list) > 0
	for _, e := range list {
		all = all && e.Len() > 0
		for id, v := range e.Members() {
			// {"hp": 5} and {"hp": "5"} are data that the model shows, {"hp": "-5"} is a
			// directive: without an operation a sheet of a character would be one.
			body, isText := v.AsText()
			body = strings.TrimSpace(body)
			if !isText || body == "" || idLength(id) != len(id) || !p.known(id) {
				all = false
				continue
			}
			op, value, ok, found := readOrder(body)
			if !found || !ok {
				all = false
				continue
			}
			some = true
			effects = append(effects, effect.SetVariable{Path: id, Operation: op, Value: value})
		}
	}
	return effects, some && !all, all
}

// objects reads the values of a block: the elements of one list, or values one after another,
// which commas may part.
func objects(content string) ([]tree.Value, bool) {
	if whole, err := tree.ParseValue([]byte(content)); err == nil {
		if !whole.IsArray() {
			return []tree.Value{whole}, true
		}
		var list []tree.Value
		for _, e := range whole.Elements() {
			list = append(list, e)
		}
		return list, true
	}
	var list []tree.Value
	for content != "" {
		n, ok := jsonLength(content)
		if !ok || content[0] != '{' {
			return nil, false
		}
		v, err := tree.ParseValue([]byte(content[:n]))
		if err != nil {
			return nil, false
		}
		list = append(list, v)
		content = strings.TrimLeft(content[n:], " \t\r\n,")
	}
	return list, true
}
