package mcp

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/utf8text"
)

// readParams converts arguments to the parameters that a campaign checks and describes to a model.
// Other keywords of a schema, such as a pattern, are checked when the call is made. The error names
// the arguments that a campaign cannot express.
func readParams(plain map[string]any) (map[string]tool.Param, error) {
	given, _ := plain["properties"].(map[string]any)
	required := words(plain["required"])
	out := map[string]tool.Param{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, null, err := readParam(given[name])
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", utf8text.Cut(name, maxName), err))
			continue
		}
		p.Required = !null && slices.Contains(required, name) // a campaign treats null as missing
		out[name] = p
	}
	return out, errors.Join(errs...)
}

func words(v any) (out []string) {
	list, _ := v.([]any)
	for _, one := range list {
		if text, ok := one.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

var errNoWords = errors.New("a campaign has no words for its schema: it is of no type, or of several")

// readParam converts one argument; null reports whether it may be null.
func readParam(v any) (p tool.Param, null bool, err error) {
	s, _ := v.(map[string]any)
	if s, null = withoutNull(s); s == nil {
		return p, null, errNoWords
	}
	p.Description, _ = s["description"].(string)
	name, _ := s["type"].(string)
	if text, ok := s["const"].(string); ok {
		name, p.Enum = "string", []string{text}
	}
	if enum := words(s["enum"]); len(enum) > 0 {
		if list, _ := s["enum"].([]any); len(list) == len(enum) && (name == "" || name == "string") {
			name, p.Enum = "string", enum
		}
	}
	p.Type = tool.ParamType(name)
	err = limit(&p, s)
	return p, null, err
}

// limit copies the limits of a schema for a type.
func limit(p *tool.Param, s map[string]any) (err error) {
	switch p.Type {
	case tool.StringParam:
		p.MinLen, p.MaxLen = length(s["minLength"]), length(s["maxLength"])
	case tool.IntegerParam, tool.NumberParam:
		p.Min, p.Max = number(s["minimum"]), number(s["maximum"])
	case tool.BooleanParam:
	case tool.ArrayParam:
		p.MinLen, p.MaxLen = length(s["minItems"]), length(s["maxItems"])
		if items, ok := s["items"].(map[string]any); ok && len(items) > 0 {
			item, null, err := readParam(items)
			if err != nil || null {
				return errors.Join(errNoWords, err)
			}
			p.Items = &item
		}
	case tool.ObjectParam:
		if closed, ok := s["additionalProperties"].(bool); ok && !closed {
			p.Fields, err = readParams(s)
		}
	default:
		return errNoWords
	}
	return err
}

// withoutNull removes null from the types of a schema, in both notations. It returns nil for a
// schema with several types.
func withoutNull(s map[string]any) (rest map[string]any, null bool) {
	var choices []any
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok {
			choices = list
		}
	}
	if types, ok := s["type"].([]any); ok {
		for _, one := range types {
			choices = append(choices, map[string]any{"type": one})
		}
	}
	if choices == nil {
		return s, false
	}
	var found map[string]any
	for _, c := range choices {
		one, _ := c.(map[string]any)
		switch {
		case one["type"] == "null":
			null = true
		case found != nil || one == nil:
			return nil, null
		default:
			found = one
		}
	}
	if found == nil {
		return nil, null
	}
	rest = maps.Clone(s)
	for _, key := range []string{"anyOf", "oneOf", "type"} {
		delete(rest, key)
	}
	maps.Copy(rest, found)
	return rest, null
}

// length returns a limit of a length, or 0 if there is none.
func length(v any) int {
	f, _ := v.(float64)
	return int(min(max(f, 0), math.MaxInt32))
}

func number(v any) *float64 {
	f, ok := v.(float64)
	if !ok {
		return nil
	}
	return &f
}
