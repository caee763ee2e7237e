package openai

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/talewright/talewright/internal/wire"
)

// maxList is how many elements a list in an event may have. The shortest take
// three bytes on the wire and twenty times as many in memory.
const maxList = 1 << 12

// errList is the error of a list with more elements. It would not be shorter the
// next time.
var errList = errors.New("a list in it has too many elements")

// list is a JSON array of at most maxList elements.
type list[T any] []T

// UnmarshalJSON implements json.Unmarshaler. The elements of a long text are read
// one by one, so that those beyond the limit are never made.
func (l *list[T]) UnmarshalJSON(data []byte) error {
	const short = 32 << 10
	if len(data) <= short {
		return l.whole(data)
	}
	in := json.NewDecoder(bytes.NewReader(data))
	if first, err := in.Token(); err != nil || first != json.Delim('[') {
		return l.whole(data)
	}
	var out list[T]
	for in.More() {
		if len(out) == maxList {
			return errList
		}
		var element T
		if err := in.Decode(&element); err != nil {
			return err
		}
		out = append(out, element)
	}
	*l = out
	return nil
}

// whole reads all elements at once.
func (l *list[T]) whole(data []byte) error {
	var out []T
	if err := json.Unmarshal(data, &out); err != nil {
		return err
	}
	if len(out) > maxList {
		return errList
	}
	*l = out
	return nil
}

// number is a small integer that servers write in several ways: 1, 1.0, "1". What
// is none of them is unknown, and never a reason to refuse an event.
type number struct {
	value int
	known bool
}

// UnmarshalJSON implements json.Unmarshaler. It does not fail.
func (n *number) UnmarshalJSON(data []byte) error {
	n.value, n.known = readInt(data)
	return nil
}

// label is a short text that some servers write as a number. Null and what is
// neither is empty.
type label string

// UnmarshalJSON implements json.Unmarshaler. It does not fail.
func (l *label) UnmarshalJSON(data []byte) error {
	*l = label(wire.Value(data).Word())
	return nil
}
