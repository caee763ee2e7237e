package yaml

import (
	"math/big"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// scalar reads a text, number, literal or flow value that begins on the current line and may
// continue on the following lines. It moves to the line after it.
func (p *blockReader) scalar(text string, parent int) (tree.Value, error) {
	switch text[0] {
	case '|', '>':
		return p.literal(text, parent)
	case '{', '[', '"', '\'':
		from := p.lines[p.at].offset(text)
		f := flow{src: p.src, at: from, parent: parent, anchors: p.anchors}
		v, err := f.value(0)
		if err != nil {
			return tree.Value{}, err
		}
		for p.at < len(p.lines) && p.lines[p.at].start <= f.at {
			p.at++
		}
		last := &p.lines[p.at-1]
		after := last.raw[min(max(f.at-last.start, 0), len(last.raw)):]
		trimmed := strings.TrimLeft(after, blanks)
		if trimmed != "" && (trimmed[0] != '#' || trimmed == after) {
			return tree.Value{}, errSyntax
		}
		return v, nil
	case '*':
		if v, ok := p.anchors.get(text); ok {
			p.at++
			return v, nil
		}
	}
	return p.plain(text, parent)
}

// plain reads a scalar without quotation marks. Lines that are indented more than its parent belong
// to it; line breaks between them are folded.
func (p *blockReader) plain(text string, parent int) (tree.Value, error) {
	if _, err := plainValue(text); err != nil {
		return tree.Value{}, err
	}
	var joined strings.Builder
	joined.WriteString(text)
	hadComment, empty := p.lines[p.at].hasComment, 0
	for p.at++; p.at < len(p.lines); p.at++ {
		l := &p.lines[p.at]
		switch {
		case strings.Trim(l.raw, blanks) == "":
			empty++
			continue
		case l.text == "" || l.indent <= parent || isDocumentMarker(l.raw): // a comment, or something else
			return plainValue(joined.String())
		}
		text, more := plainLine(strings.TrimLeft(l.raw, blanks))
		if hadComment || keyEnd("-"+text) >= 0 || strings.IndexByte("`@%", text[0]) >= 0 {
			return tree.Value{}, errSyntax
		}
		joined.WriteString(foldedBreak(empty))
		joined.WriteString(text)
		hadComment, empty = more, 0
	}
	return plainValue(joined.String())
}

// plainLine removes the comment from a line of a plain scalar. In such a line quotation marks are
// ordinary characters.
func plainLine(s string) (text string, noted bool) {
	for i := 1; i < len(s); i++ {
		if s[i] == '#' && (s[i-1] == ' ' || s[i-1] == '\t') {
			return strings.TrimRight(s[:i], blanks), true
		}
	}
	return strings.TrimRight(s, blanks), false
}

// foldedBreak returns the text for a line break and the empty lines after it within a scalar.
func foldedBreak(empty int) string {
	if empty == 0 {
		return " "
	}
	return strings.Repeat("\n", empty)
}

// literal reads a block text. Its head, such as |2- or >, says whether line breaks are kept or folded, how far
// it is indented, and how the line breaks at its end are handled: "-" removes them, "+" keeps them.
func (p *blockReader) literal(head string, parent int) (tree.Value, error) {
	keep, indent, ok := parseLiteralHead(head[1:])
	if !ok {
		return tree.Value{}, errSyntax
	}
	isGiven := indent > 0
	if isGiven {
		indent += max(parent, 0)
	}
	p.at++
	first := p.at
	indent, widest, ok := p.skipLiteral(indent, parent)
	if !ok {
		return tree.Value{}, errSyntax
	}
	lines := p.lines[first:p.at]
	if last := len(lines) - 1; p.at == len(p.lines) && last >= 0 && lines[last].isEmpty() && len(lines[last].raw) <= max(indent, widest) {
		if lines[last].raw != "" && keep == '+' {
			return tree.Value{}, errSyntax // YAML programs read this differently
		}
		lines = lines[:last] // there is no line after the last line break
	}
	for i := len(lines) - 1; isGiven && i >= 0 && lines[i].isEmpty(); i-- {
		if len(lines[i].raw) > indent {
			return tree.Value{}, errSyntax // YAML programs read this differently
		}
	}
	return tree.Text(literalText(lines, head[0] == '>', indent, keep)), nil
}

// skipLiteral skips the lines of a block text. The first line that is not empty decides the indentation if
// indent is 0. widest is the length of the longest empty line before it.
func (p *blockReader) skipLiteral(indent, parent int) (decided, widest int, ok bool) {
	for ; p.at < len(p.lines); p.at++ {
		l := &p.lines[p.at]
		startsWithTab := l.indent < len(l.raw) && l.raw[l.indent] == '\t'
		switch {
		case l.isEmpty():
			if indent == 0 {
				widest = max(widest, len(l.raw))
			}
		case startsWithTab && (l.indent <= parent || l.indent < indent):
			return 0, 0, false // tabs are not indentation
		case indent == 0 && l.indent <= parent, l.indent < indent:
			return indent, widest, true
		case indent == 0:
			if indent = l.indent; indent == 0 || widest > indent {
				return 0, 0, false
			}
		}
	}
	return indent, widest, true
}

// isEmpty reports whether the line has only blanks.
func (l *line) isEmpty() bool { return strings.Trim(l.raw, " ") == "" }

// parseLiteralHead reads the indicators after | or >.
func parseLiteralHead(s string) (keep byte, indent int, ok bool) {
	for i := range len(s) {
		switch c := s[i]; {
		case (c == '+' || c == '-') && keep == 0:
			keep = c
		case c >= '1' && c <= '9' && indent == 0:
			indent = int(c - '0')
		default:
			return 0, 0, false
		}
	}
	return keep, indent, true
}

// literalText joins the lines of a block text that is indented by the given number of blanks.
// Folding joins lines that are not indented more. The line breaks at the end are removed, reduced
// to one, or all kept.
func literalText(lines []line, folds bool, indent int, keep byte) string {
	end := len(lines)
	for end > 0 && len(lines[end-1].raw) <= indent && lines[end-1].isEmpty() {
		end--
	}
	if !slices.ContainsFunc(lines, func(l line) bool { return !l.isEmpty() }) {
		if keep != '+' {
			return ""
		}
		return strings.Repeat("\n", len(lines))
	}
	var b strings.Builder
	isIndented, empty := false, 0
	for _, l := range lines[:end] {
		s := l.raw[min(indent, len(l.raw)):]
		if s == "" {
			empty++
			continue
		}
		wasIndented := isIndented
		isIndented = s[0] == ' ' || s[0] == '\t'
		switch {
		case b.Len() == 0:
			b.WriteString(strings.Repeat("\n", empty))
		case folds && !isIndented && !wasIndented:
			b.WriteString(foldedBreak(empty))
		default:
			b.WriteString(strings.Repeat("\n", empty+1))
		}
		b.WriteString(s)
		empty = 0
	}
	switch {
	case keep == '+':
		if end > 0 {
			b.WriteByte('\n')
		}
		for _, l := range lines[end:] {
			b.WriteString(l.raw[min(indent, len(l.raw)):] + "\n")
		}
	case keep == 0 && end > 0:
		b.WriteByte('\n')
	}
	return b.String()
}

// keyEnd returns the offset of the colon that ends a key, or -1 if not found.
func keyEnd(text string) int {
	if text == "" || text[0] == '{' || text[0] == '[' {
		return -1
	}
	from := 0
	if c := text[0]; c == '"' || c == '\'' {
		f := flow{src: text}
		if _, err := f.quoted(); err != nil {
			return -1
		}
		from = f.at + len(text[f.at:]) - len(strings.TrimLeft(text[f.at:], blanks))
		if from >= len(text) || text[from] != ':' {
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

// keyText reads a key. A key that is not a text is replaced by its spelling, unless it would be
// written differently.
func keyText(s string) (string, error) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		f := flow{src: s}
		text, err := f.quoted()
		if err != nil || f.at < len(s) {
			return "", errSyntax
		}
		return text, nil
	}
	v, err := plainValue(s)
	if err != nil {
		return "", err
	}
	if text, ok := v.AsText(); ok {
		return text, nil
	}
	if v.IsNull() || v.String() != s {
		return "", errSyntax
	}
	if n, ok := v.AsNumber(); ok && tree.Float(n.Float64()).String() != s {
		return "", errSyntax
	}
	return s, nil
}

// Scalar resolves a scalar without quotation marks by the core schema. ok is false for numbers that
// JSON does not have.
func Scalar(text string) (v tree.Value, ok bool) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return tree.Null, true
	case "true", "True", "TRUE":
		return tree.Bool(true), true
	case "false", "False", "FALSE":
		return tree.Bool(false), true
	}
	if n, ok := coreNumber(text); ok {
		return tree.Num(n), true
	}
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case ".inf", ".nan":
		return tree.Value{}, false
	}
	return tree.Text(text), true
}

// plainValue is Scalar for scalars that are valid without quotation marks.
func plainValue(text string) (tree.Value, error) {
	v, ok := Scalar(text)
	if !ok || text == "" {
		return tree.Value{}, errSyntax
	}
	if v.Kind() != tree.KindText {
		return v, nil
	}
	opensOther := strings.IndexByte("&*!%@`|>,]}#[{\"'", text[0]) >= 0
	isIndicator := strings.IndexByte("-?:", text[0]) >= 0 && (len(text) == 1 || text[1] == ' ' || text[1] == '\t')
	if opensOther || isIndicator || keyEnd(text) >= 0 {
		return tree.Value{}, errSyntax
	}
	return v, nil
}

// maxBasedLength is the maximum length of a hexadecimal or octal number.
const maxBasedLength = 66

// coreNumber reads the numbers of the core schema. JSON numbers keep their spelling.
func coreNumber(s string) (tree.Number, bool) {
	if v, err := tree.ParseValue([]byte(s)); err == nil {
		n, ok := v.AsNumber()
		return n, ok
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o") {
		n, ok := new(big.Int).SetString(s, 0)
		if !ok || len(s) > maxBasedLength || strings.Contains(s, "_") {
			return "", false
		}
		return tree.Number(n.String()), true
	}
	return decimal(s)
}

// decimal reads a number that JSON writes differently: with a plus, with leading zeros, or without
// digits on one side of the point.
func decimal(s string) (tree.Number, bool) {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = strings.Trim(s[:1], "+"), s[1:]
	}
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && (!point || fraction == "") {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	v, err := tree.ParseValue([]byte(sign + whole + fraction + exponent))
	if err != nil {
		return "", false
	}
	n, ok := v.AsNumber()
	return n, ok
}
