package gemini

import (
	"fmt"
	"maps"
	"slices"
)

// schemaReduced is the code of the [llm.Warning] in the reply to a request whose schemas have
// members that the server does not support. Those members were removed. The detail names them.
const schemaReduced = "schema_reduced"

// known lists the members of a JSON Schema that the server supports, with the kind of their value.
// The kinds are a schema, a list of schemas, schemas by name, and a plain value.
var known = map[string]holds{
	"$id": plainValue, "$ref": plainValue, "$anchor": plainValue, "$defs": byName,
	"type": plainValue, "format": plainValue, "title": plainValue, "description": plainValue, "enum": plainValue,
	"items": oneSchema, "prefixItems": listOf, "minItems": plainValue, "maxItems": plainValue,
	"minimum": plainValue, "maximum": plainValue, "anyOf": listOf, "oneOf": listOf,
	"properties": byName, "additionalProperties": oneSchema, "required": plainValue, "propertyOrdering": plainValue,
}

type holds int

const (
	plainValue holds = iota
	oneSchema
	listOf
	byName
)

// maxReduced is the greatest number of members that are named.
const maxReduced = 16

// schema reads a JSON Schema and removes the members that the server does not support.
func (e *encoder) schema(of string, raw []byte) any {
	value, err := decodeAny(raw)
	if err != nil {
		e.problem("the schema of %s is not JSON", of)
		return nil
	}
	return e.reduce(of+": ", "", value)
}

// reduce returns a schema without the unsupported members, and records them.
func (e *encoder) reduce(of, path string, value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at, inner := path+"/"+name, object[name]
		kind, ok := known[name]
		switch {
		case !ok:
			if len(e.reduced) < maxReduced {
				e.reduced = append(e.reduced, fmt.Sprintf("%s%.200s", of, at))
			}
			continue
		case kind == oneSchema:
			inner = e.reduce(of, at, inner)
		case kind == listOf:
			if list, ok := inner.([]any); ok {
				list = slices.Clone(list)
				for i := range list {
					list[i] = e.reduce(of, fmt.Sprint(at, "/", i), list[i])
				}
				inner = list
			}
		case kind == byName:
			if members, ok := inner.(map[string]any); ok {
				named := map[string]any{}
				for _, key := range slices.Sorted(maps.Keys(members)) {
					named[key] = e.reduce(of, at+"/"+key, members[key])
				}
				inner = named
			}
		}
		out[name] = inner
	}
	return out
}
