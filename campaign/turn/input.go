package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/internal/openjson"
)

// Input is something that a [Machine] is told: an instruction of the host or the
// player, or the answer to what [Machine.Todo] asked for. The set is closed: an
// instruction stands in a file of its own, instruction_….go, the answers in answers.go.
// Inputs are what the log keeps, so that it can be replayed; their JSON form is an object
// whose member "input" names the type.
type Input interface {
	inputType() string
}

// Inputs is a list of inputs with a JSON form.
type Inputs []Input

// Names returns the name of each input, as its JSON has it in the member "input"; "" for none.
func (in Inputs) Names() []string {
	out := make([]string, len(in))
	for i, input := range in {
		if !isNone(input) {
			out[i] = input.inputType()
		}
	}
	return out
}

// MarshalJSON writes a list of objects, each with its "input" first.
func (in Inputs) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, input := range in {
		if i > 0 {
			out = append(out, ',')
		}
		data, err := marshalInput(input)
		if err != nil {
			return nil, fmt.Errorf("inputs[%d]: %w", i, err)
		}
		out = append(out, data...)
	}
	return append(out, ']'), nil
}

func marshalInput(in Input) ([]byte, error) {
	if isNone(in) {
		return nil, fmt.Errorf("%w: none", ErrInvalidInput)
	}
	if u, ok := in.(unknownInput); ok {
		return u.data, nil
	}
	body, err := openjson.Marshal(in)
	if err != nil {
		return nil, err
	}
	return openjson.Tagged("input", in.inputType(), body), nil
}

// unknownInput is an input that only another version of this library knows.
type unknownInput struct {
	name string
	data []byte // JSON
}

func (u unknownInput) inputType() string { return u.name }

// Unknown returns the names of the inputs that this version does not know, sorted and each once; one with
// an unknown member has that behind it: "submit.weather". Such inputs are kept, and cannot be played.
func (in Inputs) Unknown() []string {
	var names []string
	for _, input := range in {
		if u, ok := input.(unknownInput); ok {
			names = append(names, u.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// untrusted is an answer of which a part may have no place in the log: it is taken out
// before, so that the rest counts.
type untrusted interface{ cleaned() Input }

// isNone reports whether an input holds nothing: none, or a pointer that is nil.
func isNone(in Input) bool {
	if in == nil {
		return true
	}
	v := reflect.ValueOf(in)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// orNow returns the time, or now if it is none.
func orNow(at, now time.Time) time.Time {
	if at.IsZero() {
		return now
	}
	return at
}

// decoder reads an input of one type.
type decoder func(data []byte) (Input, error)

// kindOf is the entry of an input type in a table.
func kindOf[I Input]() (name string, read decoder) {
	var zero I
	return zero.inputType(), func(data []byte) (Input, error) {
		var in I
		err := json.Unmarshal(data, &in)
		return in, err
	}
}

// kinds makes a table of input types by their names.
func kinds(list ...func() (string, decoder)) map[string]decoder {
	table := make(map[string]decoder, len(list))
	for _, kind := range list {
		name, read := kind()
		table[name] = read
	}
	return table
}

// UnmarshalJSON reads the list that MarshalJSON writes. Inputs that this version does not know, or that
// have members which it does not know, are kept as they are: see [Inputs.Unknown].
func (in *Inputs) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	out := make(Inputs, len(raw))
	for i, r := range raw {
		input, err := unmarshalInput(r)
		if err != nil {
			return fmt.Errorf("inputs[%d]: %w", i, err)
		}
		out[i] = input
	}
	*in = out
	return nil
}

func unmarshalInput(data []byte) (Input, error) {
	var head struct {
		Input string `json:"input"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Input == "" {
		return nil, errors.New(`an input is an object with a member "input"`)
	}
	read, known := kindNamed(head.Input)
	if !known {
		return keptInput(head.Input, data)
	}
	in, err := read(data)
	if err != nil {
		return nil, err
	}
	unknown, err := openjson.Decode(data, reflect.New(reflect.TypeOf(in)).Interface())
	delete(unknown, "input")
	if err != nil || len(unknown) == 0 {
		return in, err
	}
	return keptInput(head.Input+"."+slices.Min(slices.Collect(maps.Keys(unknown))), data)
}

func keptInput(name string, data []byte) (Input, error) {
	var out bytes.Buffer
	err := json.Compact(&out, data)
	return unknownInput{name, out.Bytes()}, err
}

// kindNamed finds how an input of a name is read.
func kindNamed(name string) (read decoder, known bool) {
	if read, known = instructions[name]; !known {
		read, known = answers[name]
	}
	return read, known
}

// decode reads an input of the named type.
func decode(name string, data []byte) (Input, error) {
	read, known := kindNamed(name)
	if !known {
		return nil, &layout.Unplayable{Inputs: []string{name}}
	}
	return read(data)
}

// asLogged returns an input as the log will have it: as it reads back from its JSON. So what is
// played is what is stored, whatever a host has built.
func asLogged(in Input) (Input, error) {
	if isNone(in) {
		return nil, fmt.Errorf("%w: none", ErrInvalidInput)
	}
	if a, ok := in.(untrusted); ok {
		in = a.cleaned()
	}
	if u, ok := in.(unknownInput); ok {
		return nil, &layout.Unplayable{Inputs: []string{u.name}}
	}
	data, err := openjson.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	out, err := decode(in.inputType(), data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	return out, nil
}
