package mvu

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// target is a path in a command: its text for events, and its segments.
type target struct {
	text string
	path tree.Path
}

// parsePath reads the source text of a path argument against a document. A key of the root that
// equals the whole path has precedence. The empty path is the root.
//
// In compat mode the segments are the same as in the MVU framework, including two defects:
//
//   - 'a."b"' has the segments a and "b: the closing mark of the last segment is removed together
//     with the outer marks.
//   - ["a.b"] has the segments a and b: a key in brackets without blanks loses its marks, and then
//     its dots split it.
func (r *runner) parsePath(src string) (target, Code) {
	text := strings.TrimSpace(src)
	if r.options.compat() {
		text = normalize(strings.Trim(text, "'\"`\\ \t\r\n"))
	} else {
		for range 2 { // models sometimes quote a path twice
			if inner, ok := quoted(text, false); ok {
				text = strings.TrimSpace(inner)
			}
		}
	}
	for _, p := range r.stripPrefixes() {
		if rest, ok := strings.CutPrefix(text, p); ok {
			text = rest
			break
		}
	}
	if text == "" {
		return target{}, ""
	}
	if r.kind(tree.Path{text}) != tree.Absent {
		return target{text, tree.Path{text}}, ""
	}
	if r.options.compat() {
		return target{text, segments(text)}, ""
	}
	path, err := tree.ParsePath(text)
	if err != nil {
		return target{}, codeBadPath
	}
	return target{text, path}, ""
}

// markedSegment finds a quoted or bracketed segment of a path.
var markedSegment = regexp.MustCompile(`\."[^"]*"|\.'[^']*'|\[[^\]]*\]`)

// normalize writes all quoted and bracketed segments of a path in brackets, as MVU does: trimmed, and
// quoted if the segment has a blank or is a quoted number.
func normalize(s string) string {
	return markedSegment.ReplaceAllStringFunc(s, func(segment string) string {
		if segment[0] == '.' {
			return bracket(segment[1:])
		}
		return bracket(strings.TrimSpace(segment[1 : len(segment)-1]))
	})
}

// bracket writes one segment in brackets in MVU's normal form.
func bracket(content string) string {
	inner := strings.Trim(content, "'\"`\\ ")
	digits := inner != "" && strings.Trim(inner, "0123456789") == ""
	if strings.ContainsAny(inner, " \t") || digits && inner != content {
		return `["` + inner + `"]`
	}
	return "[" + inner + "]"
}

// segments splits a normalized path. Two dots in a row, a dot at either end and empty brackets make an
// empty segment.
func segments(s string) tree.Path {
	var p tree.Path
	lastQuoted := strings.LastIndex(s, `"]`)
	for i := 0; i < len(s); {
		switch s[i] {
		case '.':
			if i == 0 || i+1 == len(s) || s[i+1] == '.' || s[i+1] == '[' {
				p = append(p, "")
			}
			i++
			continue
		case '[', ']':
			i++
			if i < len(s) && s[i-1] == '[' && s[i] == ']' {
				p = append(p, "")
			}
			if i < lastQuoted && s[i-1] == '[' && s[i] == '"' {
				if end := strings.Index(s[i+1:], `"]`); end >= 0 {
					p = append(p, s[i+1:i+1+end])
					i += end + 3
				}
			}
			continue
		}
		end := strings.IndexAny(s[i:], ".[]")
		if end < 0 {
			end = len(s) - i
		}
		p = append(p, s[i:i+end])
		i += end
	}
	return p
}

// stripPrefixes returns the prefixes of the option. Without them, cards with a schema have defaults.
func (r *runner) stripPrefixes() []string {
	if r.options.StripPrefixes == nil && r.options.Schema != nil {
		return []string{"stat_data.", "status_current_variables."}
	}
	return r.options.StripPrefixes
}

// pathSet is a set of paths, in insertion order.
type pathSet struct {
	known  map[string]bool // by key
	order  []string
	maxLen int // number of segments of the longest path
}

// add adds a path to the set.
func (m *pathSet) add(path tree.Path) {
	var key []byte
	for _, seg := range path {
		key = appendSegment(key, seg)
	}
	if m.known[string(key)] {
		return
	}
	if m.known == nil {
		m.known = map[string]bool{}
	}
	m.known[string(key)] = true
	m.order = append(m.order, string(key))
	m.maxLen = max(m.maxLen, len(path))
}

// covers reports whether the set contains a path or an ancestor of it.
func (m *pathSet) covers(path tree.Path) bool {
	if len(m.order) == 0 {
		return false
	}
	var key []byte
	for i := range min(len(path), m.maxLen) + 1 {
		if m.known[string(key)] {
			return true
		}
		if i < len(path) {
			key = appendSegment(key, path[i])
		}
	}
	return false
}

// undo removes all paths after the first n.
func (m *pathSet) undo(n int) {
	for _, key := range m.order[n:] {
		delete(m.known, key)
	}
	m.order = m.order[:n]
}

// appendSegment adds a segment to the key of a path. Different paths have different keys.
func appendSegment(key []byte, seg string) []byte {
	key = strconv.AppendInt(key, int64(len(seg)), 10)
	key = append(key, ':')
	return append(key, seg...)
}
