package macro

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
)

// yamlWidth is the column after which a text is folded, and yamlContent the least width of a folded
// line.
const (
	yamlWidth   = 80
	yamlContent = 20
)

// writeYAML writes a value that [readJSON] returns, in the style of the program that the macros
// come from. Levels have two blanks, lists are indented in objects, and long texts are literal
// blocks. The cost is linear in the result, which ends after maxWork bytes: the indentation of deep
// values can be much larger than the values.
func writeYAML(v any, folds bool) string {
	w := yamlWriter{folds: folds}
	w.value(v, "", 0)
	return string(w.out)
}

type yamlWriter struct {
	out   []byte
	folds bool
}

// value writes a value. indent is the indentation of its further lines. start is the width of the
// key before a scalar.
func (w *yamlWriter) value(v any, indent string, start int) {
	if len(w.out) > maxWork {
		return
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			w.out = append(w.out, "[]"...)
		}
		for i, element := range v {
			if i > 0 {
				w.line(indent)
			}
			w.out = append(w.out, "- "...)
			w.value(element, indent+"  ", 0)
		}
	case *object:
		if len(v.names) == 0 {
			w.out = append(w.out, "{}"...)
		}
		for i, name := range v.order() {
			if i > 0 {
				w.line(indent)
			}
			w.member(name, v.values[name], indent)
		}
	case string:
		w.out = append(w.out, w.text(v, indent, start)...)
	case float64:
		w.out = append(w.out, yamlNumber(v)...)
	default: // null, true and false
		w.out = appendJSON(w.out, v)
	}
}

// member writes a member of an object.
func (w *yamlWriter) member(name string, v any, indent string) {
	key := yamlKey(name, indent)
	w.out = append(append(w.out, key...), ':')
	if collectionSize(v) > 0 {
		w.line(indent + "  ")
	} else {
		w.out = append(w.out, ' ')
	}
	before := len(w.out)
	w.value(v, indent+"  ", utf16Length(key)+2)
	if len(w.out) > before && w.out[before] == '\n' { // folded before its first word
		w.out = slices.Delete(w.out, before-1, before)
	}
}

// collectionSize returns the number of elements or members, 0 for other values.
func collectionSize(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case *object:
		return len(v.names)
	}
	return 0
}

// line begins a line.
func (w *yamlWriter) line(indent string) {
	w.out = append(append(w.out, '\n'), indent...)
}

var (
	// yamlIndicator finds texts that do not read back as themselves without quotes.
	yamlIndicator = regexp.MustCompile("^[\n\t ,\\[\\]{}#&*!|>'\"%@`]|^[?-]$|^[?-][ \t]" +
		"|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]$")
	// yamlControl finds characters that only double quotes can express.
	yamlControl = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x{9f}]`)
	// yamlOther finds texts that read as a different type.
	yamlOther = regexp.MustCompile(`^(?:|~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+` +
		`|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN` +
		`|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*))$`)
	yamlMarker = regexp.MustCompile(`(?m)^(?:---|\.\.\.)`)
	blankTail  = regexp.MustCompile(`\n[\t ]+$`)
	blankLine  = regexp.MustCompile(`[ \t]\n|\n[ \t]`)
)

// isPlainWord reports whether a text is letters and digits that read back as themselves. Most texts
// are, and the patterns cost more.
func isPlainWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || !isDigit(c)) && (c < 0xe0 || c > 0xef) && (c < 0x80 || c >= 0xc0) {
			return false
		}
	}
	return s != "" && !yamlOther.MatchString(s)
}

// yamlKey writes the name of a member, which stays on one line.
func yamlKey(name, indent string) string {
	switch {
	case isPlainWord(name):
	case yamlControl.MatchString(name):
		return yamlDouble(name, "", true)
	case strings.Contains(name, "\n"), yamlIndicator.MatchString(name), yamlOther.MatchString(name),
		indent == "" && yamlMarker.MatchString(name):
		return yamlQuoted(name, "", true)
	}
	return name
}

// text writes a text.
func (w *yamlWriter) text(s, indent string, start int) string {
	switch {
	case isPlainWord(s):
		return w.fold(s, indent, start, false)
	case yamlControl.MatchString(s):
		return w.fold(yamlDouble(s, indent, false), indent, start, true)
	case strings.Contains(s, "\n") && !blankTail.MatchString(s):
		return yamlBlock(s, indent)
	case strings.Contains(s, "\n"), yamlIndicator.MatchString(s), yamlOther.MatchString(s):
		quoted := yamlQuoted(s, indent, false)
		return w.fold(quoted, indent, start, quoted[0] == '"')
	}
	return w.fold(s, indent, start, false)
}

// yamlQuoted quotes a text: with single quotes if it has only double quotes in it.
func yamlQuoted(s, indent string, isKey bool) string {
	hasOnlyDouble := strings.Contains(s, `"`) && !strings.Contains(s, "'")
	isBrokenKey := isKey && strings.Contains(s, "\n") // only double quotes keep it on one line
	if !hasOnlyDouble || isBrokenKey || blankLine.MatchString(s) {
		return yamlDouble(s, indent, isKey)
	}
	return "'" + lineBreaks.ReplaceAllString(s, "$0\n"+indent) + "'"
}

var lineBreaks = regexp.MustCompile(`\n+`)

// minFoldedLength is the length of a quoted text from which its line breaks are real ones.
const minFoldedLength = 40

// yamlDouble writes a text in double quotes with the escapes of YAML. A long text has real line
// breaks, except in a key.
func yamlDouble(s, indent string, isKey bool) string {
	json, _ := jsonText(s)
	breaks := !isKey && utf16Length(json) >= minFoldedLength
	var b strings.Builder
	for i := 0; i < len(json); i++ {
		rest := json[i:]
		switch {
		case strings.HasPrefix(rest, ` \n`): // folding would remove the blank
			b.WriteString(`\ `)
		case rest[0] != '\\':
			b.WriteByte(rest[0])
		case rest[1] == 'u':
			b.WriteString(yamlEscape(rest[2:6], rest[:6]))
			i += 5
		case rest[1] == 'n' && breaks && rest[2] != '"':
			b.WriteString("\n\n")
			for i += 2; strings.HasPrefix(json[i:], `\n`) && json[i+2] != '"'; i += 2 {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			if json[i] == ' ' {
				b.WriteByte('\\')
			}
			i--
		default:
			b.WriteString(rest[:2])
			i++
		}
	}
	return b.String()
}

// yamlEscape returns the escape of a control character by its four digits.
func yamlEscape(code, json string) string {
	switch code {
	case "0000":
		return `\0`
	case "0007":
		return `\a`
	case "000b":
		return `\v`
	case "001b":
		return `\e`
	}
	if strings.HasPrefix(code, "00") {
		return `\x` + code[2:]
	}
	return json
}

// yamlBlock writes a text with line breaks as a literal block. Its header says how the block ends: with
// one line break, with none (-), or with all that follow the text (+).
func yamlBlock(s, indent string) string {
	body := strings.TrimRight(s, "\n\t ")
	end := s[len(body):]
	chomp := "+"
	switch firstBreak := strings.IndexByte(end, '\n'); {
	case firstBreak < 0:
		chomp = "-"
	case body != "" && firstBreak == len(end)-1:
		chomp = ""
	}
	end = strings.TrimSuffix(end, "\n")
	first := len(body) - len(strings.TrimLeft(body, "\n "))
	lead := body[:strings.LastIndexByte(body[:first], '\n')+1]
	header := "" // the indentation, if the first line does not show it
	if strings.Contains(body[:first], " ") {
		header = strconv.Itoa(len("  "))
	}
	indented := func(text string) string { return lineBreaks.ReplaceAllString(text, "$0"+indent) }
	return "|" + header + chomp + "\n" + indent + indented(lead) + indented(body[len(lead):]) + blockEnd(end, indent)
}

// blockEnd indents the blank lines at the end of a block that are not empty.
func blockEnd(end, indent string) string {
	trimmed := strings.TrimRight(end, "\n")
	return lineBreaks.ReplaceAllString(trimmed, "$0"+indent) + end[len(trimmed):]
}

// fold breaks a long line at its blanks. start is the width of the key before it. Positions and
// widths are UTF-16 units.
func (w *yamlWriter) fold(s, indent string, start int, quoted bool) string {
	width := max(1+yamlContent, 1+yamlWidth-len(indent))
	if !w.folds || utf16Length(s) <= width {
		return s
	}
	f := folder{s: s, width: width, indent: len(indent), quoted: quoted, blank: -1, escape: -1, escapeEnd: -1, broken: map[int]bool{}}
	f.end = yamlWidth - len(indent)
	if start > 0 {
		if f.end = yamlWidth - start; start > yamlWidth-yamlContent {
			f.folds, f.end = append(f.folds, 0), yamlWidth-len(indent)
		}
	}
	if !f.run() {
		return s
	}
	var b strings.Builder
	done := 0
	for _, at := range f.folds {
		b.WriteString(s[done:at])
		if done = at; at > 0 && s[at] == ' ' && !f.broken[at] {
			done++
		}
		if f.broken[at] {
			_, size := utf8.DecodeRuneInString(s[at:])
			b.WriteString(s[at:at+size] + `\`)
			done = at + size
		}
		b.WriteString("\n" + indent)
	}
	return b.String() + s[done:]
}

// folder finds the places where a line is folded. Places are UTF-16 units, -1 for none.
type folder struct {
	s      string
	starts []int // the byte of each unit
	width  int   // units of a line after a fold
	indent int
	quoted bool

	end       int  // the unit at which the present line must be folded
	blank     int  // the last single blank of the line, at which it can be folded
	escape    int  // the last escape of a quoted text
	escapeEnd int  // the end of that escape
	before    byte // the character before the present one

	folds  []int        // bytes
	broken map[int]bool // folds within a word of a quoted text
}

// at returns the first byte of a unit, 0 after the end.
func (f *folder) at(unit int) byte {
	if unit < len(f.starts) {
		return f.s[f.starts[unit]]
	}
	return 0
}

// run fills folds. It fails if a quoted text cannot be folded.
func (f *folder) run() bool {
	for i, r := range f.s {
		for range runeUnits(r) {
			f.starts = append(f.starts, i)
		}
	}
	isBlank := func(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == 0 }
	for i := 0; i < len(f.starts); i++ {
		c := f.at(i)
		if f.quoted && c == '\\' {
			i = f.skipEscape(i)
		}
		if c == '\n' {
			f.end, f.blank, f.before = i+f.indent+f.width, -1, c
			continue
		}
		if c == ' ' && !isBlank(f.before) && !isBlank(f.at(i+1)) {
			f.blank = i
		}
		switch {
		case i < f.end:
		case f.blank >= 0:
			f.folds = append(f.folds, f.starts[f.blank])
			f.end, f.blank = f.blank+f.width, -1
		case f.quoted:
			for f.before == ' ' || f.before == '\t' {
				f.before = c
				i++
				c = f.at(i)
			}
			if !f.breakWord(i) {
				return false
			}
		}
		f.before = c
	}
	return true
}

// skipEscape returns the last unit of the escape that begins at a unit.
func (f *folder) skipEscape(start int) int {
	f.escape = start
	f.escapeEnd = start + 1
	switch f.at(start + 1) {
	case 'x':
		f.escapeEnd = start + 3
	case 'u':
		f.escapeEnd = start + 5
	}
	return f.escapeEnd
}

// breakWord folds a quoted text within a word before a unit, but not within an escape.
func (f *folder) breakWord(unit int) bool {
	last := f.escape - 1
	if unit > f.escapeEnd+1 {
		last = unit - 2
	}
	if last <= 0 || f.broken[f.starts[last]] {
		return false
	}
	f.broken[f.starts[last]] = true
	f.folds = append(f.folds, f.starts[last])
	f.end = last + f.width
	return true
}

// yamlNumber writes a number as JavaScript prints it, with the sign of a zero.
func yamlNumber(n float64) string {
	if n == 0 && strings.HasPrefix(strconv.FormatFloat(n, 'f', -1, 64), "-") {
		return "-0"
	}
	return openjson.FormatNumber(n)
}
