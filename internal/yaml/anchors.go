package yaml

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// anchors are the named values of a text. A nil pointer reads no names.
type anchors struct {
	values       map[string]tree.Value
	copiedValues int // values that aliases have repeated
}

// maxCopied limits the values that aliases repeat.
const maxCopied = 1 << 16

// cutAnchor splits an anchor off a value. A value without an anchor has no name.
func (a *anchors) cutAnchor(text string) (name, rest string) {
	if a == nil || !strings.HasPrefix(text, "&") {
		return "", text
	}
	end := strings.IndexAny(text, " \t\r\n,[]{}")
	if end < 0 {
		return text[1:], ""
	}
	if end == 1 {
		return "", text
	}
	return text[1:end], strings.TrimLeft(text[end:], blanks)
}

// set names a value.
func (a *anchors) set(name string, v tree.Value) {
	if a != nil && name != "" {
		a.values[name] = v
	}
}

// get returns the value of an alias.
func (a *anchors) get(text string) (tree.Value, bool) {
	if a == nil || !strings.HasPrefix(text, "*") {
		return tree.Value{}, false
	}
	v, ok := a.values[text[1:]]
	if ok {
		a.copiedValues += v.Size(maxCopied)
	}
	return v, ok && a.copiedValues <= maxCopied
}

// merge replaces the merge key by the members of its mappings that the own mapping lacks.
func (a *anchors) merge(members []tree.Member) ([]tree.Member, error) {
	if a == nil {
		return members, nil
	}
	at := -1
	known := map[string]bool{}
	for i, m := range members {
		if known[m.Key] = true; m.Key == "<<" {
			at = i
		}
	}
	if at < 0 {
		return members, nil
	}
	sources := []tree.Value{members[at].Value}
	if list := sources[0]; list.IsArray() {
		sources = sources[:0]
		for _, e := range list.Elements() {
			sources = append(sources, e)
		}
	}
	out := append(members[:at:at], members[at+1:]...)
	for _, source := range sources {
		if !source.IsObject() {
			return nil, errSyntax
		}
		for key, v := range source.Members() {
			if !known[key] {
				known[key] = true
				out = append(out, tree.Member{Key: key, Value: v})
			}
		}
	}
	return out, nil
}
