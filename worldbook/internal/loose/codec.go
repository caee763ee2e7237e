package loose

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// Field connects a JSON member to a field of T.
type Field[T any] struct {
	Name string
	At   func(*T) any // pointer to the field
	// Optional members are not written if their fields have zero values.
	Optional bool
}

// Codec reads and writes T as a JSON object, in the order of its fields. It is immutable
// and safe for concurrent use.
type Codec[T any] struct {
	fields []Field[T]
	places map[string]int
	blank  T // the fields of missing members; real files omit most members
}

// New returns the codec of at most 64 fields.
func New[T any](fields ...Field[T]) *Codec[T] {
	c := &Codec[T]{fields: fields, places: map[string]int{}}
	for i, f := range fields {
		c.places[f.Name] = i
		read(f.At(&c.blank), Value{}, nil)
	}
	return c
}

// Memory is the data of an object that the fields cannot express.
type Memory struct {
	Missing uint64                     // bit i: the object had no member for field i
	Odd     map[string]json.RawMessage // members with a different type than their field
}

// Decode reads an object into fields of out, which must be new. Members without a field are
// returned as extra. An error means that data is not an object.
func (c *Codec[T]) Decode(data []byte, out *T) (m Memory, extra map[string]json.RawMessage, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return Memory{}, nil, err
	}
	for i, f := range c.fields {
		raw, ok := all[f.Name]
		delete(all, f.Name)
		switch {
		case !ok:
			if !f.Optional { // a missing optional member means the zero value
				m.Missing |= 1 << i
			}
			read(f.At(out), Value{}, nil)
		case !read(f.At(out), Parse(raw), raw):
			if m.Odd == nil {
				m.Odd = map[string]json.RawMessage{}
			}
			m.Odd[f.Name] = slices.Clone(raw)
		}
	}
	if len(all) > 0 {
		extra = all
	}
	return m, extra, nil
}

// Encode writes an object. A field writes back the value of its file until the field is set to a
// different value.
func (c *Codec[T]) Encode(from *T, m Memory, extra map[string]json.RawMessage) []byte {
	out := bytes.NewBufferString("{")
	add := func(name string, value []byte) {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		key, _ := openjson.Marshal(name)
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	for i, f := range c.fields {
		at := f.At(from)
		value, ok := c.odd(from, m, i)
		flag, isFlag := at.(*bool)
		staysMissing := m.Missing&(1<<i) != 0 && same(at, f.At(&c.blank)) || f.Optional && isFlag && !*flag
		if !ok && !staysMissing {
			value, ok = write(at)
		}
		if ok {
			add(f.Name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if _, claimed := c.places[name]; !claimed {
			add(name, extra[name])
		}
	}
	out.WriteByte('}')
	return out.Bytes()
}

// Odd returns the value of a member with a different type than its field. It returns no value if
// the field has been set to a different value since.
func (c *Codec[T]) Odd(from *T, m Memory, name string) (Value, bool) {
	if len(m.Odd) == 0 {
		return Value{}, false
	}
	raw, ok := c.odd(from, m, c.places[name])
	return Parse(raw), ok
}

func (c *Codec[T]) odd(from *T, m Memory, i int) (json.RawMessage, bool) {
	f := c.fields[i]
	raw, ok := m.Odd[f.Name]
	if !ok {
		return nil, false
	}
	var was T
	read(f.At(&was), Parse(raw), raw)
	return raw, same(f.At(&was), f.At(from))
}
