package tree

import (
	"slices"
)

// With returns a container with another value for one key: of an object the member, which
// is added at the end if it is new; of an array the element at a decimal index, its length
// appends. An absent value is [Value.Without]. Anything else, an index out of range among
// it, returns v as it is.
//
// It copies the one container. To change many members, use an [Edit] or [Value.Map].
func (v Value) With(key string, to Value) Value {
	if !to.Exists() {
		return v.Without(key)
	}
	switch c := v.v.(type) {
	case *object:
		o := c.copied()
		o.put(key, to)
		return Value{o}
	case *array:
		i, ok := Index(key)
		if !ok || i > len(c.vals) {
			return v
		}
		a := &array{vals: make([]Value, max(len(c.vals), i+1))}
		copy(a.vals, c.vals)
		a.vals[i] = to
		return Value{a}
	}
	return v
}

// Without returns a container without the member of that key, or without the element at
// that decimal index; v itself if there is none.
func (v Value) Without(key string) Value {
	switch c := v.v.(type) {
	case *object:
		if i := c.find(key); i >= 0 {
			o := c.copied()
			o.remove(i)
			return Value{o}
		}
	case *array:
		if i, ok := Index(key); ok && i < len(c.vals) {
			return Value{&array{vals: slices.Delete(slices.Clone(c.vals), i, i+1)}}
		}
	}
	return v
}

// Merge returns what becomes of v if w is written over it: objects member by member, at all
// depths, in the order of v and then of what w adds; everything else is w. An absent w
// changes nothing.
func (v Value) Merge(w Value) Value {
	a, isObject := v.v.(*object)
	b, isToo := w.v.(*object)
	switch {
	case !w.Exists():
		return v
	case !isObject || !isToo:
		return w
	}
	out := a.copied()
	for i, key := range b.keys {
		out.put(key, v.Get(key).Merge(b.vals[i]))
	}
	return Value{out}
}

// Map returns a container whose elements or member values are those that f makes of the ones
// of v, by their place; keys stay, and what f makes absent is left out. If f returns each as it
// is, the result is v itself, and so it is for scalars.
func (v Value) Map(f func(i int, child Value) Value) Value {
	switch c := v.v.(type) {
	case *object:
		vals, gone := mapEach(c.vals, f)
		switch {
		case vals == nil:
			return v
		case gone == 0:
			o := c.copied()
			o.vals = vals
			return Value{o}
		}
		o := &object{keys: make([]string, 0, len(vals)-gone), ownKeys: true}
		for i, child := range vals {
			if child.Exists() {
				o.keys = append(o.keys, c.keys[i])
			}
		}
		o.vals = slices.DeleteFunc(vals, Value.IsZero)
		o.reindex()
		return Value{o}
	case *array:
		vals, gone := mapEach(c.vals, f)
		if vals == nil {
			return v
		}
		if gone > 0 {
			vals = slices.DeleteFunc(vals, Value.IsZero)
		}
		return Value{&array{vals: vals}}
	}
	return v
}

// mapEach returns what f makes of the values, nil if nothing, and how many of them are absent.
func mapEach(vals []Value, f func(int, Value) Value) (out []Value, gone int) {
	for i, child := range vals {
		now := f(i, child)
		if out == nil && !now.Same(child) {
			out = append(make([]Value, 0, len(vals)), vals[:i]...)
		}
		if out != nil {
			out = append(out, now)
		}
		if !now.Exists() {
			gone++
		}
	}
	return out, gone
}
