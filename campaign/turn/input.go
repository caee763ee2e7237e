package turn

import (
	"encoding/json"
	"errors"
	"fmt"

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

// MarshalJSON writes a list of objects, each with its "input" first.
func (in Inputs) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, input := range in {
		if input == nil {
			return nil, fmt.Errorf("inputs[%d]: %w: none", i, ErrInvalidInput)
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

// UnmarshalJSON reads the list that MarshalJSON writes.
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
	return decode(head.Input, data)
}

// decode reads an input of the named type.
func decode(name string, data []byte) (Input, error) {
	read, known := instructions[name]
	if !known {
		read, known = answers[name]
	}
	if !known {
		return nil, fmt.Errorf("unknown input %q", name)
	}
	return read(data)
}
