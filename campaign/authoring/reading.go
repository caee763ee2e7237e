package authoring

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// reading collects the problems of one file while it is read.
type reading struct {
	problems talewright.Problems
	places   []place // of the problems
}

// add adds a problem of a value, which may be nil.
func (r *reading) add(n *node, at place, path *valuePath, severity talewright.Severity, code talewright.Code,
	format string, args ...any) {
	if n != nil {
		n.reported = true
	}
	if r.isFull() {
		return
	}
	r.places = append(r.places, at)
	r.problems = append(r.problems, talewright.Problem{Path: path.String(), Severity: severity, Code: code,
		Text: fmt.Sprintf(format, args...)})
}

// addError adds an error at the place of a value.
func (r *reading) addError(n *node, path *valuePath, code talewright.Code, format string, args ...any) {
	r.add(n, n.place, path, talewright.Error, code, format, args...)
}

// isFull reports whether the list of problems has reached its limit.
func (r *reading) isFull() bool { return len(r.problems) >= maxProblems }

// valuePath is the path from the root of a file to a value. It is nil for the root. Only a problem writes
// it as a text: names may be long, and a file has many values.
type valuePath struct {
	parent *valuePath
	name   string // of a member
	at     int    // of an element; -1 for a member
}

// member returns the path of a member of the value.
func (t *valuePath) member(name string) *valuePath { return &valuePath{t, name, -1} }

// element returns the path of an element of the value.
func (t *valuePath) element(i int) *valuePath { return &valuePath{t, "", i} }

// maxName limits the names in paths, in bytes.
const maxName = 200

// String returns the path, such as actions[2].type.
func (t *valuePath) String() string {
	var steps []*valuePath
	for ; t != nil; t = t.parent {
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

// isYAML reports whether a file has the name of a YAML file. Any other file is JSON.
func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// member adds a member; of two with the same name the last one counts.
func (r *reading) member(n *node, known map[string]int, k key, part *node, path *valuePath) {
	if i, twice := known[k.name]; twice {
		r.add(part, k.place, path.member(k.name), talewright.Error, codeDuplicate,
			"given before at line %d; the last one counts; remove one", n.keys[i].place.line)
		n.keys[i], n.parts[i] = k, part
		return
	}
	known[k.name] = len(n.keys)
	n.keys, n.parts = append(n.keys, k), append(n.parts, part)
}

// warnOctal reports a number that readers of YAML understand in different ways. It is called where a
// number belongs.
func (r *reading) warnOctal(n *node, path *valuePath) {
	digits := strings.TrimLeft(n.source, "+-")
	if len(digits) > 1 && digits[0] == '0' && strings.Trim(digits[1:], "01234567") == "" {
		r.add(n, n.place, path, talewright.Warning, codeTrap,
			"%s is read as %s here, and as an octal number by other readers of YAML; write %s",
			short(n.source), short(n.text), short(n.text))
	}
}

// describe says what kind of value a node is.
func describe(n *node) string {
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

// short shortens a text of a file for a problem.
func short(text string) string {
	if runes := []rune(text[:min(len(text), 200)]); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return text
}

// place is a line and a column, both from 1; columns count characters.
type place struct{ line, column int }
