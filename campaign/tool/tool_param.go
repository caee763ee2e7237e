package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Param describes one argument of a tool, or a part of one. Its requirements are checked before the
// tool judges the call, and are in the schema that the model gets.
type Param struct {
	Type ParamType `json:"type"`
	// Required requires the argument: null counts as missing.
	Required    bool   `json:"required,omitempty"`
	Description string `json:"description,omitempty"`

	// Enum lists the allowed texts; nil allows all.
	Enum []string `json:"enum,omitempty"`
	// Min and Max are inclusive bounds of a number; nil means no bound.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// MinLen and MaxLen limit the number of characters (code points) of a text or of elements of a
	// list. A MaxLen of 0 means no limit.
	MinLen int `json:"min_len,omitempty"`
	MaxLen int `json:"max_len,omitempty"`
	// Items describes every element of a list; nil allows all. Elements are never null.
	Items *Param `json:"items,omitempty"`
	// Fields describes the members of an object, and no other members are allowed; nil allows all.
	Fields map[string]Param `json:"fields,omitempty"`
}

// ParamType is the JSON type of an argument. Values are not converted, except that a float without
// a fraction is an integer.
type ParamType string

// The types.
const (
	StringParam  ParamType = "string"
	IntegerParam ParamType = "integer"
	NumberParam  ParamType = "number"
	BooleanParam ParamType = "boolean"
	ObjectParam  ParamType = "object"
	ArrayParam   ParamType = "array"
)

var paramKinds = map[ParamType]tree.Kind{
	StringParam: tree.KindText, IntegerParam: tree.KindNumber,
	NumberParam: tree.KindNumber, BooleanParam: tree.KindBool,
	ObjectParam: tree.KindObject, ArrayParam: tree.KindArray,
}

// maxParamDepth limits the nesting of parameters. It also stops at parameters that contain
// themselves.
const maxParamDepth = 8

// checkParams lists mistakes in the descriptions themselves. Places are written as in violations:
// name.member, name[].
func checkParams(params map[string]Param, within string, depth int) (wrong []string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if strings.TrimSpace(name) == "" {
			wrong = append(wrong, "a parameter has no name; give it one")
		}
		wrong = append(wrong, params[name].check(within+name, depth)...)
	}
	return wrong
}

func (p Param) check(at string, depth int) (wrong []string) {
	bad := func(cond bool, format string, args ...any) {
		if cond {
			wrong = append(wrong, fmt.Sprintf("parameter %q "+format, append([]any{at}, args...)...))
		}
	}
	if depth > maxParamDepth {
		bad(true, "lies deeper than %d levels; nest the parameters less", maxParamDepth)
		return wrong
	}
	_, known := paramKinds[p.Type]
	isText, isList := p.Type == StringParam, p.Type == ArrayParam
	isNumber := p.Type == IntegerParam || p.Type == NumberParam
	bad(!known, "has the unknown type %q; write string, integer, number, boolean, array or object", p.Type)
	bad(p.Enum != nil && (!isText || len(p.Enum) == 0), "has an enum: only a string has one, of at least one text")
	bad((p.Min != nil || p.Max != nil) && !isNumber, "has a min or a max: only an integer or a number has them")
	low, high := limitOr(p.Min, math.Inf(-1)), limitOr(p.Max, math.Inf(1))
	bad(!(low <= high), "has the empty range %v to %v: no number fits, give a min that is not above the max", low, high)
	bad((p.MinLen != 0 || p.MaxLen != 0) && !isText && !isList, "has a length: only a string or an array has one")
	bad(p.MinLen < 0 || p.MaxLen < 0 || p.MaxLen > 0 && p.MinLen > p.MaxLen,
		"has the empty range of lengths %d to %d: give a least length from 0 on that is not above the greatest one", p.MinLen, p.MaxLen)
	bad(p.Items != nil && !isList, "has items: only an array has them")
	bad(p.Fields != nil && p.Type != ObjectParam, "has fields: only an object has them")
	if p.Items != nil {
		wrong = append(wrong, p.Items.check(at+"[]", depth+1)...)
	}
	return append(wrong, checkParams(p.Fields, at+".", depth+1)...)
}

func limitOr(p *float64, none float64) float64 {
	if p == nil {
		return none
	}
	return *p
}

// maxViolations is the number of violations at which the check ends. The model needs only a few examples
// from a long list of wrong elements.
const maxViolations = 1000

// Violations lists where args break the schema, sorted. Each is a place, a colon and a word. A
// place is an argument's name, name.member or name[index].
//
//	required    missing, or null
//	unexpected  there is no such argument or member
//	type        wrong JSON type, or an integer with a fraction
//	enum        a text that is not listed
//	range       a number below Min or above Max
//	length      a text or a list that is too short or too long
func (t Tool) Violations(args tree.Value) []string {
	var v violations
	v.members(t.Params, args, "")
	slices.Sort(v)
	return v
}

type violations []string

func (v *violations) add(at, what string) { *v = append(*v, at+":"+what) }

func (v *violations) members(params map[string]Param, args tree.Value, within string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		p, value := params[name], args.Get(name)
		switch {
		case value.Exists() && !value.IsNull():
			v.value(p, value, within+name)
		case p.Required:
			v.add(within+name, "required")
		}
	}
	for name := range args.Members() {
		if len(*v) >= maxViolations {
			return
		}
		if _, known := params[name]; !known {
			v.add(within+utf8text.Cut(name, MaxName), "unexpected")
		}
	}
}

func (v *violations) value(p Param, value tree.Value, at string) {
	number, _ := value.AsNumber()
	text, _ := value.AsText()
	if value.Kind() != paramKinds[p.Type] || p.Type == IntegerParam && !isInteger(number) {
		v.add(at, "type")
		return
	}
	switch p.Type {
	case IntegerParam, NumberParam:
		if f := number.Float64(); f < limitOr(p.Min, f) || f > limitOr(p.Max, f) {
			v.add(at, "range")
		}
	case StringParam:
		if p.Enum != nil && !slices.Contains(p.Enum, text) {
			v.add(at, "enum")
		}
		v.length(p, utf8.RuneCountInString(text), at)
	case ArrayParam:
		v.length(p, value.Len(), at)
		for i := range value.Len() {
			if p.Items == nil || len(*v) >= maxViolations {
				break
			}
			v.value(*p.Items, value.At(i), at+"["+strconv.Itoa(i)+"]")
		}
	case ObjectParam:
		if p.Fields != nil {
			v.members(p.Fields, value, at+".")
		}
	}
}

func (v *violations) length(p Param, n int, at string) {
	if n < p.MinLen || p.MaxLen > 0 && n > p.MaxLen {
		v.add(at, "length")
	}
}

func isInteger(n tree.Number) bool { _, ok := n.Int64(); return ok }

// Schema returns the arguments as a JSON Schema, for providers with native tool
// calls.
func (t Tool) Schema() json.RawMessage {
	out, err := openjson.Marshal(objectSchema(t.Params))
	if err != nil {
		return json.RawMessage(`{"type":"object"}`) // a range of NaN, which With refuses
	}
	return out
}

func objectSchema(params map[string]Param) map[string]any {
	props := map[string]any{}
	required := []string{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		props[name] = params[name].schema()
		if params[name].Required {
			required = append(required, name)
		}
	}
	return map[string]any{
		"type": "object", "properties": props, "required": required, "additionalProperties": false,
	}
}

func (p Param) schema() map[string]any {
	s := map[string]any{}
	if p.Fields != nil {
		s = objectSchema(p.Fields)
	}
	s["type"], s["description"] = string(p.Type), p.Description
	if p.Enum != nil {
		s["enum"] = p.Enum
	}
	if p.Min != nil {
		s["minimum"] = *p.Min
	}
	if p.Max != nil {
		s["maximum"] = *p.Max
	}
	shortest, longest := "minLength", "maxLength"
	if p.Type == ArrayParam {
		shortest, longest = "minItems", "maxItems"
	}
	if p.MinLen > 0 {
		s[shortest] = p.MinLen
	}
	if p.MaxLen > 0 {
		s[longest] = p.MaxLen
	}
	if p.Items != nil {
		s["items"] = p.Items.schema()
	}
	return s
}
