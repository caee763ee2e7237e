package card

import "encoding/json"

// source is an object that fields are read from.
type source struct {
	r       *reader
	path    string
	members map[string]json.RawMessage
}

// rest returns the members that the fields do not write back themselves, nil if
// there are none. It uses the source up.
func (s source) rest(fields []memberValue) map[string]json.RawMessage {
	for _, f := range fields {
		raw, ok := s.members[f.name]
		if ok && (f.set || f.mandatory &&
			(kindOf(raw) == aNull || string(raw) == string(marshalValid(f.value)))) {
			delete(s.members, f.name)
		}
	}
	if len(s.members) == 0 {
		return nil
	}
	return s.members
}

// take returns a member as read; the zero value if it is missing, null or
// unreadable.
func take[T any](s source, name string,
	read func(*reader, string, json.RawMessage) (T, bool)) T {
	var zero T
	return takeOr(s, name, zero, read)
}

// takeOr is take with another value than the zero one for what is missing.
func takeOr[T any](s source, name string, otherwise T,
	read func(*reader, string, json.RawMessage) (T, bool)) T {
	if v := takeOptional(s, name, read); v != nil {
		return *v
	}
	return otherwise
}

// takeOptional is take for members whose absence has a meaning.
func takeOptional[T any](s source, name string,
	read func(*reader, string, json.RawMessage) (T, bool)) *T {
	raw := s.members[name]
	if kindOf(raw) == aNull {
		return nil
	}
	v, ok := read(s.r, member(s.path, name), raw)
	if !ok {
		return nil
	}
	return &v
}
