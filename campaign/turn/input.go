package turn

import (
	"fmt"
	"reflect"
	"slices"
	"time"

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
		if input == nil {
			return nil, fmt.Errorf("inputs[%d]: %w: none", i, ErrInvalidInput)
		}
		if u, ok := input.(unknownInput); ok {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, u.data...)
			continue
		}
		body, err := openjson.Marshal(input)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"input":"`+input.inputType()+`"`...)
		if len(body) > 2 {
			out = append(out, ',')
		}
		out = append(out, body[1:]...)
	}
	return append(out, ']'), nil
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
