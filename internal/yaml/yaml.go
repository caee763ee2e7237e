package yaml

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// Parse reads the part of YAML 1.2 that cards use for variables: block and flow mappings and lists,
// plain and quoted scalars over one or more lines, literal and folded block texts, comments.
// Everything else (anchors, tags, complex keys, several documents, .inf, repeated keys) is an
// error: no text is read differently from YAML. The cost is linear in the length.
func Parse(s string) (tree.Value, error) { return parse(s, nil) }

// ParseAuthored is Parse with anchors, aliases and merge keys, for texts of authors. Values that
// aliases repeat count each time; a text with more than 65,536 of them is an error.
//
// An error is an [*Error].
func ParseAuthored(s string) (tree.Value, error) {
	return parse(s, &anchors{values: map[string]tree.Value{}})
}

// Error says at which line the reading of a text of an author ended.
type Error struct{ Line int }

func (e *Error) Error() string { return errSyntax.Error() }

// JSON converts a text of an author to JSON, as ParseAuthored reads it.
func JSON(s string) ([]byte, error) {
	v, err := ParseAuthored(s)
	if err != nil {
		return nil, err
	}
	return v.AppendJSON(nil), nil
}

// Embedded returns a function that reads a text of the program at its first call. It panics if the
// text is wrong or has members that T does not have.
func Embedded[T any](text string) func() T {
	return sync.OnceValue(func() (out T) {
		data, err := JSON(text)
		if err == nil {
			members := json.NewDecoder(bytes.NewReader(data))
			members.DisallowUnknownFields()
			err = members.Decode(&out)
		}
		if err != nil {
			panic("yaml: an embedded text: " + err.Error())
		}
		return out
	})
}

func parse(s string, known *anchors) (tree.Value, error) {
	p := blockReader{src: strings.TrimPrefix(s, "\ufeff"), anchors: known}
	p.lines = make([]line, 0, strings.Count(p.src, "\n")+1)
	for start := 0; start <= len(p.src); {
		end := start + len(p.src[start:])
		if n := strings.IndexByte(p.src[start:], '\n'); n >= 0 {
			end = start + n
		}
		p.lines = Append(p.lines, splitLine(strings.TrimSuffix(p.src[start:end], "\r"), start))
		start = end + 1
	}
	p.skipEmptyLines()
	if p.at < len(p.lines) && p.lines[p.at].raw == "---" {
		p.at++
		p.skipEmptyLines()
	}
	if p.at >= len(p.lines) {
		return tree.Null, nil
	}
	v, err := p.block(-1, 0)
	if p.skipEmptyLines(); err == nil && p.at < len(p.lines) {
		err = errSyntax
	}
	if err != nil && known != nil {
		err = &Error{Line: min(p.at, len(p.lines)-1) + 1}
	}
	return v, err
}

// maxDepth limits the nesting of values.
const maxDepth = 200

var errSyntax = errors.New("not YAML that is read here")

// blockReader reads block values: mappings, lists and scalars that indentation delimits.
type blockReader struct {
	src     string
	lines   []line
	at      int      // index of the current line
	anchors *anchors // nil: there are none
}

// line is one line of the source in the parts that the parser needs.
type line struct {
	start      int    // offset in the source
	indent     int    // number of blanks at the beginning
	raw        string // the whole line
	text       string // without indentation and comment
	hasComment bool   // there is a comment
}

// offset returns the offset in the source of a text at the end of the line.
func (l *line) offset(text string) int { return l.start + l.indent + len(l.text) - len(text) }

// blanks are the blanks of YAML; other spaces, such as the no-break space, are ordinary characters.
const blanks = " \t"

// splitLine splits a line into the parts that the parser needs.
func splitLine(raw string, start int) line {
	text := strings.TrimLeft(raw, " ")
	bare := cutComment(text)
	return line{start: start, indent: len(raw) - len(text), raw: raw, text: strings.TrimRight(bare, blanks),
		hasComment: len(bare) < len(text)}
}

// cutComment removes a comment. Quotation marks open a text only where a text, a key or, within
// brackets, a member may begin.
func cutComment(s string) string {
	var mark byte       // the open quotation mark, or 0
	mayBegin := true    // a text or a key may begin here
	hasBracket := false // a bracket was opened
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case mark != 0:
			if c == '\\' && mark == '"' {
				i++
			} else if c == mark {
				mark = 0
			}
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		case c == ' ' || c == '\t':
		case mayBegin && (c == '"' || c == '\''):
			mark, mayBegin = c, false
		case mayBegin && (c == '[' || c == '{'):
			hasBracket = true
		case hasBracket && strings.IndexByte("[{,:", c) >= 0:
			mayBegin = true
		case (c == '-' || c == ':') && i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\t'):
			mayBegin = mayBegin || c == ':' // a dash in the middle of a text changes nothing
		default:
			mayBegin = false
		}
	}
	return s
}

// skipEmptyLines skips empty lines.
func (p *blockReader) skipEmptyLines() {
	for p.at < len(p.lines) && p.lines[p.at].text == "" {
		p.at++
	}
}

// block reads the mapping, list or scalar that begins at the current line and belongs to a node of
// the given indentation.
//
// The line decides the kind: a dash, a key, or a value.
func (p *blockReader) block(parent, depth int) (tree.Value, error) {
	l := &p.lines[p.at]
	text := l.text
	switch {
	case depth > maxDepth || text[0] == '\t' || isDocumentMarker(l.raw):
		return tree.Value{}, errSyntax
	case text == "-" || strings.HasPrefix(text, "- "):
		return p.list(l.indent, depth)
	case keyEnd(text) >= 0 || strings.HasPrefix(text, "? "):
		return p.mapping(l.indent, depth)
	}
	return p.scalar(text, parent)
}

// isDocumentMarker reports whether a line begins or ends a document.
func isDocumentMarker(raw string) bool {
	if !strings.HasPrefix(raw, "---") && !strings.HasPrefix(raw, "...") {
		return false
	}
	return len(raw) == 3 || raw[3] == ' ' || raw[3] == '\t'
}

// list reads the elements at one indentation.
func (p *blockReader) list(indent, depth int) (tree.Value, error) {
	var elems []tree.Value
	for p.skipEmptyLines(); p.at < len(p.lines); p.skipEmptyLines() {
		l := &p.lines[p.at]
		rest, ok := strings.CutPrefix(l.text, "-")
		if l.indent != indent || !ok || rest != "" && rest[0] != ' ' || isDocumentMarker(l.raw) {
			break
		}
		trimmed := strings.TrimLeft(rest, " ")
		name, trimmed := p.anchors.cutAnchor(trimmed)
		var v tree.Value
		var err error
		if name != "" && keyEnd(trimmed) >= 0 {
			return tree.Value{}, errSyntax // the anchor of a key
		}
		if trimmed == "" {
			p.at++
			v, err = p.nestedBlock(indent, false, depth)
		} else {
			// The text after the dash is a separate block, indented by the dash.
			l.indent += len(l.text) - len(trimmed)
			l.text = trimmed
			v, err = p.block(indent, depth+1)
		}
		if err != nil {
			return tree.Value{}, err
		}
		p.anchors.set(name, v)
		elems = Append(elems, v)
	}
	return tree.Array(elems...), p.checkDedent(indent)
}

// mapping reads the members at one indentation.
func (p *blockReader) mapping(indent, depth int) (tree.Value, error) {
	var members []tree.Member
	known := map[string]bool{}
	for p.skipEmptyLines(); p.at < len(p.lines); p.skipEmptyLines() {
		l := &p.lines[p.at]
		isLong := strings.HasPrefix(l.text, "? ")
		isMember := isLong || keyEnd(l.text) >= 0
		if l.indent != indent || !isMember || l.text[0] == '\t' || isDocumentMarker(l.raw) {
			break
		}
		read := p.member
		if isLong {
			read = p.longMember
		}
		key, v, err := read(l.text, indent, depth)
		if err != nil || known[key] {
			return tree.Value{}, errSyntax
		}
		known[key] = true
		members = Append(members, tree.Member{Key: key, Value: v})
	}
	members, err := p.anchors.merge(members)
	if err != nil {
		return tree.Value{}, err
	}
	return tree.Object(members...), p.checkDedent(indent)
}

// member reads a member whose key and colon are on the current line.
func (p *blockReader) member(text string, indent, depth int) (key string, v tree.Value, err error) {
	colon := keyEnd(text)
	if key, err = keyText(strings.TrimRight(text[:colon], blanks)); err != nil {
		return key, v, err
	}
	name, rest := p.anchors.cutAnchor(strings.TrimLeft(text[colon+1:], blanks))
	if rest == "" {
		p.at++
		v, err = p.nestedBlock(indent, true, depth)
	} else {
		v, err = p.scalar(rest, indent)
	}
	p.anchors.set(name, v)
	return key, v, err
}

// longMember reads a member in the long form: a question mark and the key, and on the next line a
// colon and the value.
func (p *blockReader) longMember(text string, indent, depth int) (key string, v tree.Value, err error) {
	text = strings.TrimLeft(text[1:], " ")
	if key, err = keyText(text); text[0] == '\t' || err != nil || keyEnd(text) >= 0 {
		return key, v, errSyntax
	}
	p.at++
	p.skipEmptyLines()
	v = tree.Null
	if p.at == len(p.lines) || p.lines[p.at].indent != indent {
		return key, v, nil
	}
	l := &p.lines[p.at]
	rest, ok := strings.CutPrefix(l.text, ":")
	if !ok || rest != "" && rest[0] != ' ' {
		return key, v, nil
	}
	if rest = strings.TrimLeft(rest, " "); rest == "" {
		p.at++
		v, err = p.nestedBlock(indent, false, depth)
		return key, v, err
	}
	if rest[0] == '\t' {
		return key, v, errSyntax
	}
	l.indent += len(l.text) - len(rest)
	l.text = rest
	v, err = p.block(indent, depth+1)
	return key, v, err
}

// checkDedent checks that the text after a block belongs to a surrounding block.
func (p *blockReader) checkDedent(indent int) error {
	if p.at < len(p.lines) && p.lines[p.at].indent >= indent && indent > 0 {
		return errSyntax
	}
	return nil
}

// nestedBlock reads the block below a key or dash without a value on its line. isKey distinguishes
// them: the list of a key may have the indentation of the key.
func (p *blockReader) nestedBlock(indent int, isKey bool, depth int) (tree.Value, error) {
	p.skipEmptyLines()
	if p.at >= len(p.lines) {
		return tree.Null, nil
	}
	l := p.lines[p.at]
	isDash := l.text == "-" || strings.HasPrefix(l.text, "- ")
	switch {
	case l.indent > indent:
		return p.block(indent, depth+1)
	case isKey && isDash && l.indent == indent:
		return p.block(indent-1, depth+1)
	}
	return tree.Null, nil
}
