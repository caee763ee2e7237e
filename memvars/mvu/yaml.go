package mvu

import (
	"strings"

	"github.com/talewright/talewright/memvars"
)

// parseYAML reads the part of YAML in which cards write variables: block and
// flow mappings and lists, plain and quoted scalars, literal and folded block
// texts, comments. Anchors, tags and several documents are not part of it.
func parseYAML(s string) (memvars.Value, error) {
	p := yaml{}
	for line := range strings.SplitSeq(s, "\n") {
		p.lines = append(p.lines, yamlLine(strings.TrimSuffix(line, "\r")))
	}
	p.skip()
	if p.at >= len(p.lines) {
		return memvars.Null, nil
	}
	v, err := p.block(p.lines[p.at].indent, 0)
	if p.skip(); err == nil && p.at < len(p.lines) {
		err = errSyntax
	}
	return v, err
}

type yaml struct {
	lines []line
	at    int
}

type line struct {
	indent int
	raw    string
	text   string // without indentation and comment
}

// yamlLine splits a line into what the parser needs of it.
func yamlLine(raw string) line {
	text := strings.TrimLeft(raw, " ")
	return line{indent: len(raw) - len(text), raw: raw, text: strings.TrimSpace(uncomment(text))}
}

// uncomment cuts a comment off that stands outside of quotation marks.
func uncomment(s string) string {
	var mark byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case mark != 0:
			if c == '\\' && mark == '"' {
				i++
			} else if c == mark {
				mark = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" :[{,-", s[i-1]) >= 0):
			mark = c
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		}
	}
	return s
}

// skip goes over empty lines and document markers.
func (p *yaml) skip() {
	for p.at < len(p.lines) && (p.lines[p.at].text == "" || p.lines[p.at].text == "---") {
		p.at++
	}
}

// block reads the mapping, list or scalar that begins at the present line.
//
// What stands on the line decides: a dash, a key, or a value.
func (p *yaml) block(indent, depth int) (memvars.Value, error) {
	if depth > maxDepth {
		return memvars.Value{}, errSyntax
	}
	text := p.lines[p.at].text
	switch {
	case text == "-" || strings.HasPrefix(text, "- "):
		return p.list(indent, depth)
	case yamlKey(text) >= 0:
		return p.mapping(indent, depth)
	}
	p.at++
	return p.rest(text, indent)
}

// list reads the elements at one indentation.
func (p *yaml) list(indent, depth int) (memvars.Value, error) {
	var elems []memvars.Value
	for p.skip(); p.at < len(p.lines); p.skip() {
		l := &p.lines[p.at]
		rest, ok := strings.CutPrefix(l.text, "-")
		if l.indent != indent || !ok || rest != "" && rest[0] != ' ' {
			break
		}
		trimmed := strings.TrimLeft(rest, " ")
		var v memvars.Value
		var err error
		if trimmed == "" {
			p.at++
			v, err = p.nested(indent, false, depth)
		} else {
			// What follows the dash is a block of its own, indented by it.
			l.indent += len(l.text) - len(trimmed)
			l.text = trimmed
			v, err = p.block(l.indent, depth+1)
		}
		if err != nil {
			return memvars.Value{}, err
		}
		elems = append(elems, v)
	}
	return memvars.Array(elems...), p.dedented(indent)
}

// mapping reads the members at one indentation.
func (p *yaml) mapping(indent, depth int) (memvars.Value, error) {
	var members []memvars.Member
	for p.skip(); p.at < len(p.lines); p.skip() {
		l := p.lines[p.at]
		colon := yamlKey(l.text)
		if l.indent != indent || colon < 0 {
			break
		}
		key, err := yamlText(strings.TrimSpace(l.text[:colon]))
		if err != nil {
			return memvars.Value{}, err
		}
		rest := strings.TrimSpace(l.text[colon+1:])
		p.at++
		var v memvars.Value
		switch {
		case rest == "":
			v, err = p.nested(indent, true, depth)
		case rest[0] == '|' || rest[0] == '>':
			v = p.literal(indent, rest)
		default:
			v, err = p.rest(rest, indent)
		}
		if err != nil {
			return memvars.Value{}, err
		}
		members = append(members, memvars.Member{Key: key, Value: v})
	}
	return memvars.Object(members...), p.dedented(indent)
}

// dedented makes sure that what follows a block belongs to a block around it.
func (p *yaml) dedented(indent int) error {
	if p.at < len(p.lines) && p.lines[p.at].indent >= indent && indent > 0 {
		return errSyntax
	}
	return nil
}

// nested reads the block below a key or dash without a value on its line.
func (p *yaml) nested(indent int, key bool, depth int) (memvars.Value, error) {
	p.skip()
	if p.at >= len(p.lines) {
		return memvars.Null, nil
	}
	l := p.lines[p.at]
	dash := l.text == "-" || strings.HasPrefix(l.text, "- ")
	if l.indent > indent || key && dash && l.indent == indent {
		return p.block(l.indent, depth+1)
	}
	return memvars.Null, nil
}

// literal reads the lines of a block text, joined by line breaks or blanks.
func (p *yaml) literal(indent int, head string) memvars.Value {
	var lines []string
	inner := -1
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		if strings.TrimSpace(l.raw) == "" {
			lines = append(lines, "")
			continue
		}
		if l.indent <= indent {
			break
		}
		if inner < 0 {
			inner = l.indent
		}
		lines = append(lines, l.raw[min(inner, l.indent):])
	}
	joint := "\n"
	if head[0] == '>' {
		joint = " "
	}
	text := strings.TrimRight(strings.Join(lines, joint), "\n ")
	if !strings.HasSuffix(head, "-") {
		text += "\n"
	}
	return memvars.Text(text)
}

// rest reads a scalar or flow value, which may go on in the following lines.
func (p *yaml) rest(text string, indent int) (memvars.Value, error) {
	if text[0] != '{' && text[0] != '[' && text[0] != '"' && text[0] != '\'' {
		return yamlScalar(text)
	}
	v, err := yamlScalar(text)
	for err != nil && p.at < len(p.lines) && (p.lines[p.at].indent > indent || p.lines[p.at].text == "" ||
		strings.ContainsAny(p.lines[p.at].text[:1], "]}")) {
		text += "\n" + p.lines[p.at].text
		p.at++
		v, err = yamlScalar(text)
	}
	return v, err
}

// yamlKey returns the offset of the colon that ends a key, -1 if there is none.
func yamlKey(text string) int {
	if text == "" || text[0] == '{' || text[0] == '[' {
		return -1
	}
	from := 0
	if c := text[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(text[1:], c)
		if end < 0 {
			return -1
		}
		from = end + 2
		if strings.TrimLeft(text[from:], " ") == "" || strings.TrimLeft(text[from:], " ")[0] != ':' {
			return -1
		}
	}
	for i := from; i < len(text); i++ {
		if text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\t') {
			return i
		}
	}
	return -1
}

// yamlScalar reads a plain or quoted scalar, or a flow value.
func yamlScalar(text string) (memvars.Value, error) {
	switch text[0] {
	case '{', '[':
		p := flow{s: text, doubled: true, scalar: func(w string) (memvars.Value, bool) {
			v, err := yamlScalar(orTilde(w))
			return v, err == nil
		}}
		v, err := p.value(0)
		if p.space(); err == nil && p.i < len(text) {
			err = errSyntax
		}
		return v, err
	case '"', '\'':
		s, err := yamlText(text)
		return memvars.Text(s), err
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return memvars.Null, nil
	case "true", "True", "TRUE":
		return memvars.Bool(true), nil
	case "false", "False", "FALSE":
		return memvars.Bool(false), nil
	}
	if v, ok := number(text); ok {
		return v, nil
	}
	if strings.IndexByte("&*!%@`|>", text[0]) >= 0 || yamlKey(text) >= 0 {
		return memvars.Value{}, errSyntax
	}
	return memvars.Text(text), nil
}

// orTilde reads a member without a value in a flow mapping as null.
func orTilde(s string) string {
	if s == "" {
		return "~"
	}
	return s
}

// yamlText reads a key or a quoted scalar. Single quotes know no escape but the
// doubled mark.
func yamlText(s string) (string, error) {
	if s == "" {
		return "", errSyntax
	}
	switch s[0] {
	case '\'':
		inner, ok := strings.CutSuffix(s[1:], "'")
		if !ok || strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			return "", errSyntax
		}
		return strings.ReplaceAll(inner, "''", "'"), nil
	case '"':
		p := flow{s: s}
		text, err := p.text('"')
		if err == nil && p.i < len(s) {
			err = errSyntax
		}
		return text, err
	}
	return s, nil
}
