package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// shownSchema returns the part of a plain schema that a model may see. It removes titles and
// members that are not part of JSON Schema. With hostWords it also removes the server's texts: only
// the names of arguments remain, and they must be valid names. A schema with invisible characters
// in a name or value is refused, because the server needs the exact text, so it cannot be cleaned.
func shownSchema(plain map[string]any, hostWords bool) (map[string]any, error) {
	return schemaFilter{hostWords}.schema(plain)
}

type schemaFilter struct{ hostWords bool }

// schemaBounds are the members of a schema whose values are numbers or booleans: [compileSchema]
// refuses other values.
var schemaBounds = map[string]bool{
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minContains": true, "maxContains": true, "minProperties": true, "maxProperties": true,
}

// schemaTypes are the types of JSON Schema, schemaFormats its formats.
var (
	schemaTypes   = []string{"array", "boolean", "integer", "null", "number", "object", "string"}
	schemaFormats = []string{"date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6",
		"iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference",
		"uri-template", "uuid"}
)

func (f schemaFilter) schema(s map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(s))
	for _, key := range slices.Sorted(maps.Keys(s)) {
		value, keep, err := f.member(key, s[key])
		if err != nil {
			return nil, err
		}
		if keep {
			out[key] = value
		}
	}
	return out, nil
}

// member returns the part of a schema member that a model may see.
func (f schemaFilter) member(key string, v any) (shown any, keep bool, err error) {
	switch {
	case schemaBounds[key]:
		return v, true, nil
	case schemaKeys[key], schemaLists[key]:
		shown, err = f.list(v)
		return shown, true, err
	case key == "properties":
		shown, err = f.named(v)
		return shown, true, err
	case key == "required":
		return v, true, f.names(words(v))
	case key == "type":
		return v, true, oneOf(key, v, schemaTypes)
	case key == "format":
		return v, oneOf(key, v, schemaFormats) == nil, nil
	case key == "enum", key == "const":
		if f.hostWords && hasText(v) {
			return nil, false, nil
		}
		return v, true, seenOnly(v)
	case f.hostWords:
		return nil, false, nil
	case key == "description":
		text, isText := v.(string)
		return cleaned(text), isText, nil
	case key == "pattern":
		return v, seenOnly(v) == nil, nil
	case schemaMaps[key]:
		shown, err = f.named(v)
		return shown, true, err
	case key == "dependentRequired":
		return v, true, seenOnly(v)
	}
	return nil, false, nil
}

// list filters one schema or several.
func (f schemaFilter) list(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		return f.schema(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = f.list(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case bool:
		return v, nil
	}
	return nil, fmt.Errorf("its schema has a value of the type %T in place of a schema", v)
}

// named filters schemas by name. Old drafts also allow lists of names here.
func (f schemaFilter) named(v any) (any, error) {
	all, _ := v.(map[string]any)
	out := make(map[string]any, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := f.names([]string{name}); err != nil {
			return nil, err
		}
		if list := words(all[name]); list != nil {
			if err := f.names(list); err != nil {
				return nil, err
			}
			out[name] = all[name]
			continue
		}
		var err error
		if out[name], err = f.list(all[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// names checks names of arguments.
func (f schemaFilter) names(list []string) error {
	for _, name := range list {
		if err := seenOnly(name); err != nil {
			return err
		}
		if f.hostWords && (name == "" || len(name) > maxName || strings.ContainsFunc(name, notInArgument)) {
			return fmt.Errorf("the argument %q is not named by at most %d letters, digits, dots, _ and -: its name would be a text of the server", utf8text.Cut(name, 2*maxName), maxName)
		}
	}
	return nil
}

// notInArgument reports whether a character is not allowed in the name of an argument in a prompt
// without the server's texts.
func notInArgument(r rune) bool { return r != '.' && r != '$' && notInName(r) }

// oneOf checks that a member is one of the known words, or a list of them.
func oneOf(key string, v any, known []string) error {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	for _, one := range list {
		if text, is := one.(string); !is || !slices.Contains(known, text) {
			return fmt.Errorf("its schema has an unknown %s", key)
		}
	}
	return nil
}

// hasText reports whether a value contains a text.
func hasText(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case []any:
		return slices.ContainsFunc(v, hasText)
	case map[string]any:
		return len(v) > 0
	}
	return false
}

// seenOnly refuses a value with a text that has invisible characters.
func seenOnly(v any) error {
	switch v := v.(type) {
	case string:
		if strings.ContainsFunc(v, unseen) {
			return fmt.Errorf("its schema has characters that cannot be seen, in %+q", utf8text.Cut(v, maxName))
		}
	case []any:
		for _, one := range v {
			if err := seenOnly(one); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := seenOnly(key); err != nil {
				return err
			}
			if err := seenOnly(v[key]); err != nil {
				return err
			}
		}
	}
	return nil
}
