package authoring

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// The schemas are made from the Go types and their comments. Editors read them, and so does the
// loader: both accept the same files.
//
//go:generate go test -run TestSchemas -update .
//go:embed schema/*.json
var schemaFiles embed.FS

// Schemas returns the JSON Schemas of the files of a game, such as game.json and rules.json, for
// editors. They are in draft-07.
func Schemas() fs.FS {
	files, err := fs.Sub(schemaFiles, "schema")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return files
}

// schemas returns the schema of each kind of file, by its name.
var schemas = sync.OnceValue(func() map[string]*schema {
	out := map[string]*schema{}
	files, err := schemaFiles.ReadDir("schema")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, file := range files {
		data, err := schemaFiles.ReadFile("schema/" + file.Name())
		if err != nil {
			panic(err)
		}
		s := &schema{}
		if err := json.Unmarshal(data, &s.root); err != nil {
			panic(err)
		}
		out[strings.TrimSuffix(file.Name(), ".json")] = s
	}
	return out
})

// schema is the schema of one kind of file.
type schema struct{ root jsonschema.Schema }

// resolve follows references. The generator writes no cycles of references alone.
func (s *schema) resolve(part *jsonschema.Schema) *jsonschema.Schema {
	for part != nil && part.Ref != "" {
		part = s.root.Definitions[strings.TrimPrefix(part.Ref, "#/definitions/")]
	}
	return part
}

// checker compares a file with its schema. It reads plain scalars of YAML as texts where only a text
// fits, and marks values that do not fit.
type checker struct {
	*reading
	*schema
}

// checkValue compares a value and its parts with a part of the schema.
func (c checker) checkValue(n *node, part *jsonschema.Schema, path *valuePath) {
	part = c.resolve(part)
	if part == nil {
		return
	}
	if len(part.AnyOf) > 0 {
		if part = c.choose(n, part.AnyOf, path); part == nil {
			n.refused = true
			return
		}
	}
	if !c.checkKind(n, part, path) {
		n.refused = true
		return
	}
	switch n.kind {
	case tree.KindObject:
		c.checkObject(n, part, path)
	case tree.KindArray:
		if part.MinItems != nil && len(n.parts) < *part.MinItems {
			c.addError(n, path, codeMissing, "the list needs at least %d elements", *part.MinItems)
		}
		for i, element := range n.parts {
			if part.Items != nil {
				c.checkValue(element, part.Items, path.element(i))
			}
		}
	default:
		c.checkScalar(n, part, path)
	}
}

// choose returns the alternative for a value. It decides by the kind of the value, and among objects by
// a member with a constant value.
func (c checker) choose(n *node, alternatives []*jsonschema.Schema, path *valuePath) *jsonschema.Schema {
	var kinds, words []string
	var member string
	for _, a := range alternatives {
		a = c.resolve(a)
		if !accepts(n, a) && !becomesText(n, a) {
			kinds = append(kinds, kindsOf(a)...)
			continue
		}
		name, word := constantMember(a)
		if name == "" {
			return a
		}
		member, words = name, append(words, word)
		if given := n.get(name); given != nil && given.kind == tree.KindText && given.text == word {
			return a
		}
	}
	if member == "" {
		c.addError(n, path, codeWrongType, "must be %s, not %s", kindPhrase(kinds), describe(n))
		return nil
	}
	given := n.get(member)
	if given == nil {
		n.missing = append(n.missing, member)
		c.add(nil, n.place, path.member(member), talewright.Error, codeMissing,
			"missing; write one of %s", strings.Join(words, ", "))
		return nil
	}
	severity := talewright.Warning // a host may know it
	if given.kind != tree.KindText {
		severity = talewright.Error
	}
	word := strings.TrimPrefix(describe(given), "the text ")
	c.add(given, given.place, path.member(member), severity, codeUnknownValue,
		"unknown %s %s; %s", member, word, suggestion(given.text, words))
	n.reported = true
	return &jsonschema.Schema{}
}

// constantMember returns the member of an alternative that has a constant value.
func constantMember(a *jsonschema.Schema) (member, value string) {
	for name, p := range a.Properties {
		if p.Const != nil {
			value, _ = (*p.Const).(string)
			return name, value
		}
	}
	return "", ""
}

// kindsOf returns the kinds of values that a schema accepts; none means all.
func kindsOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

var kindNames = map[tree.Kind]string{tree.KindNull: "null", tree.KindBool: "boolean", tree.KindNumber: "number",
	tree.KindText: "string", tree.KindArray: "array", tree.KindObject: "object"}

// accepts reports whether a schema accepts the kind of a value.
func accepts(n *node, s *jsonschema.Schema) bool {
	list := kindsOf(s)
	return len(list) == 0 || slices.Contains(list, kindNames[n.kind]) ||
		n.kind == tree.KindNumber && slices.Contains(list, "integer") && isWhole(n.text)
}

// isWhole reports whether a number has no fraction.
func isWhole(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && f == math.Trunc(f)
}

// becomesText reports whether a plain scalar of YAML stands where a text belongs.
func becomesText(n *node, s *jsonschema.Schema) bool {
	return n.plain && n.kind != tree.KindNull && slices.Contains(kindsOf(s), "string")
}

// readTexts reads plain scalars of YAML as texts where only a text fits. It reports nothing: books and
// cards are read as other programs read them.
func (s *schema) readTexts(n *node, part *jsonschema.Schema) {
	part = s.resolve(part)
	if n == nil || part == nil {
		return
	}
	if !accepts(n, part) && becomesText(n, part) {
		n.kind, n.text = tree.KindText, n.source
	}
	for i, element := range n.parts {
		of := part.Items
		if n.kind == tree.KindObject {
			of = cmp.Or(part.Properties[n.keys[i].name], part.AdditionalProperties)
		}
		s.readTexts(element, of)
	}
}

// checkKind reports whether a value has a kind that the schema accepts. A plain scalar of YAML becomes a
// text where only a text fits.
func (c checker) checkKind(n *node, s *jsonschema.Schema, path *valuePath) bool {
	if accepts(n, s) {
		return true
	}
	if becomesText(n, s) {
		n.kind, n.text = tree.KindText, n.source
		return true
	}
	list := kindsOf(s)
	if n.plain && slices.Contains(list, "boolean") && isTrap(n.text) {
		truth := strings.HasPrefix(strings.ToLower(n.text), "y") || strings.EqualFold(n.text, "on")
		c.addError(n, path, codeTrap, "%s is a text in YAML 1.2; write %t", n.text, truth)
		return false
	}
	c.addError(n, path, codeWrongType, "must be %s, not %s", kindPhrase(list), describe(n))
	return false
}

// kindPhrase describes kinds of values.
func kindPhrase(list []string) string {
	words := map[string]string{"string": "a text", "number": "a number", "integer": "a whole number",
		"boolean": "true or false", "array": "a list", "object": "an object"}
	var out []string
	for _, t := range list {
		if w := words[t]; w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " or ")
}

// checkObject checks the members of an object.
func (c checker) checkObject(n *node, s *jsonschema.Schema, path *valuePath) {
	for _, name := range s.Required {
		if given := n.get(name); given == nil {
			n.missing = append(n.missing, name)
			c.addError(n, path.member(name), codeMissing, "missing; add %s", name)
		}
	}
	for i, k := range n.keys {
		part, at := n.parts[i], path.member(k.name)
		if p := s.Properties[k.name]; p != nil {
			if c.checkValue(part, p, at); k.name == "type" && part.badWord {
				n.reported = true // the compiler reports the object around the word
			}
			continue
		}
		switch more := s.AdditionalProperties; {
		case more == nil: // the schema says nothing about it
		case more.Not != nil && c.isFull(): // a hint would only cost time
			part.reported = true
		case more.Not != nil:
			c.add(part, k.place, at, talewright.Error, codeUnknownMember, "nothing reads %q; %s",
				short(k.name), suggestion(k.name, s.PropertyOrder, memberNames(s)...))
		default:
			c.checkValue(part, more, at)
		}
	}
}

// memberNames returns the members that a schema names, sorted.
func memberNames(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(s.Properties))
}

// suggestion suggests the nearest word, or lists a few.
func suggestion(word string, known []string, more ...string) string {
	known = append(slices.Clone(known), more...)
	if near, ok := utf8text.Suggest(word, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) > 12 {
		known = append(slices.Clone(known[:12]), "…")
	}
	return "write one of " + strings.Join(known, ", ") + ", or remove it"
}

// checkScalar checks a number or a word.
func (c checker) checkScalar(n *node, s *jsonschema.Schema, path *valuePath) {
	if n.kind == tree.KindNumber {
		c.warnOctal(n, path)
		c.checkLimits(n, s, path)
	}
	if len(s.Enum) == 0 || n.kind == tree.KindNull {
		return
	}
	var words []string
	for _, e := range s.Enum {
		if word, ok := e.(string); ok {
			words = append(words, word)
		}
	}
	if n.kind != tree.KindText || !slices.Contains(words, n.text) {
		word := strings.TrimPrefix(describe(n), "the text ")
		c.addError(n, path, codeUnknownValue, "unknown value %s; %s", word, suggestion(n.text, words))
		n.badWord = true
	}
}

// checkLimits checks that a number is within the limits of the schema.
func (c checker) checkLimits(n *node, s *jsonschema.Schema, path *valuePath) {
	f, err := strconv.ParseFloat(n.text, 64)
	if list := kindsOf(s); err == nil && slices.Contains(list, "integer") && !slices.Contains(list, "number") {
		n.text, err = wholeNumber(n.text, f, s.Minimum != nil && *s.Minimum == 0)
	}
	switch {
	case err != nil:
		c.addError(n, path, codeOutOfRange, "%s is beyond the range of numbers; write a smaller one", short(n.text))
		n.refused = true
	case s.Minimum != nil && f < *s.Minimum:
		c.addError(n, path, codeOutOfRange, "must be at least %v, not %s", *s.Minimum, short(n.text))
		n.refused = true
	case s.Maximum != nil && f > *s.Maximum:
		c.addError(n, path, codeOutOfRange, "must be at most %v, not %s", *s.Maximum, short(n.text))
		n.refused = true
	}
}

// wholeNumber writes a whole number without fraction and exponent, because Go reads no others into
// an integer. f is its value.
func wholeNumber(text string, f float64, unsigned bool) (string, error) {
	_, err := strconv.ParseInt(text, 10, 64)
	if err != nil && unsigned {
		_, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil && math.Abs(f) <= 1<<53 {
		return strconv.FormatInt(int64(f), 10), nil
	}
	return text, err
}
