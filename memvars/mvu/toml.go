package mvu

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// errTOML is the error for a text that is not TOML.
var errTOML = errors.New("mvu: not TOML")

// maxTOMLDepth limits how deep the values of a text may be nested.
const maxTOMLDepth = 64

// parseTOML reads a text of TOML 1.0. Names without quotes may have any letters, because authors
// write them so. Dates and times are texts. A name that is given twice is an error.
func parseTOML(text string) (tree.Value, error) {
	p := &tomlReader{rest: strings.ReplaceAll(text, "\r\n", "\n")}
	root := &tomlTable{}
	at := root
	for {
		p.space("\n")
		switch {
		case p.rest == "":
			return root.value(), nil
		case p.consume("[["):
			at = p.header(root, "]]")
		case p.consume("["):
			at = p.header(root, "]")
		default:
			p.pair(at, 0)
		}
		p.space("")
		p.failIf(p.rest != "" && p.rest[0] != '\n')
		if p.failed {
			return tree.Value{}, errTOML
		}
	}
}

// tomlTable is a table that is not complete yet. A member is a *tomlTable, a tomlList or a
// tree.Value.
type tomlTable struct {
	names   []string
	members map[string]any
	closed  bool // it has a header; a second one is a mistake
}

// tomlList is a list of tables with a header each.
type tomlList []*tomlTable

// set adds or replaces a member.
func (t *tomlTable) set(name string, v any) {
	if t.members == nil {
		t.members = map[string]any{}
	}
	if _, known := t.members[name]; !known {
		t.names = append(t.names, name)
	}
	t.members[name] = v
}

// value returns the complete table as an object.
func (t *tomlTable) value() tree.Value {
	var members []tree.Member
	for _, name := range t.names {
		m := tree.Member{Key: name}
		switch v := t.members[name].(type) {
		case *tomlTable:
			m.Value = v.value()
		case tomlList:
			var list []tree.Value
			for _, one := range v {
				list = append(list, one.value())
			}
			m.Value = tree.Array(list...)
		case tree.Value:
			m.Value = v
		}
		members = append(members, m)
	}
	return tree.Object(members...)
}

// tomlReader reads a text from its start. After a mistake it has failed, and what it returns has no
// meaning.
type tomlReader struct {
	rest   string
	failed bool
}

// failIf ends the reading for a mistake.
func (p *tomlReader) failIf(isMistake bool) { p.failed = p.failed || isMistake }

// consume skips a sign if it comes next, and reports whether it did.
func (p *tomlReader) consume(sign string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, sign)
	return ok
}

// expect skips a sign; without it the reading has failed.
func (p *tomlReader) expect(sign string) { p.failIf(!p.consume(sign)) }

// space skips blanks, comments and the other characters.
func (p *tomlReader) space(others string) {
	for {
		p.rest = strings.TrimLeft(p.rest, " \t"+others)
		if !strings.HasPrefix(p.rest, "#") {
			return
		}
		p.rest = p.rest[len(p.upTo("\n")):]
	}
}

// upTo returns the text before the next of some characters.
func (p *tomlReader) upTo(chars string) string {
	if i := strings.IndexAny(p.rest, chars); i >= 0 {
		return p.rest[:i]
	}
	return p.rest
}

// table returns the table at a path, and makes it if it is missing. Of a list of tables it is the
// last one.
func (p *tomlReader) table(at *tomlTable, path []string) *tomlTable {
	for _, name := range path {
		switch next := at.members[name].(type) {
		case nil:
			made := &tomlTable{}
			at.set(name, made)
			at = made
		case *tomlTable:
			at = next
		case tomlList:
			at = next[len(next)-1]
		default:
			p.failed = true
			return &tomlTable{}
		}
	}
	return at
}

// header reads the rest of a header and returns its table.
func (p *tomlReader) header(root *tomlTable, end string) *tomlTable {
	path := p.path()
	if p.expect(end); p.failed {
		return root
	}
	if last := len(path) - 1; end == "]]" {
		at, name := p.table(root, path[:last]), path[last]
		list, isList := at.members[name].(tomlList)
		p.failIf(at.members[name] != nil && !isList)
		made := &tomlTable{closed: true}
		at.set(name, append(list, made))
		return made
	}
	at := p.table(root, path)
	p.failIf(at.closed)
	at.closed = true
	return at
}

// pair reads a name and its value.
func (p *tomlReader) pair(at *tomlTable, depth int) {
	path := p.path()
	if p.expect("="); p.failed {
		return
	}
	at, name := p.table(at, path[:len(path)-1]), path[len(path)-1]
	p.failIf(at.members[name] != nil)
	at.set(name, p.value(depth))
}

// path reads names with dots between them.
func (p *tomlReader) path() (path []string) {
	for {
		p.space("")
		if strings.HasPrefix(p.rest, `"`) || strings.HasPrefix(p.rest, "'") {
			path = append(path, p.text())
		} else {
			end := strings.IndexFunc(p.rest, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r < utf8.RuneSelf
			})
			if end <= 0 {
				p.failed = true
				return path
			}
			path, p.rest = append(path, strings.TrimSpace(p.rest[:end])), p.rest[end:]
		}
		p.failIf(len(path) > maxTOMLDepth)
		if p.space(""); p.failed || !p.consume(".") {
			return path
		}
	}
}

// value reads a value.
func (p *tomlReader) value(depth int) tree.Value {
	p.space("")
	if p.failIf(depth > maxTOMLDepth); p.failed {
		return tree.Null
	}
	switch {
	case strings.HasPrefix(p.rest, `"`), strings.HasPrefix(p.rest, "'"):
		return tree.Text(p.text())
	case p.consume("["):
		var list []tree.Value
		p.elements("]", func() { list = append(list, p.value(depth+1)) })
		return tree.Array(list...)
	case p.consume("{"):
		table := &tomlTable{}
		p.elements("}", func() { p.pair(table, depth+1) })
		return table.value()
	}
	return p.word()
}

// elements calls read for each element up to the closing bracket.
func (p *tomlReader) elements(closing string, read func()) {
	for {
		if p.space("\n"); p.consume(closing) || p.failed {
			return
		}
		read()
		p.space("\n")
		p.failIf(!p.consume(",") && !strings.HasPrefix(p.rest, closing))
	}
}

var (
	tomlNumber = regexp.MustCompile(`^[+-]?(?:0[xob][0-9a-fA-F_]+|(?:0|[1-9][0-9_]*)(?:\.[0-9_]+)?(?:[eE][+-]?[0-9_]+)?)$`)
	tomlDate   = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d)?(?:[T ]?\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$`)
)

// word reads a value without quotation marks or brackets.
func (p *tomlReader) word() tree.Value {
	word := p.upTo(",]}#\n")
	p.rest = p.rest[len(word):]
	word = strings.TrimSpace(word)
	switch {
	case word == "true", word == "false":
		return tree.Bool(word == "true")
	case tomlNumber.MatchString(word):
		plain := strings.TrimPrefix(strings.ReplaceAll(word, "_", ""), "+")
		if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
			return tree.Int(n)
		}
		if f, err := strconv.ParseFloat(plain, 64); err == nil && !math.IsInf(f, 0) {
			return tree.Float(f)
		}
	case word != "" && tomlDate.MatchString(word):
		return tree.Text(word)
	}
	p.failed = true
	return tree.Null
}

// text reads a text in quotation marks of one of the four kinds.
func (p *tomlReader) text() string {
	quote := p.rest[:1]
	long := strings.Repeat(quote, 3)
	if isLong := p.consume(long); isLong {
		quote = long
		p.consume("\n")
	} else {
		p.rest = p.rest[1:]
	}
	stops := quote[:1] + "\n"
	if quote[0] == '"' {
		stops += `\`
	}
	var b strings.Builder
	for !p.failed {
		part := p.upTo(stops)
		b.WriteString(part)
		p.rest = p.rest[len(part):]
		switch {
		case p.consume(`\`):
			p.escape(&b)
		case p.rest == "", len(quote) == 1 && p.rest[0] == '\n':
			p.failed = true
		case strings.HasPrefix(p.rest, quote) && !strings.HasPrefix(p.rest[1:], quote): // the last marks of several
			p.rest = p.rest[len(quote):]
			return b.String()
		default:
			b.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		}
	}
	return ""
}

// escape reads the text after a backslash.
func (p *tomlReader) escape(b *strings.Builder) {
	if next := strings.TrimLeft(p.rest, " \t"); strings.HasPrefix(next, "\n") { // the line continues
		p.rest = strings.TrimLeft(next, " \t\n")
		return
	}
	sign, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	if i := strings.IndexRune(`btnfre"\`, sign); i >= 0 {
		b.WriteByte("\b\t\n\f\r\x1b\"\\"[i])
		return
	}
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[sign]
	if digits == 0 || len(p.rest) < digits {
		p.failed = true
		return
	}
	n, err := strconv.ParseUint(p.rest[:digits], 16, 32)
	p.failIf(err != nil || !utf8.ValidRune(rune(n)))
	b.WriteRune(rune(n))
	p.rest = p.rest[digits:]
}
