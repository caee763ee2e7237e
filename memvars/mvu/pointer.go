package mvu

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// parsePointer reads a JSON Pointer (RFC 6901). Where lax, the leading slash may
// be missing.
func parsePointer(s string, lax bool) (tree.Path, bool) {
	if s == "" {
		return tree.Path{}, true
	}
	rest, ok := strings.CutPrefix(s, "/")
	if !ok && !lax {
		return nil, false
	}
	path := tree.Path(strings.Split(rest, "/"))
	for i, seg := range path {
		if !strings.Contains(seg, "~") {
			continue
		}
		for j := 0; j < len(seg); j++ {
			if seg[j] == '~' && (j+1 == len(seg) || seg[j+1] != '0' && seg[j+1] != '1') && !lax {
				return nil, false
			}
		}
		path[i] = strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
	}
	return path, true
}

// Pointer returns the JSON Pointer (RFC 6901) of a path.
func Pointer(p tree.Path) string {
	var b strings.Builder
	for _, seg := range p {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(seg, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
