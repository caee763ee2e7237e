package turn

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Input is an input of a [Machine]: an instruction of the host or the player, or the answer to a
// question of [Machine.Todo]. The set is closed. The log stores the inputs, so that it can be
// replayed. The JSON form of an input is an object whose member "input" names the type.
type Input interface {
	inputType() string
}

// Once makes any instruction repeatable: the instruction runs once for its ID, however often it is
// given. If it is given again, also to a different process, it returns the first outcome with
// Replayed set. The host chooses the ID: any text of at most 256 bytes that names this one
// instruction in its campaign. With an empty ID the instruction runs as without Once.
//
// An instruction that asks the model has a ClientTurnID for this purpose: Once sets it. If both are
// given, they must be equal. For all other instructions the campaign keeps the last 64
// IDs. An instruction that was refused, has failed, or has committed nothing runs
// again. A different instruction with a known ID is refused as [state.IdempotencyConflict]; the
// time of the instruction is not compared. The campaign keeps the status, the turn and the changed
// settings of the first outcome, but not messages, traces and effects for the host.
//
// In the JSON form the ID is the member "once" of the instruction: {"input":"undo","once":"k1"}.
type Once struct {
	ID    string
	Input Input
}

// maxOnceID limits an ID, in bytes.
const maxOnceID = 256

func (o Once) inputType() string {
	if isNone(o.Input) {
		return ""
	}
	return o.Input.inputType()
}

// asOnce returns an input as a Once. It reports false for every other input.
func asOnce(in Input) (Once, bool) {
	if p, ok := in.(*Once); ok && p != nil {
		return *p, true
	}
	o, ok := in.(Once)
	return o, ok
}

// withoutID returns the instruction of a Once, and every other input unchanged.
func withoutID(in Input) Input {
	if o, ok := asOnce(in); ok {
		return o.Input
	}
	return in
}

// asLogged returns a Once in the form of the log. An instruction that asks the model is logged with
// its client turn ID instead.
func (o Once) asLogged() (Input, error) {
	if _, twice := asOnce(o.Input); twice || !isInstruction(o.Input) {
		return nil, fmt.Errorf("%w: once: %T is not an instruction", ErrInvalidInput, o.Input)
	}
	in, err := asLogged(o.Input)
	if err != nil || o.ID == "" {
		return in, err
	}
	if len(o.ID) > maxOnceID {
		return nil, fmt.Errorf("%w: once: the id has %d bytes, at most %d are allowed", ErrInvalidInput, len(o.ID), maxOnceID)
	}
	o.ID, o.Input = strings.ToValidUTF8(o.ID, "\uFFFD"), in
	named := reflect.New(reflect.TypeOf(in)).Elem()
	named.Set(reflect.ValueOf(in))
	field := named.FieldByName("ClientTurnID")
	if !field.IsValid() {
		return o, nil
	}
	if id := field.String(); id != "" && id != o.ID {
		return nil, fmt.Errorf("%w: once: the id is %q, and client_turn_id is %q: give one of them", ErrInvalidInput, o.ID, id)
	}
	field.SetString(o.ID)
	return named.Interface().(Input), nil
}

// fingerprint identifies the instruction without its time.
func (o Once) fingerprint() string {
	data, _ := marshalInput(o.Input) // a logged instruction has a JSON form
	v, _ := tree.ParseValue(data)
	sum := sha256.Sum256([]byte(v.Without("at").String()))
	return hex.EncodeToString(sum[:8])
}

// Inputs is a list of inputs with a JSON form.
type Inputs []Input

// Names returns the name of each input, as in the member "input" of its JSON; "" for a nil input.
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
	body, err := openjson.Marshal(withoutID(in))
	if err != nil {
		return nil, err
	}
	if o, ok := asOnce(in); ok && o.ID != "" {
		body = openjson.Tagged("once", o.ID, body)
	}
	return openjson.Tagged("input", in.inputType(), body), nil
}

// unknownInput is an input that this version of the library does not know.
type unknownInput struct {
	name string
	data []byte // JSON
}

func (u unknownInput) inputType() string { return u.name }

// Unknown returns the names of the inputs that this version does not know, sorted and without
// duplicates. For an input with an unknown member the name includes the member: "submit.weather".
// Such inputs are kept, but they cannot be played.
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

// untrusted is an answer that may contain parts that the log cannot store. cleaned removes these
// parts, so that the rest can be used.
type untrusted interface{ cleaned() Input }

// isNone reports whether an input is nil or a nil pointer.
func isNone(in Input) bool {
	if in == nil {
		return true
	}
	if o, ok := asOnce(in); ok {
		return isNone(o.Input)
	}
	v := reflect.ValueOf(in)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// decoder reads an input of one type, and returns the members that the type does not have.
type decoder func(data []byte) (Input, openjson.Extra, error)

// kindOf returns the table entry of an input type.
func kindOf[I Input]() (name string, read decoder) {
	var zero I
	return zero.inputType(), func(data []byte) (Input, openjson.Extra, error) {
		var in I
		unknown, err := openjson.Decode(data, &in)
		return in, unknown, err
	}
}

// kinds returns a table of input types by their names.
func kinds(list ...func() (string, decoder)) map[string]decoder {
	table := make(map[string]decoder, len(list))
	for _, kind := range list {
		name, read := kind()
		table[name] = read
	}
	return table
}

// UnmarshalJSON reads the list that MarshalJSON writes. Inputs that this version does not know, or
// that have unknown members, are kept unchanged: see [Inputs.Unknown].
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
		Once  string `json:"once"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Input == "" {
		return nil, errors.New(`an input is an object with a member "input"`)
	}
	read, known := kindNamed(head.Input)
	if !known {
		return keptInput(head.Input, data), nil
	}
	in, unknown, err := read(data)
	if err != nil {
		return nil, err
	}
	delete(unknown, "input")
	if isInstruction(in) {
		delete(unknown, "once")
	}
	if len(unknown) == 0 {
		if head.Once != "" {
			return Once{head.Once, in}, nil
		}
		return in, nil
	}
	return keptInput(head.Input+"."+slices.Min(slices.Collect(maps.Keys(unknown))), data), nil
}

// keptInput returns an input that only a newer version can play. The data is valid JSON.
func keptInput(name string, data []byte) Input {
	var out bytes.Buffer
	_ = json.Compact(&out, data)
	return unknownInput{name, out.Bytes()}
}

// kindNamed returns the decoder for the input type of a name.
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
		return nil, &Unplayable{Inputs: []string{name}}
	}
	in, _, err := read(data)
	return in, err
}

// asLogged returns an input in the form of the log: as it reads back from its JSON. So the machine
// plays exactly what the log stores.
func asLogged(in Input) (Input, error) {
	if isNone(in) {
		return nil, fmt.Errorf("%w: none", ErrInvalidInput)
	}
	if o, ok := asOnce(in); ok {
		return o.asLogged()
	}
	if a, ok := in.(untrusted); ok {
		in = a.cleaned()
	}
	if u, ok := in.(unknownInput); ok {
		return nil, &Unplayable{Inputs: []string{u.name}}
	}
	data, encodeErr := openjson.Marshal(in)
	out, err := decode(in.inputType(), data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), cmp.Or(encodeErr, err))
	}
	return out, nil
}
