package tree

import "slices"

// With returns a container with a different value for one key. In an object the key names a member;
// a new member is added at the end. In an array it is the decimal index of an element. The array's
// length as index appends. An absent value means [Value.Without]. In all other cases, such as an
// index out of range, it returns v unchanged.
//
// It copies only this container. To change many members, use an [Edit] or [Value.Map].
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

// Without returns a container without the member of that key, or without the element at that
// decimal index. If it does not exist, Without returns v.
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

// Merge returns the result of writing w over v. Objects are merged member by member, at all depths,
// in the order of v and then of the new members of w. In all other cases the result is w. An absent
// w changes nothing.
func (v Value) Merge(w Value) Value {
	a, isObject := v.v.(*object)
	b, withObject := w.v.(*object)
	switch {
	case !w.Exists():
		return v
	case !isObject || !withObject:
		return w
	}
	out := a.copied()
	for i, key := range b.keys {
		out.put(key, v.Get(key).Merge(b.vals[i]))
	}
	return Value{out}
}

// Map returns a container whose elements or member values are the results of f, called with index
// and old value. Keys stay; absent results are left out. If f returns all values unchanged, the
// result is v itself. A scalar is returned unchanged.
func (v Value) Map(f func(i int, child Value) Value) Value {
	switch c := v.v.(type) {
	case *object:
		vals, absent := mapEach(c.vals, f)
		switch {
		case vals == nil:
			return v
		case absent == 0:
			o := c.copied()
			o.vals = vals
			return Value{o}
		}
		o := &object{keys: make([]string, 0, len(vals)-absent), ownKeys: true}
		for i, child := range vals {
			if child.Exists() {
				o.keys = append(o.keys, c.keys[i])
			}
		}
		o.vals = slices.DeleteFunc(vals, Value.IsZero)
		o.reindex()
		return Value{o}
	case *array:
		vals, absent := mapEach(c.vals, f)
		if vals == nil {
			return v
		}
		if absent > 0 {
			vals = slices.DeleteFunc(vals, Value.IsZero)
		}
		return Value{&array{vals: vals}}
	}
	return v
}

// mapEach returns the results of f, nil if nothing changed, and the number of absent results.
func mapEach(vals []Value, f func(int, Value) Value) (out []Value, absent int) {
	for i, child := range vals {
		now := f(i, child)
		if out == nil && !now.Same(child) {
			out = append(make([]Value, 0, len(vals)), vals[:i]...)
		}
		if out != nil {
			out = append(out, now)
		}
		if !now.Exists() {
			absent++
		}
	}
	return out, absent
}
