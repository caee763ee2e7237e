package tool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// New returns a tool whose arguments are the fields of the struct Args. It sets Params from the
// type, and judge gets the arguments as a value of the type. It replaces Params and Judge of t and
// keeps the other fields.
//
// Allowed field types are texts, booleans, integers, floats, structs, slices of these, and
// map[string]any for an object of any form. A pointer to one of these is nil if the argument is
// missing. Arguments have the JSON names of the fields. A field may be missing if it is a pointer,
// or if its tag has omitempty or omitzero. Other fields are required. Further tags set the rest of
// [Param]:
//
//	about:"what it is"     the description
//	enum:"fire,ice"        the allowed texts; of a slice: of its elements
//	min:"1" max:"10"       bounds of a number, or of the length of a text or a slice
//
// Mistakes in the type or in a tag are reported when the tool is registered, by [Set.With] or
// [game.Compile], with the other mistakes of the tool.
func New[Args any](t Tool, judge func(Args, Call, View) Judgement) Tool {
	var r argReader
	t.Params = r.fields(reflect.TypeFor[Args](), "", 1)
	t.mistakes = r.wrong
	t.Judge = nil
	if judge == nil {
		return t // registering reports the missing function
	}
	t.Judge = func(call Call, view View) Judgement {
		var args Args
		if err := call.Decode(&args); err != nil {
			return Judgement{Reason: CallInvalidArgs, Hint: tree.Text(err.Error())}
		}
		return judge(args, call, view)
	}
	return t
}

// Decode stores the arguments in the value that into points to, with the rules of encoding/json.
// Arguments that match the tool's Params fit a struct with the same fields. The only possible error
// is then a number that is too large for its field.
func (c Call) Decode(into any) error {
	err := json.Unmarshal(writeIntegers(c.Args).AppendJSON(nil), into)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("campaign: argument %s of %s: a %s does not fit", e.Field, c.Tool, e.Value)
	}
	if err != nil {
		return fmt.Errorf("campaign: arguments of %s: %w", c.Tool, err)
	}
	return nil
}

// writeIntegers writes 5.0 and 5e0 as 5, because encoding/json does not accept them as integers.
func writeIntegers(v tree.Value) tree.Value {
	switch v.Kind() {
	case tree.KindNumber:
		n, _ := v.AsNumber()
		if i, ok := n.Int64(); ok {
			return tree.Int(i)
		}
	case tree.KindArray:
		out := make([]tree.Value, v.Len())
		for i := range out {
			out[i] = writeIntegers(v.At(i))
		}
		return tree.Array(out...)
	case tree.KindObject:
		out := make([]tree.Member, 0, v.Len())
		for key, m := range v.Members() {
			out = append(out, tree.Member{Key: key, Value: writeIntegers(m)})
		}
		return tree.Object(out...)
	}
	return v
}

// argReader builds parameters from struct types.
type argReader struct {
	wrong []string // mistakes in the types and tags
}

func (r *argReader) mistake(at, format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf("field "+at+": "+format, args...))
}

// fields describes the fields of a struct. within is the place of the struct in messages.
func (r *argReader) fields(t reflect.Type, within string, depth int) map[string]Param {
	out := map[string]Param{}
	if t.Kind() != reflect.Struct {
		r.wrong = append(r.wrong, fmt.Sprintf("the arguments are a struct, not %s", t))
		return out
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
			continue
		}
		at := within + f.Name
		if f.Anonymous {
			r.mistake(at, "embedded structs are not read: give it a name")
			continue
		}
		name = cmp.Or(name, f.Name)
		p := r.param(f.Type, at, depth)
		p.Required = f.Type.Kind() != reflect.Pointer &&
			!strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
		r.tags(&p, f.Tag, at)
		out[name] = p
	}
	return out
}

// param describes a type.
func (r *argReader) param(t reflect.Type, at string, depth int) Param {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if depth > maxParamDepth {
		r.mistake(at, "lies deeper than %d levels; nest the types less", maxParamDepth)
		return Param{Type: ObjectParam}
	}
	switch kind := t.Kind(); kind {
	case reflect.String:
		return Param{Type: StringParam}
	case reflect.Bool:
		return Param{Type: BooleanParam}
	case reflect.Float32, reflect.Float64:
		return Param{Type: NumberParam}
	case reflect.Int, reflect.Int64:
		return Param{Type: IntegerParam}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		most := math.Ldexp(1, t.Bits()-1)
		return Param{Type: IntegerParam, Min: new(-most), Max: new(most - 1)}
	case reflect.Uint, reflect.Uint64:
		return Param{Type: IntegerParam, Min: new(0.0)}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return Param{Type: IntegerParam, Min: new(0.0), Max: new(math.Ldexp(1, t.Bits()) - 1)}
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // encoding/json reads bytes as base64
			return Param{Type: ArrayParam, Items: new(r.param(t.Elem(), at+"[]", depth+1))}
		}
	case reflect.Struct:
		if !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			return Param{Type: ObjectParam, Fields: r.fields(t, at+".", depth+1)}
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && t.Elem() == reflect.TypeFor[any]() {
			return Param{Type: ObjectParam}
		}
	}
	r.mistake(at, "%s is not a type of arguments: use texts, booleans, numbers, structs, slices of them or map[string]any", t)
	return Param{Type: StringParam}
}

// tags sets the rest of a parameter from struct tags.
func (r *argReader) tags(p *Param, tag reflect.StructTag, at string) {
	p.Description = tag.Get("about")
	if words, ok := tag.Lookup("enum"); ok {
		to := p
		if p.Items != nil {
			to = p.Items
		}
		to.Enum = strings.Split(words, ",")
	}
	for _, name := range []string{"min", "max"} {
		text, ok := tag.Lookup(name)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(text, 64)
		isLength := p.Type == StringParam || p.Type == ArrayParam
		switch {
		case err != nil || isLength && f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 && isLength:
			r.mistake(at, "the tag %s:%q is not a number; write one, for the length of a text or a list a whole one", name, text)
		case isLength && name == "min":
			p.MinLen = int(f)
		case isLength:
			p.MaxLen = int(f)
		case name == "min":
			p.Min = &f
		default:
			p.Max = &f
		}
	}
}
