package imports

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// The member extensions.talewright.schema of a card or a preset is a schema of the variables without
// a script: an object in the words of JSON Schema, or the text of a schema of zod. It takes precedence
// over scripts. It is converted to zod.

// schemaData returns the script for the schema in the extensions of a file, or "". A part that cannot
// be read is a problem.
func schemaData(path string, extension json.RawMessage) (script string, problems talewright.Problems) {
	own, _ := tree.ParseValue(extension)
	data := own.Get("schema")
	if text, ok := data.AsText(); ok {
		return "registerMvuSchema(" + text + ")", nil
	}
	if !data.IsObject() {
		return "", nil
	}
	w := schemaWriter{path: path + ".talewright.schema"}
	w.write(data, nil)
	return "registerMvuSchema(" + w.String() + ")", w.problems
}

// schemaWriter writes a schema of zod.
type schemaWriter struct {
	strings.Builder
	path     string
	problems talewright.Problems
	cut      bool // the schema is larger than maxSchema
}

// schemaWords are the members of a schema. A word with a method adds it with its value.
var schemaWords = map[string]string{
	"type": "", "properties": "", "required": "", "additionalProperties": "", "items": "", "enum": "", "const": "", "anyOf": "",
	"default": "", "coerce": "", "clamp": "", "description": "", "title": "", "pattern": "",
	"minimum": "min", "maximum": "max", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt", "multipleOf": "multipleOf",
	"minLength": "min", "maxLength": "max", "minItems": "min", "maxItems": "max",
}

// maxSchema is the maximum size of a converted schema, in bytes. A list of types repeats what is below
// it, so a small schema can become very large.
const maxSchema = 1 << 18

// write writes the schema of the place at. Places after maxSchema bytes accept any value.
func (w *schemaWriter) write(s tree.Value, at tree.Path) {
	if w.Len() > maxSchema {
		if !w.cut {
			w.problems = append(w.problems, talewright.Problem{Path: w.path, ID: at.String(), Code: "schema_part", Severity: talewright.Warning,
				Text: "the schema is too large, and accepts any value from here on: make it smaller"})
		}
		w.cut = true
		w.WriteString("z.any()")
		return
	}
	for word := range s.Members() {
		if _, known := schemaWords[word]; !known && len(w.problems) < 100 {
			w.problems = append(w.problems, talewright.Problem{Path: w.path, ID: at.String(), Code: "schema_part", Severity: talewright.Warning,
				Text: fmt.Sprintf("the word %.60q of the schema is unknown and has no effect: correct it", word)})
		}
	}
	kind, _ := s.Get("type").AsText()
	clamp := isTrue(s.Get("clamp")) && s.Get("minimum").Exists() && s.Get("maximum").Exists()
	switch {
	case s.Get("const").Exists():
		w.WriteString("z.literal(" + s.Get("const").String() + ")")
	case s.Get("enum").IsArray():
		w.WriteString("z.literal(" + s.Get("enum").String() + ")")
	case s.Get("anyOf").IsArray():
		w.union(s.Get("anyOf"), at, func(option tree.Value) tree.Value { return option })
	case s.Get("type").IsArray():
		w.union(s.Get("type"), at, func(kind tree.Value) tree.Value { return s.With("type", kind).Without("default") })
	case kind == "object":
		w.object(s, at)
	case kind == "array":
		w.WriteString("z.array(")
		w.write(s.Get("items"), at.Child("*"))
		w.WriteString(")")
	case kind == "string", kind == "number", kind == "integer", kind == "boolean":
		if w.WriteString("z."); isTrue(s.Get("coerce")) {
			w.WriteString("coerce.")
		}
		w.WriteString(strings.Replace(kind, "integer", "number", 1) + "()")
		if clamp {
			fmt.Fprintf(w, ".transform(v => _.clamp(v, %s, %s))", s.Get("minimum"), s.Get("maximum"))
		}
		if kind == "integer" {
			w.WriteString(".int()")
		}
	case kind == "null":
		w.WriteString("z.null()")
	default:
		w.WriteString("z.any()")
	}
	if kind == "string" || kind == "number" || kind == "integer" || kind == "array" {
		w.bounds(s, clamp)
	}
	if v := s.Get("default"); v.Exists() {
		w.WriteString(".prefault(" + v.String() + ")")
	}
}

// bounds writes the checks of a value.
func (w *schemaWriter) bounds(s tree.Value, clamp bool) {
	for word, v := range s.Members() {
		if method := schemaWords[word]; method != "" && v.Kind() == tree.KindNumber && !(clamp && (word == "minimum" || word == "maximum")) {
			w.WriteString("." + method + "(" + v.String() + ")")
		}
	}
	if pattern, ok := s.Get("pattern").AsText(); ok {
		w.WriteString(".regex(/" + strings.NewReplacer("/", `\/`, "\n", `\n`, `\/`, `\/`).Replace(pattern) + "/u)")
	}
}

func (w *schemaWriter) union(list tree.Value, at tree.Path, option func(tree.Value) tree.Value) {
	w.WriteString("z.union([")
	for _, v := range list.Elements() {
		w.write(option(v), at)
		w.WriteString(", ")
	}
	w.WriteString("])")
}

// object writes an object, or a record if it has no properties. Unknown members are kept unless
// additionalProperties says otherwise.
func (w *schemaWriter) object(s tree.Value, at tree.Path) {
	more := s.Get("additionalProperties")
	if more.IsObject() && !s.Get("properties").Exists() {
		w.WriteString("z.record(z.string(), ")
		w.write(more, at.Child("*"))
		w.WriteString(")")
		return
	}
	required := map[string]bool{}
	for _, name := range s.Get("required").Elements() {
		text, _ := name.AsText()
		required[text] = true
	}
	if closed, ok := more.AsBool(); ok && !closed {
		w.WriteString("z.strictObject({")
	} else {
		w.WriteString("z.looseObject({")
	}
	for name, member := range s.Get("properties").Members() {
		w.WriteString(tree.Text(name).String() + ": ")
		if w.write(member, at.Child(name)); !required[name] && !member.Get("default").Exists() {
			w.WriteString(".optional()")
		}
		w.WriteString(", ")
	}
	w.WriteString("})")
	if more.IsObject() {
		w.WriteString(".catchall(")
		w.write(more, at.Child("*"))
		w.WriteString(")")
	}
}

func isTrue(v tree.Value) bool { on, _ := v.AsBool(); return on }
