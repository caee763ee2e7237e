package macro

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// stores adds the macros of TavernHelper that show a variable of a store, as JSON or as YAML.
func (t table) stores() {
	for _, store := range [...]string{"message", "chat", "character", "preset", "global"} {
		get := t.add("get_"+store+"_variable", 1, 1, func(c *Call) string {
			return c.storeValue(store, shortText)
		})
		get.exactForm = true
		format := t.add("format_"+store+"_variable", 1, 1, func(c *Call) string {
			return c.indented(c.storeValue(store, c.eval.run.longText))
		})
		format.exactForm, format.usesColumn = true, true // usesColumn: see indented
	}
}

// storeValue returns the value at the path that is the argument. Texts are returned unchanged, other
// values as show writes them.
func (c *Call) storeValue(store string, show func(any) string) string {
	root, ok := c.eval.run.storeRoot(store)
	if !ok {
		return c.Stay(codeRefused, "the environment has no store "+store)
	}
	v, ok := lookUp(root, entities.Replace(c.Args[0]))
	if !ok {
		v = nil
		c.eval.report(c.node, codeUnset, quoteName(c.Args[0])+": the store has no such path")
	}
	if text, isText := v.(string); isText {
		return protect(text)
	}
	// Showing a value costs its size, also if the result is then refused.
	shown := &c.eval.run.shownBytes
	if *shown > maxWork {
		return c.Stay(codeRefused, "the results are too large")
	}
	text := show(withoutHidden(v))
	if *shown += len(text); len(text) > maxWork {
		return c.Stay(codeRefused, "the result is too large")
	}
	return protect(text)
}

// entities are the HTML entities that a path may contain.
var entities = strings.NewReplacer("&quot;", `"`, "&lt;", "<", "&gt;", ">", "&#39;", "'", "&amp;", "&")

// protect marks the backslashes of data, see asData. A backslash at the end may come before a brace
// of the author's text.
func protect(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	if strings.HasSuffix(text, `\`) {
		text += markData
	}
	return asData.Replace(text)
}

// storeRoot returns the variables of a store. If the host does not give the store chat or global,
// the variables of the run are used. Any other store that is not given is empty; without
// [Env.Stores] it does not exist.
func (r *Run) storeRoot(store string) (root any, exists bool) {
	given, isGiven := r.env.Stores[store]
	switch {
	case isGiven:
		return r.givenStore(store, given), true
	case store == "chat":
		return r.vars, true
	case store == "global":
		return r.globals, true
	}
	return nil, r.env.Stores != nil
}

// givenStore returns the decoded value of a store of the host. It is decoded once in a run.
func (r *Run) givenStore(store string, given any) any {
	if root, isDecoded := r.storeRoots[store]; isDecoded {
		return root
	}
	text, _ := jsonText(given)
	root, _ := readJSON(text) // a value that JSON cannot express has no members
	note(&r.storeRoots, store, root)
	return root
}

// lookUp finds a path as lodash does: a whole key of the root wins over its segments.
func lookUp(root any, path string) (v any, ok bool) {
	if v, ok := child(root, path); ok {
		return v, true
	}
	keys := openjson.SplitPath(path)
	v = root
	for _, key := range keys {
		if v, ok = child(v, key); !ok {
			return nil, false
		}
	}
	return v, len(keys) > 0
}

// child returns a member of an object, an element or the length of a list or a text, or a variable
// of a store.
func child(v any, key string) (any, bool) {
	switch v := v.(type) {
	case *store:
		if !v.Has(key) {
			return nil, false
		}
		return v.decoded(key), true
	case *object:
		m, ok := v.values[key]
		return m, ok
	case []any:
		if key == "length" {
			return float64(len(v)), true
		}
		if i, ok := listIndex(key, len(v)); ok {
			return v[i], true
		}
	case string:
		units := utf16Length(v)
		if key == "length" {
			return float64(units), true
		}
		if i, ok := listIndex(key, units); ok {
			return textUnit(v, i), true
		}
	}
	return nil, false
}

// listIndex reads a canonical index below n.
func listIndex(key string, n int) (int, bool) {
	i, err := strconv.Atoi(key)
	return i, err == nil && 0 <= i && i < n && strconv.Itoa(i) == key
}

// decoded returns a variable as [readJSON] returns values. A text stays a text.
func (s *store) decoded(name string) any {
	value := s.value(name)
	if text, isText := value.(string); isText {
		return text
	}
	text := s.text(name, value)
	if value == nil {
		text = "null"
	}
	v, _ := readJSON(text)
	return v
}

// withoutHidden returns a value without the members whose name begins with a dollar sign.
func withoutHidden(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = withoutHidden(element)
		}
		return out
	case *object:
		out := &object{values: make(map[string]any, len(v.names))}
		for _, name := range v.order() {
			if !strings.HasPrefix(name, "$") {
				out.set(name, withoutHidden(v.values[name]))
			}
		}
		return out
	}
	return v
}

// shortText is the result of a get macro.
func shortText(v any) string { return string(appendJSON(nil, v)) }

// longText is the result of a format macro.
func (r *Run) longText(v any) string {
	if n, ok := v.(float64); ok {
		return yamlNumber(n)
	}
	return trimRight(writeYAML(v, !r.env.NoFold))
}

// indented returns a text whose lines after the first begin below the macro.
func (c *Call) indented(text string) string {
	units := c.eval.column.units
	if units*strings.Count(text, "\n") > maxResult {
		return c.Stay(codeRefused, "the result is too large")
	}
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", units))
}
