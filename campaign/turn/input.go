package turn

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Input is something that a [Machine] is told: an instruction of the host or the
// player, or the answer to what [Machine.Todo] asked for. The set is closed: an
// instruction stands in a file of its own, instruction_….go, the answers in answers.go.
// Inputs are what the log keeps, so that it can be replayed; their JSON form is an object
// whose member "input" names the type.
type Input interface {
	inputType() string
}

// Once makes any instruction repeatable: it is carried out once for its ID, however often it is given. Given again,
// also to another process, it has the first outcome, with Replayed set. ID is any text of the host's of at most 256
// bytes that names this one instruction in its campaign; with an empty ID the instruction is as it is without Once.
//
// An instruction that asks the model has a ClientTurnID for that: Once sets it, and the two have to be the same if
// both are given. For all other instructions the campaign keeps the last [state.MostOnce] IDs. An instruction that was
// refused, has failed, or has committed nothing, is carried out again. Another instruction with a known ID is
// refused as [state.IdempotencyConflict]; its time makes no difference. Of the first outcome the status, the turn and
// the changed settings are kept, and not messages, traces and effects for the host.
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

// asOnce returns an input as a Once, and reports false for every other input.
func asOnce(in Input) (Once, bool) {
	if p, ok := in.(*Once); ok && p != nil {
		return *p, true
	}
	o, ok := in.(Once)
	return o, ok
}

// withoutID returns the instruction of a Once, and every other input as it is.
func withoutID(in Input) Input {
	if o, ok := asOnce(in); ok {
		return o.Input
	}
	return in
}

// asLogged returns a Once as the log will have it. Instructions that ask the model are logged with their
// client turn id instead.
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

// fingerprint identifies the instruction, whenever it is given.
func (o Once) fingerprint() string {
	data, err := marshalInput(o.Input)
	if err != nil {
		return ""
	}
	v, err := tree.ParseValue(data)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(v.Without("at").String()))
	return hex.EncodeToString(sum[:8])
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
	body, err := openjson.Marshal(withoutID(in))
	if err != nil {
		return nil, err
	}
	if o, ok := asOnce(in); ok && o.ID != "" {
		body = openjson.Tagged("once", o.ID, body)
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
	if o, ok := asOnce(in); ok {
		return isNone(o.Input)
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
		return keptInput(head.Input, data)
	}
	in, err := read(data)
	if err != nil {
		return nil, err
	}
	unknown, err := openjson.Decode(data, reflect.New(reflect.TypeOf(in)).Interface())
	delete(unknown, "input")
	if isInstruction(in) {
		delete(unknown, "once")
	}
	if err != nil {
		return in, err
	}
	if len(unknown) == 0 {
		if head.Once != "" {
			return Once{head.Once, in}, nil
		}
		return in, nil
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
		return nil, &Unplayable{Inputs: []string{name}}
	}
	return read(data)
}

// asLogged returns an input as the log will have it: as it reads back from its JSON. So what is
// played is what is stored, whatever a host has built.
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
