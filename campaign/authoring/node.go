package authoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	core "github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// Limits of a file. Aliases of YAML may repeat at most maxCopies values.
const (
	maxDepth    = 200
	maxCopies   = 1 << 16
	maxProblems = 1000
)

// node is a value of a file, with its place.
type node struct {
	kind     tree.Kind
	text     string         // the characters of a text or a number
	plain    bool           // a scalar of YAML without quotation marks, which may be read as a text
	source   string         // the characters of a plain scalar
	flag     bool           // of a boolean
	keys     []key          // of an object
	parts    []*node        // members or elements
	place    place          // where it begins
	refused  bool           // the checks refuse it: it is left out
	reported bool           // it has a problem, so the compiler need not report it again
	missing  []string       // the names of members that are reported as missing
	badWord  bool           // an unknown word
	index    map[string]int // of the names in keys, made for the first search by a path
}

type key struct {
	name  string
	place place
}

// place is a line and a column, both from 1; columns count characters.
type place struct{ line, column int }

// reading collects the problems of one file while it is read.
type reading struct {
	problems talewright.Problems
	places   []place // of the problems
}

// add adds a problem of a value, which may be nil.
func (r *reading) add(n *node, at place, to *trail, severity talewright.Severity, code talewright.Code, format string, args ...any) {
	if n != nil {
		n.reported = true
	}
	if r.isFull() {
		return
	}
	r.places = append(r.places, at)
	r.problems = append(r.problems, talewright.Problem{Path: to.String(), Severity: severity, Code: code, Text: fmt.Sprintf(format, args...)})
}

// isFull reports whether the list of problems has reached its limit.
func (r *reading) isFull() bool { return len(r.problems) >= maxProblems }

// trail leads from the root of a file, which is nil, to a value. Its path is written only for a
// problem: names may be long, and a file has many values.
type trail struct {
	up   *trail
	name string // of a member
	at   int    // of an element, -1: a member
}

func (t *trail) member(name string) *trail { return &trail{t, name, -1} }

func (t *trail) element(i int) *trail { return &trail{t, "", i} }

// maxName limits the names in paths, in bytes.
const maxName = 200

// String returns the path, such as actions[2].type.
func (t *trail) String() string {
	var steps []*trail
	for ; t != nil; t = t.up {
		steps = append(steps, t)
	}
	var b strings.Builder
	for _, step := range slices.Backward(steps) {
		switch {
		case step.at >= 0:
			b.WriteString("[" + strconv.Itoa(step.at) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(utf8text.Cut(step.name, maxName))
		}
	}
	return b.String()
}

// parse reads a file. It returns nil if the text is not YAML or JSON.
func (r *reading) parse(name string, data []byte) *node {
	if isYAML(name) {
		return r.parseYAML(data)
	}
	return r.parseJSON(data)
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// jsonReader reads the tokens of a JSON text and counts lines.
type jsonReader struct {
	*reading
	text   []byte
	tokens *json.Decoder
	at     int // the offset up to which the place is counted
	place  place
}

func (r *reading) parseJSON(data []byte) *node {
	text, err := openjson.File(data)
	if err != nil {
		at, what := place{1, 1}, err.Error()
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			j := jsonReader{text: bytes.TrimPrefix(data, []byte("\ufeff")), place: place{1, 1}}
			at, what = j.count(int(syntax.Offset)-1), syntax.Error()
		}
		r.add(nil, at, nil, talewright.Error, codeSyntax, "not valid JSON: %s; mend it there", what)
		return nil
	}
	j := &jsonReader{reading: r, text: text, tokens: json.NewDecoder(bytes.NewReader(text)), place: place{1, 1}}
	j.tokens.UseNumber()
	n, err := j.value(nil, 0)
	if err != nil {
		r.add(nil, j.place, nil, talewright.Error, codeSyntax, "%v", err)
		return nil
	}
	return n
}

// count moves the place to an offset.
func (j *jsonReader) count(offset int) place {
	offset = min(max(offset, j.at), len(j.text))
	piece := j.text[j.at:offset]
	if last := bytes.LastIndexByte(piece, '\n'); last >= 0 {
		j.place.line += bytes.Count(piece, []byte("\n"))
		j.place.column = 1
		piece = piece[last+1:]
	}
	j.place.column += utf8.RuneCount(piece)
	j.at = offset
	return j.place
}

// next returns the next token and where it begins.
func (j *jsonReader) next() (json.Token, place, error) {
	at := int(j.tokens.InputOffset())
	for at < len(j.text) && strings.IndexByte(" \t\r\n,:", j.text[at]) >= 0 {
		at++
	}
	token, err := j.tokens.Token()
	return token, j.count(at), err
}

func (j *jsonReader) value(to *trail, depth int) (*node, error) {
	token, at, err := j.next()
	if err != nil {
		return nil, err
	}
	return j.rest(token, at, to, depth)
}

func (j *jsonReader) rest(token json.Token, at place, to *trail, depth int) (*node, error) {
	n := &node{place: at}
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels; make it flatter", maxDepth)
	}
	switch t := token.(type) {
	case nil:
		n.kind = tree.KindNull
	case bool:
		n.kind, n.flag = tree.KindBool, t
	case json.Number:
		n.kind, n.text = tree.KindNumber, string(t)
	case string:
		n.kind, n.text = tree.KindText, t
	case json.Delim:
		if t == '[' {
			n.kind = tree.KindArray
			return n, j.elements(n, to, depth)
		}
		n.kind = tree.KindObject
		return n, j.members(n, to, depth)
	}
	return n, nil
}

func (j *jsonReader) elements(n *node, to *trail, depth int) error {
	for {
		token, at, err := j.next()
		if err != nil || token == json.Delim(']') {
			return err
		}
		part, err := j.rest(token, at, to.element(len(n.parts)), depth+1)
		if err != nil {
			return err
		}
		n.parts = append(n.parts, part)
	}
}

func (j *jsonReader) members(n *node, to *trail, depth int) error {
	known := map[string]int{}
	for {
		token, at, err := j.next()
		if err != nil || token == json.Delim('}') {
			return err
		}
		name, _ := token.(string)
		part, err := j.value(to.member(name), depth+1)
		if err != nil {
			return err
		}
		j.member(n, known, key{name, at}, part, to)
	}
}

// member adds a member; of two with the same name the last one counts.
func (r *reading) member(n *node, known map[string]int, k key, part *node, to *trail) {
	if i, twice := known[k.name]; twice {
		r.add(part, k.place, to.member(k.name), talewright.Error, codeDuplicate, "given before at line %d; the last one counts; remove one", n.keys[i].place.line)
		n.keys[i], n.parts[i] = k, part
		return
	}
	known[k.name] = len(n.keys)
	n.keys, n.parts = append(n.keys, k), append(n.parts, part)
}

// yamlReader converts the nodes of the YAML parser.
type yamlReader struct {
	*reading
	copies int // values that were reached through aliases
	within int // the number of aliases around the current value
}

var (
	errCopies = fmt.Errorf("aliases repeat more than %d values; write fewer", maxCopies)
	errDeep   = fmt.Errorf("nested deeper than %d levels; make it flatter", maxDepth)
)

func (r *reading) parseYAML(data []byte) *node {
	var root yaml.Node
	if isDeep(string(data)) {
		r.add(nil, place{1, 1}, nil, talewright.Error, codeSyntax, "%v", errDeep)
		return nil
	}
	if err := yaml.Load(data, &root); err != nil || len(root.Content) == 0 {
		r.syntax(data, err)
		return nil
	}
	y := &yamlReader{reading: r}
	n, err := y.value(root.Content[0], nil, 0)
	if err != nil {
		r.add(nil, n.place, nil, talewright.Error, codeSyntax, "%v", err)
		return nil
	}
	return n
}

// syntax reports the error of the parser.
func (r *reading) syntax(data []byte, err error) {
	at, what := place{1, 1}, "the file is empty"
	if err != nil && len(bytes.TrimSpace(data)) > 0 {
		what = err.Error()
	}
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		if what = e.Message; e.Mark.Line > 0 {
			at = place{e.Mark.Line, max(e.Mark.Column, 1)}
		}
		switch {
		case strings.Contains(what, "no documents"):
			what = "the file is empty"
		case strings.Contains(what, "tab"):
			what += "; indent with blanks"
		}
	}
	r.add(nil, at, nil, talewright.Error, codeSyntax, "not valid YAML: %s", what)
}

// isDeep reports whether brackets, dashes or blanks could nest a text deeper than the limit. The
// parser would notice only after it has gone all the way down.
func isDeep(text string) bool {
	open, begun, blanks := 0, 0, 0
	start := true
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			start, begun, blanks = true, 0, 0
		case c == '[' || c == '{':
			open++
			start = false
		case c == ']' || c == '}':
			open = max(open-1, 0)
			start = false
		case start && (c == '-' || c == '?' || c == '&' || c == '!'):
			begun++
		case start && c == ' ':
			blanks++
		default:
			start = false
		}
		if open > 8*maxDepth || begun > maxDepth || blanks > 8*maxDepth {
			return true
		}
	}
	return false
}

func (y *yamlReader) value(n *yaml.Node, to *trail, depth int) (*node, error) {
	out := &node{place: place{n.Line, n.Column}}
	if depth > maxDepth {
		return out, errDeep
	}
	if y.within > 0 {
		if y.copies++; y.copies > maxCopies {
			return out, errCopies
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		y.within++
		part, err := y.value(n.Alias, to, depth+1)
		y.within--
		if err != nil {
			return out, err
		}
		return part, nil
	case yaml.SequenceNode:
		out.kind = tree.KindArray
		for i, child := range n.Content {
			part, err := y.value(child, to.element(i), depth+1)
			if err != nil {
				return part, err
			}
			out.parts = append(out.parts, part)
		}
		return out, nil
	case yaml.MappingNode:
		out.kind = tree.KindObject
		return out, y.mapping(n, out, to, depth)
	}
	y.scalar(n, out, to)
	return out, nil
}

// mapping reads members. The members of merge keys come after the mapping's own.
func (y *yamlReader) mapping(n *yaml.Node, out *node, to *trail, depth int) error {
	known := map[string]int{}
	var merged []*node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, child := n.Content[i], n.Content[i+1]
		at := place{k.Line, k.Column}
		part, err := y.value(child, to.member(k.Value), depth+1)
		if err != nil {
			out.place = part.place
			return err
		}
		if k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge" {
			merged = append(merged, part)
			continue
		}
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			y.add(out, at, to, talewright.Error, codeWrongType, "a key must be a text; the member is ignored")
			continue
		}
		if isPlain(k) && isTrap(k.Value) {
			y.add(part, at, to.member(k.Value), talewright.Warning, codeTrap, "%s is read as a text here, and as true or false by other readers of YAML; write %q", k.Value, k.Value)
		}
		y.member(out, known, key{k.Value, at}, part, to)
	}
	return y.merge(out, known, merged, to)
}

func (y *yamlReader) merge(out *node, known map[string]int, merged []*node, to *trail) error {
	for _, m := range merged {
		sources := []*node{m}
		if m.kind == tree.KindArray {
			sources = m.parts
		}
		for _, source := range sources {
			if source.kind != tree.KindObject {
				y.add(out, source.place, to, talewright.Error, codeWrongType, "<< merges objects; this is %s", described(source))
				continue
			}
			for i, k := range source.keys {
				if _, has := known[k.name]; has {
					continue
				}
				if y.copies++; y.copies > maxCopies {
					return errCopies
				}
				known[k.name] = len(out.keys)
				out.keys, out.parts = append(out.keys, k), append(out.parts, source.parts[i])
			}
		}
	}
	return nil
}

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func isPlain(n *yaml.Node) bool { return n.Style&(quoted|yaml.TaggedStyle) == 0 }

// isTrap reports whether YAML 1.1 reads a word as a boolean that YAML 1.2 reads as a text.
func isTrap(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// scalar reads a value by the core schema of YAML 1.2, or by its tag.
func (y *yamlReader) scalar(n *yaml.Node, out *node, to *trail) {
	tagged := n.Style&yaml.TaggedStyle != 0
	out.kind, out.text = tree.KindText, n.Value
	switch tag := n.ShortTag(); {
	case tagged && tag == "!!str", !tagged && n.Style&quoted != 0:
		return
	case tagged && tag != "!!int" && tag != "!!float" && tag != "!!bool" && tag != "!!null":
		y.add(out, out.place, to, talewright.Error, codeWrongType, "the tag %s is not read here; write the value alone", tag)
		return
	}
	out.plain, out.source = !tagged, n.Value
	v, ok := core.Scalar(n.Value)
	if !ok {
		y.add(out, out.place, to, talewright.Error, codeWrongType, "%s is not a JSON number; write a number", short(n.Value))
		return
	}
	out.kind = v.Kind()
	switch out.kind {
	case tree.KindBool:
		out.flag, _ = v.AsBool()
	case tree.KindNumber:
		number, _ := v.AsNumber()
		out.text = string(number)
	}
}

// trap reports a number that readers of YAML understand in different ways. It is called where a
// number belongs.
func (r *reading) trap(n *node, to *trail) {
	digits := strings.TrimLeft(n.source, "+-")
	if len(digits) > 1 && digits[0] == '0' && strings.Trim(digits[1:], "01234567") == "" {
		r.add(n, n.place, to, talewright.Warning, codeTrap, "%s is read as %s here, and as an octal number by other readers of YAML; write %s", short(n.source), short(n.text), short(n.text))
	}
}

// described says what kind of value a node is.
func described(n *node) string {
	switch n.kind {
	case tree.KindNull:
		return "null"
	case tree.KindBool:
		return strconv.FormatBool(n.flag)
	case tree.KindNumber:
		return "the number " + short(n.text)
	case tree.KindText:
		return "the text " + strconv.Quote(short(n.text))
	case tree.KindArray:
		return "a list"
	}
	return "an object"
}

func short(text string) string {
	if runes := []rune(text[:min(len(text), 200)]); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return text
}

// get returns a member, or nil.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k.name == name {
			return n.parts[i]
		}
	}
	return nil
}

// appendJSON writes a value without what was refused.
func (n *node) appendJSON(b []byte) []byte {
	if n.refused {
		return append(b, "null"...)
	}
	switch n.kind {
	case tree.KindBool:
		return strconv.AppendBool(b, n.flag)
	case tree.KindNumber:
		return append(b, n.text...)
	case tree.KindText:
		return tree.AppendText(b, n.text)
	case tree.KindArray:
		b = append(b, '[')
		for i, part := range n.parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = part.appendJSON(b)
		}
		return append(b, ']')
	case tree.KindObject:
		b = append(b, '{')
		for i, part := range n.parts {
			if part.refused {
				continue
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(tree.AppendText(b, n.keys[i].name), ':')
			b = part.appendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// find returns the place of a path as far as the value has it. A name may itself contain dots.
func (n *node) find(path string) place {
	_, at, _ := n.walk(path)
	return at
}

// isReported reports whether the value at a path has a problem already, or is reported as missing.
func (n *node) isReported(path string) bool {
	last, _, rest := n.walk(path)
	if rest == "" {
		return last.reported
	}
	return slices.Contains(last.missing, strings.TrimPrefix(rest, "."))
}

// walk follows a path as far as the value has it. It returns the last value, its place, and the rest
// of the path.
func (n *node) walk(path string) (last *node, at place, rest string) {
	at = n.place
	for path != "" {
		step := path
		switch {
		case path[0] == '.':
			step = path[1:]
			fallthrough
		case path[0] != '[':
			part, k, length := n.member(step)
			if part == nil {
				return n, at, path
			}
			n, path, at = part, step[length:], k.place
		default:
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return n, at, path
			}
			i, err := strconv.Atoi(path[1:end])
			if err != nil || i < 0 || i >= len(n.parts) {
				return n, at, path
			}
			n, path = n.parts[i], path[end+1:]
			at = n.place
		}
	}
	return n, at, ""
}

// member returns the member with the longest name at the beginning of a path.
func (n *node) member(path string) (part *node, k key, length int) {
	if n.index == nil {
		n.index = make(map[string]int, len(n.keys))
		for i, k := range n.keys {
			n.index[k.name] = i
		}
	}
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if i, ok := n.index[path[:end]]; ok {
			return n.parts[i], n.keys[i], end
		}
	}
	return nil, key{}, 0
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
