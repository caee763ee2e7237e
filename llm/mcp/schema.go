package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// A schema is untrusted, and is applied to model output. References can make the check of a short
// schema take exponential time. So they are expanded first, up to a limit.
const (
	maxSchemaNodes = 1024 // nested schemas in a schema
	maxSchemaDepth = 32
)

// Members of a schema that contain schemas. Other members are kept unchanged.
var (
	schemaKeys = map[string]bool{ // one schema, or a list in old drafts
		"items": true, "additionalItems": true, "additionalProperties": true, "contains": true, "propertyNames": true,
		"unevaluatedItems": true, "unevaluatedProperties": true, "not": true, "if": true, "then": true, "else": true,
	}
	schemaLists = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true}
	schemaMaps  = map[string]bool{"properties": true, "patternProperties": true, "dependentSchemas": true, "dependencies": true}
	// dropped are members that identify schemas or only describe them.
	dropped = map[string]bool{
		"$defs": true, "definitions": true, "$schema": true, "$id": true, "$anchor": true, "$comment": true,
		"default": true, "examples": true,
	}
	besideRef = map[string]bool{"description": true, "title": true, "deprecated": true}
)

// plainSchema returns a schema without references, as JSON maps.
func plainSchema(given any) (map[string]any, error) {
	data, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	if len(data) > maxSchema {
		return nil, fmt.Errorf("its schema has %d bytes, allowed are %d", len(data), maxSchema)
	}
	if openjson.Deeper(data, tree.MaxNesting) { // the following code recurses through all levels
		return nil, fmt.Errorf("its schema is nested deeper than %d levels", tree.MaxNesting)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil || root == nil {
		return nil, errors.New("its schema is not a JSON object")
	}
	w := &schemaWriter{root: root}
	out, err := w.schema(root, 0)
	if err != nil {
		return nil, err
	}
	plain, ok := out.(map[string]any)
	if !ok || plain["type"] != "object" {
		return nil, errors.New(`its schema is not of the type "object"`)
	}
	return plain, nil
}

// schemaWriter expands references.
type schemaWriter struct {
	root  map[string]any
	nodes int
}

func (w *schemaWriter) schema(v any, depth int) (any, error) {
	s, ok := v.(map[string]any)
	if !ok {
		return v, nil // true or false; the compiler reports other values
	}
	if w.nodes++; w.nodes > maxSchemaNodes || depth > maxSchemaDepth {
		return nil, fmt.Errorf("its schema, with references written out, has more than %d parts or lies deeper than %d", maxSchemaNodes, maxSchemaDepth)
	}
	if ref, ok := s["$ref"].(string); ok {
		return w.reference(ref, s, depth)
	}
	out := make(map[string]any, len(s))
	for key, member := range s {
		var err error
		switch {
		case dropped[key]:
			continue
		case strings.HasPrefix(key, "$"):
			return nil, fmt.Errorf("its schema uses %q, which is not supported", utf8text.Cut(key, maxName))
		case schemaKeys[key], schemaLists[key]:
			out[key], err = w.list(member, depth)
		case schemaMaps[key]:
			out[key], err = w.named(member, depth)
		default:
			out[key] = member
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// list expands one schema or several.
func (w *schemaWriter) list(v any, depth int) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return w.schema(v, depth+1)
	}
	out := make([]any, len(list))
	for i, s := range list {
		var err error
		if out[i], err = w.schema(s, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// named expands schemas by name.
func (w *schemaWriter) named(v any, depth int) (any, error) {
	all, ok := v.(map[string]any)
	if !ok {
		return v, nil
	}
	out := make(map[string]any, len(all))
	for name, s := range all {
		var err error
		if out[name], err = w.schema(s, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// reference returns the schema that a local reference names, with the description next to the
// reference.
func (w *schemaWriter) reference(ref string, s map[string]any, depth int) (any, error) {
	var target any = w.root
	if path, below := strings.CutPrefix(ref, "#/"); below {
		for step := range strings.SplitSeq(path, "/") {
			m, _ := target.(map[string]any)
			target = m[unescape.Replace(step)]
		}
	} else if ref != "#" {
		return nil, fmt.Errorf("its schema refers to %q: only #/… is supported", utf8text.Cut(ref, maxName))
	}
	if target == nil {
		return nil, fmt.Errorf("its schema refers to %q, which is not there", utf8text.Cut(ref, maxName))
	}
	found, err := w.schema(target, depth+1)
	if err != nil {
		return nil, err
	}
	out, isMap := found.(map[string]any)
	for key, member := range s {
		switch {
		case key == "$ref", dropped[key]:
		case besideRef[key] && isMap:
			out[key] = member
		default:
			return nil, fmt.Errorf("its schema has %q next to a reference, which is not supported", utf8text.Cut(key, maxName))
		}
	}
	return found, nil
}

// unescape decodes a step of a reference.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// compileSchema compiles a plain schema for checking.
func compileSchema(plain map[string]any) (json.RawMessage, *jsonschema.Resolved, error) {
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, nil, fmt.Errorf("its schema cannot be read: %w", err)
	}
	checked, err := s.Resolve(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("its schema cannot be used: %w", err)
	}
	return text, checked, nil
}
